/** Decides verdicts from levels and counts, and the gate from the verdict. No other file decides how severe a violation is. */
import { areas, belongsTo, isReadOnly, operationIds, type OperationId } from '../../openapi/api.ts';
import { operations } from '../../openapi/contract/operations.ts';
import type { ClauseClass, Level } from '../../openapi/clauses/clause.ts';
import { describeEntryFaults, describeTolerance, listToleratedForms } from '../baseline/expected-failures.ts';
import { listForms, nameForm } from '../baseline/forms.ts';
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

interface ClauseTally {
  readonly level: Level;
  /** False if no area of the clause was selected. */
  readonly applicable: boolean;
  readonly exercised: number;
  readonly broken: number;
  readonly observed: number;
}

export function decideClause({ level, applicable, exercised, broken, observed }: ClauseTally): ClauseVerdict {
  const severe = getSeverity(level);
  if (severe !== null && broken > 0) return severe;
  if (!applicable) return 'not-applicable';
  if (severe === null) return observed > 0 ? 'observed' : 'inconclusive';
  return exercised > 0 ? 'pass' : 'inconclusive';
}

/** A broken `must` clause outweighs an untested clause and a fault of the suite. */
export function decideRunVerdict(run: JudgedRun): Pick<Report, 'verdict' | 'headline' | 'reasons'> {
  const against = reasons.listFailureReasons(run);
  const open = reasons.listInconclusiveReasons(run, against.length > 0);
  const verdict = against.length > 0 ? 'non-conformant' : open.length > 0 ? 'inconclusive' : 'conformant';
  return {
    verdict,
    headline: `${verdict}${describeScope(run.facts.target)}`,
    reasons: [
      ...(verdict === 'conformant' ? reasons.listPassReasons(run) : [...against, ...open]),
      ...listReadOnlyOmissions(run.facts.target),
      ...reasons.describeJudgedShares(run),
      ...reasons.listClockNotes(run),
    ],
  };
}

export function countClauses(clauses: readonly ClauseReport[]): LevelCounts {
  const none = { pass: 0, fail: 0, warning: 0, inconclusive: 0, 'not-applicable': 0, observed: 0 };
  const counts = { must: { ...none }, should: { ...none }, open: { ...none } };
  for (const { level, verdict } of clauses) counts[level][verdict] += 1;
  return counts;
}

type Scope = Pick<JudgedBank, 'areas' | 'operations' | 'readOnly'>;

const listOperations = (scope: Scope): readonly OperationId[] =>
  operationIds.filter((id) => scope.areas.some((area) => belongsTo(id, area)));

