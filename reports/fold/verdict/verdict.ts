/** From levels and counts to verdicts. The one place where severity is decided. */
import type { Level } from '../../../openapi/clauses/clause.ts';
import type { ClauseReport, ClauseVerdict, LevelCounts, RunVerdict } from '../../model/report.ts';
import { onlySelected } from '../../text/phrases.ts';
import { reasonsAgainst, reasonsFor, reasonsOpen, sharesOf } from './reasons.ts';
import type { RunTally } from './run-tally.ts';

/** What it means that a clause of this level is broken. An open point cannot be broken. */
export function severity(level: Level): 'fail' | 'warning' | null {
  return { must: 'fail', should: 'warning', open: null }[level] as 'fail' | 'warning' | null;
}

interface ClauseTally {
  readonly level: Level;
  /** False where none of the areas it speaks of was selected. */
  readonly applicable: boolean;
  readonly exercised: number;
  readonly broken: number;
  readonly observed: number;
}

/** The verdict of one clause. */
export function clauseVerdict(tally: ClauseTally): ClauseVerdict {
  const severe = severity(tally.level);
  if (severe !== null && tally.broken > 0) return severe;
  if (!tally.applicable) return 'not-applicable';
  if (severe === null) return tally.observed > 0 ? 'observed' : 'inconclusive';
  return tally.exercised > 0 ? 'pass' : 'inconclusive';
}

interface RunJudgement {
  readonly verdict: RunVerdict;
  readonly headline: string;
  readonly reasons: readonly string[];
}

/**
 * The verdict of the run: non-conformant beats inconclusive beats conformant. Whatever left a gap, the suite's own
 * faults included, keeps it from conformant; nothing hides a failure already seen.
 */
export function runVerdict(run: RunTally): RunJudgement {
  const against = reasonsAgainst(run);
  const open = reasonsOpen(run);
  const verdict: RunVerdict = against.length > 0 ? 'non-conformant' : open.length > 0 ? 'inconclusive' : 'conformant';
  return {
    verdict,
    headline: `${verdict}${onlySelected(run)}`,
    reasons: [...(verdict === 'conformant' ? reasonsFor(run) : [...against, ...open]), ...sharesOf(run)],
  };
}

/** Clauses by level and verdict. */
export function countClauses(clauses: readonly ClauseReport[]): LevelCounts {
  const none = (): Record<ClauseVerdict, number> => ({
    pass: 0,
    fail: 0,
    warning: 0,
    inconclusive: 0,
    'not-applicable': 0,
    observed: 0,
  });
  const counts = { must: none(), should: none(), open: none() };
  for (const clause of clauses) counts[clause.level][clause.verdict] += 1;
  return counts;
}
