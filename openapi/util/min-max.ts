/** Minimum and maximum for long lists: `Math.max` takes a limited number of arguments. */

/** Returns the largest number, or -Infinity for an empty list. */
export const max = (numbers: readonly number[]): number =>
  numbers.reduce((most, one) => Math.max(most, one), -Infinity);

/** Returns the smallest number, or Infinity for an empty list. */
export const min = (numbers: readonly number[]): number => numbers.reduce((few, one) => Math.min(few, one), Infinity);

/** Returns the greatest common divisor of two whole numbers. */
export const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
