/**
 * Judges that all ATM distances have one unit and a plausible length, and that coordinates are not swapped. The unit is unknown, so
 * it is searched. Example: straight lines of 10 km and 20 km have the distances 10,400 and 21,000. Each distance allows units in a
 * range, because a road is up to three times as long as the straight line: 10 / 10,400 to 30 / 10,400 km, and 20 / 21,000 to
 * 60 / 21,000 km. The unit is in as many ranges as possible (here 0.001 km, the metre). A distance whose range does not contain the
 * unit breaks the clause.
 */
import { defineLevels } from '../../../clauses/clause.ts';
import { atmField } from '../../clauses/atms.ts';
import type { Inference } from '../../../model/finding.ts';
import { measureKm, type Position } from '../../../util/geo.ts';
import { memoizeByObject } from '../../../util/memoize.ts';
import { greatestCommonDivisor } from '../../../util/min-max.ts';
import { findContradictions, mergeBroken } from '../../../behaviours/agreement.ts';
import { broken, kept, notTested, ofRun, type Verdict } from '../../../behaviours/behaviour.ts';
import type { Run } from '../../../model/record.ts';
import type { SeenAtm } from '../../records/kinds.ts';
import {
  ELLIPSOID_TOLERANCE,
  estimateErrorKm,
  isByCodes,
  isByPosition,
  type AtmAnswer,
  type PositionAnswer,
  MIN_MISTAKEN_ANSWERS,
  positionMistakes,
} from './positions.ts';

/** A distance in an answer, and the straight line that was computed from the coordinates. */
export interface Measured {
  readonly exchange: string;
  /** The position in the request. */
  readonly from: Position;
  readonly atm: SeenAtm;
  /** The distance in the answer; its unit is unknown. */
  readonly distance: number;
  /** The straight-line distance to the ATM, in kilometres. */
  readonly straight: number;
  /** The largest possible error of `straight`, in kilometres. */
  readonly error: number;
}

/** A road may be up to three times as long as the straight line. A road to an ATM within 1 km may have any length up to 50 km. */
const MAX_DETOUR_FACTOR = 3;
/** Below this straight-line distance, the road may be many times longer, for example because of a river. */
const MIN_DETOUR_DISTANCE_KM = 1;
/** The road to an ATM within `MIN_DETOUR_DISTANCE_KM` has at most this many kilometres. */
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

/** A range of units. Each unit is given as its length in kilometres. */
interface UnitRange {
  readonly low: number;
  readonly high: number;
}

/**
 * Returns the range of units (in km) that fit one distance. The road may be `detour` times as long as the straight line. `step` is
 * the rounding step of the distances.
 */
function getUnitRange({ straight, error, distance }: Measured, detour: number, step: number): UnitRange {
  const shortest = straight * (1 - ELLIPSOID_TOLERANCE) - error;
  const low = Math.max(shortest / (distance + step), distance > 0 ? (shortest - MAX_ROUNDING_STEP_KM) / distance : 0);
  const isNear = straight <= MIN_DETOUR_DISTANCE_KM && detour === MAX_DETOUR_FACTOR;
  const longest = (isNear ? MAX_ROAD_TO_NEAR_KM : straight * (1 + ELLIPSOID_TOLERANCE) * detour) + error * detour;
  const high = Math.min(
    longest / Math.max(distance - step, 0),
    (longest + MAX_ROUNDING_STEP_KM) / Math.max(distance, 0),
  );
  return { low: Math.max(low, UNIT_BOUNDS_KM.smallest), high: Math.min(high, UNIT_BOUNDS_KM.largest) };
}

const rangeIncludesUnit = ({ low, high }: UnitRange, unit: number): boolean => low <= unit && unit <= high;

/**
 * Returns the unit (in km) that most ranges contain, and the number of these ranges (`fits`). Walks over the ends of the ranges in
 * ascending order and counts the open ranges. Example: 1 to 3, 2 to 5 and 8 to 9 give the unit 2.5, and 2 fits.
 */
function findBestUnit(ranges: readonly UnitRange[]): { unit: number; fits: number } {
  const ends = ranges
    .filter(({ low, high }) => low <= high)
    .flatMap(({ low, high }) => [
      { at: low, step: 1 },
      { at: high, step: -1 },
    ])
    .sort((a, b) => a.at - b.at || b.step - a.step);
  let open = 0;
  let fits = 0;
  let unit = 0;
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
  const { unit, fits } = findBestUnit(measured.map((sample) => getUnitRange(sample, detour, step)));
  const violator = measured.find((sample) => !rangeIncludesUnit(getUnitRange(sample, detour, step), unit));
  return { unit, fits, violator };
}

