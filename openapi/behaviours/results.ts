/** Makes violations and answers to open points from what a judge says. */
import { quoteAnswer, toObservedAnswer } from '../history/describe.ts';
import type { Answered, Broken, Check, Evidence } from '../model/check.ts';
import type { OperationId } from '../model/exchange.ts';
import type { Inference, Violation } from '../model/finding.ts';

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
