/** From the lines of a run to its report. Pure: the same lines give the same report, whichever way they travelled. */
import type { JournalLine } from '../../openapi/model/journal.ts';
import { clauseReports, tallyClauses } from './clauses.ts';
import { findingsOf } from './findings.ts';
import { keepEvidence } from './evidence.ts';
import { chainsOf, flowsOf } from './flows.ts';
import { concurrencyOf, coversOf, createdResourcesOf, observationsOf, operationReports } from './tables.ts';
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
  type NotExercised,
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
  /** The lines of each scenario in the order written; the scenarios in any order, none torn apart. They are read twice. */
  readonly lines: Iterable<JournalLine>;
  /** SHA-256 over the lines, where they are kept beside the report. */
  readonly history?: string;
  readonly run: RunFacts;
}

/** Folds a run into its report. */
export function fold({ lines, history, run }: FoldInput, given: Catalogue = bankOpenApi): Report {
  const baselineFiles = run.baselineFiles ?? {};
  const pins = baselineFiles.pins === undefined ? [] : pinsOf(baselineFiles.pins);
  const pinned = new Set(pins.map(({ point }) => point));
  const catalogue = promoted(judgedBy(given, run.suite), new Set([...pinned, ...(given.promoted ?? [])]));
  const runTallies = tally(lines, catalogue);
  for (const found of pinViolations(pins, runTallies, catalogue)) addViolation(runTallies, found);
  const { areas } = run.target;
  const interrupted = run.interrupted ?? runTallies.interrupted;
  const configuration = run.configuration ?? [];
  const errors = [...runTallies.errors, ...(run.errors ?? [])];
  if (errors.length === 0 && interrupted === null && configuration.length === 0) errors.push(...unfinished(runTallies));
  const observations = observationsOf(runTallies, catalogue);
  const chains = chainsOf(runTallies.steps);
  keepEvidence(lines, runTallies, observations, chains);
  const operations = operationReports(runTallies, catalogue, run.target);
  const findings = findingsOf(runTallies, catalogue);
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
    flows: flowsOf(chains, runTallies.records),
    covers: coversOf(runTallies),
    exchanges: Object.fromEntries(runTallies.records),
    ...(history === undefined ? {} : { history }),
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
