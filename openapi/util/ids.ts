/** Reads and compares ids: integers of any length, as decimal text. */

/** Ids with more digits are compared as texts: reading them as integers takes more than linear time. */
const MAX_ID_DIGITS = 1000;

export function toInteger(id: unknown): bigint | null {
  if (typeof id === 'number') return Number.isInteger(id) ? BigInt(id) : null;
  if (typeof id !== 'string') return null;
  const digits = id.trim();
  return digits.length <= MAX_ID_DIGITS && /^[0-9]+$/.test(digits) ? BigInt(digits) : null;
}

/** Returns a text that is equal for all spellings of an id: its integer, or else the text itself. */
export const toIdText = (id: unknown): string => String(toInteger(id) ?? id);

export function isSameId(first: unknown, second: unknown): boolean {
  const [a, b] = [toInteger(first), toInteger(second)];
  return a !== null && b !== null ? a === b : String(first).trim() === String(second).trim();
}

/** True if both ids are the same text, or become the same double. */
export const areEqualAsDoubles = (a: unknown, b: unknown): boolean =>
  isSameId(a, b) || (toInteger(a) !== null && Number(a) === Number(b));
