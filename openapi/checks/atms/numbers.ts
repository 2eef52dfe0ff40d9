/** Checks that an ATM has the same number and the same position in all answers. */
import type { Broken, Check, History } from '../../model/check.ts';
import type { ClauseId } from '../../clauses/index.ts';
import type { SeenAtm } from '../../model/facts.ts';
import { measureKm } from '../../util/geo.ts';
import { groupBy } from '../../util/group-by.ts';
import { toInteger } from '../../util/ids.ts';
import { findContradictions, noteCheck } from '../../notes/generators.ts';
import { estimateErrorKm, getPosition } from './positions.ts';

interface Seen {
  readonly atm: SeenAtm;
  readonly exchange: string;
}

/** Two positions of the same ATM may differ by this many kilometres, in addition to the rounding of coordinates. */
const MAX_POSITION_DIFFERENCE_KM = 0.15;

const isSamePosition = (a: SeenAtm, b: SeenAtm): boolean =>
  (a[1] === b[1] && a[2] === b[2]) ||
  measureKm(getPosition(a), getPosition(b)) <=
    MAX_POSITION_DIFFERENCE_KM + estimateErrorKm(a[1], a[2]) + estimateErrorKm(b[1], b[2]);

/** True if one answer has several of these ATM numbers: the ATMs stand side by side. */
const areInOneAnswer = (same: readonly Seen[]): boolean =>
  [...groupBy(same, ({ exchange }) => exchange).values()].some(
    (shown) => new Set(shown.map(({ atm }) => atm[0])).size > 1,
  );

const listSeenAtms = ({ notes }: History): readonly Seen[] =>
  notes('atms').flatMap(({ fact, exchange }) => fact.atms.map((atm) => ({ atm, exchange })));

/** Makes a check that ATMs with the same key are equal in all answers. */
const checkSameAtms = (
  clause: ClauseId,
  keyOf: (atm: SeenAtm) => string,
  isAlike: (a: SeenAtm, b: SeenAtm) => boolean,
  words: (a: SeenAtm, b: SeenAtm, all: readonly Seen[]) => Pick<Broken, 'expected' | 'received'> | null,
): Check =>
  noteCheck(clause, 'findAtms', function* (history, tested) {
    const seen = listSeenAtms(history);
    if (seen[0] !== undefined) tested(seen[0], { count: seen.length });
    yield* findContradictions(
      seen,
      ({ atm }) => keyOf(atm),
      (a, b) => isAlike(a.atm, b.atm),
      (a, b, all) => {
        const found = words(a.atm, b.atm, all);
        return found && { pointer: '/data/*/atm_no', ...found };
      },
    );
  });

export const numberChecks: readonly Check[] = [
  checkSameAtms(
    'atms.no.one-place',
    ([no]) => no,
    isSamePosition,
    ([no, latitude, longitude], [, otherLatitude, otherLongitude]) => ({
      expected: `one place for the number ${no}`,
      received: `${latitude}, ${longitude} and ${otherLatitude}, ${otherLongitude}`,
    }),
  ),
  checkSameAtms(
    'atms.no.same-text',
    ([no, latitude, longitude, name]) => `${toInteger(no)} ${latitude} ${longitude} ${name}`,
    ([firstNo], [otherNo]) => firstNo === otherNo || toInteger(otherNo) === null,
    ([firstNo, , , name], [otherNo], all) =>
      areInOneAnswer(all)
        ? null
        : {
            expected: `"${firstNo.length > otherNo.length ? firstNo : otherNo}" in every answer`,
            received: `"${firstNo}" and "${otherNo}" for the ATM ${name}`,
          },
  ),
];
