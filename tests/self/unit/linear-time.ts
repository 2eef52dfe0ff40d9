/** Costs as growth: what twice the input costs, in processor time of this process, which other processes do not lengthen. */
import { expect } from '@playwright/test';

/** Longest growth for twice the input; what takes less than the floor (milliseconds) is no cost. */
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
    const [one, two] = [input(length), input(2 * length)];
    const [once, twice] = [leastCost(() => work(one)), leastCost(() => work(two))];
    growths.push(twice / Math.max(once, FLOOR_MS));
    if ((growths.at(-1) ?? 0) <= MAX_GROWTH) return;
  }
  expect(Math.min(...growths), what).toBeLessThanOrEqual(MAX_GROWTH);
}
