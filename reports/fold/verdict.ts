/** From levels and counts to verdicts, and from the verdict to the gate. The one place where severity is decided. */
import type { Level } from '../../openapi/clauses/clause.ts';
import { reasonsAgainst, reasonsFor, reasonsOpen, type RunTally } from './reasons.ts';
import type { ClauseReport, ClauseVerdict, ExitStatus, Gate, LevelCounts, RunVerdict } from '../model/report.ts';
import { counted, onlySelected } from '../text/phrases.ts';

/** What it means that a clause of this level is broken. An open point cannot be broken. */
export function severity(level: Level): 'fail' | 'warning' | null {
  return { must: 'fail', should: 'warning', open: null }[level] as 'fail' | 'warning' | null;
}

export interface ClauseTally {
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

export interface RunJudgement {
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
    reasons: verdict === 'conformant' ? reasonsFor(run) : [...against, ...open],
  };
}

export interface GateTally {
  readonly verdict: RunVerdict;
  /** True where something kept the run from a conclusion, whatever was found. */
  readonly gaps?: boolean;
  readonly strict: boolean;
  /** Clauses of which every finding is known, and what is wrong with the known findings themselves. */
  readonly tolerated?: { readonly failures: number; readonly warnings: number };
  readonly knownFaults?: readonly { readonly exit: ExitStatus; readonly reason: string }[];
  /** Clauses with a warning. */
  readonly warnings: number;
  readonly failures: number;
  /** Of the failures those of pinned answers that nobody answers for. */
  readonly changed?: number;
  readonly errors: number;
  readonly configuration: number;
  /** Where a secret was found in what was written. */
  readonly leaks: readonly string[];
}

/** Whether the run lets pass, and the exit status that says so. */
export function gate(tally: GateTally): Gate {
  const reasons: string[] = [];
  const exits = new Set<ExitStatus>();
  const no = (exit: ExitStatus, reason: string): void => {
    exits.add(exit);
    reasons.push(reason);
  };
  if (tally.leaks.length > 0)
    no(3, `a secret was found in ${tally.leaks.join(', ')}: what this run wrote there was removed`);
  const { failures: known = 0, warnings: knownWarnings = 0 } = tally.tolerated ?? {};
  const [failures, warnings] = [tally.failures - known, tally.warnings - knownWarnings];
  const excused = tally.verdict === 'non-conformant' && failures === 0 && known > 0;
  const { changed = 0 } = tally;
  if (tally.verdict === 'non-conformant' && !excused && (failures > changed || changed === 0))
    no(
      1,
      `${counted(failures - changed, 'clause')} of the document broken${known > 0 ? `, and ${known} more that known findings allow` : ''}`,
    );
  if (changed > 0) no(1, `the pinned answers to ${counted(changed, 'open point')} changed`);
  if (tally.strict && warnings > 0) no(1, `${counted(warnings, 'warning')}, and STRICT=1 is set`);
  for (const fault of tally.knownFaults ?? []) no(fault.exit, fault.reason);
  if (tally.errors > 0) no(3, `the suite itself broke (${counted(tally.errors, 'fault')})`);
  if (tally.configuration > 0) no(2, 'the configuration is wrong');
  else if (tally.verdict === 'inconclusive' || (excused && tally.gaps === true)) no(2, 'the verdict is inconclusive');
  if (reasons.length === 0) {
    const spared = warnings > 0 ? `; ${counted(warnings, 'warning')}, which would fail with STRICT=1` : '';
    const verdict = excused
      ? `${counted(known, 'clause')} of the document broken, all allowed by known findings`
      : 'the bank is conformant';
    return { pass: true, exitStatus: 0, reasons: [`${verdict}${spared}`] };
  }
  return { pass: false, exitStatus: exitOf(exits, tally.leaks.length > 0), reasons };
}

/** A leak comes before all. Then what the target did counts before what the suite did, and both before a gap. */
function exitOf(exits: ReadonlySet<ExitStatus>, leaked: boolean): ExitStatus {
  if (leaked) return 3;
  return ([1, 3, 2] as const).find((status) => exits.has(status)) ?? 0;
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
