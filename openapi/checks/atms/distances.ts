/** The distances of ATMs: one unit for all, and a plausible length. */
import type { Check, History } from '../../model/check.ts';
import type { FactRecord, AtmFact, SeenAtm } from '../../model/facts.ts';
import type { Inference } from '../../model/finding.ts';
import { greatCircle, type Position } from '../../util/geo.ts';
import { groupBy } from '../../util/group-by.ts';
import { memoizeByObject } from '../../util/memoize.ts';
import { divisor } from '../../util/min-max.ts';
import { noteCheck } from '../../notes/generators.ts';
import { areSteady, closest, type Answer } from './closest.ts';
import { coordinateError, ELLIPSOID_TOLERANCE, positionOf } from './positions.ts';

interface Measured {
  readonly exchange: string;
  readonly from: Position;
  readonly atm: SeenAtm;
  /** As the answer gives it, in an unknown unit. */
  readonly distance: number;
  /** The straight line in kilometres. */
  readonly straight: number;
  /** Kilometres by which that may be wrong. */
  readonly error: number;
}

/** A road may be up to three times as long as the straight line. To an ATM within 1 km it may have any length up to 50 km. */
const MAX_DETOUR_FACTOR = 3;
const MIN_DETOUR_DISTANCE_KM = 1;
const MAX_ROAD_TO_NEAR_KM = 50;
/** Units of distance, from the millimetre to the nautical mile, in kilometres. */
const units = { smallest: 1e-6, largest: 1.9 } as const;

/** The step of all distances of a run: 1, or 50 where each is a multiple of 50. */
const stepOf = (measured: readonly Measured[]): number =>
  Math.max(
    1,
    measured.reduce((step, { distance }) => divisor(step, Math.abs(Math.round(distance))), 0),
  );

/** The longest step that rounding explains (km). */
const MAX_STEP_KM = 50;

type Interval = readonly [low: number, high: number];

/** The units (km) that one distance allows; `detour` is how many times as long as the straight line it may be. */
function unitsOf({ straight, error, distance }: Measured, detour: number, step: number): Interval {
  const shortest = straight * (1 - ELLIPSOID_TOLERANCE) - error;
  const low = Math.max(shortest / (distance + step), distance > 0 ? (shortest - MAX_STEP_KM) / distance : 0);
  const isNear = straight <= MIN_DETOUR_DISTANCE_KM && detour === MAX_DETOUR_FACTOR;
  const longest = (isNear ? MAX_ROAD_TO_NEAR_KM : straight * (1 + ELLIPSOID_TOLERANCE) * detour) + error * detour;
  const high = Math.min(longest / Math.max(distance - step, 0), (longest + MAX_STEP_KM) / Math.max(distance, 0));
  return [Math.max(low, units.smallest), Math.min(high, units.largest)];
}

const contains = ([low, high]: Interval, unit: number): boolean => low <= unit && unit <= high;

/** The unit (km) that most intervals contain, and how many contain it. */
function bestUnit(intervals: readonly Interval[]): { unit: number; fits: number } {
  const ends = intervals
    .filter(([low, high]) => low <= high)
    .flatMap(([low, high]) => [
      { at: low, step: 1 },
      { at: high, step: -1 },
    ])
    .sort((a, b) => a.at - b.at || b.step - a.step);
  let [open, fits, unit] = [0, 0, 0];
  for (const [index, { at, step }] of ends.entries()) {
    open += step;
    if (open <= fits) continue;
    fits = open;
    unit = (at + (ends[index + 1]?.at ?? at)) / 2;
  }
  return { unit, fits };
}

/** The unit that fits most distances, how many it fits, and the first that it does not fit. */
function fit(measured: readonly Measured[], detour: number) {
  const step = stepOf(measured);
  const { unit, fits } = bestUnit(measured.map((one) => unitsOf(one, detour, step)));
  const violator = measured.find((one) => !contains(unitsOf(one, detour, step), unit));
  return { unit, fits, violator };
}

