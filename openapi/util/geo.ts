/** Computes distances on a sphere. */

/** Mean radius of the earth in kilometres (IUGG). */
const radius = 6371.0088;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;

export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** Returns the great-circle distance in kilometres (haversine). */
export function greatCircle(from: Position, to: Position): number {
  const dLat = radians(to.latitude - from.latitude);
  const dLon = radians(to.longitude - from.longitude);
  const a =
    Math.sin(dLat / 2) ** 2 +
    Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude)) * Math.sin(dLon / 2) ** 2;
  return 2 * radius * Math.asin(Math.min(1, Math.sqrt(a)));
}

/** Returns how many kilometres `to` lies north or south of `from`. No way between them is shorter. */
export function meridianDistance(from: Position, to: Position): number {
  return radius * radians(Math.abs(to.latitude - from.latitude));
}
