/** Makes inferences that name their exchanges. */
import type { Inference } from '../model/finding.ts';

/** An inference names at most this many exchanges. */
const MAX_NAMED_EXCHANGES = 20;

/** Makes an inference from the exchanges of `records`. */
export const makeInference = (
  about: Omit<Inference, 'count' | 'exchanges'>,
  records: readonly { readonly exchange: string }[],
): Inference => ({
  ...about,
  count: Math.max(1, records.length),
  exchanges: records.slice(0, MAX_NAMED_EXCHANGES).map(({ exchange }) => exchange),
});
