/** Says what chance explains. */

/** The highest accepted probability that a difference is chance. */
export const MAX_CHANCE_PROBABILITY = 0.01;

/** Returns the number of ways to choose `some` of `all`, at most 10^15. */
export function countWaysToChoose(some: number, all: number): number {
  let ways = 1;
  for (let index = 0; index < Math.min(some, all - some) && ways < 1e15; index += 1)
    ways = (ways * (all - index)) / (index + 1);
  return ways;
}

/** True if chance explains that all of `count` answers have a finding with this share. */
export const isExplainedByChance = (share: number, count: number): boolean =>
  count === 0 || share ** count > MAX_CHANCE_PROBABILITY;
