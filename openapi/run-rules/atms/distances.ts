/** The distances of ATMs: in one unit throughout, and of a plausible length. */
import type { Check, History } from '../../model/check.ts';
import type { FactRecord, AtmFact, SeenAtm } from '../../model/facts.ts';
import type { Inference } from '../../model/finding.ts';
import { greatCircle, type Position } from '../../util/geo.ts';
import { groupBy } from '../../util/group-by.ts';
import { memoizeByObject } from '../../util/memoize.ts';
import { divisor } from '../../util/min-max.ts';
import { areSteady, closest, type Answer } from './closest.ts';
import { coordinateError, ELLIPSOID_TOLERANCE, positionOf } from './positions.ts';

interface Measured {
  readonly exchange: string;
  readonly from: Position;
  readonly atm: SeenAtm;
  readonly distance: number;
  /** Kilometres as the crow flies. */
  readonly straight: number;
  /** Kilometres by which that may be off. */
  readonly error: number;
}

/** Longest way in great circles, and the distance (km) from which on that is asked; nearer ATMs have ways of any length up to a limit (km). */
const MAX_DETOUR_FACTOR = 3;
const MIN_DETOUR_DISTANCE_KM = 1;
const MAX_WAY_TO_NEAR_KM = 50;
/** Units in which anybody measures a distance, from the millimetre to the nautical mile, in kilometres. */
const units = { smallest: 1e-6, largest: 1.9 } as const;

/** The steps in which the distances of a run are written: 1, or 50 where each is a multiple of 50. */
function stepOf(measured: readonly Measured[]): number {
  return Math.max(
    1,
    measured.reduce((step, { distance }) => divisor(step, Math.abs(Math.round(distance))), 0),
  );
}

/** The longest step in which anybody writes distances (km): one distance for ATMs near and far is no step. */
const MAX_STEP_KM = 50;

/** Kilometres per unit that are admissible for one distance; `detour` is how many times as long a way may be. */
function admissible(
  { straight, error, distance }: Measured,
  detour: number,
  step: number,
): [low: number, high: number] {
  const shortest = straight * (1 - ELLIPSOID_TOLERANCE) - error;
  const low = Math.max(shortest / (distance + step), distance > 0 ? (shortest - MAX_STEP_KM) / distance : 0);
  const longest =
    straight <= MIN_DETOUR_DISTANCE_KM && detour === MAX_DETOUR_FACTOR
      ? MAX_WAY_TO_NEAR_KM
      : straight * (1 + ELLIPSOID_TOLERANCE) * detour;
  const high = Math.min(
    (longest + error * detour) / Math.max(distance - step, 0),
    (longest + error * detour + MAX_STEP_KM) / Math.max(distance, 0),
  );
  return [Math.max(low, units.smallest), Math.min(high, units.largest)];
}

/** The unit (km) that most intervals contain, and how many contain it. */
function bestUnit(intervals: readonly (readonly [number, number])[]): { unit: number; fits: number } {
  const ends = intervals
    .filter(([low, high]) => low <= high)
    .flatMap(([low, high]) => [
      { at: low, step: 1 },
      { at: high, step: -1 },
    ]);
  ends.sort((a, b) => a.at - b.at || b.step - a.step);
  let [open, fits, unit] = [0, 0, 0];
  for (const [index, { at, step }] of ends.entries()) {
    open += step;
    if (open <= fits) continue;
    fits = open;
    unit = (at + (ends[index + 1]?.at ?? at)) / 2;
  }
  return { unit, fits };
}

/** The same as if latitude and longitude of the ATM were swapped. */
const swapped = (one: Measured): Measured => ({
  ...one,
  straight: greatCircle(one.from, { latitude: one.atm[2], longitude: one.atm[1] }),
});

function fit(measured: readonly Measured[], detour: number) {
  const step = stepOf(measured);
  const intervals = measured.map((one) => admissible(one, detour, step));
  const { unit, fits } = bestUnit(intervals);
  const violator = measured.find((_, index) => {
    const [low, high] = intervals[index] as [number, number];
    return unit < low || unit > high;
  });
  return { unit, fits, violator };
}

/** Share of the distances of many steps that have to be straight lines in one unit, and how many these have to be at least. */
const MOSTLY = 0.6;
const MIN_STRAIGHT = 50;
/** Of a straight line, the share and the kilometres by which a distance may fall short of it: positions may be rounded. */
const SHORTFALL = { share: 0.25, km: 1 } as const;

/**
 * Where most distances are straight lines, one that is clearly shorter than its straight line, though a unit in which all
 * others are ways would leave room for it.
 */
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

const named: readonly (readonly [name: string, km: number])[] = [
  ['metres', 0.001],
  ['kilometres', 1],
  ['miles', 1.609344],
];

/** Steps that the longest distance must have, and errors that a distance must have, so that straight lines do not fit by mere rounding. */
const [MIN_DISCERNIBLE_STEPS, MIN_DISCERNIBLE_ERRORS] = [50, 10];

