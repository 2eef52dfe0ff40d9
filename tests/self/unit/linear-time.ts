/** Measures how costs grow for twice the input, in processor time of this process, which does not depend on other processes. */
import { expect } from '@playwright/test';

/** The highest growth for twice the input, as the mean of two doublings. Costs below the minimum (milliseconds) are ignored. */
const MAX_TIME_GROWTH = 2.5;
const MIN_MEASURED_MS = 4;
/** The number of tries, because other processes disturb caches and clock rates. */
const MAX_TRIES = 5;

/** Returns the processor time of one call, in milliseconds. */
function measureCostMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Expects the cost of `work` to be proportional to the length of its input. */
export function expectLinear<T>(
  what: string,
  work: (input: T) => unknown,
  input: (length: number) => T,
  length: number,
): void {
  const growths: number[] = [];
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const [half, twice] = [input(length / 2), input(2 * length)];
    // The longer comes first: code that is not compiled yet makes it cost more, never the shorter one.
    const [most, least] = [measureCostMs(() => work(twice)), measureCostMs(() => work(half))];
    growths.push(Math.sqrt(most / Math.max(least, MIN_MEASURED_MS)));
    if ((growths.at(-1) ?? 0) <= MAX_TIME_GROWTH) return;
  }
  expect(Math.min(...growths), what).toBeLessThanOrEqual(MAX_TIME_GROWTH);
}
