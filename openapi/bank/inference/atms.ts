/** Reads all answers of the ATM locator, and infers what the document leaves open: order, number and distance of ATMs, and codes. */
import type { ObservedAnswer } from '../../model/observation.ts';
import type { Run } from '../../model/record.ts';
import type { SeenAtm } from '../records/kinds.ts';
import { makeInference, type Inference } from '../../model/finding.ts';
import { max, min } from '../../util/min-max.ts';
import { measureKm } from '../../util/geo.ts';
import { isByPosition, type AtmAnswer, type PositionAnswer } from '../behaviours/atms/positions.ts';
import { inferDistanceUnit } from '../behaviours/atms/distances.ts';
import { groupBy } from '../../util/group-by.ts';
import { isRejection } from '../../model/outcome.ts';

const makeAtmInference = (
  point: 'atms.ordering' | 'atms.count' | 'atms.codes',
  question: string,
  answer: ObservedAnswer,
  evidence: readonly { readonly exchange: string }[],
): Inference => makeInference({ point, operation: 'findAtms', question, answer }, evidence);

const BY_POSITION = 'by position';
const BY_CODES = 'by province and district';

/** Two ATMs count as equally far if their distances differ by at most this many kilometres, because coordinates are rounded. */
const MAX_EQUAL_DISTANCE_KM = 0.05;

/** True if each ATM and the next one are in order. */
const areInOrder = (atms: readonly SeenAtm[], isInOrder: (a: SeenAtm, b: SeenAtm) => boolean): boolean =>
  atms.every((atm, index) => index === 0 || isInOrder(atms[index - 1] as SeenAtm, atm));

/** Compares the distances of the answer; if one is missing, the computed distances. `sign` -1: the farthest ATM is first. */
function isOrderedByDistance({ asked, atms }: PositionAnswer, sign: 1 | -1): boolean {
  return areInOrder(atms, (atm, nextAtm) => {
    if (atm.distance !== null && nextAtm.distance !== null) return (nextAtm.distance - atm.distance) * sign >= 0;
    const increaseKm = measureKm(asked, nextAtm) - measureKm(asked, atm);
    return increaseKm * sign >= -MAX_EQUAL_DISTANCE_KM;
  });
}

const possibleOrders: readonly (readonly [name: string, matches: (answer: AtmAnswer) => boolean])[] = [
  ['closest first', (answer) => isByPosition(answer) && isOrderedByDistance(answer, 1)],
  ['farthest first', (answer) => isByPosition(answer) && isOrderedByDistance(answer, -1)],
  ['by number', ({ atms }) => areInOrder(atms, (a, b) => a.no <= b.no || Number(a.no) <= Number(b.no))],
  ['by name', ({ atms }) => areInOrder(atms, (a, b) => a.name <= b.name)],
];

function inferOrder(answers: readonly AtmAnswer[], question: string): readonly Inference[] {
  const longAnswers = answers.filter(({ atms }) => atms.length > 1);
  if (longAnswers.length === 0) return [];
  const order = possibleOrders.find(([, matches]) => longAnswers.every(matches));
  return [makeAtmInference('atms.ordering', question, order?.[0] ?? 'not by distance, number or name', longAnswers)];
}

/** Counts the ATMs of an answer. A long answer may have been reduced to a sample: then returns its original number. */
const countShownAtms = ({ atms, drawnFrom }: AtmAnswer): number => drawnFrom?.atms ?? atms.length;

function inferCounts(answers: readonly AtmAnswer[], question: string, knownAtmCount: number): readonly Inference[] {
  const nonEmptyAnswers = answers.filter(({ atms }) => atms.length > 0);
  if (nonEmptyAnswers.length === 0) return [];
  const counts = nonEmptyAnswers.map(countShownAtms);
  const [lowestCount, highestCount] = [min(counts), max(counts)];
  const hasPosition = question === BY_POSITION;
  const suffix = hasPosition && lowestCount >= knownAtmCount ? ', all that are known' : '';
  const rangeText = hasPosition ? `at most ${highestCount}` : `${lowestCount} to ${highestCount}`;
  const countText = lowestCount === highestCount ? `${highestCount}${suffix}` : rangeText;
  return [makeAtmInference('atms.count', question, countText, nonEmptyAnswers)];
}

