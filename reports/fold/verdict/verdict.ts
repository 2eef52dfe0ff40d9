/** Decides verdicts from levels and counts. Only this file decides severity. */
import type { Level } from '../../../openapi/clauses/clause.ts';
import type { ClauseReport, ClauseVerdict, LevelCounts, Report } from '../../model/report.ts';
import { reasonsAgainst, reasonsFor, reasonsOpen, sharesOf } from './reasons.ts';
import type { JudgedRun } from './run-context.ts';
import { leftOutByReadOnly, scopeInWords } from './scope.ts';

/** Returns the severity of breaking a clause of this level. An open point cannot be broken. */
export const severity = (level: Level): 'fail' | 'warning' | null =>
  (({ must: 'fail', should: 'warning', open: null }) as const)[level];

interface ClauseTally {
  readonly level: Level;
  /** False if none of its areas was selected. */
  readonly applicable: boolean;
  readonly exercised: number;
  readonly broken: number;
  readonly observed: number;
}

/** Decides the verdict on one clause. */
export function clauseVerdict({ level, applicable, exercised, broken, observed }: ClauseTally): ClauseVerdict {
  const severe = severity(level);
  if (severe !== null && broken > 0) return severe;
  if (!applicable) return 'not-applicable';
  if (severe === null) return observed > 0 ? 'observed' : 'inconclusive';
  return exercised > 0 ? 'pass' : 'inconclusive';
}

/**
 * Decides the verdict of the run: non-conformant comes before inconclusive, and inconclusive before conformant. A gap or a fault of
 * the suite prevents conformant, but never hides a failure.
 */
export function runVerdict(run: JudgedRun): Pick<Report, 'verdict' | 'headline' | 'reasons'> {
  const against = reasonsAgainst(run);
  const open = reasonsOpen(run);
  const verdict = against.length > 0 ? 'non-conformant' : open.length > 0 ? 'inconclusive' : 'conformant';
  return {
    verdict,
    headline: `${verdict}${scopeInWords(run)}`,
    reasons: [
      ...(verdict === 'conformant' ? reasonsFor(run) : [...against, ...open]),
      ...leftOutByReadOnly(run),
      ...sharesOf(run),
    ],
  };
}

/** Counts clauses by level and verdict. */
export function countClauses(clauses: readonly ClauseReport[]): LevelCounts {
  const none = { pass: 0, fail: 0, warning: 0, inconclusive: 0, 'not-applicable': 0, observed: 0 };
  const counts = { must: { ...none }, should: { ...none }, open: { ...none } };
  for (const { level, verdict } of clauses) counts[level][verdict] += 1;
  return counts;
}
