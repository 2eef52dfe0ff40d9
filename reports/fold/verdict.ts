/** Decides verdicts from levels and counts. No other file decides how severe a violation is. */
import {
  areas,
  belongsTo,
  isReadOnly as isReached,
  operationIds,
  type OperationId,
} from '../../openapi/clauses/areas.ts';
import type { Level } from '../../openapi/clauses/clause.ts';
import type {
  ClauseReport,
  ClauseVerdict,
  LevelCounts,
  Report,
  Target,
  Finding,
  OperationReport,
  SuiteError,
  JudgedEntry,
  ExitStatus,
  Gate,
  RunVerdict,
} from '../model/report.ts';
import { areaNames, joinWithAnd, counted } from '../text/phrases.ts';
import {
  listClockNotes,
  listFailureReasons,
  listPassReasons,
  listInconclusiveReasons,
  describeJudgedShares,
} from './reasons.ts';
import type { RunFacts } from '../model/description.ts';
import type { RunTallies } from './tallies.ts';
import { describeEntryFault } from '../baseline/expected-failures.ts';

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
  const against = listFailureReasons(run);
  const open = listInconclusiveReasons(run, against.length > 0);
  const verdict = against.length > 0 ? 'non-conformant' : open.length > 0 ? 'inconclusive' : 'conformant';
  return {
    verdict,
    headline: `${verdict}${describeScope(run.facts.target)}`,
    reasons: [
      ...(verdict === 'conformant' ? listPassReasons(run) : [...against, ...open]),
      ...listReadOnlyOmissions(run.facts.target),
      ...describeJudgedShares(run),
      ...listClockNotes(run),
    ],
  };
}

export function countClauses(clauses: readonly ClauseReport[]): LevelCounts {
  const none = { pass: 0, fail: 0, warning: 0, inconclusive: 0, 'not-applicable': 0, observed: 0 };
  const counts = { must: { ...none }, should: { ...none }, open: { ...none } };
  for (const { level, verdict } of clauses) counts[level][verdict] += 1;
  return counts;
}

type Scope = Pick<Target, 'areas' | 'operations' | 'readOnly'>;

const listOperations = (scope: Scope): readonly OperationId[] =>
  operationIds.filter((id) => scope.areas.some((area) => belongsTo(id, area)));

