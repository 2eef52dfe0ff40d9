/** The distances of ATMs: in one unit throughout, of a plausible length, and of the ATMs that are closest. */
import type { FactRecord, AtmFact, SeenAtm } from '../../model/facts.ts';
import type { Inference } from '../../model/finding.ts';
import { decimalsOf } from '../../util/counted.ts';
import { greatCircle, meridianDistance, type Position } from '../../util/geo.ts';
import { idText } from '../../util/ids.ts';
import { divisor } from '../../util/min-max.ts';
import { memoizeByText } from '../../util/memoize.ts';
import { groupBy } from '../../util/group-by.ts';
import type { ResultCollector } from '../result-collector.ts';

/** Where an ATM stands, in decimal degrees. */
export const positionOf = ([, latitude, longitude]: SeenAtm): Position => ({ latitude, longitude });

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
/** How much a sphere, an ellipsoid and their radii may differ. */
const ELLIPSOID_TOLERANCE = 0.012;

/** Kilometres by which coordinates may be off that are written with these decimals. */
export function coordinateError(...degrees: readonly number[]): number {
  const decimals = Math.max(...degrees.map(decimalsOf));
  return 0.8 * 111.2 * 10 ** -decimals;
}

/** Units in which anybody measures a distance, from the millimetre to the nautical mile, in kilometres. */
const units = { smallest: 1e-6, largest: 1.9 } as const;

/** The steps in which the distances of a run are written: 1, or 50 where each is a multiple of 50. */
function stepOf(measured: readonly Measured[]): number {
  return Math.max(
    1,
    measured.reduce((step, { distance }) => divisor(step, Math.abs(Math.round(distance))), 0),
  );
}

