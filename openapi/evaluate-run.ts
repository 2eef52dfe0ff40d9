/** Evaluates all exchanges of a run together: finds broken clauses and answers to open points. */
import type { History } from './model/check.ts';
import { evaluateChecks } from './checks/check.ts';
import { NO_COMPARISONS, groupNotesByKind } from './checks/history.ts';
import { allChecks } from './checks/index.ts';
import { inferAnswersToOpenPoints } from './inference/index.ts';
import type { FactRecord } from './model/facts.ts';
import type { RunResult } from './model/finding.ts';

/** Evaluates the notes and comparisons of a run. Their order does not matter. */
export function evaluateRun(
  records: readonly FactRecord[],
  compared: Omit<History, 'notes'> = NO_COMPARISONS,
): RunResult {
  const notes = groupNotesByKind(records);
  const { observed, ...checked } = evaluateChecks(allChecks, { ...compared, notes });
  return { ...checked, observed: [...inferAnswersToOpenPoints(notes), ...observed] };
}
