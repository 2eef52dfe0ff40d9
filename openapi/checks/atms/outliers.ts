/**
 * Finds single ATMs with swapped coordinates. Their distances look right if the bank also measures them with swapped coordinates.
 */
import type { SeenAtm } from '../../model/facts.ts';
import { measureKm, type Position } from '../../util/geo.ts';
import { mergeFindings, noteCheck } from '../../notes/generators.ts';
import { getPosition } from './positions.ts';

/** At least this many other ATMs of the district must stand near each other. */
const MIN_OTHER_ATMS = 3;
/** ATMs of one district stand within this many kilometres of each other. */
const MAX_DISTRICT_KM = 50;
/** An ATM is too far from its district if it is this many kilometres away. */
const MIN_OUTLIER_KM = 500;

const swapPosition = ([, latitude, longitude]: SeenAtm): Position => ({ latitude: longitude, longitude: latitude });

/** Finds an ATM that is far from all others of its district, but near them with swapped coordinates. */
function findSwappedAtm(atms: readonly SeenAtm[]): SeenAtm | undefined {
  return atms.find((atm) => {
    const others = atms.filter((other) => other !== atm).map(getPosition);
    return (
      others.length >= MIN_OTHER_ATMS &&
      Math.abs(atm[2]) <= 90 &&
      others.every((other) => measureKm(getPosition(atm), other) > MIN_OUTLIER_KM) &&
      others.every((other) => measureKm(swapPosition(atm), other) < MAX_DISTRICT_KM)
    );
  });
}

export const swappedAtmCheck = noteCheck('atms.coordinates.not-swapped', 'findAtms', function* ({ notes }) {
  const found = notes('atms').flatMap(({ fact, exchange }) => {
    const atm = typeof fact.asked[0] === 'string' ? findSwappedAtm(fact.atms) : undefined;
    if (atm === undefined) return [];
    const [no, latitude, longitude] = atm;
    const expected = 'coordinates near the other ATMs of the district';
    const received = `${latitude}, ${longitude} for the ATM ${no}, near them only if swapped`;
    return [{ by: { exchange }, pointer: '/data/*/atm_latitude', expected, received }];
  });
  yield* mergeFindings(found);
});