/** Returns ` (ATM locator only)`, ` (only operations a and b)`, or an empty text if everything was judged. */
function describeScope(scope: Scope): string {
  const { operations: selected, readOnly: isReadOnly = false } = scope;
  const isWhole =
    selected === undefined || (isReadOnly && listOperations(scope).filter(isReached).length === selected.length);
  const names = areas.filter((area) => scope.areas.includes(area)).map((area) => areaNames[area]);
  const parts = [
    !isWhole && `only ${selected.length === 1 ? 'operation' : 'operations'} ${joinWithAnd(selected)}`,
    isWhole && names.length > 0 && names.length < areas.length && `${joinWithAnd(names)} only`,
    isReadOnly && 'read-only operations',
  ].filter((part) => part !== false);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

/** Names the operations that READ_ONLY left out, in a sentence; an empty list if there are none. */
function listReadOnlyOmissions(scope: Scope): readonly string[] {
  const out = listOperations(scope).filter((id) => !isReached(id));
  if (scope.readOnly !== true || out.length === 0) return [];
  const query = out.includes('queryDisbursement') ? '; queryDisbursement is a GET, but only disburse gives its id' : '';
  return [`READ_ONLY left out ${joinWithAnd(out)}${query}.`];
}

export interface RunContext {
  readonly facts: RunFacts;
  readonly tallies: RunTallies;
  /** Open points with pinned answers. The document does not require them. */
  readonly pinned: ReadonlySet<string>;
  readonly operations: readonly OperationReport[];
  readonly errors: readonly SuiteError[];
  readonly interrupted: string | null;
}

export interface JudgedRun extends RunContext {
  readonly clauses: readonly ClauseReport[];
  readonly findings: readonly Finding[];
}

interface GateFacts {
  readonly verdict: RunVerdict;
  /** True if something made the run inconclusive, even if there are findings. */
  readonly gaps: boolean;
  readonly run: RunFacts;
  readonly counts: LevelCounts;
  readonly findings: readonly Finding[];
  readonly pinned: ReadonlySet<string>;
  readonly entries: readonly JudgedEntry[];
  readonly errors: number;
}

const MAX_LISTED_UNTESTED_CLAUSES = 5;

export function decideGate({ verdict, gaps, run, counts, findings, pinned, entries, errors }: GateFacts): Gate {
  const { strict, failOn = [] } = run.suite;
  const leaks = run.leaks ?? [];
  const reasons: (readonly [exit: ExitStatus, reason: string])[] = [];
  const fail = (exit: ExitStatus, reason: string): unknown => reasons.push([exit, reason]);
  const open = findings.filter((one) => one.known === undefined);
  const clausesOf = (some: readonly Finding[]): number => new Set(some.map(({ clause }) => clause)).size;
  const openClauses = new Set(open.map((one) => `${one.verdict} ${one.clause}`));
  const known = (wanted: Finding['verdict']): number =>
    clausesOf(findings.filter((one) => one.verdict === wanted && !openClauses.has(`${wanted} ${one.clause}`)));
  const knownFailures = known('fail');
  const [failures, warnings] = [counts.must.fail - knownFailures, counts.should.warning - known('warning')];
  const changed = clausesOf(open.filter((one) => one.verdict === 'fail' && pinned.has(one.clause)));
  const excused = verdict === 'non-conformant' && failures === 0 && knownFailures > 0;
  if (leaks.length > 0) {
    const more =
      leaks.length > MAX_LISTED_UNTESTED_CLAUSES ? `, and ${leaks.length - MAX_LISTED_UNTESTED_CLAUSES} more` : '';
    fail(
      3,
      `a secret was found in what was to be written, and withheld there: ${leaks.slice(0, MAX_LISTED_UNTESTED_CLAUSES).join(', ')}${more}`,
    );
  }
  if (verdict === 'non-conformant' && !excused && (failures > changed || changed === 0)) {
    const allowed = knownFailures > 0 ? `, and ${knownFailures} more that known findings allow` : '';
    fail(1, `${counted(failures - changed, 'clause')} of the document broken${allowed}`);
  }
  if (changed > 0) fail(1, `the answers to ${counted(changed, 'open point')} are not those that PINS names`);
  if (strict && warnings > 0) fail(1, `${counted(warnings, 'warning')}, and STRICT=1 is set`);
  for (const fault of entries.flatMap(describeEntryFault)) fail(1, fault);
  for (const name of strict ? [] : failOn) {
    const warned = clausesOf(open.filter((one) => one.verdict === 'warning' && one.class === name));
    if (warned > 0) fail(1, `${counted(warned, `${name} warning`)}, and FAIL_ON names ${name}`);
  }
  if (errors > 0) fail(3, `the suite itself broke (${counted(errors, 'fault')})`);
  if (run.configuration !== undefined && run.configuration.length > 0) fail(2, 'the configuration is wrong');
  else if (verdict === 'inconclusive') fail(2, 'the verdict is inconclusive');
  else if (excused && gaps) fail(2, 'known findings allow what is broken, but not all of the bank could be tested');
  // The order: a leaked secret, faults of the bank, faults of the suite, clauses that were not tested.
  const exits = reasons.map(([exit]) => exit);
  const exitStatus = leaks.length > 0 ? 3 : (([1, 3, 2] as const).find((exit) => exits.includes(exit)) ?? 0);
  if (exitStatus > 0) return { pass: false, exitStatus, reasons: reasons.map(([, reason]) => reason) };
  const passed = excused
    ? `${counted(knownFailures, 'clause')} of the document broken, all allowed by known findings`
    : 'the bank is conformant';
  const spared = warnings > 0 ? `; ${counted(warnings, 'warning')}, which would fail with STRICT=1` : '';
  return { pass: true, exitStatus, reasons: [`${passed}${spared}`] };
}
