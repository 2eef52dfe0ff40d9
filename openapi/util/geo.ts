/** Computes distances on a sphere. */

/** Mean radius of the earth in kilometres (IUGG). */
const EARTH_RADIUS_KM = 6371.0088;
const toRadians = (degrees: number): number => (degrees * Math.PI) / 180;

export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** Returns the great-circle distance in kilometres (haversine). */
export function measureKm(from: Position, to: Position): number {
  const latitudeDifference = toRadians(to.latitude - from.latitude);
  const longitudeDifference = toRadians(to.longitude - from.longitude);
  const a =
    Math.sin(latitudeDifference / 2) ** 2 +
    Math.cos(toRadians(from.latitude)) * Math.cos(toRadians(to.latitude)) * Math.sin(longitudeDifference / 2) ** 2;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(a)));
}

/** Returns how many kilometres `to` is north or south of `from`. No path between them is shorter. */
export function measureNorthSouthKm(from: Position, to: Position): number {
  return EARTH_RADIUS_KM * toRadians(Math.abs(to.latitude - from.latitude));
}

/** Returns the distance in kilometres if all degrees had the length of a degree of latitude, as faulty programs assume. */
export const measureFlatKm = (from: Position, to: Position): number =>
  EARTH_RADIUS_KM * toRadians(Math.hypot(to.latitude - from.latitude, to.longitude - from.longitude));