/** Kilometres per unit that are admissible for one distance; `detour` is how many times as long a way may be. */
function admissible(
  { straight, error, distance }: Measured,
  detour: number,
  step: number,
): [low: number, high: number] {
  const low = (straight * (1 - ELLIPSOID_TOLERANCE) - error) / (distance + step);
  const longest =
    straight <= MIN_DETOUR_DISTANCE_KM && detour === MAX_DETOUR_FACTOR
      ? MAX_WAY_TO_NEAR_KM
      : straight * (1 + ELLIPSOID_TOLERANCE) * detour;
  const high = (longest + error) / Math.max(distance - step, 0);
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

const named: readonly (readonly [name: string, km: number])[] = [
  ['metres', 0.001],
  ['kilometres', 1],
  ['miles', 1.609344],
];

/** Steps that the longest distance must have, so that straight lines do not fit by mere rounding. */
const MIN_DISCERNIBLE_STEPS = 50;

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
    return [{ exchange, from: { latitude, longitude }, atms: fact.atms, at: fact.at }];
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

export function evaluateDistances(results: ResultCollector, answers: readonly FactRecord<AtmFact>[]): void {
  const byPosition = answersByPosition(answers);
  const measured = measuredIn(byPosition);
  const [first] = measured;
  if (first === undefined || measured.length < 2) return;

  const asGiven = fit(measured, MAX_DETOUR_FACTOR);
  const turned = asGiven.violator === undefined ? asGiven : fit(measured.map(swapped), MAX_DETOUR_FACTOR);
  const isSwapped = asGiven.violator !== undefined && turned.violator === undefined;
  results.exercise('atms.coordinates.not-swapped', 'findAtms', measured.length, first.exchange);
  if (isSwapped)
    results.break({
      clause: 'atms.coordinates.not-swapped',
      operation: 'findAtms',
      pointer: '/data/*/atm_latitude',
      expected: 'coordinates that fit the distances',
      received: `coordinates that fit them only when swapped, as ${first.atm[1]}, ${first.atm[2]}`,
      exchange: first.exchange,
      count: measured.length,
    });
  else {
    results.exercise('atms.distance.consistent', 'findAtms', measured.length, first.exchange);
    const { violator, unit, fits } = asGiven;
    if (violator !== undefined) {
      const step = stepOf(measured);
      const fitting = measured.find((one) => {
        const [low, high] = admissible(one, MAX_DETOUR_FACTOR, step);
        return low <= unit && unit <= high && one.exchange !== violator.exchange;
      });
      results.break({
        clause: 'atms.distance.consistent',
        operation: 'findAtms',
        pointer: '/data/*/atm_distance',
        expected: `about ${(violator.straight / unit).toFixed(0)} in the unit of the other distances`,
        received: String(violator.distance),
        exchange: violator.exchange,
        count: measured.length - fits,
        ...(fitting === undefined ? {} : { contrast: fitting.exchange }),
      });
    }
  }
  if (asGiven.violator === undefined && areSteady(byPosition))
    closest(results, byPosition, answers, straightStep(measured));
}

interface Answer {
  readonly exchange: string;
  readonly from: Position;
  readonly atms: readonly SeenAtm[];
  readonly at: number;
}

const numberInWords = memoizeByText(idText);
/** The number of an ATM, however it is spelt. */
const numberOf = ([no]: SeenAtm): string => numberInWords(no);

/** True where the same position mostly brings the same ATMs: they do not come and go. */
function areSteady(answers: readonly Answer[]): boolean {
  const again = [...groupBy(answers, ({ from }) => `${from.latitude} ${from.longitude}`).values()].filter(
    (same) => same.length > 1,
  );
  const varying = again.filter((same) => new Set(same.map(({ atms }) => atms.map(numberOf).sort().join())).size > 1);
  return varying.length * 2 <= again.length;
}

/**
 * When (milliseconds since the epoch) each ATM was first and last seen, where the same question brought others at another
 * time: it may have been opened then, or closed. Empty where none did.
 */
function spansOf(answers: readonly FactRecord<AtmFact>[]): ReadonlyMap<string, readonly [first: number, last: number]> {
  const spans = new Map<string, readonly [number, number]>();
  const questions = [...groupBy(answers, ({ fact }) => fact.asked.join(' ')).values()];
  const shown = ({ fact }: FactRecord<AtmFact>): string => [...new Set(fact.atms.map(numberOf))].sort().join();
  if (questions.every((same) => new Set(same.map(shown)).size === 1)) return spans;
  for (const { fact } of answers)
    for (const no of fact.atms.map(numberOf)) {
      const [first, last] = spans.get(no) ?? [Infinity, -Infinity];
      spans.set(no, [Math.min(first, fact.at), Math.max(last, fact.at)]);
    }
  return spans;
}

/** Where ways are measured, or nobody knows what: how many times as far away (km) an ATM has to be that stands for a closer one. */
const CLEARLY_FURTHER = { times: 5, from: 100 } as const;

/**
 * No ATM that the run knows, from whichever answer, is closer than one that was returned in its place: by more than a step
 * (`stepKm`) of the distances, which may be what they are sorted by; where they are no straight lines, by far.
 */
function closest(
  results: ResultCollector,
  answers: readonly Answer[],
  seen: readonly FactRecord<AtmFact>[],
  stepKm: number | null,
): void {
  const spans = spansOf(seen);
  const atmAt = new Map(
    seen.flatMap(({ fact }) => fact.atms).map((atm) => [`${numberOf(atm)} ${atm[1]} ${atm[2]}`, atm]),
  );
  // Of an ATM that was told at several places, the one that is the furthest from where was asked counts.
  const known = [...groupBy([...atmAt.values()], numberOf)].map(([no, told]) => ({
    no,
    text: told[0]?.[0] ?? no,
    positions: told.map(positionOf),
    slack: 2 * Math.max(...told.map((atm) => coordinateError(atm[1], atm[2]))) + 0.01 + (stepKm ?? 0),
  }));
  for (const { exchange, from, atms, at: asked } of answers) {
    if (atms.length === 0 || known.length <= atms.length) continue;
    const returned = new Set(atms.map(numberOf));
    const furthest = Math.max(...atms.map((atm) => greatCircle(from, positionOf(atm))));
    if (stepKm === null && furthest < CLEARLY_FURTHER.from) continue;
    results.exercise('atms.closest', 'findAtms', 1, exchange);
    const times = stepKm === null ? CLEARLY_FURTHER.times : 1 + ELLIPSOID_TOLERANCE;
    const isOpen = ([first, last] = [-Infinity, Infinity] as readonly [number, number]): boolean =>
      first <= asked && asked <= last;
    const missed = known.find(
      ({ no, positions, slack }) =>
        // Most are far to the north or south, which is quicker to see.
        positions.every((one) => meridianDistance(from, one) * times + slack < furthest) &&
        !returned.has(no) &&
        isOpen(spans.get(no)) &&
        positions.every((one) => greatCircle(from, one) * times + slack < furthest),
    );
    if (missed === undefined) continue;
    const distance = Math.max(...missed.positions.map((one) => greatCircle(from, one)));
    results.break({
      clause: 'atms.closest',
      operation: 'findAtms',
      pointer: '/data',
      expected: `the ATM ${missed.text}, ${distance.toFixed(1)} km away`,
      received: `ATMs up to ${furthest.toFixed(1)} km away without it`,
      exchange,
    });
  }
}
