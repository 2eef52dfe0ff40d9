/** Judges that the list of a district has all ATMs that queries by position show with the city and the name of this district. */
import { atmEndpointRow } from '../../clauses/atms.ts';
import { defineLevels } from '../../../clauses/clause.ts';
import type { SeenAtm } from '../../records/kinds.ts';
import { groupBy } from '../../../util/group-by.ts';
import { toIdText } from '../../../util/ids.ts';
import { max } from '../../../util/min-max.ts';
import { countTurns } from '../../../behaviours/agreement.ts';
import { broken, kept, notTested, ofRun, type Verdict } from '../../../behaviours/behaviour.ts';
import { areAtOnePlace, isByCodes, isByPosition, joinInputs, type AtmAnswer, type CodesAnswer } from './positions.ts';

/** At least this many milliseconds must pass between two queries, because a cache may answer the second one. */
const MIN_MS_BETWEEN_QUERIES = 2000;
/** The answers with the ATM and the lists without it must alternate this many times: A-B-A-B. */
const MIN_TURNS = 4;

/** Returns digests of the city and the district of an ATM as one text; null if one is missing. */
const readNames = ({ texts: { atm_city: city, atm_district: district } }: SeenAtm): string | null =>
  city === null || district === null ? null : `${city} ${district}`;

const isSameAtm = (atm: SeenAtm, otherAtm: SeenAtm): boolean =>
  toIdText(atm.no) === toIdText(otherAtm.no) || areAtOnePlace(atm, otherAtm);
const hasAtm = ({ atms }: AtmAnswer, atm: SeenAtm): boolean => atms.some((listedAtm) => isSameAtm(listedAtm, atm));
const countAtms = ({ atms, drawnFrom }: AtmAnswer): number => drawnFrom?.atms ?? atms.length;
const joinNumbers = ({ atms }: AtmAnswer): string =>
  atms
    .map(({ no }) => toIdText(no))
    .toSorted()
    .join();

interface District {
  /** The names that all ATMs of the lists have, and no ATM of the list of another district. */
  readonly districtNames: string;
  readonly lists: readonly [CodesAnswer, ...CodesAnswer[]];
}

/**
 * Lists the districts whose ATMs all have one city and district name, which no other district has. If several pairs of codes bring the
 * same list, it is the list of one district.
 */
function listDistricts(answers: readonly CodesAnswer[]): readonly District[] {
  const answersByCodes = [...groupBy(answers, joinInputs).values()];
  const districts = [...groupBy(answersByCodes, ([firstAnswer]) => joinNumbers(firstAnswer)).values()].map(
    (answersWithSameList) => answersWithSameList.flat() as [CodesAnswer, ...CodesAnswer[]],
  );
  const namesByDistrict = districts.map((lists) => new Set(lists.flatMap(({ atms }) => atms.map(readNames))));
  return districts.flatMap((lists, nth) => {
    const [districtNames, ...otherNames] = namesByDistrict[nth] ?? [];
    if (districtNames == null || otherNames.length > 0) return [];
    const hasOtherDistrict = namesByDistrict.some(
      (namesOfDistrict, index) => index !== nth && namesOfDistrict.has(districtNames),
    );
    return hasOtherDistrict ? [] : [{ districtNames, lists }];
  });
}

export const districtComplete = ofRun({
  id: 'atms.districts-complete',
  clause: defineLevels('atms').expected(
    atmEndpointRow('GET /api/v1/atms'),
    'The list of a district has each ATM that a query by position shows with the city and the name of this district.',
  ),
  operation: 'findAtms',
  control: 'A query by position shows an ATM of a district whose list is shorter than the longest.',
  judge({ atmAnswers }) {
    const listAnswers = atmAnswers.filter(isByCodes).filter(({ atms }) => atms.length > 0);
    const longestCount = max(listAnswers.map(countAtms));
    // The longest list may be a page. Of a very long list, only some ATMs are kept.
    const districts = listDistricts(listAnswers).filter(({ lists }) =>
      lists.every((list) => countAtms(list) < longestCount && list.drawnFrom === undefined),
    );
    const answersByPosition = atmAnswers.filter(isByPosition);
    const verdicts = districts.flatMap(({ districtNames, lists }): readonly Verdict[] => {
      const shownAtms = answersByPosition.flatMap((answer) => answer.atms.map((atm) => ({ atm, answer })));
      const atmsByNumber = groupBy(
        shownAtms.filter(({ atm }) => readNames(atm) === districtNames),
        ({ atm }) => toIdText(atm.no),
      );
      return [...atmsByNumber.values()].flatMap(([{ atm, answer }, ...otherShown]): Verdict | [] => {
        if (lists.every((list) => hasAtm(list, atm))) return kept(lists[0], { contrast: answer });
        if (lists.some((list) => hasAtm(list, atm))) return [];
        const answersWithAtm: readonly AtmAnswer[] = [answer, ...otherShown.map((shownAtm) => shownAtm.answer)];
        if (countTurns<AtmAnswer>(answersWithAtm, lists, MIN_MS_BETWEEN_QUERIES) < MIN_TURNS)
          return notTested('an ATM was missing in the list of its district, and the run did not ask again both ways');
        const [list] = lists;
        return broken(list, {
          contrast: answer,
          pointer: '/data',
          expected: `also the ATM ${atm.no}, which queries by position show with the city and district of this list`,
          received: `${countAtms(list)} other ATMs`,
        });
      });
    });
    return verdicts.length > 0
      ? verdicts
      : [notTested('no query by position showed an ATM of a district with a shorter list')];
  },
});
