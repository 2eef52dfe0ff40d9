/** Minimum and maximum for long lists: `Math.max` takes a limited number of arguments. */

/** Returns the largest number, or -Infinity for an empty list. */
export const max = (numbers: readonly number[]): number =>
  numbers.reduce((largest, value) => Math.max(largest, value), -Infinity);

/** Returns the smallest number, or Infinity for an empty list. */
export const min = (numbers: readonly number[]): number =>
  numbers.reduce((smallest, value) => Math.min(smallest, value), Infinity);

export const greatestCommonDivisor = (a: number, b: number): number => (b === 0 ? a : greatestCommonDivisor(b, a % b));
