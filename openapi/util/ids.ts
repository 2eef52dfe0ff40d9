/** Ids and other integers of any length, as decimal text. */

/** Longer texts of digits are compared as texts: the cost of reading them as integers grows faster than their length. */
const MAX_DIGITS = 1000;

/** The integer that an id's text stands for, or null where it is not decimal digits or very many. */
export function integerOf(id: unknown): bigint | null {
  if (typeof id === 'number') return Number.isInteger(id) ? BigInt(id) : null;
  if (typeof id !== 'string') return null;
  const digits = id.trim();
  return digits.length <= MAX_DIGITS && /^[0-9]+$/.test(digits) ? BigInt(digits) : null;
}

/** One text for all spellings of an id: its integer, or the text as it is. */
export const idText = (id: unknown): string => String(integerOf(id) ?? id);

/** True where both ids stand for the same integer, or are the same text. */
export function sameId(one: unknown, other: unknown): boolean {
  const [a, b] = [integerOf(one), integerOf(other)];
  return a !== null && b !== null ? a === b : String(one).trim() === String(other).trim();
}

/** The same, as far as a double holds their digits. */
export const sameIdRounded = (one: unknown, other: unknown): boolean =>
  sameId(one, other) || (integerOf(one) !== null && Number(one) === Number(other));
