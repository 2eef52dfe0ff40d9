/** Runs checks over a history, and makes checks from comparisons. */
import { NEVER_ACCEPTED_KIND } from '../behaviours/contrast.ts';
import type { ClauseId } from '../clauses/index.ts';
import { quoteAnswer, toObservedAnswer } from '../history/describe.ts';
import type { Answered, Broken, Check, Compared, History, Evidence, Tested } from '../model/check.ts';
import type { OperationId } from '../model/exchange.ts';
import type { Inference, RunResult, Violation } from '../model/finding.ts';
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

export type Writable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer Item)[] ? Item[] : T[K] };

export const isExchangeNote = (shown: Evidence): shown is Extract<Evidence, { exchange: string }> =>
  typeof shown.exchange === 'string';
export const getExchangeId = (shown: Evidence): string => (isExchangeNote(shown) ? shown.exchange : shown.exchange.id);

type About = Omit<Check, 'of'>;

/** Returns the operation of a finding. Throws if neither the check nor the answer names an operation. */
export function findOperation({ clause, operation }: About, shown: Evidence): OperationId {
  if (operation !== undefined) return operation;
  if (shown.operation === undefined) throw new Error(`The check of ${clause} names no operation.`);
  return shown.operation;
}

export function makeViolation(check: About, broken: Broken): Violation {
  const { clause, unit } = check;
  const { by, contrast, pointer = 'response/status', kind = unit === undefined ? 'behaviour' : 'run', count } = broken;
  return {
    clause,
    operation: findOperation(check, by),
    pointer,
    kind,
    expected: broken.expected,
    received: broken.received ?? (isExchangeNote(by) ? '' : quoteAnswer(by, pointer)),
    exchange: getExchangeId(by),
    ...(contrast === undefined ? {} : { contrast: getExchangeId(contrast) }),
    ...(count === undefined ? {} : { count }),
    ...(unit === undefined ? {} : { unit }),
  };
}

export function makeInference(
  [point, question]: NonNullable<Check['point']>,
  by: Omit<Answered, 'data'>,
  control?: Evidence,
): Inference {
  const shown = control === undefined ? {} : { control: getExchangeId(control) };
  const { operation, exchange } = by;
  return { point, operation, answer: toObservedAnswer(by), question, count: 1, exchanges: [exchange.id], ...shown };
}
