/** Judges that queries with different province and district codes return different ATMs. */
import { atmEndpointRow, codesRuleSource } from '../../clauses/atms.ts';
import { defineLevels } from '../../../clauses/clause.ts';
import { measureKm } from '../../../util/geo.ts';
import { groupBy } from '../../../util/group-by.ts';
import { toIdText } from '../../../util/ids.ts';
import { joinSorted } from '../../records/atms.ts';
import { broken, kept, notTested, ofRun, type Verdict } from '../../../behaviours/behaviour.ts';
import { isByCodes, joinInputs, type AtmAnswer, type CodesAnswer } from './positions.ts';

const { expected } = defineLevels('atms');

/** The ATMs of one pair of province and district codes. */
interface Place {
  /** Province and district codes without leading zeros. */
  readonly province: string;
  readonly district: string;
  /** The number and position of each ATM, sorted. The same number at two positions means two ATMs. */
  readonly atms: string;
  /** Kilometres from the first ATM to the farthest. */
  readonly spreadKm: number;
  readonly answer: CodesAnswer;
}

/** No district is wider than this many kilometres. */
const MAX_DISTRICT_KM = 200;

const selectAnswersByCodes = (answers: readonly AtmAnswer[]): readonly CodesAnswer[] =>
  answers.filter(isByCodes).filter(({ atms }) => atms.length > 0);

const readProvince = ({ asked }: CodesAnswer): string => toIdText(asked.province);
const readDistrict = ({ asked }: CodesAnswer): string => toIdText(asked.district);

const makeAtmsKey = ({ atms, drawnFrom }: AtmAnswer): string =>
  drawnFrom?.digest ?? joinSorted(atms.map(({ no, latitude, longitude }) => `${no} ${latitude} ${longitude}`));

function collectPlaces(answers: readonly AtmAnswer[]): readonly Place[] {
  const longestFirst = selectAnswersByCodes(answers).toSorted((a, b) => b.atms.length - a.atms.length);
  const byCodes = groupBy(longestFirst, (answer) => `${readProvince(answer)} ${readDistrict(answer)}`);
  return [...byCodes.values()].map(([answer]) => {
    const [first, ...others] = answer.atms;
    return {
      province: readProvince(answer),
      district: readDistrict(answer),
      atms: makeAtmsKey(answer),
      spreadKm: first === undefined ? 0 : Math.max(0, ...others.map((atm) => measureKm(first, atm))),
      answer,
    };
  });
}

/**
 * True if two provinces return the same ATMs, and the district codes differ or the ATMs are too far apart for one district. A bank may
 * ignore the province if the district codes are equal.
 */
const haveSameAtms = (a: Place, b: Place): boolean =>
  a.atms === b.atms && a.province !== b.province && (a.spreadKm > MAX_DISTRICT_KM || a.district !== b.district);

/**
 * True if two provinces share some ATMs that are too far apart for one district. False if one list contains the other list (a
 * district and its province), or if the ATMs are near each other (neighbouring districts).
 */
function shareDistantAtms(a: Place, b: Place): boolean {
  if (a.spreadKm <= MAX_DISTRICT_KM || a.province === b.province) return false;
  // If only some ATMs of an answer were kept, a list may contain more ATMs.
  if ((a.answer.drawnFrom ?? b.answer.drawnFrom) !== undefined) return false;
  const numbersOfA = new Set(a.answer.atms.map(({ no }) => no));
  const sharedCount = b.answer.atms.filter(({ no }) => numbersOfA.has(no)).length;
  return sharedCount > 0 && sharedCount < numbersOfA.size && sharedCount < b.answer.atms.length;
}

interface Pair {
  readonly first: Place;
  readonly second: Place;
}

function findBrokenPair(places: readonly Place[], isWrong: (a: Place, b: Place) => boolean): Pair | null {
  for (const first of places) {
    const second = places.find((place) => isWrong(first, place));
    if (second !== undefined) return { first, second };
  }
  return null;
}

