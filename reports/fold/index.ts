/** Makes the report from the lines of a run. The same lines always give the same report. */
import type { RunLines } from '../../openapi/history/run-lines.ts';
import { reportClauses } from './clauses.ts';
import { findConditions, type Conditions } from './conditions.ts';
import { findConsequences } from './causes.ts';
import { compareFindings, makeFindings } from './findings.ts';
import { reportConcurrency, reportCreated, listObservations, reportOperations } from './tables.ts';
import { type Catalogue, type RunTallies, type JudgedRun, type RunContext } from '../model/tallies.ts';
import { tallyRun } from './tally-run.ts';
import { compareWithBaselines } from '../baseline/changes.ts';
import { judgeKnownEntries, markKnown, type ExceedsCondition } from '../baseline/expected-failures.ts';
import { describeForm } from '../baseline/forms.ts';
import type { Clause } from '../../openapi/clauses/clause.ts';
import { clauses } from '../../openapi/catalogue.ts';
import { decidedOpenPoints, operations } from '../../openapi/contract/operations.ts';
import { getLocations } from '../../openapi/contract/locations.ts';
import { evaluateRun } from '../../openapi/evaluate-run.ts';
import { readEntry } from '../../openapi/history/reading.ts';
import { partition } from '../../openapi/util/group-by.ts';
import type { RunFacts } from '../model/description.ts';
import {
  omitUndefined,
  REPORT_FORMAT,
  type ClauseReport,
  type Finding,
  type NotExercised,
  type ReportedAnswer,
  type Report,
  type RunVerdict,
  type Suite,
} from '../model/report.ts';
import { counted, formatOperationName, joinWithAnd } from '../text/phrases.ts';
import { decideGate, countClauses, decideRunVerdict } from './verdict.ts';
import { listInconclusiveReasons } from './reasons.ts';
import { describeOutcomes } from './untested.ts';

interface FoldInput {
  readonly lines: RunLines;
  /** The SHA-256 of the lines, if the history is kept beside the report. */
  readonly history?: string;
  readonly run: RunFacts;
}

/** Returns ` to the document as changed by “…”` if an overlay was applied; else an empty text. */
const describeOverlay = ({ overlay }: Suite, verdict: RunVerdict): string =>
  overlay === undefined
    ? ''
    : `${verdict === 'inconclusive' ? ', measured by' : ' to'} the document as changed by “${overlay.title}”`;

const countWarnings = (clauses: readonly ClauseReport[], endangered: Finding['class']): number =>
  clauses.filter((clause) => clause.class === endangered && clause.verdict === 'warning').length;

/**
 * Returns `, with 2 security warnings, 1 money warning and 3 other warnings`, or an empty text. Only a conformant bank is told of
 * the other warnings.
 */
function describeWarnings(clauses: readonly ClauseReport[], verdict: RunVerdict): string {
  const parts = (['security', 'money'] as const).flatMap((endangered) => {
    const count = countWarnings(clauses, endangered);
    return count === 0 ? [] : counted(count, `${endangered} warning`);
  });
  const others = countWarnings(clauses, 'consistency') + countWarnings(clauses, 'robustness');
  if (verdict === 'conformant' && others > 0)
    parts.push(counted(others, parts.length === 0 ? 'warning' : 'other warning'));
  return parts.length === 0 ? '' : `, with ${joinWithAnd(parts)}`;
}

const bankOpenApi: Catalogue = {
  clauses,
  operations,
  promoted: decidedOpenPoints,
  placesOf: getLocations,
  read: readEntry,
  evaluateRun,
};

/** Returns the catalogue in which the open points that an overlay decided are `must` clauses. */
function turnIntoRequirements(catalogue: Catalogue): Catalogue {
  const { promoted = new Set() } = catalogue;
  const clauses = Object.entries(catalogue.clauses).map(([id, clause]): [string, Clause] => {
    if (!promoted.has(id) || clause.level !== 'open') return [id, clause];
    const statement = `The bank gives the answer that an overlay requires. ${clause.statement}`;
    return [id, { ...clause, level: 'must', exercise: 'conditional', statement }];
  });
  return promoted.size === 0 ? catalogue : { ...catalogue, clauses: Object.fromEntries(clauses) };
}

