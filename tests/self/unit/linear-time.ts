/** Measures how costs grow for twice the input, in processor time of this process, which does not depend on other processes. */
import { expect } from '@playwright/test';

/** The highest growth for twice the input, as the mean of two doublings. Costs below the minimum (milliseconds) do not count. */
const MAX_TIME_GROWTH = 2.5;
const MIN_MEASURED_MS = 4;
/** The number of tries. Other processes disturb caches and clock rates, which only raises a cost: the least cost counts. */
const MAX_TRIES = 8;

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
  let [leastTwice, leastHalf, growth] = [Infinity, Infinity, Infinity];
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const [half, twice] = [input(length / 2), input(2 * length)];
    // The longer comes first: code that is not compiled yet makes it cost more, never the shorter one.
    leastTwice = Math.min(
      leastTwice,
      measureCostMs(() => work(twice)),
    );
    leastHalf = Math.min(
      leastHalf,
      measureCostMs(() => work(half)),
    );
    growth = Math.sqrt(leastTwice / Math.max(leastHalf, MIN_MEASURED_MS));
    if (growth <= MAX_TIME_GROWTH) return;
  }
  expect(growth, what).toBeLessThanOrEqual(MAX_TIME_GROWTH);
}
