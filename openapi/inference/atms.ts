/** Infers the order of ATMs, their number in an answer, and their maximal distance from all answers of the ATM locator. */
import type { ObservedAnswer } from '../model/observation.ts';
import type { Run } from '../model/record.ts';
import type { SeenAtm } from '../bank/records/kinds.ts';
import { makeInference, type Inference } from '../model/finding.ts';
import { max, min } from '../util/min-max.ts';
import { measureKm } from '../util/geo.ts';
import { isByPosition, type AtmAnswer as Answer, type PositionAnswer } from '../behaviours/atms/positions.ts';
import { inferDistanceUnit } from '../behaviours/atms/distances.ts';
import { groupBy } from '../util/group-by.ts';
import { isRejection } from '../model/outcome.ts';

const makeAtmInference = (
  point: 'atms.ordering' | 'atms.count' | 'atms.codes',
  question: string,
  answer: ObservedAnswer,
  shown: readonly { readonly exchange: string }[],
): Inference => makeInference({ point, operation: 'findAtms', question, answer }, shown);

const BY_POSITION = 'by position';
const BY_CODES = 'by province and district';

/** Two ATMs count as equally far if their distances differ by at most this many kilometres, because coordinates are rounded. */
const MAX_EQUAL_DISTANCE_KM = 0.05;

const areInOrder = (atms: readonly SeenAtm[], holds: (a: SeenAtm, b: SeenAtm) => boolean): boolean =>
  atms.every((atm, index) => index === 0 || holds(atms[index - 1] as SeenAtm, atm));

function isOrderedByDistance({ asked, atms }: PositionAnswer, sign: 1 | -1): boolean {
  const measureDistance = (atm: SeenAtm): number => measureKm(asked, atm);
  return areInOrder(atms, (a, b) =>
    a.distance !== null && b.distance !== null
      ? (b.distance - a.distance) * sign >= 0
      : (measureDistance(b) - measureDistance(a)) * sign >= -MAX_EQUAL_DISTANCE_KM,
  );
}

const possibleOrders: readonly (readonly [name: string, holds: (answer: Answer) => boolean])[] = [
  ['closest first', (answer) => isByPosition(answer) && isOrderedByDistance(answer, 1)],
  ['farthest first', (answer) => isByPosition(answer) && isOrderedByDistance(answer, -1)],
  ['by number', ({ atms }) => areInOrder(atms, (a, b) => a.no <= b.no || Number(a.no) <= Number(b.no))],
  ['by name', ({ atms }) => areInOrder(atms, (a, b) => a.name <= b.name)],
];

function inferOrder(answers: readonly Answer[], question: string): readonly Inference[] {
  const several = answers.filter(({ atms }) => atms.length > 1);
  if (several.length === 0) return [];
  const order = possibleOrders.find(([, holds]) => several.every(holds));
  return [makeAtmInference('atms.ordering', question, order?.[0] ?? 'not by distance, number or name', several)];
}

const countShownAtms = ({ atms, drawnFrom }: Answer): number => drawnFrom?.atms ?? atms.length;

function inferCounts(answers: readonly Answer[], question: string, known: number): readonly Inference[] {
  const found = answers.filter(({ atms }) => atms.length > 0);
  if (found.length === 0) return [];
  const sizes = found.map(countShownAtms);
  const [fewest, most] = [min(sizes), max(sizes)];
  const isByPosition = question === BY_POSITION;
  const all = isByPosition && fewest >= known ? ', all that are known' : '';
  const range = isByPosition ? `at most ${most}` : `${fewest} to ${most}`;
  return [makeAtmInference('atms.count', question, fewest === most ? `${most}${all}` : range, found)];
}

const roundDistancesKm = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000] as const;

/** Infers up to which distance the bank lists ATMs. Only an answer with fewer ATMs than other answers shows a limit. */
function inferMaxDistance(answers: readonly PositionAnswer[]): readonly Inference[] {
  const most = max(answers.map(countShownAtms));
  if (most <= 0) return [];
  const short = answers.filter((answer) => countShownAtms(answer) < most);
  const farthest = max(answers.flatMap(({ asked, atms }) => atms.map((atm) => measureKm(asked, atm))));
  const within = roundDistancesKm.find((step) => farthest <= step * 1.005);
  const value = short.length === 0 || within === undefined ? 'no limit was seen' : `within ${within} km`;
  return [makeAtmInference('atms.count', 'distance of the farthest ATM', value, short.length > 0 ? short : answers)];
}

function inferCodes({ answers }: Run, byPlace: readonly Answer[]): readonly Inference[] {
  const refused = answers.filter(
    (one) =>
      one.operation === 'findAtms' &&
      'province_code' in one.asked &&
      isRejection(one) &&
      one.isRetryable !== true &&
      one.status !== 429,
  );
  const empty = byPlace.filter(({ atms }) => atms.length === 0);
  const good = byPlace.filter(({ atms }) => atms.length > 0);
  const written = [
    ...new Set(
      good.map(({ asked }) =>
        Object.values(asked)
          .map((code) => String(code).replaceAll(/\d/g, '0'))
          .join('/'),
      ),
    ),
  ].sort();
  return [
    ...(good.length > 0
      ? [makeAtmInference('atms.codes', 'codes with ATMs', `written as ${written.slice(0, 6).join(', ')}`, good)]
      : []),
    ...(empty.length > 0 ? [makeAtmInference('atms.codes', 'codes without ATMs', 'no ATMs', empty)] : []),
    ...[...groupBy(refused, ({ status }) => String(status)).values()].map((same) => {
      const { outcome, status } = same[0];
      return makeAtmInference('atms.codes', 'codes without ATMs', { reply: outcome, status }, same);
    }),
  ];
}

export function inferAtms(run: Run): readonly Inference[] {
  const answers = run.atmAnswers;
  const byPosition = answers.filter(isByPosition);
  const byCodes = answers.filter((answer) => !isByPosition(answer));
  const isWhole = answers.every(({ drawnFrom }) => drawnFrom === undefined);
  const known = isWhole ? new Set(answers.flatMap(({ atms }) => atms.map(({ no }) => no))).size : Infinity;
  return [
    ...inferDistanceUnit(byPosition),
    ...inferOrder(byPosition, BY_POSITION),
    ...inferOrder(byCodes, BY_CODES),
    ...inferCounts(byPosition, BY_POSITION, known),
    ...inferCounts(byCodes, BY_CODES, known),
    ...inferMaxDistance(byPosition),
    ...inferCodes(run, byCodes),
  ];
}
