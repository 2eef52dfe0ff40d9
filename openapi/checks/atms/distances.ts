/** Checks that all ATM distances have the same unit and a plausible length. */
import type { Check, History } from '../../model/check.ts';
import type { FactRecord, AtmFact, SeenAtm } from '../../model/facts.ts';
import type { Inference } from '../../model/finding.ts';
import { measureKm, type Position } from '../../util/geo.ts';
import { groupBy } from '../../util/group-by.ts';
import { memoizeByObject } from '../../util/memoize.ts';
import { greatestCommonDivisor } from '../../util/min-max.ts';
import { noteCheck } from '../../notes/generators.ts';
import { haveMostlySameAtms, findMissingClosest, type Answer } from './closest.ts';
import { estimateErrorKm, ELLIPSOID_TOLERANCE, getPosition } from './positions.ts';

interface Measured {
  readonly exchange: string;
  readonly from: Position;
  readonly atm: SeenAtm;
  /** The distance in the answer; its unit is unknown. */
  readonly distance: number;
  /** The kilometres of the straight line to the ATM. */
  readonly straight: number;
  /** The straight line may be wrong by this many kilometres. */
  readonly error: number;
}

/** A road may be up to three times as long as the straight line. A road to an ATM within 1 km may have any length up to 50 km. */
const MAX_DETOUR_FACTOR = 3;
/** Below this many kilometres a river or a motorway may make any detour necessary. */
const MIN_DETOUR_DISTANCE_KM = 1;
/** No road to an ATM next door is longer than this many kilometres. */
const MAX_ROAD_TO_NEAR_KM = 50;
/** Units of distance, from the millimetre to the nautical mile, in kilometres. */
const UNIT_BOUNDS_KM = { smallest: 1e-6, largest: 1.9 } as const;

/** Returns the greatest common divisor of all distances: 50 if each distance is a multiple of 50. */
const inferRoundingStep = (measured: readonly Measured[]): number =>
  Math.max(
    1,
    measured.reduce((step, { distance }) => greatestCommonDivisor(step, Math.abs(Math.round(distance))), 0),
  );

/** Banks round distances to steps of at most this many kilometres. */
const MAX_ROUNDING_STEP_KM = 50;

type Interval = readonly [low: number, high: number];

/** Returns the range of units (in km) that fit one distance. The road may be `detour` times as long as the straight line. */
function getUnitInterval({ straight, error, distance }: Measured, detour: number, step: number): Interval {
  const shortest = straight * (1 - ELLIPSOID_TOLERANCE) - error;
  const low = Math.max(shortest / (distance + step), distance > 0 ? (shortest - MAX_ROUNDING_STEP_KM) / distance : 0);
  const isNear = straight <= MIN_DETOUR_DISTANCE_KM && detour === MAX_DETOUR_FACTOR;
  const longest = (isNear ? MAX_ROAD_TO_NEAR_KM : straight * (1 + ELLIPSOID_TOLERANCE) * detour) + error * detour;
  const high = Math.min(
    longest / Math.max(distance - step, 0),
    (longest + MAX_ROUNDING_STEP_KM) / Math.max(distance, 0),
  );
  return [Math.max(low, UNIT_BOUNDS_KM.smallest), Math.min(high, UNIT_BOUNDS_KM.largest)];
}

const intervalIncludesUnit = ([low, high]: Interval, unit: number): boolean => low <= unit && unit <= high;

