/** Makes inferences with the exchanges that show them. */
import type { Inference } from '../model/finding.ts';

/** An inference names at most this many exchanges. */
const MAX_EXCHANGES = 20;

interface Shown {
  readonly exchange: string;
}

/** Returns the exchanges that an inference from these records names. */
export const listExchanges = (records: readonly Shown[]): readonly string[] =>
  records.slice(0, MAX_EXCHANGES).map(({ exchange }) => exchange);

/** Makes an inference from these records. */
export const makeInference = (about: Omit<Inference, 'count' | 'exchanges'>, records: readonly Shown[]): Inference => ({
  ...about,
  count: records.length,
  exchanges: listExchanges(records),
});
