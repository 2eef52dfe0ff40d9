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
export interface MeasuredDistance {
  readonly exchange: string;
  /** The position in the request. */
  readonly requestedPosition: Position;
  readonly atm: SeenAtm;
  /** The distance in the answer; its unit is unknown. */
  readonly answeredDistance: number;
  /** The straight-line distance to the ATM, in kilometres. */
  readonly straightKm: number;
  /** The largest possible error of `straight`, in kilometres. */
  readonly errorKm: number;
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
function inferRoundingStep(distances: readonly MeasuredDistance[]): number {
  let divisor = 0;
  for (const { answeredDistance } of distances)
    divisor = greatestCommonDivisor(divisor, Math.abs(Math.round(answeredDistance)));
  return Math.max(1, divisor);
}

/** Banks round distances to steps of at most this many kilometres. */
const MAX_ROUNDING_STEP_KM = 50;

/** A range of units. Each unit is given as its length in kilometres. */
interface UnitRange {
  readonly minKm: number;
  readonly maxKm: number;
}

/**
 * Returns the range of units (in km) that fit one distance. The road may be `maxDetourFactor` times as long as the straight line.
 * `roundingStep` is the rounding step of the distances.
 */
function getUnitRange(
  { straightKm, errorKm, answeredDistance }: MeasuredDistance,
  maxDetourFactor: number,
  roundingStep: number,
): UnitRange {
  const minRoadKm = straightKm * (1 - ELLIPSOID_TOLERANCE) - errorKm;
  const minUnitKm = Math.max(
    minRoadKm / (answeredDistance + roundingStep),
    answeredDistance > 0 ? (minRoadKm - MAX_ROUNDING_STEP_KM) / answeredDistance : 0,
  );
  const isNear = straightKm <= MIN_DETOUR_DISTANCE_KM && maxDetourFactor === MAX_DETOUR_FACTOR;
  const maxDetourKm = isNear ? MAX_ROAD_TO_NEAR_KM : straightKm * (1 + ELLIPSOID_TOLERANCE) * maxDetourFactor;
  const maxRoadKm = maxDetourKm + errorKm * maxDetourFactor;
  const maxUnitKm = Math.min(
    maxRoadKm / Math.max(answeredDistance - roundingStep, 0),
    (maxRoadKm + MAX_ROUNDING_STEP_KM) / Math.max(answeredDistance, 0),
  );
  return { minKm: Math.max(minUnitKm, UNIT_BOUNDS_KM.smallest), maxKm: Math.min(maxUnitKm, UNIT_BOUNDS_KM.largest) };
}

const rangeIncludesUnit = ({ minKm, maxKm }: UnitRange, unitKm: number): boolean => minKm <= unitKm && unitKm <= maxKm;

/**
 * Returns the unit (in km) that most ranges contain, and the number of these ranges (`fittingCount`). Walks over the ends of the ranges in
 * ascending order and counts the open ranges. Example: 1 to 3, 2 to 5 and 8 to 9 give the unit 2.5, and 2 fits.
 */
function findBestUnit(ranges: readonly UnitRange[]): { unitKm: number; fittingCount: number } {
  const rangeEnds = ranges
    .filter(({ minKm, maxKm }) => minKm <= maxKm)
    .flatMap(({ minKm, maxKm }) => [
      { endKm: minKm, countChange: 1 },
      { endKm: maxKm, countChange: -1 },
    ])
    .sort((a, b) => a.endKm - b.endKm || b.countChange - a.countChange);
  let openRangeCount = 0;
  let maxRangeCount = 0;
  let unitKm = 0;
  for (const [index, { endKm, countChange }] of rangeEnds.entries()) {
    openRangeCount += countChange;
    if (openRangeCount <= maxRangeCount) continue;
    maxRangeCount = openRangeCount;
    const nextEndKm = rangeEnds[index + 1]?.endKm ?? endKm;
    unitKm = (endKm + nextEndKm) / 2;
  }
  return { unitKm, fittingCount: maxRangeCount };
}

/** Returns the unit that fits most distances, the number of these distances, and the first distance that does not fit. */
function fitUnitToDistances(distances: readonly MeasuredDistance[], maxDetourFactor: number) {
  const roundingStep = inferRoundingStep(distances);
  const { unitKm, fittingCount } = findBestUnit(
    distances.map((distance) => getUnitRange(distance, maxDetourFactor, roundingStep)),
  );
  const firstUnfitting = distances.find(
    (distance) => !rangeIncludesUnit(getUnitRange(distance, maxDetourFactor, roundingStep), unitKm),
  );
  return { unitKm, fittingCount, firstUnfitting };
}

const swapCoordinates = ({ latitude, longitude }: SeenAtm): Position => ({ latitude: longitude, longitude: latitude });

const withSwappedPosition = (distance: MeasuredDistance): MeasuredDistance => ({
  ...distance,
  straightKm: measureKm(distance.requestedPosition, swapCoordinates(distance.atm)),
});

/** Assigns the distances to the ATMs in reverse order. If these wrong distances fit too, a fit proves nothing. */
function reverseDistances(distances: readonly MeasuredDistance[]): readonly MeasuredDistance[] {
  const answeredLongestFirst = distances.map(({ answeredDistance }) => answeredDistance).toSorted((a, b) => b - a);
  return distances
    .toSorted((a, b) => a.straightKm - b.straightKm)
    .map((distance, nth) => ({
      ...distance,
      answeredDistance: answeredLongestFirst[nth] ?? distance.answeredDistance,
    }));
}

/** At least this share, and this number, of the exact distances must be straight lines in one unit. */
const MIN_FITTING_SHARE = 0.6;
/** Fewer distances may fit by chance, because a road can be straight. */
const MIN_STRAIGHT_LINES = 50;
/** Positions may be rounded. A distance may be shorter than the straight line by this share plus these kilometres. */
const MAX_DISTANCE_SHORTFALL = { share: 0.25, km: 1 } as const;

/** If most distances are straight lines, finds a distance that is clearly shorter than its straight line; else null. */
function findTooShortDistance(
  distances: readonly MeasuredDistance[],
): { unitKm: number; fittingCount: number; firstUnfitting: MeasuredDistance } | null {
  const roundingStep = inferRoundingStep(distances);
  const exactDistances = distances.filter(
    ({ answeredDistance, straightKm, errorKm }) =>
      answeredDistance >= MIN_DISCERNIBLE_STEPS * roundingStep && straightKm >= MIN_DISCERNIBLE_ERRORS * errorKm,
  );
  const { unitKm, fittingCount } = fitUnitToDistances(exactDistances, 1);
  if (fittingCount < MIN_STRAIGHT_LINES || fittingCount < MIN_FITTING_SHARE * exactDistances.length) return null;
  const isTooShort = ({ answeredDistance, straightKm, errorKm }: MeasuredDistance): boolean =>
    (answeredDistance + roundingStep) * unitKm <
    straightKm * (1 - MAX_DISTANCE_SHORTFALL.share) - errorKm - MAX_DISTANCE_SHORTFALL.km;
  const tooShortDistances = distances.filter(isTooShort);
  const [firstTooShort] = tooShortDistances;
  return firstTooShort === undefined
    ? null
    : { unitKm, fittingCount: distances.length - tooShortDistances.length, firstUnfitting: firstTooShort };
}

export const distanceUnits = [
  { name: 'metres', km: 0.001 },
  { name: 'kilometres', km: 1 },
  { name: 'miles', km: 1.609344 },
] as const;

/** A distance of fewer rounding steps proves nothing, because rounding may explain the distance. */
const MIN_DISCERNIBLE_STEPS = 50;
/** A distance smaller than this multiple of its error proves nothing. */
const MIN_DISCERNIBLE_ERRORS = 10;

/** Returns the unit and the rounding step (in km) if all distances are straight lines, else null. */
export function fitStraightLines(
  distances: readonly MeasuredDistance[],
): { readonly unitKm: number; readonly stepKm: number } | null {
  const { unitKm, firstUnfitting } = fitUnitToDistances(distances, 1);
  const roundingStep = inferRoundingStep(distances);
  const hasLongDistance = distances.some(
    ({ answeredDistance }) => answeredDistance >= MIN_DISCERNIBLE_STEPS * roundingStep,
  );
  return firstUnfitting === undefined && hasLongDistance ? { unitKm, stepKm: unitKm * roundingStep } : null;
}

const measureDistances = (answers: readonly PositionAnswer[]): readonly MeasuredDistance[] =>
  answers.flatMap(({ exchange, asked, atms }) =>
    atms.flatMap((atm) => {
      if (atm.distance === null) return [];
      const errorKm = estimateErrorKm(atm) + 0.002;
      return [
        {
          exchange,
          requestedPosition: asked,
          atm,
          answeredDistance: atm.distance,
          straightKm: measureKm(asked, atm),
          errorKm,
        },
      ];
    }),
  );

/** Returns the units that fit all distances of the run as straight lines, or else as roads. */
export function inferDistanceUnit(answers: readonly PositionAnswer[]): readonly Inference[] {
  const distances = measureDistances(answers);
  if (distances.length < 2) return [];
  const roundingStep = inferRoundingStep(distances);
  const listFittingUnits = (maxDetourFactor: number): readonly string[] => {
    const unitRanges = distances.map((distance) => getUnitRange(distance, maxDetourFactor, roundingStep));
    return distanceUnits
      .filter(({ km }) => unitRanges.every((range) => rangeIncludesUnit(range, km)))
      .map(({ name }) => name);
  };
  const straightLineUnits = listFittingUnits(1);
  const unitNames = straightLineUnits.length > 0 ? straightLineUnits : listFittingUnits(MAX_DETOUR_FACTOR);
  const makeInference = (answer: string, question?: string): Inference => ({
    point: 'atms.distance-unit',
    operation: 'findAtms',
    answer,
    ...(question === undefined ? {} : { question }),
    count: answers.length,
    exchanges: [...new Set(distances.slice(0, 200).map(({ exchange }) => exchange))].slice(0, 20),
  });
  if (unitNames.length === 0) return [makeInference('none of metres, kilometres and miles')];
  const measuredThing = straightLineUnits.length > 0 ? 'straight lines' : 'routes, longer than straight lines';
  return [makeInference(unitNames.join(' or ')), makeInference(measuredThing, 'what is measured')];
}

/** Two roads to the same ATM may differ by this factor in length. */
const MAX_ROAD_RATIO = 1.5;
/** Rounding changes a distance of this many rounding steps by at most 5 %. */
const MIN_ROUNDING_STEPS = 10;

/** Returns the mistake with positions that explains all distances as straight lines; null if there is none. */
function findMistake(
  distances: readonly MeasuredDistance[],
): { readonly mistakeText: string; readonly unitKm: number } | null {
  if (distances.length < MIN_MISTAKEN_ANSWERS) return null;
  for (const { asIfText: mistakeText, measureDistance, sensitivity = 1 } of positionMistakes) {
    const distancesWithMistake = distances.map((distance) => ({
      ...distance,
      straightKm: measureDistance(distance.requestedPosition, distance.atm),
      errorKm: distance.errorKm * sensitivity,
    }));
    const fit = fitStraightLines(distancesWithMistake);
    if (fit !== null) return { mistakeText, unitKm: fit.unitKm };
  }
  return null;
}

/** Returns the distances of a run, and which units fit them; null if there are fewer than two. */
export const readDistances = memoizeByObject(({ atmAnswers }: Run) => {
  const distances = measureDistances(atmAnswers.filter(isByPosition));
  const [firstDistance] = distances;
  if (firstDistance === undefined || distances.length < 2) return null;
  const roadFit = fitUnitToDistances(distances, MAX_DETOUR_FACTOR);
  const doAllFit = (changedDistances: readonly MeasuredDistance[]): boolean =>
    fitUnitToDistances(changedDistances, MAX_DETOUR_FACTOR).firstUnfitting === undefined;
  return {
    distances,
    firstDistance,
    roadFit,
    fitsSwapped: doAllFit(distances.map(withSwappedPosition)),
    fitsWrongAtms: doAllFit(reverseDistances(distances)),
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
    const otherAtms = atms.filter((otherAtm) => otherAtm !== atm);
    return (
      otherAtms.length >= MIN_OTHER_ATMS &&
      Math.abs(atm.longitude) <= 90 &&
      otherAtms.every((otherAtm) => measureKm(atm, otherAtm) > MIN_OUTLIER_KM) &&
      otherAtms.every((otherAtm) => measureKm(swapCoordinates(atm), otherAtm) < MAX_DISTRICT_KM)
    );
  });
}

/** Finds single ATMs with swapped coordinates. Ignores their distances: the bank may compute them from the same error. */
function judgeOutliers(answers: readonly AtmAnswer[]): readonly Verdict[] {
  const swappedAtms = answers.filter(isByCodes).flatMap((answer) => {
    const atm = findSwappedAtm(answer.atms);
    return atm === undefined ? [] : [{ answer, atm }];
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
    const runDistances = readDistances(run);
    if (runDistances === null) return outliers.length > 0 ? outliers : [TOO_FEW_DISTANCES];
    const { distances, firstDistance, roadFit, fitsSwapped } = runDistances;
    if (!fitsSwapped && roadFit.firstUnfitting === undefined)
      return [kept(firstDistance, { count: distances.length }), ...outliers];
    if (!fitsSwapped || roadFit.firstUnfitting === undefined)
      return [notTested('the distances do not show which coordinate is the latitude'), ...outliers];
    const { latitude, longitude } = firstDistance.atm;
    return [
      broken(firstDistance, {
        pointer: '/data/*/atm_latitude',
        expected: 'coordinates that fit the distances',
        received: `coordinates that fit them only if swapped, such as ${latitude}, ${longitude}`,
        count: distances.length,
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
    const runDistances = readDistances(run);
    if (runDistances === null) return [TOO_FEW_DISTANCES];
    const { distances, firstDistance, roadFit, fitsSwapped, fitsWrongAtms } = runDistances;
    if (fitsSwapped && roadFit.firstUnfitting !== undefined)
      return [notTested('the distances fit only swapped coordinates')];
    const { firstUnfitting, unitKm, fittingCount } =
      roadFit.firstUnfitting === undefined ? (findTooShortDistance(distances) ?? roadFit) : roadFit;
    if (firstUnfitting === undefined)
      return fitsWrongAtms
        ? [notTested('the run has too few distances: any distances would fit')]
        : judgeRepeatedDistances(distances, firstDistance);
    const mistake = findMistake(distances);
    if (mistake !== null) return [breakByMistake(distances, firstUnfitting, mistake)];
    const step = inferRoundingStep(distances);
    const contrast = distances.find(
      (distance) =>
        rangeIncludesUnit(getUnitRange(distance, MAX_DETOUR_FACTOR, step), unitKm) &&
        distance.exchange !== firstUnfitting.exchange,
    );
    // Most distances must fit a unit: a unit that is fitted to wrong distances says nothing.
    const isUnitKnown = fittingCount > distances.length / 2;
    return [
      ...(isUnitKnown ? [kept(firstDistance, { count: fittingCount })] : []),
      broken(firstUnfitting, {
        contrast,
        pointer: DISTANCE_POINTER,
        expected: isUnitKnown
          ? `about ${(firstUnfitting.straightKm / unitKm).toFixed(0)} in the unit of the other distances`
          : 'distances in one unit that fit the positions',
        received: isUnitKnown
          ? String(firstUnfitting.answeredDistance)
          : `${firstUnfitting.answeredDistance} for ${firstUnfitting.straightKm.toFixed(1)} km`,
        count: distances.length - fittingCount,
      }),
    ];
  },
});

/** Makes the finding for a mistake that explains all distances. Shows a distance that is wrong without the mistake. */
function breakByMistake(
  distances: readonly MeasuredDistance[],
  firstUnfitting: MeasuredDistance,
  { mistakeText, unitKm }: { readonly mistakeText: string; readonly unitKm: number },
): Verdict {
  const roundingStep = inferRoundingStep(distances);
  const wrongDistances = distances.filter(
    (distance) => !rangeIncludesUnit(getUnitRange(distance, 1, roundingStep), unitKm),
  );
  const [example = firstUnfitting] = wrongDistances;
  return broken(example, {
    pointer: DISTANCE_POINTER,
    expected: `about ${(example.straightKm / unitKm).toFixed(0)}`,
    received: `${example.answeredDistance}, ${mistakeText}`,
    count: Math.max(1, wrongDistances.length),
  });
}

/** Judges whether two distances from one position to one ATM differ more than two roads do, for example because of two units. */
function judgeRepeatedDistances(
  distances: readonly MeasuredDistance[],
  firstDistance: MeasuredDistance,
): readonly Verdict[] {
  const minDistance = MIN_ROUNDING_STEPS * inferRoundingStep(distances);
  const contradictions = findContradictions(
    distances.filter(({ answeredDistance }) => answeredDistance >= minDistance),
    ({ requestedPosition, atm: { no, latitude, longitude } }) =>
      [requestedPosition.latitude, requestedPosition.longitude, no, latitude, longitude].join(' '),
    (a, b) =>
      Math.max(a.answeredDistance, b.answeredDistance) <=
      MAX_ROAD_RATIO * Math.min(a.answeredDistance, b.answeredDistance),
  );
  return [
    kept(firstDistance, { count: distances.length }),
    ...contradictions.slice(0, 1).map(({ answer, contrast }) =>
      broken(answer, {
        contrast,
        pointer: DISTANCE_POINTER,
        expected: `about ${contrast.answeredDistance}, as before for the same position`,
        received: String(answer.answeredDistance),
        count: 1,
      }),
    ),
  ];
}