/** Returns the unit (in km) that most intervals contain, and the number of these intervals. */
function findBestUnit(intervals: readonly Interval[]): { unit: number; fits: number } {
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

/** Returns the unit that fits most distances, the number of these distances, and the first distance that does not fit. */
function fitUnitToDistances(measured: readonly Measured[], detour: number) {
  const step = inferRoundingStep(measured);
  const { unit, fits } = findBestUnit(measured.map((sample) => getUnitInterval(sample, detour, step)));
  const violator = measured.find((sample) => !intervalIncludesUnit(getUnitInterval(sample, detour, step), unit));
  return { unit, fits, violator };
}

/** Returns the measurement with the latitude and longitude of the ATM swapped. */
const withSwappedPosition = (sample: Measured): Measured => ({
  ...sample,
  straight: measureKm(sample.from, { latitude: sample.atm[2], longitude: sample.atm[1] }),
});

/** At least this share, and this number, of the exact distances must be straight lines in one unit. */
const MIN_FITTING_SHARE = 0.6;
/** Fewer distances may be straight lines by chance: a road can be straight. */
const MIN_STRAIGHT_LINES = 50;
/**
 * A distance may be shorter than its straight line by this share and this many kilometres, because the bank may round positions.
 */
const MAX_DISTANCE_SHORTFALL = { share: 0.25, km: 1 } as const;

/** If most distances are straight lines, finds a distance that is clearly shorter than its straight line. */
function findTooShortDistance(
  measured: readonly Measured[],
): { unit: number; fits: number; violator: Measured } | null {
  const step = inferRoundingStep(measured);
  const exact = measured.filter(
    ({ distance, straight, error }) =>
      distance >= MIN_DISCERNIBLE_STEPS * step && straight >= MIN_DISCERNIBLE_ERRORS * error,
  );
  const { unit, fits } = fitUnitToDistances(exact, 1);
  if (fits < MIN_STRAIGHT_LINES || fits < MIN_FITTING_SHARE * exact.length) return null;
  const isShort = ({ distance, straight, error }: Measured): boolean =>
    (distance + step) * unit < straight * (1 - MAX_DISTANCE_SHORTFALL.share) - error - MAX_DISTANCE_SHORTFALL.km;
  const short = measured.filter(isShort);
  const [violator] = short;
  return violator === undefined ? null : { unit, fits: measured.length - short.length, violator };
}

const distanceUnits: readonly (readonly [name: string, km: number])[] = [
  ['metres', 0.001],
  ['kilometres', 1],
  ['miles', 1.609344],
];

/** A distance below this many rounding steps, or this many times its error, proves nothing: rounding alone may explain it. */
const [MIN_DISCERNIBLE_STEPS, MIN_DISCERNIBLE_ERRORS] = [50, 10];

/** Returns the kilometres of one rounding step if all distances are straight lines, else null. */
function measureRoundingStepKm(measured: readonly Measured[]): number | null {
  const { unit, violator } = fitUnitToDistances(measured, 1);
  const step = inferRoundingStep(measured);
  const isLong = measured.some(({ distance }) => distance >= MIN_DISCERNIBLE_STEPS * step);
  return violator === undefined && isLong ? unit * step : null;
}

function selectAnswersByPosition(answers: readonly FactRecord<AtmFact>[]): readonly Answer[] {
  return answers.flatMap(({ exchange, fact }) => {
    const [latitude, longitude] = fact.asked;
    if (typeof latitude !== 'number' || typeof longitude !== 'number') return [];
    return [{ exchange, from: { latitude, longitude }, atms: fact.atms, at: fact.at, until: fact.until }];
  });
}

const measureDistances = (answers: readonly Answer[]): readonly Measured[] =>
  answers.flatMap(({ exchange, from, atms }) =>
    atms.flatMap((atm) => {
      const [, latitude, longitude, , distance] = atm;
      if (distance === null) return [];
      const error = estimateErrorKm(latitude, longitude) + 0.002;
      return [{ exchange, from, atm, distance, straight: measureKm(from, getPosition(atm)), error }];
    }),
  );

/** Returns the units that fit all distances of the run as straight lines, or else as roads. */
export function inferDistanceUnit(answers: readonly FactRecord<AtmFact>[]): readonly Inference[] {
  const measured = measureDistances(selectAnswersByPosition(answers));
  if (measured.length < 2) return [];
  const step = inferRoundingStep(measured);
  const listFittingUnits = (detour: number): readonly string[] => {
    const intervals = measured.map((sample) => getUnitInterval(sample, detour, step));
    return distanceUnits
      .filter(([, km]) => intervals.every((interval) => intervalIncludesUnit(interval, km)))
      .map(([name]) => name);
  };
  const [straight, roads] = [listFittingUnits(1), listFittingUnits(MAX_DETOUR_FACTOR)];
  const names = straight.length > 0 ? straight : roads;
  const makeReading = (answer: string, question?: string): Inference => ({
    point: 'atms.distance-unit',
    operation: 'findAtms',
    answer,
    ...(question === undefined ? {} : { question }),
    count: answers.length,
    exchanges: [...new Set(measured.slice(0, 200).map(({ exchange }) => exchange))].slice(0, 20),
  });
  if (names.length === 0) return [makeReading('none of metres, kilometres and miles')];
  const measures = straight.length > 0 ? 'straight lines' : 'routes, longer than straight lines';
  return [makeReading(names.join(' or ')), makeReading(measures, 'what is measured')];
}

/**
 * Two roads to the same ATM may differ by this factor in length. Only distances of at least `MIN_ROUNDING_STEPS` rounding steps are
 * compared.
 */
const MAX_ROAD_RATIO = 1.5;
/** Rounding changes a distance of this many rounding steps by at most 5 %. */
const MIN_ROUNDING_STEPS = 10;

/** Finds two distances from one position to one ATM that differ more than two roads differ, for example because of two units. */
function findContradictingDistances(measured: readonly Measured[]): readonly [Measured, Measured] | null {
  const least = MIN_ROUNDING_STEPS * inferRoundingStep(measured);
  const visible = measured.filter(({ distance }) => distance >= least);
  const same = groupBy(visible, ({ from, atm: [no, latitude, longitude] }) =>
    [from.latitude, from.longitude, no, latitude, longitude].join(' '),
  );
  for (const [sample, ...otherSamples] of same.values()) {
    const otherSample = otherSamples.find(
      ({ distance }) => Math.max(distance, sample.distance) > MAX_ROAD_RATIO * Math.min(distance, sample.distance),
    );
    if (otherSample !== undefined) return [sample, otherSample];
  }
  return null;
}

/** Measures all distances of a run, with the coordinates as in the answers and with swapped coordinates. */
const readDistances = memoizeByObject((history: History) => {
  const answers = history.notes('atms');
  const measured = measureDistances(selectAnswersByPosition(answers));
  const [first] = measured;
  if (first === undefined || measured.length < 2) return null;
  const fitted = fitUnitToDistances(measured, MAX_DETOUR_FACTOR);
  const isSwapped =
    fitted.violator !== undefined &&
    fitUnitToDistances(measured.map(withSwappedPosition), MAX_DETOUR_FACTOR).violator === undefined;
  return { answers, measured, first, fitted, isSwapped };
});

const swappedCoordinatesCheck = noteCheck('atms.coordinates.not-swapped', 'findAtms', function* (history, tested) {
  const shown = readDistances(history);
  if (shown === null) return;
  const { measured, first, isSwapped } = shown;
  tested(first, { count: measured.length });
  if (!isSwapped) return;
  yield {
    by: first,
    pointer: '/data/*/atm_latitude',
    expected: 'coordinates that fit the distances',
    received: `coordinates that fit them only if swapped, such as ${first.atm[1]}, ${first.atm[2]}`,
    count: measured.length,
  };
});

const distanceUnitCheck = noteCheck('atms.distance.consistent', 'findAtms', function* (history, tested) {
  const shown = readDistances(history);
  if (shown === null || shown.isSwapped) return;
  const { measured, first, fitted } = shown;
  tested(first, { count: measured.length });
  const pointer = '/data/*/atm_distance';
  const { violator, unit, fits } = fitted.violator === undefined ? (findTooShortDistance(measured) ?? fitted) : fitted;
  if (violator !== undefined) {
    const step = inferRoundingStep(measured);
    const contrast = measured.find(
      (sample) =>
        intervalIncludesUnit(getUnitInterval(sample, MAX_DETOUR_FACTOR, step), unit) &&
        sample.exchange !== violator.exchange,
    );
    const expected = `about ${(violator.straight / unit).toFixed(0)} in the unit of the other distances`;
    const received = String(violator.distance);
    yield { by: violator, contrast, pointer, expected, received, count: measured.length - fits };
    return;
  }
  const [sample, otherSample] = findContradictingDistances(measured) ?? [];
  if (sample === undefined || otherSample === undefined) return;
  const expected = `about ${sample.distance}, as before for the same position`;
  yield { by: otherSample, contrast: sample, pointer, expected, received: String(otherSample.distance), count: 1 };
});

const closestAtmsCheck = noteCheck('atms.closest', 'findAtms', function* (history, tested) {
  const shown = readDistances(history);
  if (shown === null) return;
  const { answers, measured, fitted } = shown;
  // If only some ATMs of an answer were noted, the closest ATM may be missing.
  const completeAnswers = selectAnswersByPosition(answers.filter(({ fact }) => fact.drawnFrom === undefined));
  if (fitted.violator === undefined && haveMostlySameAtms(completeAnswers))
    yield* findMissingClosest(completeAnswers, answers, measureRoundingStepKm(measured), tested);
});

export const distanceChecks: readonly Check[] = [swappedCoordinatesCheck, distanceUnitCheck, closestAtmsCheck];
