/** Where ATMs stand, and how exactly that is known. */
import type { SeenAtm } from '../../model/facts.ts';
import { decimalsOf } from '../../util/counted.ts';
import type { Position } from '../../util/geo.ts';

/** Where an ATM stands, in decimal degrees. */
export const positionOf = ([, latitude, longitude]: SeenAtm): Position => ({ latitude, longitude });

/** How much a sphere, an ellipsoid and their radii may differ. */
export const ELLIPSOID_TOLERANCE = 0.012;

/** Kilometres by which coordinates may be off that are written with these decimals. */
export function coordinateError(...degrees: readonly number[]): number {
  const decimals = Math.max(...degrees.map(decimalsOf));
  return 0.8 * 111.2 * 10 ** -decimals;
}
