/** Costs as growth: what twice the input costs, in processor time of this process, which other processes do not lengthen. */
import { expect } from '@playwright/test';

/** Longest growth for twice the input, as the mean of two doublings; what takes less than the floor (milliseconds) is no cost. */
const MAX_GROWTH = 2.5;
const FLOOR_MS = 4;
/** Caches and clock rates that others disturb get so many tries. */
const TRIES = 5;

/** The least processor time of three turns, in milliseconds. */
function leastCost(work: () => unknown): number {
  const costs = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...costs);
}

/** Expects that `work` costs in proportion to the length of its input. */
export function expectLinear<T>(
  what: string,
  work: (input: T) => unknown,
  input: (length: number) => T,
  length: number,
): void {
  const growths: number[] = [];
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const [half, twice] = [input(length / 2), input(2 * length)];
    const [least, most] = [leastCost(() => work(half)), leastCost(() => work(twice))];
    growths.push(Math.sqrt(most / Math.max(least, FLOOR_MS)));
    if ((growths.at(-1) ?? 0) <= MAX_GROWTH) return;
  }
  expect(Math.min(...growths), what).toBeLessThanOrEqual(MAX_GROWTH);
}
