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
interface District {
  /** Province and district codes without leading zeros. */
  readonly provinceCode: string;
  readonly districtCode: string;
  /** The number and position of each ATM, sorted. The same number at two positions means two ATMs. */
  readonly atmsKey: string;
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

function collectDistricts(answers: readonly AtmAnswer[]): readonly District[] {
  const answersLongestFirst = selectAnswersByCodes(answers).toSorted((a, b) => b.atms.length - a.atms.length);
  const answersByCodes = groupBy(answersLongestFirst, (answer) => `${readProvince(answer)} ${readDistrict(answer)}`);
  return [...answersByCodes.values()].map(([answer]) => {
    const [firstAtm, ...otherAtms] = answer.atms;
    return {
      provinceCode: readProvince(answer),
      districtCode: readDistrict(answer),
      atmsKey: makeAtmsKey(answer),
      spreadKm: firstAtm === undefined ? 0 : Math.max(0, ...otherAtms.map((atm) => measureKm(firstAtm, atm))),
      answer,
    };
  });
}

/**
 * True if two provinces return the same ATMs, and the district codes differ or the ATMs are too far apart for one district. A bank may
 * ignore the province if the district codes are equal.
 */
const haveSameAtms = (district: District, otherDistrict: District): boolean =>
  district.atmsKey === otherDistrict.atmsKey &&
  district.provinceCode !== otherDistrict.provinceCode &&
  (district.spreadKm > MAX_DISTRICT_KM || district.districtCode !== otherDistrict.districtCode);

/**
 * True if lists of two different provinces have some ATMs in common, and the ATMs of `district` are too far apart for one district.
 * False if one list contains all ATMs of the other list, because the bank may return the whole province for a district.
 */
function shareDistantAtms(district: District, otherDistrict: District): boolean {
  if (district.spreadKm <= MAX_DISTRICT_KM || district.provinceCode === otherDistrict.provinceCode) return false;
  // If only some ATMs of an answer were kept, a list may contain more ATMs.
  if ((district.answer.drawnFrom ?? otherDistrict.answer.drawnFrom) !== undefined) return false;
  const atmNumbers = new Set(district.answer.atms.map(({ no }) => no));
  const sharedCount = otherDistrict.answer.atms.filter(({ no }) => atmNumbers.has(no)).length;
  return sharedCount > 0 && sharedCount < atmNumbers.size && sharedCount < otherDistrict.answer.atms.length;
}

interface DistrictPair {
  readonly first: District;
  readonly second: District;
}

function findBrokenPair(
  districts: readonly District[],
  isWrongPair: (a: District, b: District) => boolean,
): DistrictPair | null {
  for (const firstDistrict of districts) {
    const secondDistrict = districts.find((district) => isWrongPair(firstDistrict, district));
    if (secondDistrict !== undefined) return { first: firstDistrict, second: secondDistrict };
  }
  return null;
}

const countAtms = ({ answer: { atms, drawnFrom } }: District): number => drawnFrom?.atms ?? atms.length;
const readCodes = ({ answer }: District): string => joinInputs(answer).replace(' ', '/');

const breakPair = ({ first, second }: DistrictPair, received: string, count = 1): Verdict =>
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
    const districts = collectDistricts(atmAnswers);
    const [firstDistrict, secondDistrict] = districts;
    if (firstDistrict === undefined || secondDistrict === undefined || districts.length < MIN_CODE_PAIRS)
      return [notTested('the run found ATMs for fewer than three pairs of province and district codes')];
    const keptVerdict = kept(firstDistrict.answer, { count: districts.length });
    if (districts.every(({ atmsKey }) => atmsKey === firstDistrict.atmsKey)) {
      const received = `the same ${countAtms(firstDistrict)} ATMs for ${districts.length} pairs of codes`;
      return [breakPair({ first: firstDistrict, second: secondDistrict }, received, districts.length)];
    }
    const pairWithSameAtms = findBrokenPair(districts, haveSameAtms);
    if (pairWithSameAtms !== null) {
      const codes = `${readCodes(pairWithSameAtms.first)} and ${readCodes(pairWithSameAtms.second)}`;
      return [
        keptVerdict,
        breakPair(pairWithSameAtms, `the same ${countAtms(pairWithSameAtms.first)} ATMs for ${codes}`),
      ];
    }
    const pairWithSharedAtms = findBrokenPair(districts, shareDistantAtms);
    if (pairWithSharedAtms === null) return [keptVerdict];
    const codes = `both for ${readCodes(pairWithSharedAtms.first)} and for ${readCodes(pairWithSharedAtms.second)}`;
    const distance = `${pairWithSharedAtms.first.spreadKm.toFixed(0)} km apart`;
    return [keptVerdict, breakPair(pairWithSharedAtms, `some ATMs ${codes}, ${distance}`)];
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
    const provincesWithDistricts = provinces.filter(({ districts }) => districts.length > 1);
    const haveSameLists = provincesWithDistricts.every(
      ({ districts }) => new Set(districts.map(makeAtmsKey)).size === 1,
    );
    const [firstAnswer, secondAnswer] = provincesWithDistricts[0]?.districts ?? [];
    if (firstAnswer === undefined || secondAnswer === undefined)
      return [notTested('the run found no province with ATMs in two districts')];
    const comparisonCount = provincesWithDistricts.reduce((sum, { districts }) => sum + districts.length - 1, 0);
    if (!haveSameLists) return [kept(firstAnswer, { count: comparisonCount })];
    if (provincesWithDistricts.some(({ lists }) => lists.size > 1))
      return [notTested('the same district got different ATMs at different times')];
    if (comparisonCount + 1 < MIN_DISTRICTS)
      return [notTested('the two districts of a province may share all their ATMs')];
    return [
      broken(secondAnswer, {
        contrast: firstAnswer,
        pointer: '/data',
        expected: 'other ATMs for other districts of a province',
        received: `the same ATMs for each of ${comparisonCount + provincesWithDistricts.length} districts`,
        count: comparisonCount,
      }),
    ];
  },
});
