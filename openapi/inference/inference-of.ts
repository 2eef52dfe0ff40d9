/** Makes inferences with the exchanges that show them. */
import type { Inference } from '../model/finding.ts';

/** An inference names at most this many exchanges. */
const MAX_EXCHANGES = 20;

/** Makes an inference from these records. */
export const makeInference = (
  about: Omit<Inference, 'count' | 'exchanges'>,
  records: readonly { readonly exchange: string }[],
): Inference => ({
  ...about,
  count: Math.max(1, records.length),
  exchanges: records.slice(0, MAX_EXCHANGES).map(({ exchange }) => exchange),
});
