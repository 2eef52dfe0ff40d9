/** The positions of ATMs, and their precision. */
import type { SeenAtm } from '../../model/facts.ts';
import { decimalsOf } from '../../util/counted.ts';
import type { Position } from '../../util/geo.ts';

/** Returns the position of an ATM in decimal degrees. */
export const positionOf = ([, latitude, longitude]: SeenAtm): Position => ({ latitude, longitude });

/** Distances on a sphere and on an ellipsoid differ by at most this share. */
export const ELLIPSOID_TOLERANCE = 0.012;

/** Returns by how many kilometres coordinates with these decimals may be wrong. */
export function coordinateError(...degrees: readonly number[]): number {
  const decimals = Math.max(...degrees.map(decimalsOf));
  return 0.8 * 111.2 * 10 ** -decimals;
}
