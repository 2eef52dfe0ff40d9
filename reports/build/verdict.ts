/** Decides the verdict of each clause, the verdict of the run, and the gate. Only this file decides how severe a violation is. */
import { areas, belongsTo, isReadOnly, operationIds, type OperationId } from '../../openapi/api.ts';
import { operations } from '../../openapi/contract/operations.ts';
import type { ClauseClass, Level } from '../../openapi/clauses/clause.ts';
import {
  describeEntryFaults,
  describeTolerance,
  listForms,
  listToleratedForms,
  describeFormInSentence,
} from '../baseline/expected-failures.ts';
import { groupBy, partition } from '../../openapi/util/group-by.ts';
import type { RunFacts } from '../model/description.ts';
import type {
  ClauseReport,
  ClauseVerdict,
  ExitStatus,
  Finding,
  GateResult,
  JudgedEntry,
  LevelCounts,
  Report,
  RunVerdict,
  JudgedBank,
} from '../model/report.ts';
import { failsGate } from '../model/report.ts';
import { areaNames, counted, joinFirstItems, joinWithAnd } from '../text/phrases.ts';
import * as reasons from './reasons.ts';
import type { JudgedRun } from '../model/tallies.ts';

/** Returns the verdict if a clause of this level is broken; null for an open point. */
export const getSeverity = (level: Level): 'fail' | 'warning' | null =>
  (({ must: 'fail', should: 'warning', open: null }) as const)[level];

interface ClauseCounts {
  readonly level: Level;
  /** False if no area of the clause was selected. */
  readonly isSelected: boolean;
  readonly exercised: number;
  readonly broken: number;
  readonly observed: number;
}

/** Returns the verdict of a clause from the counts of the run. */
export function decideClause({ level, isSelected, exercised, broken, observed }: ClauseCounts): ClauseVerdict {
  const severity = getSeverity(level);
  if (severity !== null && broken > 0) return severity;
  if (!isSelected) return 'not-applicable';
  if (severity === null) return observed > 0 ? 'observed' : 'inconclusive';
  return exercised > 0 ? 'pass' : 'inconclusive';
}

/** Decides the verdict of the run. A broken `must` clause is more important than an untested clause or a fault of the suite. */
export function decideRunVerdict(run: JudgedRun): Pick<Report, 'verdict' | 'headline' | 'reasons'> {
  const failureReasons = reasons.listFailureReasons(run);
  const inconclusiveReasons = reasons.listInconclusiveReasons(run, failureReasons.length > 0);
  const verdictWithoutFailure = inconclusiveReasons.length > 0 ? 'inconclusive' : 'conformant';
  const verdict = failureReasons.length > 0 ? 'non-conformant' : verdictWithoutFailure;
  return {
    verdict,
    headline: `${verdict}${describeScope(run.facts.target)}`,
    reasons: [
      ...(verdict === 'conformant' ? reasons.listPassReasons(run) : [...failureReasons, ...inconclusiveReasons]),
      ...listReadOnlyOmissions(run.facts.target),
      ...reasons.describeJudgedShares(run),
      ...reasons.listClockNotes(run),
    ],
  };
}

export function countClauses(clauses: readonly ClauseReport[]): LevelCounts {
  const zeroCounts = { pass: 0, fail: 0, warning: 0, inconclusive: 0, 'not-applicable': 0, observed: 0 };
  const counts = { must: { ...zeroCounts }, should: { ...zeroCounts }, open: { ...zeroCounts } };
  for (const { level, verdict } of clauses) counts[level][verdict] += 1;
  return counts;
}

type Scope = Pick<JudgedBank, 'areas' | 'operations' | 'readOnly'>;

const listOperations = (scope: Scope): readonly OperationId[] =>
  operationIds.filter((id) => scope.areas.some((area) => belongsTo(id, area)));