/** The kilometres of one step of the distances where straight lines fit all of the run, or null. */
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

/** The units of which all distances of the run are multiples, as straight lines or else as ways. */
export function inferUnit(answers: readonly FactRecord<AtmFact>[]): readonly Inference[] {
  const measured = measuredIn(answersByPosition(answers));
  if (measured.length < 2) return [];
  const step = stepOf(measured);
  const fitting = (detour: number): readonly string[] => {
    const intervals = measured.map((one) => admissible(one, detour, step));
    return named.flatMap(([name, km]) => (intervals.every(([low, high]) => low <= km && km <= high) ? [name] : []));
  };
  const [straight, ways] = [fitting(1), fitting(MAX_DETOUR_FACTOR)];
  const names = straight.length > 0 ? straight : ways;
  const reading = (answer: string, question?: string): Inference => ({
    point: 'atms.distance-unit',
    operation: 'findAtms',
    answer,
    ...(question === undefined ? {} : { question }),
    count: answers.length,
    exchanges: [...new Set(measured.slice(0, 200).map(({ exchange }) => exchange))].slice(0, 20),
  });
  return [
    reading(names.length === 0 ? 'none of metres, kilometres and miles' : names.join(' or ')),
    ...(names.length === 0
      ? []
      : [reading(straight.length > 0 ? 'straight lines' : 'routes, longer than straight lines', 'what is measured')]),
  ];
}

/** How many times as long the way to an ATM may be when the same is asked again, and steps from which on that can be seen. */
const MAX_OTHER_WAY = 1.5;
const MIN_VISIBLE_STEPS = 10;

/** The same ATM at two distances from the same position, of which no other way is the reason: two units, say. */
function measuredOtherwise(measured: readonly Measured[]): readonly [Measured, Measured] | null {
  const least = MIN_VISIBLE_STEPS * stepOf(measured);
  const visible = measured.filter(({ distance }) => distance >= least);
  const same = groupBy(visible, ({ from, atm: [no, latitude, longitude] }) =>
    [from.latitude, from.longitude, no, latitude, longitude].join(' '),
  );
  for (const [one, ...others] of same.values()) {
    const other = others.find(
      ({ distance }) =>
        one !== undefined && Math.max(distance, one.distance) > MAX_OTHER_WAY * Math.min(distance, one.distance),
    );
    if (one !== undefined && other !== undefined) return [one, other];
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

const notSwapped: Check = {
  clause: 'atms.coordinates.not-swapped',
  operation: 'findAtms',
  unit: 'comparisons',
  *of(history, tested) {
    const shown = shownBy(history);
    if (shown === null) return;
    const { measured, first } = shown;
    tested(first, { count: measured.length });
    if (!shown.isSwapped) return;
    yield {
      by: first,
      pointer: '/data/*/atm_latitude',
      expected: 'coordinates that fit the distances',
      received: `coordinates that fit them only when swapped, as ${first.atm[1]}, ${first.atm[2]}`,
      count: measured.length,
    };
  },
};

const oneUnit: Check = {
  clause: 'atms.distance.consistent',
  operation: 'findAtms',
  unit: 'comparisons',
  *of(history, tested) {
    const shown = shownBy(history);
    if (shown === null || shown.isSwapped) return;
    const { measured, first, asGiven } = shown;
    tested(first, { count: measured.length });
    const pointer = '/data/*/atm_distance';
    const { violator, unit, fits } = asGiven.violator === undefined ? (shortOfStraight(measured) ?? asGiven) : asGiven;
    if (violator !== undefined) {
      const step = stepOf(measured);
      const contrast = measured.find((one) => {
        const [low, high] = admissible(one, MAX_DETOUR_FACTOR, step);
        return low <= unit && unit <= high && one.exchange !== violator.exchange;
      });
      const expected = `about ${(violator.straight / unit).toFixed(0)} in the unit of the other distances`;
      const received = String(violator.distance);
      yield { by: violator, contrast, pointer, expected, received, count: measured.length - fits };
      return;
    }
    const [one, other] = measuredOtherwise(measured) ?? [];
    if (one === undefined || other === undefined) return;
    const expected = `about ${one.distance}, as the same position brought before`;
    yield { by: other, contrast: one, pointer, expected, received: String(other.distance), count: 1 };
  },
};

const closestShown: Check = {
  clause: 'atms.closest',
  operation: 'findAtms',
  unit: 'comparisons',
  *of(history, tested) {
    const shown = shownBy(history);
    if (shown === null) return;
    const { answers, measured, asGiven } = shown;
    // What was not noted of an answer may be the closest.
    const whole = answersByPosition(answers.filter(({ fact }) => fact.drawnFrom === undefined));
    if (asGiven.violator === undefined && areSteady(whole))
      yield* closest(whole, answers, straightStep(measured), tested);
  },
};

export const distanceChecks: readonly Check[] = [notSwapped, oneUnit, closestShown];
