/** Infers the order of ATMs, their number in an answer, and their maximal distance from all answers of the ATM locator. */
import type { History } from '../model/check.ts';
import type { ObservedAnswer } from '../model/observation.ts';
import type { FactRecord, AtmFact, SeenAtm } from '../model/facts.ts';
import { makeInference, type Inference } from '../model/finding.ts';
import { max, min } from '../util/min-max.ts';
import { measureKm, type Position } from '../util/geo.ts';
import { inferDistanceUnit } from '../checks/atms/distances.ts';
import { getPosition } from '../checks/atms/positions.ts';
import { groupBy } from '../util/group-by.ts';
import { isRejection } from '../model/outcome.ts';

type Answer = FactRecord<AtmFact>;
type Found = { readonly about: string; readonly value: string; readonly answers: readonly Answer[] };

const isPositionQuery = ({ fact }: Answer): boolean => typeof fact.asked[0] === 'number';
const readAskedPosition = ({ fact }: Answer): Position => ({
  latitude: Number(fact.asked[0]),
  longitude: Number(fact.asked[1]),
});

/** Two ATMs count as equally far if their distances differ by at most this many kilometres, because coordinates are rounded. */
const MAX_EQUAL_DISTANCE_KM = 0.05;

const areInOrder = (atms: readonly SeenAtm[], holds: (a: SeenAtm, b: SeenAtm) => boolean): boolean =>
  atms.every((atm, index) => index === 0 || holds(atms[index - 1] as SeenAtm, atm));

function isOrderedByDistance(answer: Answer, sign: 1 | -1): boolean {
  const { atms } = answer.fact;
  const measureDistance = (atm: SeenAtm): number => measureKm(readAskedPosition(answer), getPosition(atm));
  return areInOrder(atms, (a, b) =>
    a[4] !== null && b[4] !== null
      ? (b[4] - a[4]) * sign >= 0
      : (measureDistance(b) - measureDistance(a)) * sign >= -MAX_EQUAL_DISTANCE_KM,
  );
}

const possibleOrders: readonly (readonly [name: string, holds: (answer: Answer) => boolean])[] = [
  ['closest first', (answer) => isPositionQuery(answer) && isOrderedByDistance(answer, 1)],
  ['farthest first', (answer) => isPositionQuery(answer) && isOrderedByDistance(answer, -1)],
  ['by number', ({ fact }) => areInOrder(fact.atms, (a, b) => a[0] <= b[0] || Number(a[0]) <= Number(b[0]))],
  ['by name', ({ fact }) => areInOrder(fact.atms, (a, b) => a[3] <= b[3])],
];

function inferOrder(answers: readonly Answer[], about: string): readonly Found[] {
  const several = answers.filter(({ fact }) => fact.atms.length > 1);
  if (several.length === 0) return [];
  const order = possibleOrders.find(([, holds]) => several.every(holds));
  return [{ about, value: order?.[0] ?? 'not by distance, number or name', answers: several }];
}

/** Returns how many ATMs an answer had. */
const countShownAtms = ({ fact }: Answer): number => fact.drawnFrom?.atms ?? fact.atms.length;

function inferCounts(answers: readonly Answer[], about: string, known: number): readonly Found[] {
  const found = answers.filter(({ fact }) => fact.atms.length > 0);
  if (found.length === 0) return [];
  const sizes = found.map(countShownAtms);
  const [fewest, most] = [min(sizes), max(sizes)];
  const isByPosition = about === 'by position';
  const all = isByPosition && fewest >= known ? ', all that are known' : '';
  const range = isByPosition ? `at most ${most}` : `${fewest} to ${most}`;
  return [{ about, value: fewest === most ? `${most}${all}` : range, answers: found }];
}

const roundDistancesKm = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000] as const;

/** Infers up to which distance the bank lists ATMs. Only an answer with fewer ATMs than other answers shows a limit. */
function inferMaxDistance(answers: readonly Answer[]): readonly Found[] {
  const most = max(answers.map(countShownAtms));
  if (most <= 0) return [];
  const short = answers.filter((answer) => countShownAtms(answer) < most);
  const farthest = max(
    answers.flatMap((answer) => answer.fact.atms.map((atm) => measureKm(readAskedPosition(answer), getPosition(atm)))),
  );
  const within = roundDistancesKm.find((step) => farthest <= step * 1.005);
  const value = short.length === 0 || within === undefined ? 'no limit was seen' : `within ${within} km`;
  return [{ about: 'distance of the farthest ATM', value, answers: short.length > 0 ? short : answers }];
}

function inferCodes(notes: History['notes'], byPlace: readonly Answer[]): readonly Inference[] {
  const refused = notes('answer').filter(
    ({ fact }) =>
      fact.operation === 'findAtms' &&
      'province_code' in fact.asked &&
      isRejection(fact) &&
      fact.isRetryable !== true &&
      fact.status !== 429,
  );
  const empty = byPlace.filter(({ fact }) => fact.atms.length === 0);
  const good = byPlace.filter(({ fact }) => fact.atms.length > 0);
  const read = (question: string, answer: ObservedAnswer, of: readonly FactRecord[]): Inference =>
    makeInference({ point: 'atms.codes', operation: 'findAtms', question, answer }, of);
  const written = [
    ...new Set(good.map(({ fact }) => fact.asked.map((code) => String(code).replaceAll(/\d/g, '0')).join('/'))),
  ].sort();
  return [
    ...(good.length > 0 ? [read('codes with ATMs', `written as ${written.slice(0, 6).join(', ')}`, good)] : []),
    ...(empty.length > 0 ? [read('codes without ATMs', 'no ATMs', empty)] : []),
    ...[...groupBy(refused, ({ fact }) => String(fact.status)).values()].map((same) => {
      const { outcome, status } = same[0].fact;
      return read('codes without ATMs', { reply: outcome, status }, same);
    }),
  ];
}

export function inferAtms(notes: History['notes']): readonly Inference[] {
  const answers = notes('atms');
  const [near, at] = [answers.filter(isPositionQuery), answers.filter((answer) => !isPositionQuery(answer))];
  const isWhole = answers.every(({ fact }) => fact.drawnFrom === undefined);
  const known = isWhole ? new Set(answers.flatMap(({ fact }) => fact.atms.map(([no]) => no))).size : Infinity;
  const makeInferences = (point: 'atms.ordering' | 'atms.count', found: readonly Found[]): readonly Inference[] =>
    found.map(({ about, value, answers: shown }) =>
      makeInference({ point, operation: 'findAtms', question: about, answer: value }, shown),
    );
  return [
    ...inferDistanceUnit(near),
    ...makeInferences('atms.ordering', [
      ...inferOrder(near, 'by position'),
      ...inferOrder(at, 'by province and district'),
    ]),
    ...makeInferences('atms.count', inferCounts(near, 'by position', known)),
    ...makeInferences('atms.count', [...inferCounts(at, 'by province and district', known), ...inferMaxDistance(near)]),
    ...inferCodes(notes, at),
  ];
}