export function foldReport({ lines, history, run }: FoldInput, known: Catalogue = bankOpenApi): Report {
  const { target, suite, caps = null, baselineFiles = {}, recording, configuration = [] } = run;
  const catalogue = turnIntoRequirements(known);
  const runTallies = tallyRun(lines, catalogue);
  const observations = listObservations(runTallies, catalogue);
  collectReportExchanges(lines, runTallies, observations);
  const context = makeRunContext(run, runTallies, catalogue);
  const { operations, interrupted, errors } = context;
  const conditions = findConditions(runTallies);
  const found = makeFindings({ tallies: runTallies, catalogue, conditions });
  const causes = findConsequences(found, lines, runTallies);
  const clauses = reportClauses(found, context, catalogue);
  const all = found
    .map(({ finding }) => ({ ...finding, ...omitUndefined({ consequenceOf: causes.get(finding.id) }) }))
    .toSorted(compareFindings);
  const judged: JudgedRun = { ...context, clauses, findings: all };
  const { verdict, headline, reasons } = decideRunVerdict(judged);
  const counts = countClauses(clauses);
  const securityWarnings = countWarnings(clauses, 'security');
  const exceeds = makeConditionTest(runTallies, conditions);
  const entries = judgeKnownEntries(baselineFiles.known ?? [], all, clauses, run.startedAt.slice(0, 10), exceeds);
  const marked = all.map((finding) => markKnown(entries, finding));
  // What an owner tolerates comes last: finding 1 is then the one to look at.
  const findings = partition(marked, ({ known: tolerated }) => tolerated === undefined).flat();
  const parts = { verdict, clauses, findings, observations, operations };
  const against = run.baselineFiles && compareWithBaselines(baselineFiles, parts, entries, exceeds);
  const fresh = new Set(against?.changes?.findings.fresh);
  const gaps = listInconclusiveReasons(judged).length > 0;
  return {
    format: REPORT_FORMAT,
    verdict,
    headline: `${headline}${describeOverlay(suite, verdict)}${describeWarnings(clauses, verdict)}`,
    reasons,
    gate: decideGate({ verdict, gaps, run, clauses, counts, findings, entries, fresh, errors: errors.length }),
    suite,
    target,
    startedAt: run.startedAt,
    durationMs: Math.round(run.durationMs),
    requests: runTallies.requests,
    ...omitUndefined({ concurrency: reportConcurrency(runTallies) }),
    interrupted,
    configuration,
    counts,
    securityWarnings,
    notExercised: listNotExercised(judged),
    operations,
    clauses,
    findings,
    observations,
    createdResources: reportCreated(runTallies, caps),
    scenarios: runTallies.scenarios,
    exchanges: Object.fromEntries(runTallies.records),
    ...omitUndefined({ history }),
    errors,
    ...omitUndefined({ recording, against }),
  };
}

/** Returns a test whether a finding, or one form of it, also occurs where a condition of an earlier run does not hold. */
function makeConditionTest({ breaks }: RunTallies, { exceeds }: Conditions): ExceedsCondition {
  return (finding, condition, form) => {
    const { first, forms } = breaks.get(finding.id)!;
    const rows = [...forms.values()].filter(
      (row) => form === undefined || describeForm(finding, row.first.received) === form,
    );
    return exceeds(
      condition,
      first.operation,
      rows.flatMap(({ answers }) => [...answers]),
    );
  };
}

function makeRunContext(run: RunFacts, tallies: RunTallies, catalogue: Catalogue): RunContext {
  const interrupted = run.interrupted ?? tallies.interrupted;
  const errors = [...tallies.errors, ...(run.errors ?? [])];
  const isWhole = errors.length === 0 && interrupted === null && !run.configuration?.length;
  // If nothing interrupted the run, an incomplete scenario is a fault of the suite.
  const unfinished = isWhole ? tallies.scenarios.filter(({ durationMs }) => durationMs === null) : [];
  const message = 'The scenario began and did not come to its end.';
  return {
    facts: run,
    tallies,
    operations: reportOperations(tallies, catalogue, run.target),
    errors: [...errors, ...unfinished.map(({ title }) => ({ scenario: title, message }))],
    interrupted,
  };
}

function listNotExercised(run: JudgedRun): NotExercised {
  return {
    operations: run.operations
      .filter(({ successes }) => successes === 0)
      .map((operation) => ({
        id: operation.id,
        operation: formatOperationName(operation),
        why: describeOutcomes(operation, run),
      })),
    clauses: run.clauses
      .filter(({ verdict }) => verdict === 'inconclusive')
      .map(({ id, level, why }) => ({ clause: id, level, why: why ?? '' })),
  };
}

/** The exchanges in a report have at most this many characters: a report then has about ten megabytes. */
const MAX_EVIDENCE_CHARACTERS = 6_000_000;

/** Keeps the exchanges for the report. */
function collectReportExchanges(lines: RunLines, tallies: RunTallies, observations: readonly ReportedAnswer[]): void {
  const wanted = [
    ...[...tallies.breaks.values()].flatMap(({ first: { exchange, contrast, concurrent } }) => [
      exchange,
      contrast,
      concurrent,
    ]),
    ...[...tallies.breaks.values()].flatMap(({ forms }) => [...forms.values()].map(({ first }) => first.exchange)),
    ...[...tallies.counterexamples.values()].map(({ counterexample }) => counterexample.exchange),
    ...[...tallies.operations.values()].flatMap(({ ways }) => [...ways.values()].map(({ exchange }) => exchange)),
    ...tallies.firsts,
    ...[...tallies.exercised.values()].flatMap((places) =>
      [...places.values()].slice(0, 1).map(({ exchange }) => exchange),
    ),
    ...observations.flatMap(({ exchange, control }) => [exchange, control]),
  ];
  let room = MAX_EVIDENCE_CHARACTERS;
  for (const id of new Set(wanted)) {
    const size = tallies.sizes.get(id ?? '') ?? Infinity;
    if (id == null || size > room) continue;
    room -= size;
    const entry = lines.findEntry(id);
    if (entry !== undefined) tallies.records.set(id, entry);
  }
}