const swapCoordinates = ({ latitude, longitude }: SeenAtm): Position => ({ latitude: longitude, longitude: latitude });

const withSwappedPosition = (sample: Measured): Measured => ({
  ...sample,
  straight: measureKm(sample.from, swapCoordinates(sample.atm)),
});

/** Assigns the distances to the ATMs in reverse order. If these wrong distances fit too, a fit proves nothing. */
function reverseDistances(measured: readonly Measured[]): readonly Measured[] {
  const longestFirst = measured.map(({ distance }) => distance).toSorted((a, b) => b - a);
  return measured
    .toSorted((a, b) => a.straight - b.straight)
    .map((sample, nth) => ({ ...sample, distance: longestFirst[nth] ?? sample.distance }));
}

/** At least this share, and this number, of the exact distances must be straight lines in one unit. */
const MIN_FITTING_SHARE = 0.6;
/** Fewer distances may fit by chance, because a road can be straight. */
const MIN_STRAIGHT_LINES = 50;
/** Positions may be rounded. A distance may be shorter than the straight line by this share plus these kilometres. */
const MAX_DISTANCE_SHORTFALL = { share: 0.25, km: 1 } as const;

/** If most distances are straight lines, finds a distance that is clearly shorter than its straight line; else null. */
function findTooShortDistance(
  measured: readonly Measured[],
): { unit: number; fits: number; violator: Measured } | null {
  const step = inferRoundingStep(measured);
  const exactDistances = measured.filter(
    ({ distance, straight, error }) =>
      distance >= MIN_DISCERNIBLE_STEPS * step && straight >= MIN_DISCERNIBLE_ERRORS * error,
  );
  const { unit, fits } = fitUnitToDistances(exactDistances, 1);
  if (fits < MIN_STRAIGHT_LINES || fits < MIN_FITTING_SHARE * exactDistances.length) return null;
  const isTooShort = ({ distance, straight, error }: Measured): boolean =>
    (distance + step) * unit < straight * (1 - MAX_DISTANCE_SHORTFALL.share) - error - MAX_DISTANCE_SHORTFALL.km;
  const tooShort = measured.filter(isTooShort);
  const [violator] = tooShort;
  return violator === undefined ? null : { unit, fits: measured.length - tooShort.length, violator };
}

export const distanceUnits = [
  { name: 'metres', km: 0.001 },
  { name: 'kilometres', km: 1 },
  { name: 'miles', km: 1.609344 },
] as const;

/** A distance of fewer rounding steps proves nothing, because rounding alone may explain the distance. */
const MIN_DISCERNIBLE_STEPS = 50;
/** A distance smaller than this multiple of its error proves nothing. */
const MIN_DISCERNIBLE_ERRORS = 10;

/** Returns the unit and the rounding step (in km) if all distances are straight lines, else null. */
export function fitStraightLines(
  measured: readonly Measured[],
): { readonly unit: number; readonly stepKm: number } | null {
  const { unit, violator } = fitUnitToDistances(measured, 1);
  const step = inferRoundingStep(measured);
  const isLong = measured.some(({ distance }) => distance >= MIN_DISCERNIBLE_STEPS * step);
  return violator === undefined && isLong ? { unit, stepKm: unit * step } : null;
}

const measureDistances = (answers: readonly PositionAnswer[]): readonly Measured[] =>
  answers.flatMap(({ exchange, asked, atms }) =>
    atms.flatMap((atm) => {
      if (atm.distance === null) return [];
      const error = estimateErrorKm(atm) + 0.002;
      return [{ exchange, from: asked, atm, distance: atm.distance, straight: measureKm(asked, atm), error }];
    }),
  );

