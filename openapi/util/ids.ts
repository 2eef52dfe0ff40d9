/** Reads and compares ids: integers of any length, as decimal text. */

/** Ids with more digits are compared as texts: reading them as integers takes more than linear time. */
const MAX_ID_DIGITS = 1000;

/** Returns an id as an integer; null if the id is no integer, or has too many digits. */
export function toInteger(id: unknown): bigint | null {
  if (typeof id === 'number') return Number.isInteger(id) ? BigInt(id) : null;
  if (typeof id !== 'string') return null;
  const digits = id.trim();
  return digits.length <= MAX_ID_DIGITS && /^[0-9]+$/.test(digits) ? BigInt(digits) : null;
}

/** Returns a text that is equal for all spellings of an id: its integer, or else the text itself. */
export const toIdText = (id: unknown): string => String(toInteger(id) ?? id);

/** True if both ids are the same integer, also with other leading zeros, or the same text. */
export function isSameId(a: unknown, b: unknown): boolean {
  const [integerA, integerB] = [toInteger(a), toInteger(b)];
  return integerA !== null && integerB !== null ? integerA === integerB : String(a).trim() === String(b).trim();
}

/** True if both ids are the same id, or become the same double (64-bit floating-point number). */
export const areEqualAsDoubles = (a: unknown, b: unknown): boolean =>
  isSameId(a, b) || (toInteger(a) !== null && Number(a) === Number(b));
