/** Decides verdicts from levels and counts. No other file decides how severe a violation is. */
import {
  areas,
  belongsTo,
  isReadOnly as isReached,
  operationIds,
  type OperationId,
} from '../../../openapi/clauses/areas.ts';
import type { Level } from '../../../openapi/clauses/clause.ts';
import type { ClauseReport, ClauseVerdict, LevelCounts, Report, Target } from '../../model/report.ts';
import { areaNames, joinWithAnd } from '../../text/phrases.ts';
import {
  listClockNotes,
  listFailureReasons,
  listPassReasons,
  listInconclusiveReasons,
  describeJudgedShares,
} from './reasons.ts';
import type { JudgedRun } from './run-context.ts';

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
