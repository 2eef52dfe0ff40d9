/** Inferences with the exchanges that they rest on. */
import type { Inference } from '../model/finding.ts';

/** Exchanges that an inference names. */
const MAX_EXCHANGES = 20;

interface Shown {
  readonly exchange: string;
}

/** The first exchanges of `records`, as many as an inference names. */
export const exchangesOf = (records: readonly Shown[]): readonly string[] =>
  records.slice(0, MAX_EXCHANGES).map(({ exchange }) => exchange);

/** An inference that rests on these records. */
export const inferenceOf = (about: Omit<Inference, 'count' | 'exchanges'>, records: readonly Shown[]): Inference => ({
  ...about,
  count: records.length,
  exchanges: exchangesOf(records),
});
