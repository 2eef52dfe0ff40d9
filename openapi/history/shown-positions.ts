/** The positions of ATMs in an answer of the locator. */

/** An entry of an answer, at a position on earth: `latitude,longitude` in the digits of the answer; else null. */
function positionOfAtm(atm: unknown): string | null {
  const { atm_latitude: latitude, atm_longitude: longitude } = (atm ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return null;
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return null;
  return `${latitude},${longitude}`;
}

/** Of so many ATMs of an answer the positions are remembered: a long run has many answers, and some banks show every ATM. */
const MAX_POSITIONS = 30;

/** The positions of the first ATMs of an answer. */
export function shownPositions(data: unknown): readonly string[] {
  return Array.isArray(data) ? data.slice(0, MAX_POSITIONS).flatMap((atm) => positionOfAtm(atm) ?? []) : [];
}