/** The same with latitude and longitude of the ATM swapped. */
const swapped = (one: Measured): Measured => ({
  ...one,
  straight: greatCircle(one.from, { latitude: one.atm[2], longitude: one.atm[1] }),
});

/** Share and number of the exact distances that must be straight lines in one unit. */
const MOSTLY = 0.6;
const MIN_STRAIGHT = 50;
/** Share of a straight line, and kilometres, by which a distance may be too short: positions may be rounded. */
const SHORTFALL = { share: 0.25, km: 1 } as const;

/** Where most distances are straight lines: a distance clearly shorter than its straight line. A unit for roads could explain it. */
function shortOfStraight(measured: readonly Measured[]): { unit: number; fits: number; violator: Measured } | null {
  const step = stepOf(measured);
  const exact = measured.filter(
    ({ distance, straight, error }) =>
      distance >= MIN_DISCERNIBLE_STEPS * step && straight >= MIN_DISCERNIBLE_ERRORS * error,
  );
  const { unit, fits } = fit(exact, 1);
  if (fits < MIN_STRAIGHT || fits < MOSTLY * exact.length) return null;
  const isShort = ({ distance, straight, error }: Measured): boolean =>
    (distance + step) * unit < straight * (1 - SHORTFALL.share) - error - SHORTFALL.km;
  const short = measured.filter(isShort);
  const [violator] = short;
  return violator === undefined ? null : { unit, fits: measured.length - short.length, violator };
}

const namedUnits: readonly (readonly [name: string, km: number])[] = [
  ['metres', 0.001],
  ['kilometres', 1],
  ['miles', 1.609344],
];

/** How many steps, and how many errors, a distance must be long: shorter ones fit straight lines by rounding alone. */
const [MIN_DISCERNIBLE_STEPS, MIN_DISCERNIBLE_ERRORS] = [50, 10];

/** The kilometres of one step of the distances where all are straight lines, else null. */
function straightStep(measured: readonly Measured[]): number | null {
  const { unit, violator } = fit(measured, 1);
  const step = stepOf(measured);
  const isLong = measured.some(({ distance }) => distance >= MIN_DISCERNIBLE_STEPS * step);
  return violator === undefined && isLong ? unit * step : null;
}

function answersByPosition(answers: readonly FactRecord<AtmFact>[]): readonly Answer[] {
  return answers.flatMap(({ exchange, fact }) => {
    const [latitude, longitude] = fact.asked;
    if (typeof latitude !== 'number' || typeof longitude !== 'number') return [];
    return [{ exchange, from: { latitude, longitude }, atms: fact.atms, at: fact.at, until: fact.until }];
  });
}

const measuredIn = (answers: readonly Answer[]): readonly Measured[] =>
  answers.flatMap(({ exchange, from, atms }) =>
    atms.flatMap((atm) => {
      const [, latitude, longitude, , distance] = atm;
      if (distance === null) return [];
      const error = coordinateError(latitude, longitude) + 0.002;
      return [{ exchange, from, atm, distance, straight: greatCircle(from, positionOf(atm)), error }];
    }),
  );

/** The units that fit all distances of the run as straight lines, or else as roads. */
export function inferUnit(answers: readonly FactRecord<AtmFact>[]): readonly Inference[] {
  const measured = measuredIn(answersByPosition(answers));
  if (measured.length < 2) return [];
  const step = stepOf(measured);
  const fitting = (detour: number): readonly string[] => {
    const intervals = measured.map((one) => unitsOf(one, detour, step));
    return namedUnits.filter(([, km]) => intervals.every((one) => contains(one, km))).map(([name]) => name);
  };
  const [straight, roads] = [fitting(1), fitting(MAX_DETOUR_FACTOR)];
  const names = straight.length > 0 ? straight : roads;
  const reading = (answer: string, question?: string): Inference => ({
    point: 'atms.distance-unit',
    operation: 'findAtms',
    answer,
    ...(question === undefined ? {} : { question }),
    count: answers.length,
    exchanges: [...new Set(measured.slice(0, 200).map(({ exchange }) => exchange))].slice(0, 20),
  });
  if (names.length === 0) return [reading('none of metres, kilometres and miles')];
  const measures = straight.length > 0 ? 'straight lines' : 'routes, longer than straight lines';
  return [reading(names.join(' or ')), reading(measures, 'what is measured')];
}

