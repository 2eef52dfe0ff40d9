/** ATMs that are shown in a city where none of the other answers' ATMs stand anywhere near. */
import type { AtmFact, FactRecord } from '../../model/facts.ts';
import { greatCircle } from '../../util/geo.ts';
import { groupBy } from '../../util/group-by.ts';
import { idText } from '../../util/ids.ts';
import type { ResultCollector } from '../result-collector.ts';
import { positionOf } from './positions.ts';

/** Kilometres beyond which nothing stands in a city. */
const FAR_KM = 200;
/** ATMs and provinces in which it has to show: of one province the capital may stand for its towns, however far they are. */
const MIN_ATMS = 3;
const MIN_PROVINCES = 2;

type Answers = readonly FactRecord<AtmFact>[];

const isByCodes = ({ fact }: FactRecord<AtmFact>): boolean => typeof fact.asked[0] === 'string';
const provinceIn = (answer: FactRecord<AtmFact>): string | null =>
  isByCodes(answer) ? idText(answer.fact.asked[0]) : null;

/** The ATMs of answers, with what they say of where each is. */
const placesIn = (answers: Answers) =>
  answers.flatMap((answer) =>
    answer.fact.atms.flatMap((atm) => {
      const [no, , , , , [, , city]] = atm;
      const { exchange } = answer;
      return city === null ? [] : [{ no, city, at: positionOf(atm), province: provinceIn(answer), exchange }];
    }),
  );

/** Finds ATMs that one form of the query shows in a city whose ATMs all stand far away, as the other form has it. */
export function evaluateCities(results: ResultCollector, answers: Answers): void {
  const [byCodes, byPosition] = [answers.filter(isByCodes), answers.filter((one) => !isByCodes(one))].map(placesIn);
  for (const [shown, others] of [
    [byCodes, byPosition],
    [byPosition, byCodes],
  ]) {
    const known = new Map(others?.map((other) => [other.no, other]));
    const inCity = groupBy([...known.values()], ({ city }) => city);
    const found = (shown ?? []).flatMap((one) => {
      const other = known.get(one.no);
      const isFar = inCity.get(one.city)?.every(({ at }) => greatCircle(at, one.at) > FAR_KM) ?? false;
      return other === undefined || other.city === one.city || !isFar ? [] : [{ one, other }];
    });
    for (const same of groupBy(found, ({ one }) => one.city).values()) {
      const [first] = same;
      const provinces = new Set(same.map(({ one, other }) => one.province ?? other.province));
      const numbers = new Set(same.map(({ one }) => one.no));
      if (first === undefined || numbers.size < MIN_ATMS || provinces.size < MIN_PROVINCES) continue;
      results.break({
        clause: 'atms.no.one-place',
        operation: 'findAtms',
        pointer: '/data/*/atm_city',
        expected: `the city that the ATM ${first.one.no} has in another answer`,
        received: `a city whose ATMs all stand more than ${FAR_KM} km away, for ATMs of ${provinces.size} provinces`,
        exchange: first.one.exchange,
        contrast: first.other.exchange,
        count: numbers.size,
      });
    }
  }
}
