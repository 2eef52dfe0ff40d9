/** Evaluates all exchanges of a run together: finds broken clauses and answers to open points. */
import { evaluateBehaviours } from './behaviours/evaluate.ts';
import type { History } from './model/check.ts';
import { evaluateChecks } from './checks/check.ts';
import { NO_COMPARISONS, groupNotesByKind } from './checks/history.ts';
import { allChecks } from './checks/index.ts';
import { leaveOutReplaced } from './history/replaced-contracts.ts';
import { inferAnswersToOpenPoints } from './inference/index.ts';
import type { FactRecord } from './model/facts.ts';
import type { RunResult } from './model/finding.ts';

/** Evaluates the notes and comparisons of a run. Their order does not matter. */
export function evaluateRun(
  records: readonly FactRecord[],
  compared: Omit<History, 'notes'> = NO_COMPARISONS,
): RunResult {
  const notes = groupNotesByKind(records);
  const history = leaveOutReplaced({ ...compared, notes });
  const [checked, behaved] = [evaluateChecks(allChecks, history), evaluateBehaviours(history)];
  return {
    exercised: [...checked.exercised, ...behaved.exercised],
    broken: [...checked.broken, ...behaved.broken],
    observed: [...inferAnswersToOpenPoints(notes), ...checked.observed, ...behaved.observed],
    untested: behaved.untested,
    errors: behaved.errors,
  };
}