const roundDistancesKm = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000] as const;

/** Infers up to which distance the bank lists ATMs. Only an answer with fewer ATMs than other answers shows a limit. */
function inferMaxDistance(answers: readonly PositionAnswer[]): readonly Inference[] {
  const highestCount = max(answers.map(countShownAtms));
  if (highestCount <= 0) return [];
  const shortAnswers = answers.filter((answer) => countShownAtms(answer) < highestCount);
  const farthestKm = max(answers.flatMap(({ asked, atms }) => atms.map((atm) => measureKm(asked, atm))));
  const limitKm = roundDistancesKm.find((roundKm) => farthestKm <= roundKm * 1.005);
  const value = shortAnswers.length === 0 || limitKm === undefined ? 'no limit was seen' : `within ${limitKm} km`;
  const evidence = shortAnswers.length > 0 ? shortAnswers : answers;
  return [makeAtmInference('atms.count', 'distance of the farthest ATM', value, evidence)];
}

/** Describes codes by their digits: `34/7` is written as `00/0`. */
function inferCodes({ answers }: Run, answersByCodes: readonly AtmAnswer[]): readonly Inference[] {
  const refusedAnswers = answers.filter(
    (answer) =>
      answer.operation === 'findAtms' &&
      'province_code' in answer.asked &&
      isRejection(answer) &&
      answer.isRetryable !== true &&
      answer.status !== 429,
  );
  const emptyAnswers = answersByCodes.filter(({ atms }) => atms.length === 0);
  const nonEmptyAnswers = answersByCodes.filter(({ atms }) => atms.length > 0);
  const describeFormat = ({ asked }: AtmAnswer): string =>
    Object.values(asked)
      .map((code) => String(code).replaceAll(/\d/g, '0'))
      .join('/');
  const formats = [...new Set(nonEmptyAnswers.map(describeFormat))].sort();
  const formatsText = `written as ${formats.slice(0, 6).join(', ')}`;
  const inferences = [...groupBy(refusedAnswers, ({ status }) => String(status)).values()].map((answersWithStatus) => {
    const { outcome, status } = answersWithStatus[0];
    return makeAtmInference('atms.codes', 'codes without ATMs', { reply: outcome, status }, answersWithStatus);
  });
  if (emptyAnswers.length > 0)
    inferences.unshift(makeAtmInference('atms.codes', 'codes without ATMs', 'no ATMs', emptyAnswers));
  if (nonEmptyAnswers.length > 0)
    inferences.unshift(makeAtmInference('atms.codes', 'codes with ATMs', formatsText, nonEmptyAnswers));
  return inferences;
}

export function inferAtms(run: Run): readonly Inference[] {
  const answers = run.atmAnswers;
  const answersByPosition = answers.filter(isByPosition);
  const answersByCodes = answers.filter((answer) => !isByPosition(answer));
  const areComplete = answers.every(({ drawnFrom }) => drawnFrom === undefined);
  const atmNumbers = new Set(answers.flatMap(({ atms }) => atms.map(({ no }) => no)));
  const knownAtmCount = areComplete ? atmNumbers.size : Infinity;
  return [
    ...inferDistanceUnit(answersByPosition),
    ...inferOrder(answersByPosition, BY_POSITION),
    ...inferOrder(answersByCodes, BY_CODES),
    ...inferCounts(answersByPosition, BY_POSITION, knownAtmCount),
    ...inferCounts(answersByCodes, BY_CODES, knownAtmCount),
    ...inferMaxDistance(answersByPosition),
    ...inferCodes(run, answersByCodes),
  ];
}
