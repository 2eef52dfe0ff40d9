/** Makes the report from the lines of a run. The same lines always give the same report. */
import { listDependencies } from '../../openapi/behaviours/index.ts';
import type { RunLines } from '../../openapi/model/journal.ts';
import { reportClauses } from './clauses.ts';
import { findConditions, type Conditions } from './conditions.ts';
import { findConsequences } from './causes.ts';
import { compareFindings, makeFindings } from './findings.ts';
import { reportConcurrency, reportCreated, listObservations, reportOperations } from './tables.ts';
import { type Catalogue, type RunTallies, type JudgedRun, type RunContext } from '../model/tallies.ts';
import { tallyRun } from './tally-run.ts';
import { compareWithBaselines } from '../baseline/changes.ts';
import { describeForm, judgeKnownEntries, markKnown, type ExceedsCondition } from '../baseline/expected-failures.ts';
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
  type JudgedEntry,
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

interface ReportInput {
  readonly lines: RunLines;
  /** The SHA-256 of the lines, if they are kept in a file beside the report. */
  readonly history?: string;
  readonly run: RunFacts;
}

/** Returns ` to the document as changed by “…”` if an overlay was applied; else an empty text. */
const describeOverlay = ({ overlay }: Suite, verdict: RunVerdict): string =>
  overlay === undefined
    ? ''
    : `${verdict === 'inconclusive' ? ', measured by' : ' to'} the document as changed by “${overlay.title}”`;

const countWarnings = (clauses: readonly ClauseReport[], clauseClass: Finding['class']): number =>
  clauses.filter((clause) => clause.class === clauseClass && clause.verdict === 'warning').length;

/**
 * Returns `, with 2 security warnings, 1 money warning and 3 other warnings`, or an empty text. Other warnings are counted only for
 * a conformant bank.
 */
function describeWarnings(clauses: readonly ClauseReport[], verdict: RunVerdict): string {
  const parts = (['security', 'money'] as const).flatMap((clauseClass) => {
    const count = countWarnings(clauses, clauseClass);
    return count === 0 ? [] : counted(count, `${clauseClass} warning`);
  });
  const otherWarnings = countWarnings(clauses, 'consistency') + countWarnings(clauses, 'robustness');
  if (verdict === 'conformant' && otherWarnings > 0)
    parts.push(counted(otherWarnings, parts.length === 0 ? 'warning' : 'other warning'));
  return parts.length === 0 ? '' : `, with ${joinWithAnd(parts)}`;
}

const bankOpenApi: Catalogue = {
  clauses,
  operations,
  promoted: decidedOpenPoints,
  placesOf: getLocations,
  dependenciesOf: listDependencies,
  read: readEntry,
  evaluateRun,
};

/** Returns the catalogue with `must` clauses in place of the open points that an overlay decides. */
function applyOverlayDecisions(catalogue: Catalogue): Catalogue {
  const { promoted = new Set() } = catalogue;
  const clauses = Object.entries(catalogue.clauses).map(([id, clause]): [string, Clause] => {
    if (!promoted.has(id) || clause.level !== 'open') return [id, clause];
    const statement = `The bank gives the answer that an overlay requires. ${clause.statement}`;
    return [id, { ...clause, level: 'must', exercise: 'conditional', statement }];
  });
  return promoted.size === 0 ? catalogue : { ...catalogue, clauses: Object.fromEntries(clauses) };
}

