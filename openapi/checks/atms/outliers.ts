/** Finds single ATMs with swapped coordinates. Distances hide them if the bank measures to the swapped place too. */
import type { SeenAtm } from '../../model/facts.ts';
import { greatCircle, type Position } from '../../util/geo.ts';
import { inOne, noteCheck } from '../../notes/generators.ts';
import { positionOf } from './positions.ts';

/** At least this many other ATMs of the district must be near each other. */
const MIN_OTHERS = 3;
/** ATMs of one district stand within this many kilometres of each other. */
const NEAR_KM = 50;
/** No district is this many kilometres across. */
const FAR_KM = 500;

const swappedPosition = ([, latitude, longitude]: SeenAtm): Position => ({ latitude: longitude, longitude: latitude });

/** Finds an ATM that is far from all others of its district, but near them with swapped coordinates. */
function swappedIn(atms: readonly SeenAtm[]): SeenAtm | undefined {
  return atms.find((atm) => {
    const others = atms.filter((other) => other !== atm).map(positionOf);
    return (
      others.length >= MIN_OTHERS &&
      Math.abs(atm[2]) <= 90 &&
      others.every((other) => greatCircle(positionOf(atm), other) > FAR_KM) &&
      others.every((other) => greatCircle(swappedPosition(atm), other) < NEAR_KM)
    );
  });
}

export const swappedAtms = noteCheck('atms.coordinates.not-swapped', 'findAtms', function* ({ notes }) {
  const found = notes('atms').flatMap(({ fact, exchange }) => {
    const atm = typeof fact.asked[0] === 'string' ? swappedIn(fact.atms) : undefined;
    if (atm === undefined) return [];
    const [no, latitude, longitude] = atm;
    const expected = 'coordinates among those of the other ATMs of the district';
    const received = `${latitude}, ${longitude} for the ATM ${no}, which are among them only when swapped`;
    return [{ by: { exchange }, pointer: '/data/*/atm_latitude', expected, received }];
  });
  yield* inOne(found);
});
