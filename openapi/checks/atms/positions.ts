/** Reads the positions of ATMs and estimates their precision. */
import type { SeenAtm } from '../../model/facts.ts';
import { countDecimals } from '../../util/counted.ts';
import type { Position } from '../../util/geo.ts';

export const getPosition = ([, latitude, longitude]: SeenAtm): Position => ({ latitude, longitude });

/** The distance on a sphere differs from the distance on an ellipsoid by at most this share. */
export const ELLIPSOID_TOLERANCE = 0.012;

/** Returns the maximal rounding error (in kilometres) of coordinates with these decimals. */
export function estimateErrorKm(...degrees: readonly number[]): number {
  const decimals = Math.max(...degrees.map(countDecimals));
  return 0.8 * 111.2 * 10 ** -decimals;
}