/** Returns the units that fit all distances of the run as straight lines, or else as roads. */
export function inferDistanceUnit(answers: readonly PositionAnswer[]): readonly Inference[] {
  const measured = measureDistances(answers);
  if (measured.length < 2) return [];
  const step = inferRoundingStep(measured);
  const listFittingUnits = (detour: number): readonly string[] => {
    const ranges = measured.map((sample) => getUnitRange(sample, detour, step));
    return distanceUnits
      .filter(({ km }) => ranges.every((range) => rangeIncludesUnit(range, km)))
      .map(({ name }) => name);
  };
  const straight = listFittingUnits(1);
  const names = straight.length > 0 ? straight : listFittingUnits(MAX_DETOUR_FACTOR);
  const makeInference = (answer: string, question?: string): Inference => ({
    point: 'atms.distance-unit',
    operation: 'findAtms',
    answer,
    ...(question === undefined ? {} : { question }),
    count: answers.length,
    exchanges: [...new Set(measured.slice(0, 200).map(({ exchange }) => exchange))].slice(0, 20),
  });
  if (names.length === 0) return [makeInference('none of metres, kilometres and miles')];
  const measures = straight.length > 0 ? 'straight lines' : 'routes, longer than straight lines';
  return [makeInference(names.join(' or ')), makeInference(measures, 'what is measured')];
}

/** Two roads to the same ATM may differ by this factor in length. */
const MAX_ROAD_RATIO = 1.5;
/** Rounding changes a distance of this many rounding steps by at most 5 %. */
const MIN_ROUNDING_STEPS = 10;

/** Returns the mistake with positions that explains all distances as straight lines; null if there is none. */
function findMistake(measured: readonly Measured[]): { readonly what: string; readonly unit: number } | null {
  if (measured.length < MIN_MISTAKEN_ANSWERS) return null;
  for (const { what, measure, sensitivity = 1 } of positionMistakes) {
    const mistaken = measured.map((sample) => ({
      ...sample,
      straight: measure(sample.from, sample.atm),
      error: sample.error * sensitivity,
    }));
    const fitted = fitStraightLines(mistaken);
    if (fitted !== null) return { what, unit: fitted.unit };
  }
  return null;
}

/** Returns the distances of a run, and which units fit them; null if there are fewer than two. */
export const readDistances = memoizeByObject(({ atmAnswers }: Run) => {
  const measured = measureDistances(atmAnswers.filter(isByPosition));
  const [first] = measured;
  if (first === undefined || measured.length < 2) return null;
  const fitted = fitUnitToDistances(measured, MAX_DETOUR_FACTOR);
  const allFit = (changed: readonly Measured[]): boolean =>
    fitUnitToDistances(changed, MAX_DETOUR_FACTOR).violator === undefined;
  return {
    measured,
    first,
    fitted,
    fitsSwapped: allFit(measured.map(withSwappedPosition)),
    fitsWrongAtms: allFit(reverseDistances(measured)),
  };
});

const { expected } = defineLevels('atms');
const TOO_FEW_DISTANCES = notTested('the run saw fewer than two distances of ATMs');

/** At least this many other ATMs of the district must stand near each other. */
const MIN_OTHER_ATMS = 3;
/** ATMs of one district stand within this many kilometres of each other. */
const MAX_DISTRICT_KM = 50;
/** An ATM is too far from its district if it is this many kilometres away. */
const MIN_OUTLIER_KM = 500;

/** Finds an ATM that is far from all others of its district, but near them with swapped coordinates. */
function findSwappedAtm(atms: readonly SeenAtm[]): SeenAtm | undefined {
  return atms.find((atm) => {
    const others = atms.filter((other) => other !== atm);
    return (
      others.length >= MIN_OTHER_ATMS &&
      Math.abs(atm.longitude) <= 90 &&
      others.every((other) => measureKm(atm, other) > MIN_OUTLIER_KM) &&
      others.every((other) => measureKm(swapCoordinates(atm), other) < MAX_DISTRICT_KM)
    );
  });
}

/** Finds single ATMs with swapped coordinates. Ignores their distances: the bank may compute them from the same error. */
function judgeOutliers(answers: readonly AtmAnswer[]): readonly Verdict[] {
  const swappedAtms = answers.filter(isByCodes).flatMap((by) => {
    const atm = findSwappedAtm(by.atms);
    return atm === undefined ? [] : [{ by, atm }];
  });
  return mergeBroken(swappedAtms, ({ atm: { no, latitude, longitude } }) => ({
    pointer: '/data/*/atm_latitude',
    expected: 'coordinates near the other ATMs of the district',
    received: `${latitude}, ${longitude} for the ATM ${no}, near them only if swapped`,
  }));
}

