/** ATMs whose coordinates are swapped one by one: no distance need show it, where it is measured to the wrong place as well. */
import type { Check } from '../../model/check.ts';
import type { SeenAtm } from '../../model/facts.ts';
import { greatCircle, type Position } from '../../util/geo.ts';
import { positionOf } from './positions.ts';

/** Other ATMs of the district that have to stand together. */
const MIN_OTHERS = 3;
/** Kilometres within which ATMs of one district stand, and beyond which none of it does. */
const NEAR_KM = 50;
const FAR_KM = 500;

const turned = ([, latitude, longitude]: SeenAtm): Position => ({ latitude: longitude, longitude: latitude });

/** An ATM far from all others of its district, which stand together around the place that its coordinates name when swapped. */
function swappedIn(atms: readonly SeenAtm[]): SeenAtm | undefined {
  return atms.find((atm) => {
    const others = atms.filter((other) => other !== atm).map(positionOf);
    return (
      others.length >= MIN_OTHERS &&
      Math.abs(atm[2]) <= 90 &&
      others.every((other) => greatCircle(positionOf(atm), other) > FAR_KM) &&
      others.every((other) => greatCircle(turned(atm), other) < NEAR_KM)
    );
  });
}

export const outlierChecks: readonly Check[] = [
  {
    clause: 'atms.coordinates.not-swapped',
    operation: 'findAtms',
    unit: 'comparisons',
    *of({ notes }) {
      const found = notes('atms').flatMap(({ fact, exchange }) => {
        const atm = typeof fact.asked[0] === 'string' ? swappedIn(fact.atms) : undefined;
        return atm === undefined ? [] : [{ atm, exchange }];
      });
      const [by] = found;
      if (by === undefined) return;
      const [no, latitude, longitude] = by.atm;
      yield {
        by,
        pointer: '/data/*/atm_latitude',
        expected: 'coordinates among those of the other ATMs of the district',
        received: `${latitude}, ${longitude} for the ATM ${no}, which are among them only when swapped`,
        count: found.length,
      };
    },
  },
];
