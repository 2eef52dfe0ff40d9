/** Checks that queries with different province and district codes return different ATMs. */
import type { FactRecord, AtmFact } from '../../model/facts.ts';
import { measureKm } from '../../util/geo.ts';
import { groupBy } from '../../util/group-by.ts';
import { toIdText } from '../../util/ids.ts';
import { noteCheck } from '../../notes/generators.ts';
import { joinSorted } from '../../notes/atms.ts';
import { getPosition } from './positions.ts';

type AtmNote = FactRecord<AtmFact>;

/** The ATMs in the answer for one province and district. */
interface Place {
  /** Province and district codes without leading zeros. */
  readonly province: string;
  readonly district: string;
  /** The number and position of each ATM, sorted. The same number at two positions means two ATMs. */
  readonly atms: string;
  /** Kilometres from the first ATM to the farthest. */
  readonly spread: number;
  readonly answer: AtmNote;
}

/** No district is wider than this many kilometres. */
const MAX_DISTRICT_KM = 200;

const selectAnswersByCodes = (notes: readonly AtmNote[]): readonly AtmNote[] =>
  notes.filter(({ fact }) => typeof fact.asked[0] === 'string' && fact.atms.length > 0);

const readPlaceCodes = ({ fact }: AtmNote): readonly string[] => fact.asked.map((code) => toIdText(String(code)));

const makeAtmsKey = ({ fact }: AtmNote): string =>
  fact.drawnFrom?.digest ?? joinSorted(fact.atms.map(([no, latitude, longitude]) => `${no} ${latitude} ${longitude}`));

function collectDistricts(notes: readonly AtmNote[]): readonly Place[] {
  const longestFirst = selectAnswersByCodes(notes).toSorted((a, b) => b.fact.atms.length - a.fact.atms.length);
  return [...groupBy(longestFirst, (note) => readPlaceCodes(note).join(' ')).values()].map(([answer]) => {
    const [province = '', district = ''] = readPlaceCodes(answer);
    const [first, ...others] = answer.fact.atms.map(getPosition);
    const spread = first === undefined ? 0 : Math.max(0, ...others.map((position) => measureKm(first, position)));
    return { province, district, atms: makeAtmsKey(answer), spread, answer };
  });
}

/**
 * True if two provinces return the same ATMs, and the district codes differ or the ATMs are too far apart for one district. A bank may
 * ignore the province if the district codes are equal.
 */
const haveSameAtms = (a: Place, b: Place): boolean =>
  a.atms === b.atms && a.province !== b.province && (a.spread > MAX_DISTRICT_KM || a.district !== b.district);

/**
 * True if two provinces share some ATMs that are too far apart for one district. False if one list contains the other list (a
 * district and its province), or if the ATMs are near each other (neighbouring districts).
 */
function shareDistantAtms(a: Place, b: Place): boolean {
  const [atms, others] = [a.answer.fact, b.answer.fact];
  if (a.spread <= MAX_DISTRICT_KM || a.province === b.province) return false;
  // If only some ATMs of an answer were noted, a list may contain more ATMs.
  if ((atms.drawnFrom ?? others.drawnFrom) !== undefined) return false;
  const own = new Set(atms.atms.map(([no]) => no));
  const shared = others.atms.filter(([no]) => own.has(no)).length;
  return shared > 0 && shared < own.size && shared < others.atms.length;
}

function findWrongPairOfProvinces(
  places: readonly Place[],
  isWrong: (a: Place, b: Place) => boolean,
): readonly [Place, Place] | null {
  for (const firstPlace of places) {
    const otherPlace = places.find((place) => isWrong(firstPlace, place));
    if (otherPlace !== undefined) return [firstPlace, otherPlace];
  }
  return null;
}

const countAnsweredAtms = ({ answer: { fact } }: Place): number => fact.drawnFrom?.atms ?? fact.atms.length;

export const provinceCheck = noteCheck('atms.codes-tell', 'findAtms', function* ({ notes }, tested) {
  const places = collectDistricts(notes('atms'));
  const [first, second] = places;
  if (first === undefined || second === undefined || places.length < 3) return;
  tested(first.answer, { count: places.length });
  const isOneList = places.every(({ atms }) => atms === first.atms);
  const sameLists = isOneList ? [first, second] : findWrongPairOfProvinces(places, haveSameAtms);
  const [firstPlace, otherPlace] = sameLists ?? findWrongPairOfProvinces(places, shareDistantAtms) ?? [];
  if (firstPlace === undefined || otherPlace === undefined) return;
  const [codes, otherCodes] = [firstPlace, otherPlace].map(({ answer }) => answer.fact.asked.join('/'));
  const sameOrSome =
    sameLists === null
      ? `some ATMs both for ${codes} and for ${otherCodes}, ${firstPlace.spread.toFixed(0)} km apart`
      : `the same ${countAnsweredAtms(firstPlace)} ATMs for ${codes} and ${otherCodes}`;
  yield {
    by: otherPlace.answer,
    contrast: firstPlace.answer,
    pointer: '/data',
    expected: 'other ATMs for other codes',
    ...(isOneList
      ? {
          received: `the same ${countAnsweredAtms(first)} ATMs for ${places.length} pairs of codes`,
          count: places.length,
        }
      : { received: sameOrSome }),
  };
});

/** At least this many districts must return the same ATMs: two districts may share their few ATMs. */
const MIN_DISTRICTS = 3;

export const districtCheck = noteCheck('atms.districts-tell', 'findAtms', function* ({ notes }, tested) {
  const provinces = [...groupBy(selectAnswersByCodes(notes('atms')), (note) => readPlaceCodes(note)[0]).values()].map(
    (all) => ({
      districts: [...groupBy(all, (note) => readPlaceCodes(note)[1]).values()].map(([note]) => note),
      lists: new Set(all.map(makeAtmsKey)),
    }),
  );
  const divided = provinces.filter(({ districts }) => districts.length > 1);
  const [first, second] = divided[0]?.districts ?? [];
  if (first === undefined || second === undefined) return;
  const count = divided.reduce((sum, { districts }) => sum + districts.length - 1, 0);
  tested(first, { count });
  if (count + 1 < MIN_DISTRICTS || divided.some(({ lists }) => lists.size > 1)) return;
  yield {
    by: second,
    contrast: first,
    pointer: '/data',
    expected: 'other ATMs for other districts of a province',
    received: `the same ATMs for each of ${count + divided.length} districts`,
    count,
  };
});
