/** Reads the positions of ATMs from an answer of the locator. */

/** Returns the position of an entry as `latitude,longitude` in the digits of the answer; null if it is no position on earth. */
function describePosition(atm: unknown): string | null {
  const { atm_latitude: latitude, atm_longitude: longitude } = (atm ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return null;
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return null;
  return `${latitude},${longitude}`;
}

/** At most this many positions are kept for each answer: a long run has many answers, and some banks return all ATMs. */
const MAX_POSITIONS = 30;

export function listPositions(data: unknown): readonly string[] {
  return Array.isArray(data) ? data.slice(0, MAX_POSITIONS).flatMap((atm) => describePosition(atm) ?? []) : [];
}
