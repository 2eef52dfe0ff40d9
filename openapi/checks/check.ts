/** Runs checks over a history, and makes checks from comparisons. */
import { NEVER_ACCEPTED_KIND } from '../behaviours/contrast.ts';
import {
  findOperation,
  getExchangeId,
  isExchangeNote,
  makeInference,
  makeViolation,
  type Writable,
} from '../behaviours/results.ts';
import type { ClauseId } from '../clauses/index.ts';
import type { Answered, Broken, Check, Compared, History, Tested } from '../model/check.ts';
import type { RunResult } from '../model/finding.ts';
import { isThrottled } from '../model/outcome.ts';

/** The decision whether the answer `by` keeps or breaks the clause. */
export interface Ruling extends Broken {
  readonly by: Answered;
  readonly holds: boolean;
}

/**
 * Makes a check from a function that decides each comparison of the clause. The function returns null if a comparison proves
 * nothing.
 */
export const checkComparison = (
  clause: ClauseId,
  rule: (compared: Compared) => Ruling | null | undefined,
  point?: Check['point'],
): Check => ({
  clause,
  ...(point === undefined ? {} : { point }),
  *of(history, tested) {
    for (const compared of history.compared(clause)) {
      const ruling = rule(compared);
      if (ruling == null) continue;
      if (ruling.kind !== NEVER_ACCEPTED_KIND) tested(ruling.by, { control: ruling.contrast });
      if (!ruling.holds) yield ruling;
    }
  },
});

/** Runs the checks over a history and returns their results. */
export function evaluateChecks(checks: readonly Check[], history: History): RunResult {
  const result = { exercised: [], broken: [], observed: [] } as Writable<RunResult>;
  for (const check of checks) {
    const { clause, point } = check;
    const tested: Tested = (by, { control, count = 1 } = {}) => {
      // A throttled request proves nothing.
      if (!isExchangeNote(by) && isThrottled(by.exchange.answer)) return;
      result.exercised.push({ clause, operation: findOperation(check, by), count, exchange: getExchangeId(by) });
      if (point !== undefined && !isExchangeNote(by)) result.observed.push(makeInference(point, by, control));
    };
    for (const broken of check.of(history, tested)) result.broken.push(makeViolation(check, broken));
  }
  return result;
}
