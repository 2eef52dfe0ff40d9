/** Decides verdicts from levels and counts. No other file decides how severe a violation is. */
import type { Level } from '../../../openapi/clauses/clause.ts';
import type { ClauseReport, ClauseVerdict, LevelCounts, Report } from '../../model/report.ts';
import {
  listClockNotes,
  listFailureReasons,
  listPassReasons,
  listInconclusiveReasons,
  describeJudgedShares,
} from './reasons.ts';
import type { JudgedRun } from './run-context.ts';
import { listReadOnlyOmissions, describeScope } from './scope.ts';

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

/**
 * Decides the verdict of the run. A broken `must` clause makes it non-conformant; otherwise, an untested clause or a fault of the
 * suite makes it inconclusive.
 */
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
