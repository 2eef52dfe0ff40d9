/** From the lines of a run to its report. Pure: the same lines give the same report, whichever way they travelled. */
import type { JournalLine, ExchangeRecord } from '../../openapi/model/journal.ts';
import { clauseReports, tallyClauses } from './clauses.ts';
import { findingsOf } from './findings.ts';
import { flowsOf } from './flows.ts';
import { concurrencyOf, coversOf, createdResourcesOf, observationsOf, operationReports } from './tables.ts';
import { recordedJudgements } from './recorded-judgements.ts';
import { compareWith, expectedFailuresOf } from '../baseline/index.ts';
import { addViolation } from './count.ts';
import { tally } from './tally-run.ts';
import { isAbout, type KnownJudgement } from '../baseline/expected-failures.ts';
import { byOverlay, bySet, judgedBy } from '../baseline/requirements.ts';
import { pinViolations, pinsOf, promoted } from '../baseline/pinned-answers.ts';
import { catalogue as bankOpenApi, type Catalogue } from '../model/catalogue.ts';
import { counted, operationName } from '../text/phrases.ts';
import {
  format,
  type ClauseReport,
  type Finding,
  type Flow,
  type NotExercised,
  type Observation,
  type OperationReport,
  type Report,
} from '../model/report.ts';
import { gateOf } from './verdict/gate.ts';
import { reasonsOpen } from './verdict/reasons.ts';
import { countClauses, runVerdict } from './verdict/verdict.ts';
import { whatCame } from './verdict/what-came.ts';
import type { RunTallies } from '../model/tally.ts';
import type { RunFacts } from '../model/description.ts';

interface FoldInput {
  /** The lines of each scenario in the order written; the scenarios in any order, none torn apart. */
  readonly lines: Iterable<JournalLine>;
  readonly run: RunFacts;
}

/** Folds a run into its report. */
export function fold({ lines, run }: FoldInput, given: Catalogue = bankOpenApi): Report {
  const baselineFiles = run.baselineFiles ?? {};
  const pins = baselineFiles.pins === undefined ? [] : pinsOf(baselineFiles.pins);
  const pinned = new Set(pins.map(({ point }) => point));
  const catalogue = promoted(judgedBy(given, run.suite), new Set([...pinned, ...(given.promoted ?? [])]));
  const runTallies = tally(Array.isArray(lines) ? lines : [...lines], catalogue);
  for (const found of pinViolations(pins, runTallies, catalogue)) addViolation(runTallies, found);
  const { areas } = run.target;
  const interrupted = run.interrupted ?? runTallies.interrupted;
  const configuration = run.configuration ?? [];
  const errors = [...runTallies.errors, ...(run.errors ?? [])];
  if (errors.length === 0 && interrupted === null && configuration.length === 0) errors.push(...unfinished(runTallies));
  const operations = operationReports(runTallies, catalogue, run.target);
  const findings = findingsOf(runTallies, catalogue);
  const observations = observationsOf(runTallies, catalogue);
  const tallies = tallyClauses(runTallies, findings, catalogue);
  const clauses = clauseReports(tallies, {
    runTallies,
    catalogue,
    areas,
    selected: run.target.operations ?? null,
    operations,
    interrupted,
    ...(run.caps === undefined ? {} : { caps: run.caps }),
  });
  const verdictOn = {
    areas,
    selected: run.target.operations ?? null,
    requests: runTallies.requests,
    clauses,
    pinned,
    operations,
    errors,
    interrupted,
    records: runTallies.records,
    incomplete: run.incomplete ?? [],
    shares: runTallies.shares,
    configuration,
    ...(run.suite.settings === undefined ? {} : { settings: run.suite.settings }),
    ...(run.caps === undefined ? {} : { caps: run.caps }),
    isRecorded: run.recording !== undefined,
  };
  const judged = runVerdict(verdictOn);
  const { verdict } = judged;
  const counts = countClauses(clauses);
  const securityWarnings = clauses.filter((one) => one.class === 'security' && one.verdict === 'warning').length;
  const found = findings.map(({ finding }) => finding);
  const known = expectedFailuresOf(baselineFiles, found, clauses, run.startedAt);
  const stated = found.map((finding) => withKnown(finding, known));
  const gaps = reasonsOpen(verdictOn).length > 0;
  const flows = flowsOf(runTallies.records, runTallies.judged);
  const exchanges = keep(runTallies, clauses, found, observations, operations, flows);
  const report: Report = {
    format,
    ...judged,
    headline: `${judged.headline}${byOverlay(run.suite, verdict)}${bySet(run.suite)}${securityWarnings > 0 ? `, with ${counted(securityWarnings, 'security warning')}` : ''}`,
    gate: gateOf({ verdict, gaps, run, counts, findings: stated, pinned, known, errors: errors.length }),
    suite: run.suite,
    target: run.target,
    startedAt: run.startedAt,
    durationMs: Math.round(run.durationMs),
    requests: runTallies.requests,
    ...concurrencyOf(runTallies),
    interrupted,
    configuration,
    counts,
    securityWarnings,
    notExercised: notExercised(operations, clauses, verdictOn),
    operations,
    clauses,
    findings: stated,
    observations,
    createdResources: createdResourcesOf(runTallies, run.caps ?? null),
    scenarios: runTallies.scenarios,
    flows,
    covers: coversOf(runTallies),
    exchanges,
    ...recordedJudgements(exchanges, runTallies),
    errors,
    ...(run.recording === undefined ? {} : { recording: run.recording }),
  };
  return run.baselineFiles === undefined ? report : { ...report, against: compareWith(baselineFiles, report, known) };
}