export const coordinatesNotSwapped = ofRun({
  id: 'atms.coordinates.not-swapped',
  clause: expected(atmField('atm_latitude'), 'The bank does not swap the latitude and the longitude of an ATM.'),
  operation: 'findAtms',
  control: 'The distances do not fit swapped coordinates.',
  judge(run) {
    const outliers = judgeOutliers(run.atmAnswers);
    const distances = readDistances(run);
    if (distances === null) return outliers.length > 0 ? outliers : [TOO_FEW_DISTANCES];
    const { measured, first, fitted, fitsSwapped } = distances;
    if (!fitsSwapped && fitted.violator === undefined) return [kept(first, { count: measured.length }), ...outliers];
    if (!fitsSwapped || fitted.violator === undefined)
      return [notTested('the distances do not show which coordinate is the latitude'), ...outliers];
    const { latitude, longitude } = first.atm;
    return [
      broken(first, {
        pointer: '/data/*/atm_latitude',
        expected: 'coordinates that fit the distances',
        received: `coordinates that fit them only if swapped, such as ${latitude}, ${longitude}`,
        count: measured.length,
      }),
      ...outliers,
    ];
  },
});

const DISTANCE_POINTER = '/data/*/atm_distance';

export const distancesConsistent = ofRun({
  id: 'atms.distance.consistent',
  clause: expected(
    atmField('atm_distance'),
    'All distances of a test run have the same unit and fit the positions of the ATMs.',
  ),
  operation: 'findAtms',
  control: 'The same distances, given to the wrong ATMs, do not fit.',
  judge(run) {
    const distances = readDistances(run);
    if (distances === null) return [TOO_FEW_DISTANCES];
    const { measured, first, fitted, fitsSwapped, fitsWrongAtms } = distances;
    if (fitsSwapped && fitted.violator !== undefined) return [notTested('the distances fit only swapped coordinates')];
    const { violator, unit, fits } =
      fitted.violator === undefined ? (findTooShortDistance(measured) ?? fitted) : fitted;
    if (violator === undefined)
      return fitsWrongAtms
        ? [notTested('the run has too few distances: any distances would fit')]
        : judgeRepeatedDistances(measured, first);
    const mistake = findMistake(measured);
    if (mistake !== null) return [breakByMistake(measured, violator, mistake)];
    const step = inferRoundingStep(measured);
    const contrast = measured.find(
      (sample) =>
        rangeIncludesUnit(getUnitRange(sample, MAX_DETOUR_FACTOR, step), unit) && sample.exchange !== violator.exchange,
    );
    // Most distances must fit a unit: a unit that is fitted to wrong distances says nothing.
    const isUnitKnown = fits > measured.length / 2;
    return [
      ...(isUnitKnown ? [kept(first, { count: fits })] : []),
      broken(violator, {
        contrast,
        pointer: DISTANCE_POINTER,
        expected: isUnitKnown
          ? `about ${(violator.straight / unit).toFixed(0)} in the unit of the other distances`
          : 'distances in one unit that fit the positions',
        received: isUnitKnown
          ? String(violator.distance)
          : `${violator.distance} for ${violator.straight.toFixed(1)} km`,
        count: measured.length - fits,
      }),
    ];
  },
});

/** Makes the finding for a mistake that explains all distances. Shows a distance that is wrong without the mistake. */
function breakByMistake(
  measured: readonly Measured[],
  violator: Measured,
  { what, unit }: { readonly what: string; readonly unit: number },
): Verdict {
  const step = inferRoundingStep(measured);
  const wrongDistances = measured.filter((sample) => !rangeIncludesUnit(getUnitRange(sample, 1, step), unit));
  const [example = violator] = wrongDistances;
  return broken(example, {
    pointer: DISTANCE_POINTER,
    expected: `about ${(example.straight / unit).toFixed(0)}`,
    received: `${example.distance}, ${what}`,
    count: Math.max(1, wrongDistances.length),
  });
}

/** Judges whether two distances from one position to one ATM differ more than two roads do, for example because of two units. */
function judgeRepeatedDistances(measured: readonly Measured[], first: Measured): readonly Verdict[] {
  const minDistance = MIN_ROUNDING_STEPS * inferRoundingStep(measured);
  const differing = findContradictions(
    measured.filter(({ distance }) => distance >= minDistance),
    ({ from, atm: { no, latitude, longitude } }) => [from.latitude, from.longitude, no, latitude, longitude].join(' '),
    (a, b) => Math.max(a.distance, b.distance) <= MAX_ROAD_RATIO * Math.min(a.distance, b.distance),
  );
  return [
    kept(first, { count: measured.length }),
    ...differing.slice(0, 1).map(({ by, contrast }) =>
      broken(by, {
        contrast,
        pointer: DISTANCE_POINTER,
        expected: `about ${contrast.distance}, as before for the same position`,
        received: String(by.distance),
        count: 1,
      }),
    ),
  ];
}