/** Returns ` (ATM locator only)`, ` (only operations a and b)`, or an empty text if everything was judged. */
function describeScope(scope: Scope): string {
  const { operations: selected, readOnly = false } = scope;
  const isWhole =
    selected === undefined || (readOnly && listOperations(scope).filter(isReadOnly).length === selected.length);
  const names = areas.filter((area) => scope.areas.includes(area)).map((area) => areaNames[area]);
  const parts = [
    !isWhole && `only ${selected.length === 1 ? 'operation' : 'operations'} ${joinWithAnd(selected)}`,
    isWhole && names.length > 0 && names.length < areas.length && `${joinWithAnd(names)} only`,
    readOnly && 'read-only operations',
  ].filter((part) => part !== false);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

function listReadOnlyOmissions(scope: Scope): readonly string[] {
  const out = listOperations(scope).filter((id) => !isReadOnly(id));
  if (scope.readOnly !== true || out.length === 0) return [];
  const unreached = out
    .filter((id) => operations[id].method === 'GET')
    .map((id) => `; ${id} is a GET, but only ${joinWithAnd(operations[id].needs)} gives its id`);
  return [`READ_ONLY left out ${joinWithAnd(out)}${unreached.join('')}.`];
}

interface GateInput {
  readonly verdict: RunVerdict;
  /** True if something made the run inconclusive, even if there are findings. */
  readonly gaps: boolean;
  readonly run: RunFacts;
  readonly clauses: readonly ClauseReport[];
  readonly counts: LevelCounts;
  readonly findings: readonly Finding[];
  readonly entries: readonly JudgedEntry[];
  /** The ids of the findings that an earlier run did not have. */
  readonly fresh: ReadonlySet<string>;
  readonly errors: number;
}

const MAX_LISTED_LEAKS = 5;

const countBrokenClauses = (some: readonly Finding[]): number => new Set(some.map(({ clause }) => clause)).size;

function countTolerated(verdict: Finding['verdict'], findings: readonly Finding[]): number {
  const here = findings.filter((one) => one.verdict === verdict);
  return countBrokenClauses(here) - countBrokenClauses(here.filter(({ known }) => known === undefined));
}

export function decideGate(input: GateInput): GateResult {
  const { verdict, run, counts, findings, errors } = input;
  const tolerated = countTolerated('fail', findings);
  const failures = counts.must.fail - tolerated;
  const warnings = counts.should.warning - countTolerated('warning', findings);
  const excused = verdict === 'non-conformant' && failures === 0 && tolerated > 0;
  // The order of exit statuses: a leaked secret, faults of the bank, faults of the suite, clauses that were not tested.
  const byStatus: readonly { readonly exit: ExitStatus; readonly because: readonly string[] }[] = [
    { exit: 3, because: describeLeaks(run) },
    {
      exit: 1,
      because: [
        ...describeFailures(input, failures, tolerated),
        ...describeFailingWarnings(input),
        ...describeEntryFaults(input.entries, run.suite.strict),
      ],
    },
    { exit: 3, because: errors > 0 ? [`the suite itself broke (${counted(errors, 'fault')})`] : [] },
    { exit: 2, because: describeGaps(input, excused) },
  ];
  const failed = byStatus.find(({ because }) => because.length > 0);
  if (failed !== undefined)
    return { pass: false, exitStatus: failed.exit, reasons: byStatus.flatMap(({ because }) => because) };
  const passed = excused
    ? `the bank is non-conformant, but known findings tolerate ${counted(tolerated, 'broken clause')}`
    : 'the bank is conformant';
  const spared = warnings > 0 ? `; ${counted(warnings, 'warning')}, which would fail with STRICT=1` : '';
  return { pass: true, exitStatus: 0, reasons: [`${passed}${spared}`, ...describeTolerance(input.entries)] };
}

const describeLeaks = ({ leaks = [] }: RunFacts): string[] =>
  leaks.length === 0
    ? []
    : [
        `a secret was found in the evidence or the report, and withheld there: ${joinFirstItems(leaks, MAX_LISTED_LEAKS)}`,
      ];

const MAX_NAMED_CLAUSES = 3;

const nameForms = (forms: readonly string[]): string => joinWithAnd(forms.map(nameForm));

/** Says what is tolerated of a clause instead: another form at the place of a finding, or the finding at another place. */
function compareWithEntries(finding: Finding, entries: readonly JudgedEntry[]): string[] {
  const forms = listToleratedForms(entries, finding);
  if (forms.length > 0) return [`${nameForms(listForms(finding))}; tolerated is ${nameForms(forms)}`];
  const isElsewhere = entries.some(({ clause, state }) => clause === finding.clause && state === 'tolerated');
  return isElsewhere ? [`at ${finding.operation}; tolerated elsewhere`] : [];
}

/** Names the clauses of findings, new ones first: `atms.name (new)`, `atms.city (a number; tolerated is null)`. */
function nameClauses(findings: readonly Finding[], { fresh, entries }: GateInput): string {
  const [changed, others] = partition(findings, ({ id }) => fresh.has(id));
  const names = [...groupBy([...changed, ...others], ({ clause }) => clause)].map(([clause, [first]]) => {
    const notes = [...(fresh.has(first.id) ? ['new'] : []), ...compareWithEntries(first, entries)];
    return notes.length === 0 ? clause : `${clause} (${notes.join(', ')})`;
  });
  return joinFirstItems(names, MAX_NAMED_CLAUSES);
}

function describeFailures(input: GateInput, failures: number, tolerated: number): string[] {
  if (input.verdict !== 'non-conformant' || failures === 0) return [];
  const failing = input.findings.filter((finding) => finding.known === undefined && finding.verdict === 'fail');
  const are = tolerated === 1 ? 'is' : 'are';
  const besides = tolerated > 0 ? `; ${counted(tolerated, 'more broken clause')} ${are} tolerated by KNOWN` : '';
  return [`the bank breaks ${counted(failures, 'clause')} of the document: ${nameClauses(failing, input)}${besides}`];
}

/** Counts warnings, those of each class apart: `2 security warnings and 1 money warning`. */
const countWarnings = (warnings: readonly Finding[], classes: readonly ClauseClass[]): string =>
  joinWithAnd(
    classes.flatMap((name) => {
      const count = countBrokenClauses(warnings.filter((finding) => finding.class === name));
      return count === 0 ? [] : counted(count, `${name} warning`);
    }),
  );

function describeFailingWarnings(input: GateInput): string[] {
  const { suite } = input.run;
  const failing = input.findings.filter((finding) => finding.verdict === 'warning' && failsGate(finding, suite));
  if (failing.length === 0) return [];
  const [warnings, setting] = suite.strict
    ? [counted(countBrokenClauses(failing), 'warning'), 'STRICT=1 is set']
    : [countWarnings(failing, suite.failOn), `FAIL_ON is ${suite.failOn.join()}`];
  return [`${warnings}: ${nameClauses(failing, input)}, and ${setting}`];
}

function describeGaps({ verdict, gaps, run, clauses }: GateInput, excused: boolean): string[] {
  if (run.configuration !== undefined && run.configuration.length > 0) return ['the configuration is wrong'];
  if (verdict === 'inconclusive') return ['the verdict is inconclusive'];
  if (!excused || !gaps) return [];
  const untested = clauses.filter(reasons.isUntestedAlwaysClause).length;
  const what = untested > 0 ? counted(untested, 'clause') : 'a part of the bank';
  return [`known findings tolerate each broken clause, but ${what} could not be tested`];
}
