/** Ids and other integers of any length, as decimal text. */

/** The integer that an id's text stands for, or null where it is not decimal digits. */
export function integerOf(id: unknown): bigint | null {
  if (typeof id === 'number') return Number.isInteger(id) ? BigInt(id) : null;
  return typeof id === 'string' && /^[0-9]+$/.test(id.trim()) ? BigInt(id.trim()) : null;
}

/** True where both ids stand for the same integer, or are the same text. */
export function sameId(one: unknown, other: unknown): boolean {
  const [a, b] = [integerOf(one), integerOf(other)];
  return a !== null && b !== null ? a === b : String(one).trim() === String(other).trim();
}
