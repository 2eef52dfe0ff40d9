/** Minimum and maximum of numbers, of which a run may have more than a call takes arguments. */

/** -Infinity for no numbers. */
export const max = (numbers: readonly number[]): number =>
  numbers.reduce((most, one) => Math.max(most, one), -Infinity);

/** Infinity for no numbers. */
export const min = (numbers: readonly number[]): number => numbers.reduce((few, one) => Math.min(few, one), Infinity);

/** The greatest common divisor of two whole numbers; with 0 the other number. */
export const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
