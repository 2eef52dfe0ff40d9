/** Minimum and maximum for long lists: `Math.max` takes a limited number of arguments. */

/** Returns the largest number, or -Infinity for an empty list. */
export const max = (numbers: readonly number[]): number =>
  numbers.reduce((most, value) => Math.max(most, value), -Infinity);

/** Returns the smallest number, or Infinity for an empty list. */
export const min = (numbers: readonly number[]): number =>
  numbers.reduce((few, value) => Math.min(few, value), Infinity);

export const greatestCommonDivisor = (a: number, b: number): number => (b === 0 ? a : greatestCommonDivisor(b, a % b));