export function buildReport({ lines, history, run }: ReportInput, baseCatalogue: Catalogue = bankOpenApi): Report {
  const { target, suite, caps = null, baselineFiles = {}, recording, configuration = [] } = run;
  const catalogue = applyOverlayDecisions(baseCatalogue);
  const runTallies = tallyRun(lines, catalogue);
  const observations = listObservations(runTallies, catalogue);
  collectReportExchanges(lines, runTallies, observations);
  const context = makeRunContext(run, runTallies, catalogue);
  const { operations, interrupted, errors } = context;
  const conditions = findConditions(runTallies);
  const findingsInDocumentOrder = makeFindings({ tallies: runTallies, catalogue, conditions });
  const causeIds = findConsequences(findingsInDocumentOrder, lines, runTallies);
  const clauses = reportClauses(findingsInDocumentOrder, context, catalogue);
  const sortedFindings = findingsInDocumentOrder
    .map((finding) => ({ ...finding, ...omitUndefined({ consequenceOf: causeIds.get(finding.id) }) }))
    .toSorted(compareFindings);
  const judgedRun: JudgedRun = { ...context, clauses, findings: sortedFindings };
  const { verdict, headline, reasons } = decideRunVerdict(judgedRun);
  const counts = countClauses(clauses);
  const exceeds = makeConditionTest(runTallies, conditions);
  const today = run.startedAt.slice(0, 10);
  const entries = judgeKnownEntries(baselineFiles.known ?? [], sortedFindings, clauses, today, exceeds);
  const findings = putToleratedLast(sortedFindings, entries);
  const parts = { verdict, clauses, findings, observations, operations };
  const comparison = run.baselineFiles && compareWithBaselines(baselineFiles, parts, entries, exceeds);
  const newFindingIds = new Set(comparison?.changes?.findings.fresh);
  const hasGaps = listInconclusiveReasons(judgedRun).length > 0;
  const gateInput = { verdict, hasGaps, run, clauses, counts, findings, entries, newFindingIds, errors: errors.length };
  return {
    format: REPORT_FORMAT,
    verdict,
    headline: `${headline}${describeOverlay(suite, verdict)}${describeWarnings(clauses, verdict)}`,
    reasons,
    gate: decideGate(gateInput),
    suite,
    target,
    startedAt: run.startedAt,
    durationMs: Math.round(run.durationMs),
    requests: runTallies.requests,
    ...omitUndefined({ concurrency: reportConcurrency(runTallies) }),
    interrupted,
    configuration,
    counts,
    securityWarnings: countWarnings(clauses, 'security'),
    notExercised: listNotExercised(judgedRun),
    operations,
    clauses,
    findings,
    observations,
    createdResources: reportCreated(runTallies, caps),
    scenarios: runTallies.scenarios,
    exchanges: Object.fromEntries(runTallies.records),
    ...omitUndefined({ history }),
    errors,
    ...omitUndefined({ recording, against: comparison }),
  };
}

/** Marks the tolerated findings and puts them last: finding 1 is then the first that nobody tolerates. */
function putToleratedLast(findings: readonly Finding[], entries: readonly JudgedEntry[]): readonly Finding[] {
  const markedFindings = findings.map((finding) => markKnown(entries, finding));
  return partition(markedFindings, ({ known }) => known === undefined).flat();
}

/** Returns a function that says whether a finding also occurs in requests for which a condition of an earlier run is not true. */
function makeConditionTest({ tallyByFinding }: RunTallies, { exceeds }: Conditions): ExceedsCondition {
  return (finding, condition, form) => {
    const { first, forms } = tallyByFinding.get(finding.id)!;
    const formTallies = [...forms.values()].filter(
      (tally) => form === undefined || describeForm(finding, tally.first.received) === form,
    );
    return exceeds(
      condition,
      first.operation,
      formTallies.flatMap(({ answers }) => [...answers]),
    );
  };
}

function makeRunContext(run: RunFacts, tallies: RunTallies, catalogue: Catalogue): RunContext {
  const interrupted = run.interrupted ?? tallies.interrupted;
  const errors = [...tallies.errors, ...(run.errors ?? [])];
  const isComplete = errors.length === 0 && interrupted === null && !run.configuration?.length;
  // If nothing interrupted the run, an incomplete scenario is a fault of the suite.
  const unfinished = isComplete ? tallies.scenarios.filter(({ durationMs }) => durationMs === null) : [];
  const message = 'The scenario began and did not end.';
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

/** Keeps the exchanges that the report shows, up to the limit: exchanges of findings, then examples of clauses and open points. */
function collectReportExchanges(lines: RunLines, tallies: RunTallies, observations: readonly ReportedAnswer[]): void {
  const findingTallies = [...tallies.tallyByFinding.values()];
  const exchangeIds = [
    ...findingTallies.flatMap(({ first }) => [first.exchange, first.contrast, first.concurrent]),
    ...findingTallies.flatMap(({ forms }) => [...forms.values()].map(({ first }) => first.exchange)),
    ...[...tallies.counterexamples.values()].map(({ counterexample }) => counterexample.exchange),
    ...[...tallies.operations.values()].flatMap(({ requestsByOrigin }) =>
      [...requestsByOrigin.values()].map(({ exchange }) => exchange),
    ),
    ...tallies.firstOfEachKind,
    ...[...tallies.exercisesByClause.values()].flatMap((places) =>
      [...places.values()].slice(0, 1).map(({ exchange }) => exchange),
    ),
    ...observations.flatMap(({ exchange, control }) => [exchange, control]),
  ];
  let remainingCharacters = MAX_EVIDENCE_CHARACTERS;
  for (const id of new Set(exchangeIds)) {
    const size = tallies.sizes.get(id ?? '') ?? Infinity;
    if (id == null || size > remainingCharacters) continue;
    remainingCharacters -= size;
    const entry = lines.findEntry(id);
    if (entry !== undefined) tallies.records.set(id, entry);
  }
}
