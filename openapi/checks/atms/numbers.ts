/** Checks that an ATM has one number and one place in all answers. */
import type { Broken, Check, History } from '../../model/check.ts';
import type { ClauseId } from '../../clauses/index.ts';
import type { SeenAtm } from '../../model/facts.ts';
import { greatCircle } from '../../util/geo.ts';
import { groupBy } from '../../util/group-by.ts';
import { integerOf } from '../../util/ids.ts';
import { contradictions, noteCheck } from '../../notes/generators.ts';
import { coordinateError, positionOf } from './positions.ts';

interface Seen {
  readonly atm: SeenAtm;
  readonly exchange: string;
}

/** Two positions of one place may be this many kilometres apart, besides the rounding of coordinates. */
const SAME_PLACE_KM = 0.15;

const isSamePlace = (one: SeenAtm, other: SeenAtm): boolean =>
  (one[1] === other[1] && one[2] === other[2]) ||
  greatCircle(positionOf(one), positionOf(other)) <=
    SAME_PLACE_KM + coordinateError(one[1], one[2]) + coordinateError(other[1], other[2]);

/** True if one answer shows several of these numbers: the ATMs stand side by side. */
const standSideBySide = (same: readonly Seen[]): boolean =>
  [...groupBy(same, ({ exchange }) => exchange).values()].some(
    (shown) => new Set(shown.map(({ atm }) => atm[0])).size > 1,
  );

const seenIn = ({ notes }: History): readonly Seen[] =>
  notes('atms').flatMap(({ fact, exchange }) => fact.atms.map((atm) => ({ atm, exchange })));

/** Makes a check that ATMs with the same key are equal in all answers. */
const sameAtms = (
  clause: ClauseId,
  keyOf: (atm: SeenAtm) => string,
  isAlike: (one: SeenAtm, other: SeenAtm) => boolean,
  words: (one: SeenAtm, other: SeenAtm, all: readonly Seen[]) => Pick<Broken, 'expected' | 'received'> | null,
): Check =>
  noteCheck(clause, 'findAtms', function* (history, tested) {
    const seen = seenIn(history);
    if (seen[0] !== undefined) tested(seen[0], { count: seen.length });
    yield* contradictions(
      seen,
      ({ atm }) => keyOf(atm),
      (one, other) => isAlike(one.atm, other.atm),
      (one, other, all) => {
        const said = words(one.atm, other.atm, all);
        return said && { pointer: '/data/*/atm_no', ...said };
      },
    );
  });

export const numberChecks: readonly Check[] = [
  sameAtms(
    'atms.no.one-place',
    ([no]) => no,
    isSamePlace,
    ([no, latitude, longitude], [, otherLatitude, otherLongitude]) => ({
      expected: `one place for the number ${no}`,
      received: `${latitude}, ${longitude} and ${otherLatitude}, ${otherLongitude}`,
    }),
  ),
  sameAtms(
    'atms.no.same-text',
    ([no, latitude, longitude, name]) => `${integerOf(no)} ${latitude} ${longitude} ${name}`,
    ([one], [other]) => one === other || integerOf(other) === null,
    ([one, , , name], [other], all) =>
      standSideBySide(all)
        ? null
        : {
            expected: `"${one.length > other.length ? one : other}" in every answer`,
            received: `"${one}" and "${other}" for the ATM ${name}`,
          },
  ),
];