/** Returns ` (ATM locator only)`, ` (only operations a and b)`, or an empty text if everything was judged. */
function describeScope(scope: Scope): string {
  const { operations: selected, readOnly = false } = scope;
  const readOnlyOperations = listOperations(scope).filter(isReadOnly);
  const isEveryOperationSelected =
    selected === undefined || (readOnly && readOnlyOperations.length === selected.length);
  const names = areas.filter((area) => scope.areas.includes(area)).map((area) => areaNames[area]);
  const parts = [
    !isEveryOperationSelected && `only ${selected.length === 1 ? 'operation' : 'operations'} ${joinWithAnd(selected)}`,
    isEveryOperationSelected && names.length > 0 && names.length < areas.length && `${joinWithAnd(names)} only`,
    readOnly && 'read-only operations',
  ].filter((part) => part !== false);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

function listReadOnlyOmissions(scope: Scope): readonly string[] {
  const omitted = listOperations(scope).filter((id) => !isReadOnly(id));
  if (scope.readOnly !== true || omitted.length === 0) return [];
  const unreachedNotes = omitted
    .filter((id) => operations[id].method === 'GET')
    .map((id) => `; ${id} is a GET, but only ${joinWithAnd(operations[id].needs)} gives its id`);
  return [`READ_ONLY left out ${joinWithAnd(omitted)}${unreachedNotes.join('')}.`];
}

interface GateInput {
  readonly verdict: RunVerdict;
  /** True if something made the run inconclusive, even if there are findings. */
  readonly hasGaps: boolean;
  readonly run: RunFacts;
  readonly clauses: readonly ClauseReport[];
  readonly counts: LevelCounts;
  readonly findings: readonly Finding[];
  readonly entries: readonly JudgedEntry[];
  /** The ids of the findings that an earlier run did not have. */
  readonly newFindingIds: ReadonlySet<string>;
  readonly errors: number;
}

const MAX_LISTED_LEAKS = 5;

const countBrokenClauses = (findings: readonly Finding[]): number => new Set(findings.map(({ clause }) => clause)).size;

/** Counts the clauses that have findings with this verdict, all of them tolerated. */
function countTolerated(verdict: Finding['verdict'], findings: readonly Finding[]): number {
  const findingsWithVerdict = findings.filter((finding) => finding.verdict === verdict);
  return (
    countBrokenClauses(findingsWithVerdict) -
    countBrokenClauses(findingsWithVerdict.filter(({ known }) => known === undefined))
  );
}

/** Decides whether the gate passes, with its reasons and the exit status. */
export function decideGate(input: GateInput): GateResult {
  const { verdict, run, counts, findings, errors } = input;
  const toleratedCount = countTolerated('fail', findings);
  const failureCount = counts.must.fail - toleratedCount;
  const warningCount = counts.should.warning - countTolerated('warning', findings);
  const isTolerated = verdict === 'non-conformant' && failureCount === 0 && toleratedCount > 0;
  // The first status with a reason counts: leaked secret, fault of the bank, fault of the suite, clauses that were not tested.
  const reasonsByStatus: readonly { readonly exit: ExitStatus; readonly gateReasons: readonly string[] }[] = [
    { exit: 3, gateReasons: describeLeaks(run) },
    {
      exit: 1,
      gateReasons: [
        ...describeFailures(input, failureCount, toleratedCount),
        ...describeFailingWarnings(input),
        ...describeEntryFaults(input.entries, run.suite.strict),
      ],
    },
    { exit: 3, gateReasons: errors > 0 ? [`the suite itself broke (${counted(errors, 'fault')})`] : [] },
    { exit: 2, gateReasons: describeGaps(input, isTolerated) },
  ];
  const firstFailure = reasonsByStatus.find(({ gateReasons }) => gateReasons.length > 0);
  if (firstFailure !== undefined)
    return {
      pass: false,
      exitStatus: firstFailure.exit,
      reasons: reasonsByStatus.flatMap(({ gateReasons }) => gateReasons),
    };
  const passReason = isTolerated
    ? `the bank is non-conformant, but known findings tolerate ${counted(toleratedCount, 'broken clause')}`
    : 'the bank is conformant';
  const warningNote = warningCount > 0 ? `; ${counted(warningCount, 'warning')}, which would fail with STRICT=1` : '';
  return { pass: true, exitStatus: 0, reasons: [`${passReason}${warningNote}`, ...describeTolerance(input.entries)] };
}

const describeLeaks = ({ leaks = [] }: RunFacts): string[] =>
  leaks.length === 0
    ? []
    : [
        `a secret was found in the evidence or the report, and withheld there: ${joinFirstItems(leaks, MAX_LISTED_LEAKS)}`,
      ];

const MAX_NAMED_CLAUSES = 3;

const nameForms = (forms: readonly string[]): string => joinWithAnd(forms.map(describeFormInSentence));

/** For a finding that is not tolerated, says what entries tolerate: another form at the same place, or the clause at another place. */
function compareWithEntries(finding: Finding, entries: readonly JudgedEntry[]): string[] {
  const forms = listToleratedForms(entries, finding);
  if (forms.length > 0) return [`${nameForms(listForms(finding))}; tolerated is ${nameForms(forms)}`];
  const isElsewhere = entries.some(({ clause, state }) => clause === finding.clause && state === 'tolerated');
  return isElsewhere ? [`at ${finding.operation}; tolerated elsewhere`] : [];
}

/** Names the clauses of findings, new ones first: `atms.name (new)`, `atms.city (a number; tolerated is null)`. */
function nameClauses(findings: readonly Finding[], { newFindingIds, entries }: GateInput): string {
  const [newFindings, oldFindings] = partition(findings, ({ id }) => newFindingIds.has(id));
  const names = [...groupBy([...newFindings, ...oldFindings], ({ clause }) => clause)].map(([clause, [first]]) => {
    const notes = [...(newFindingIds.has(first.id) ? ['new'] : []), ...compareWithEntries(first, entries)];
    return notes.length === 0 ? clause : `${clause} (${notes.join(', ')})`;
  });
  return joinFirstItems(names, MAX_NAMED_CLAUSES);
}

function describeFailures(input: GateInput, failures: number, tolerated: number): string[] {
  if (input.verdict !== 'non-conformant' || failures === 0) return [];
  const openFailures = input.findings.filter((finding) => finding.known === undefined && finding.verdict === 'fail');
  const verb = tolerated === 1 ? 'is' : 'are';
  const toleratedNote = tolerated > 0 ? `; ${counted(tolerated, 'more broken clause')} ${verb} tolerated by KNOWN` : '';
  return [
    `the bank breaks ${counted(failures, 'clause')} of the document: ${nameClauses(openFailures, input)}${toleratedNote}`,
  ];
}

/** Counts the warnings of each class: `2 security warnings and 1 money warning`. */
const countWarnings = (warnings: readonly Finding[], classes: readonly ClauseClass[]): string =>
  joinWithAnd(
    classes.flatMap((name) => {
      const count = countBrokenClauses(warnings.filter((finding) => finding.class === name));
      return count === 0 ? [] : counted(count, `${name} warning`);
    }),
  );

function describeFailingWarnings(input: GateInput): string[] {
  const { suite } = input.run;
  const failingWarnings = input.findings.filter(
    (finding) => finding.verdict === 'warning' && failsGate(finding, suite),
  );
  if (failingWarnings.length === 0) return [];
  const [warnings, setting] = suite.strict
    ? [counted(countBrokenClauses(failingWarnings), 'warning'), 'STRICT=1 is set']
    : [countWarnings(failingWarnings, suite.failOn), `FAIL_ON is ${suite.failOn.join()}`];
  return [`${warnings}: ${nameClauses(failingWarnings, input)}, and ${setting}`];
}

function describeGaps({ verdict, hasGaps, run, clauses }: GateInput, isTolerated: boolean): string[] {
  if (run.configuration !== undefined && run.configuration.length > 0) return ['the configuration is wrong'];
  if (verdict === 'inconclusive') return ['the verdict is inconclusive'];
  if (!isTolerated || !hasGaps) return [];
  const untested = clauses.filter(reasons.isUntestedAlwaysClause).length;
  const subject = untested > 0 ? counted(untested, 'clause') : 'a part of the bank';
  return [`known findings tolerate each broken clause, but ${subject} could not be tested`];
}