/** How many times as long another road to the same ATM may be, and the steps that a distance needs to show it. */
const MAX_ROAD_RATIO = 1.5;
const MIN_VISIBLE_STEPS = 10;

/** Two distances of one ATM from the same position that differ more than roads do, in two units for example. */
function measuredOtherwise(measured: readonly Measured[]): readonly [Measured, Measured] | null {
  const least = MIN_VISIBLE_STEPS * stepOf(measured);
  const visible = measured.filter(({ distance }) => distance >= least);
  const same = groupBy(visible, ({ from, atm: [no, latitude, longitude] }) =>
    [from.latitude, from.longitude, no, latitude, longitude].join(' '),
  );
  for (const [one, ...others] of same.values()) {
    const other = others.find(
      ({ distance }) => Math.max(distance, one.distance) > MAX_ROAD_RATIO * Math.min(distance, one.distance),
    );
    if (other !== undefined) return [one, other];
  }
  return null;
}

/** What the distances of a run show together. */
const shownBy = memoizeByObject((history: History) => {
  const answers = history.notes('atms');
  const measured = measuredIn(answersByPosition(answers));
  const [first] = measured;
  if (first === undefined || measured.length < 2) return null;
  const asGiven = fit(measured, MAX_DETOUR_FACTOR);
  const isSwapped =
    asGiven.violator !== undefined && fit(measured.map(swapped), MAX_DETOUR_FACTOR).violator === undefined;
  return { answers, measured, first, asGiven, isSwapped };
});

const notSwapped = noteCheck('atms.coordinates.not-swapped', 'findAtms', function* (history, tested) {
  const shown = shownBy(history);
  if (shown === null) return;
  const { measured, first, isSwapped } = shown;
  tested(first, { count: measured.length });
  if (!isSwapped) return;
  yield {
    by: first,
    pointer: '/data/*/atm_latitude',
    expected: 'coordinates that fit the distances',
    received: `coordinates that fit them only when swapped, as ${first.atm[1]}, ${first.atm[2]}`,
    count: measured.length,
  };
});

const oneUnit = noteCheck('atms.distance.consistent', 'findAtms', function* (history, tested) {
  const shown = shownBy(history);
  if (shown === null || shown.isSwapped) return;
  const { measured, first, asGiven } = shown;
  tested(first, { count: measured.length });
  const pointer = '/data/*/atm_distance';
  const { violator, unit, fits } = asGiven.violator === undefined ? (shortOfStraight(measured) ?? asGiven) : asGiven;
  if (violator !== undefined) {
    const step = stepOf(measured);
    const contrast = measured.find(
      (one) => contains(unitsOf(one, MAX_DETOUR_FACTOR, step), unit) && one.exchange !== violator.exchange,
    );
    const expected = `about ${(violator.straight / unit).toFixed(0)} in the unit of the other distances`;
    const received = String(violator.distance);
    yield { by: violator, contrast, pointer, expected, received, count: measured.length - fits };
    return;
  }
  const [one, other] = measuredOtherwise(measured) ?? [];
  if (one === undefined || other === undefined) return;
  const expected = `about ${one.distance}, as the same position brought before`;
  yield { by: other, contrast: one, pointer, expected, received: String(other.distance), count: 1 };
});

const closestShown = noteCheck('atms.closest', 'findAtms', function* (history, tested) {
  const shown = shownBy(history);
  if (shown === null) return;
  const { answers, measured, asGiven } = shown;
  // The closest ATM may be one that was not noted.
  const whole = answersByPosition(answers.filter(({ fact }) => fact.drawnFrom === undefined));
  if (asGiven.violator === undefined && areSteady(whole))
    yield* closest(whole, answers, straightStep(measured), tested);
});

export const distanceChecks: readonly Check[] = [notSwapped, oneUnit, closestShown];