const countAtms = ({ answer: { atms, drawnFrom } }: Place): number => drawnFrom?.atms ?? atms.length;
const readCodes = ({ answer }: Place): string => joinInputs(answer).replace(' ', '/');

const breakBy = ({ first, second }: Pair, received: string, count = 1): Verdict =>
  broken(second.answer, {
    contrast: first.answer,
    pointer: '/data',
    expected: 'other ATMs for other codes',
    received,
    ...(count > 1 ? { count } : {}),
  });

/** At least this many pairs of codes must have ATMs, because two districts may be neighbours. */
const MIN_CODE_PAIRS = 3;

export const provincesDiffer = ofRun({
  id: 'atms.codes-tell',
  clause: expected(
    atmEndpointRow('GET /api/v1/atms'),
    'Queries with different province and district codes return different ATMs.',
  ),
  operation: 'findAtms',
  control: 'At least three pairs of province and district codes have ATMs.',
  judge({ atmAnswers }) {
    const places = collectPlaces(atmAnswers);
    const [first, second] = places;
    if (first === undefined || second === undefined || places.length < MIN_CODE_PAIRS)
      return [notTested('the run found ATMs for fewer than three pairs of province and district codes')];
    const tested = kept(first.answer, { count: places.length });
    if (places.every(({ atms }) => atms === first.atms)) {
      const received = `the same ${countAtms(first)} ATMs for ${places.length} pairs of codes`;
      return [breakBy({ first, second }, received, places.length)];
    }
    const withSameAtms = findBrokenPair(places, haveSameAtms);
    if (withSameAtms !== null) {
      const codes = `${readCodes(withSameAtms.first)} and ${readCodes(withSameAtms.second)}`;
      return [tested, breakBy(withSameAtms, `the same ${countAtms(withSameAtms.first)} ATMs for ${codes}`)];
    }
    const withSharedAtms = findBrokenPair(places, shareDistantAtms);
    if (withSharedAtms === null) return [tested];
    const codes = `both for ${readCodes(withSharedAtms.first)} and for ${readCodes(withSharedAtms.second)}`;
    const distance = `${withSharedAtms.first.spreadKm.toFixed(0)} km apart`;
    return [tested, breakBy(withSharedAtms, `some ATMs ${codes}, ${distance}`)];
  },
});

/** At least this many districts must return the same ATMs, because two districts may share their few ATMs. */
const MIN_DISTRICTS = 3;

export const districtsDiffer = ofRun({
  id: 'atms.districts-tell',
  clause: expected(codesRuleSource, 'The districts of one province do not all have the same ATMs.'),
  operation: 'findAtms',
  control: 'At least two districts of a province have ATMs.',
  judge({ atmAnswers }) {
    const provinces = [...groupBy(selectAnswersByCodes(atmAnswers), readProvince).values()].map((answers) => ({
      districts: [...groupBy(answers, readDistrict).values()].map(([answer]) => answer),
      lists: new Set(answers.map(makeAtmsKey)),
    }));
    const withSeveralDistricts = provinces.filter(({ districts }) => districts.length > 1);
    const haveSameLists = withSeveralDistricts.every(({ districts }) => new Set(districts.map(makeAtmsKey)).size === 1);
    const [first, second] = withSeveralDistricts[0]?.districts ?? [];
    if (first === undefined || second === undefined)
      return [notTested('the run found no province with ATMs in two districts')];
    const count = withSeveralDistricts.reduce((sum, { districts }) => sum + districts.length - 1, 0);
    if (!haveSameLists) return [kept(first, { count })];
    if (withSeveralDistricts.some(({ lists }) => lists.size > 1))
      return [notTested('the same district got different ATMs at different times')];
    if (count + 1 < MIN_DISTRICTS) return [notTested('the two districts of a province may share all their ATMs')];
    return [
      broken(second, {
        contrast: first,
        pointer: '/data',
        expected: 'other ATMs for other districts of a province',
        received: `the same ATMs for each of ${count + withSeveralDistricts.length} districts`,
        count,
      }),
    ];
  },
});
