/** The positions of ATMs, and their precision. */
import type { SeenAtm } from '../../model/facts.ts';
import { countDecimals } from '../../util/counted.ts';
import type { Position } from '../../util/geo.ts';

export const getPosition = ([, latitude, longitude]: SeenAtm): Position => ({ latitude, longitude });

/** Distances on a sphere and on an ellipsoid differ by at most this share. */
export const ELLIPSOID_TOLERANCE = 0.012;

/** Returns by how many kilometres coordinates with these decimals may be wrong. */
export function estimateError(...degrees: readonly number[]): number {
  const decimals = Math.max(...degrees.map(countDecimals));
  return 0.8 * 111.2 * 10 ** -decimals;
}
