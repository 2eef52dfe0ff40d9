/** Different province and district codes return different ATMs. */
import type { FactRecord, AtmFact } from '../../model/facts.ts';
import { greatCircle } from '../../util/geo.ts';
import { groupBy } from '../../util/group-by.ts';
import { idText } from '../../util/ids.ts';
import { noteCheck } from '../../notes/generators.ts';
import { listed } from '../../notes/atms.ts';
import { positionOf } from './positions.ts';

type AtmNote = FactRecord<AtmFact>;

/** The ATMs of a province and district. */
interface Place {
  /** Codes without leading zeros. */
  readonly province: string;
  readonly district: string;
  /** Number and position of each ATM, sorted. The same number at two positions means two ATMs. */
  readonly atms: string;
  /** Kilometres from the first ATM to the farthest. */
  readonly spread: number;
  /** The answer with the most ATMs. */
  readonly answer: AtmNote;
}

/** No district is wider than this many kilometres. */
const MAX_DISTRICT_KM = 200;

const byCodes = (notes: readonly AtmNote[]): readonly AtmNote[] =>
  notes.filter(({ fact }) => typeof fact.asked[0] === 'string' && fact.atms.length > 0);

const codesOf = ({ fact }: AtmNote): readonly string[] => fact.asked.map((code) => idText(String(code)));

const listedIn = ({ fact }: AtmNote): string =>
  fact.drawnFrom?.digest ?? listed(fact.atms.map(([no, latitude, longitude]) => `${no} ${latitude} ${longitude}`));

function placesIn(notes: readonly AtmNote[]): readonly Place[] {
  const longestFirst = byCodes(notes).toSorted((a, b) => b.fact.atms.length - a.fact.atms.length);
  return [...groupBy(longestFirst, (note) => codesOf(note).join(' ')).values()].map(([answer]) => {
    const [province = '', district = ''] = codesOf(answer);
    const [first, ...others] = answer.fact.atms.map(positionOf);
    const spread = first === undefined ? 0 : Math.max(0, ...others.map((other) => greatCircle(first, other)));
    return { province, district, atms: listedIn(answer), spread, answer };
  });
}

/**
 * True if two provinces return the same ATMs, and the district codes differ or the ATMs are too far apart for one district. A bank may
 * ignore the province if the district codes are equal.
 */
const areTwins = (one: Place, other: Place): boolean =>
  one.atms === other.atms &&
  one.province !== other.province &&
  (one.spread > MAX_DISTRICT_KM || one.district !== other.district);

/**
 * True if two provinces share some ATMs that are too far apart for one district. If one list contains the other list, the places
 * may be a district and its province. If the ATMs are near, the districts may be neighbours.
 */
function areMixed(one: Place, other: Place): boolean {
  const [atms, others] = [one.answer.fact, other.answer.fact];
  if (one.spread <= MAX_DISTRICT_KM || one.province === other.province) return false;
  // A list that was noted in part may contain an ATM that was not noted.
  if ((atms.drawnFrom ?? others.drawnFrom) !== undefined) return false;
  const own = new Set(atms.atms.map(([no]) => no));
  const shared = others.atms.filter(([no]) => own.has(no)).length;
  return shared > 0 && shared < own.size && shared < others.atms.length;
}

function pairIn(
  places: readonly Place[],
  isWrong: (one: Place, other: Place) => boolean,
): readonly [Place, Place] | null {
  for (const one of places) {
    const other = places.find((place) => isWrong(one, place));
    if (other !== undefined) return [one, other];
  }
  return null;
}

const countIn = ({ answer: { fact } }: Place): number => fact.drawnFrom?.atms ?? fact.atms.length;

export const codesMatter = noteCheck('atms.codes-tell', 'findAtms', function* ({ notes }, tested) {
  const places = placesIn(notes('atms'));
  const [first, second] = places;
  if (first === undefined || second === undefined || places.length < 3) return;
  tested(first.answer, { count: places.length });
  const isOneList = places.every(({ atms }) => atms === first.atms);
  const twins = isOneList ? [first, second] : pairIn(places, areTwins);
  const [one, other] = twins ?? pairIn(places, areMixed) ?? [];
  if (one === undefined || other === undefined) return;
  const [codes, otherCodes] = [one, other].map(({ answer }) => answer.fact.asked.join('/'));
  const sameOrSome =
    twins === null
      ? `some ATMs both for ${codes} and for ${otherCodes}, ${one.spread.toFixed(0)} km apart`
      : `the same ${countIn(one)} ATMs for ${codes} and ${otherCodes}`;
  yield {
    by: other.answer,
    contrast: one.answer,
    pointer: '/data',
    expected: 'other ATMs for other codes',
    ...(isOneList
      ? { received: `the same ${countIn(first)} ATMs for ${places.length} pairs of codes`, count: places.length }
      : { received: sameOrSome }),
  };
});

/** At least this many districts must return the same ATMs: two districts may share their few ATMs. */
const MIN_DISTRICTS = 3;

export const districtsMatter = noteCheck('atms.districts-tell', 'findAtms', function* ({ notes }, tested) {
  const provinces = [...groupBy(byCodes(notes('atms')), (note) => codesOf(note)[0]).values()].map((all) => ({
    districts: [...groupBy(all, (note) => codesOf(note)[1]).values()].map(([one]) => one),
    lists: new Set(all.map(listedIn)),
  }));
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
