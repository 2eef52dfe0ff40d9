/** Ids and other integers of any length, as decimal text. */

/** Longer digits are compared as texts: reading them as integers takes more than linear time. */
const MAX_DIGITS = 1000;

/** The integer of an id; null if it is not decimal digits, or too many. */
export function integerOf(id: unknown): bigint | null {
  if (typeof id === 'number') return Number.isInteger(id) ? BigInt(id) : null;
  if (typeof id !== 'string') return null;
  const digits = id.trim();
  return digits.length <= MAX_DIGITS && /^[0-9]+$/.test(digits) ? BigInt(digits) : null;
}

/** The same text for all spellings of an id: its integer, or else the text itself. */
export const idText = (id: unknown): string => String(integerOf(id) ?? id);

/** True if both ids are the same integer or the same text. */
export function sameId(one: unknown, other: unknown): boolean {
  const [a, b] = [integerOf(one), integerOf(other)];
  return a !== null && b !== null ? a === b : String(one).trim() === String(other).trim();
}

/** The same, but integers are compared as doubles. */
export const sameIdRounded = (one: unknown, other: unknown): boolean =>
  sameId(one, other) || (integerOf(one) !== null && Number(one) === Number(other));
