/** The positions of ATMs, and their precision. */
import type { SeenAtm } from '../../model/facts.ts';
import { decimalsOf } from '../../util/counted.ts';
import type { Position } from '../../util/geo.ts';

/** The position of an ATM, in decimal degrees. */
export const positionOf = ([, latitude, longitude]: SeenAtm): Position => ({ latitude, longitude });

/** Share by which distances on a sphere and on an ellipsoid may differ. */
export const ELLIPSOID_TOLERANCE = 0.012;

/** Kilometres by which coordinates with these decimals may be wrong. */
export function coordinateError(...degrees: readonly number[]): number {
  const decimals = Math.max(...degrees.map(decimalsOf));
  return 0.8 * 111.2 * 10 ** -decimals;
}
