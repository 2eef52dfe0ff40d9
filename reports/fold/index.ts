/** Makes the report from the lines of a run. Pure: the same lines always give the same report. */
import type { JournalLine } from '../../openapi/model/journal.ts';
import { clauseReports } from './clauses.ts';
import { conditionsIn } from './causes/conditions.ts';
import { consequencesIn } from './causes/consequences.ts';
import { findingsOf } from './findings.ts';
import { keepEvidence } from './evidence.ts';
import { chainsOf, flowsOf } from './flows.ts';
import { concurrencyOf, coversOf, createdResourcesOf, observationsOf, operationReports } from './tables.ts';
import { addViolation } from './count.ts';
import { tally } from './tally-run.ts';
import { compareWith } from '../baseline/changes.ts';
import { judgeKnown, withKnown } from '../baseline/expected-failures.ts';
import { byOverlay, bySet, judgedBy } from '../baseline/requirements.ts';
import { pinViolations, pinsOf, promoted } from '../baseline/pinned-answers.ts';
import { catalogue as bankOpenApi, type Catalogue } from '../model/catalogue.ts';
import type { RunFacts } from '../model/description.ts';
import { format, type NotExercised, type Report } from '../model/report.ts';
import type { RunTallies } from '../model/tally.ts';
import { given } from '../text/given.ts';
import { counted, operationName } from '../text/phrases.ts';
import { gateOf } from './verdict/gate.ts';
import { reasonsOpen } from './verdict/reasons.ts';
import type { JudgedRun, RunContext } from './verdict/run-context.ts';
import { countClauses, runVerdict } from './verdict/verdict.ts';
import { whatCame } from './verdict/what-came.ts';

interface FoldInput {
  /** The lines of each scenario together and in order; scenarios in any order. The fold reads the lines twice. */
  readonly lines: Iterable<JournalLine>;
  /** SHA-256 over the lines, if the history is kept beside the report. */
  readonly history?: string;
  readonly run: RunFacts;
}

/** Folds a run into its report. */
export function fold({ lines, history, run }: FoldInput, known: Catalogue = bankOpenApi): Report {
  const { target, suite, caps = null, baselineFiles = {}, recording } = run;
  const pins = pinsOf(baselineFiles.pins);
  const pinned = new Set(pins.map(({ point }) => point));
  const catalogue = promoted(judgedBy(known, suite), new Set([...pinned, ...(known.promoted ?? [])]));
  const runTallies = tally(lines, catalogue);
  for (const found of pinViolations(pins, runTallies, catalogue)) addViolation(runTallies, found);
  const observations = observationsOf(runTallies, catalogue);
  const chains = chainsOf(runTallies.steps);
  keepEvidence(lines, runTallies, observations, chains);
  const context = contextOf(run, runTallies, catalogue, pinned);
  const { operations, interrupted, configuration, errors } = context;
  const conditions = conditionsIn(runTallies);
  const found = findingsOf(runTallies, catalogue, conditions);
  const clauses = clauseReports(found, { runTallies, catalogue, run: context });
  const judged: JudgedRun = { ...context, clauses };
  const { verdict, headline, reasons } = runVerdict(judged);
  const counts = countClauses(clauses);
  const securityWarnings = clauses.filter((one) => one.class === 'security' && one.verdict === 'warning').length;
  const causes = consequencesIn(found, lines, runTallies, conditions);
  const all = found.map(({ finding }) => ({ ...finding, ...given({ consequenceOf: causes.get(finding.id) }) }));
  const entries = judgeKnown(baselineFiles.known ?? [], all, clauses, run.startedAt.slice(0, 10));
  const findings = all.map((finding) => withKnown(entries, finding));
  const gaps = reasonsOpen(judged).length > 0;
  const report: Report = {
    format,
    verdict,
    headline: `${headline}${byOverlay(suite, verdict)}${bySet(suite)}${securityWarnings > 0 ? `, with ${counted(securityWarnings, 'security warning')}` : ''}`,
    reasons,
    gate: gateOf({ verdict, gaps, run, counts, findings, pinned, entries, errors: errors.length }),
    suite,
    target,
    startedAt: run.startedAt,
    durationMs: Math.round(run.durationMs),
    requests: runTallies.requests,
    ...given({ concurrency: concurrencyOf(runTallies) }),
    interrupted,
    configuration,
    counts,
    securityWarnings,
    notExercised: notExercised(judged),
    operations,
    clauses,
    findings,
    observations,
    createdResources: createdResourcesOf(runTallies, caps),
    scenarios: runTallies.scenarios,
    flows: flowsOf(chains, runTallies.records),
    covers: coversOf(runTallies),
    exchanges: Object.fromEntries(runTallies.records),
    ...given({ history }),
    errors,
    ...given({ recording }),
  };
  return run.baselineFiles === undefined ? report : { ...report, against: compareWith(baselineFiles, report, entries) };
}

function contextOf(
  run: RunFacts,
  runTallies: RunTallies,
  catalogue: Catalogue,
  pinned: ReadonlySet<string>,
): RunContext {
  const { target, configuration = [] } = run;
  const interrupted = run.interrupted ?? runTallies.interrupted;
  const errors = [...runTallies.errors, ...(run.errors ?? [])];
  const isWhole = errors.length === 0 && interrupted === null && configuration.length === 0;
  // If nothing interrupted the run, an unfinished scenario is a fault of the suite.
  const unfinished = isWhole ? runTallies.scenarios.filter(({ durationMs }) => durationMs === null) : [];
  const message = 'The scenario began and did not come to its end.';
  return {
    areas: target.areas,
    selected: target.operations ?? null,
    isReadOnly: target.readOnly === true,
    requests: runTallies.requests,
    pinned,
    operations: operationReports(runTallies, catalogue, target),
    errors: [...errors, ...unfinished.map(({ title }) => ({ scenario: title, message }))],
    records: runTallies.records,
    interrupted,
    incomplete: run.incomplete ?? [],
    shares: runTallies.shares,
    configuration,
    settings: run.suite.settings ?? {},
    caps: run.caps ?? null,
    isRecorded: run.recording !== undefined,
  };
}

function notExercised(run: JudgedRun): NotExercised {
  return {
    operations: run.operations
      .filter(({ successes }) => successes === 0)
      .map((operation) => ({ id: operation.id, operation: operationName(operation), why: whatCame(operation, run) })),
    clauses: run.clauses
      .filter(({ verdict }) => verdict === 'inconclusive')
      .map(({ id, level, why }) => ({ clause: id, level, why: why ?? '' })),
  };
}
