/** Computes probabilities: whether a difference can be chance. */

/** A difference is not explained by chance if its probability is at most this. */
export const MAX_CHANCE_PROBABILITY = 0.01;

/** Returns the number of ways to choose `size` of `total` things: 10 for 2 of 5. Stops counting at about 10^15. */
export function countWaysToChoose(size: number, total: number): number {
  let ways = 1;
  for (let index = 0; index < Math.min(size, total - size) && ways < 1e15; index += 1)
    ways = (ways * (total - index)) / (index + 1);
  return ways;
}

/**
 * A finding appears in `share` of the answers (0 to 1). True if it can be chance that `count` answers all have it.
 * Example: with share 0.1, one answer can be chance (probability 0.1), three answers cannot (0.001).
 */
export const isExplainedByChance = (share: number, count: number): boolean =>
  count === 0 || share ** count > MAX_CHANCE_PROBABILITY;