function withKnown(finding: Finding, { tolerated, entries }: KnownJudgement): Finding {
  const entry = tolerated.has(finding.id) ? entries.find((one) => isAbout(one, finding)) : undefined;
  return entry === undefined
    ? finding
    : { ...finding, known: { reason: entry.reason, owner: entry.owner, expires: entry.expires } };
}

/** A scenario that began and did not end, in a run that nothing interrupted, is a fault of the suite. */
function unfinished(runTallies: RunTallies): { scenario: string; message: string }[] {
  return runTallies.scenarios
    .filter((scenario) => scenario.durationMs === null)
    .map((scenario) => ({ scenario: scenario.title, message: 'The scenario began and did not come to its end.' }));
}

function notExercised(
  operations: readonly OperationReport[],
  clauses: readonly ClauseReport[],
  limits: Parameters<typeof whatCame>[1],
): NotExercised {
  return {
    operations: operations
      .filter((operation) => operation.successes === 0)
      .map((operation) => ({
        id: operation.id,
        operation: operationName(operation),
        why: whatCame(operation, limits),
      })),
    clauses: clauses
      .filter((clause) => clause.verdict === 'inconclusive')
      .map((clause) => ({ clause: clause.id, level: clause.level, why: clause.why ?? '' })),
  };
}

/** The evidence of a report: what it refers to, and the first exchange of each kind. In the order of the journal. */
function keep(
  runTallies: RunTallies,
  clauses: readonly ClauseReport[],
  findings: readonly Finding[],
  observations: readonly Observation[],
  operations: readonly OperationReport[],
  flows: readonly Flow[],
): Record<string, ExchangeRecord> {
  const wanted = new Set<string | null>(runTallies.firsts);
  for (const clause of clauses) wanted.add(clause.exchange);
  for (const finding of findings) {
    wanted
      .add(finding.exchange)
      .add(finding.contrast)
      .add(finding.counterexample?.exchange ?? null);
  }
  for (const observation of observations) wanted.add(observation.exchange).add(observation.control);
  for (const { ways } of operations) for (const { exchange } of Object.values(ways)) wanted.add(exchange);
  for (const { steps } of flows) for (const { exchange } of steps) wanted.add(exchange);
  const kept: Record<string, ExchangeRecord> = {};
  for (const [id, record] of runTallies.records) if (wanted.has(id) || record.attempts !== undefined) kept[id] = record;
  return kept;
}
