/** A query by position returns the closest ATMs. */
import type { Broken, Tested } from '../../model/check.ts';
import type { FactRecord, AtmFact, SeenAtm } from '../../model/facts.ts';
import { greatCircle, meridianDistance, type Position } from '../../util/geo.ts';
import { groupBy } from '../../util/group-by.ts';
import { idText } from '../../util/ids.ts';
import { memoizeByText } from '../../util/memoize.ts';
import { coordinateError, ELLIPSOID_TOLERANCE, positionOf } from './positions.ts';

type AtmNote = FactRecord<AtmFact>;

/** An answer to a query by position. */
export interface Answer {
  readonly exchange: string;
  readonly from: Position;
  readonly atms: readonly SeenAtm[];
  readonly at: number;
  readonly until: number;
}

const idTextOf = memoizeByText(idText);
/** Returns the number of an ATM as text; all spellings of a number give the same text. */
const numberOf = ([no]: SeenAtm): string => idTextOf(no);

/** Joins the numbers of ATMs, sorted, into one text. */
const numbersOf = (atms: readonly SeenAtm[]): string => [...new Set(atms.map(numberOf))].sort().join();

const placeOf = ({ from }: Answer): string => `${from.latitude} ${from.longitude}`;

/** True if queries for the same position mostly return the same ATMs. */
export function areSteady(answers: readonly Answer[]): boolean {
  const repeated = [...groupBy(answers, placeOf).values()].filter((same) => same.length > 1);
  const varying = repeated.filter((same) => new Set(same.map(({ atms }) => numbersOf(atms))).size > 1);
  return varying.length * 2 <= repeated.length;
}

const questionOf = ({ fact }: AtmNote): string => fact.asked.join(' ');

/** A cache may repeat an outdated answer for at most this many milliseconds. */
const MAX_STALENESS_MS = 2000;

/** Returns the answers that cannot come from a cache: the same request was not sent shortly before. */
function freshIn(answers: readonly AtmNote[]): readonly AtmNote[] {
  const askedAt = new Map<string, number>();
  return answers
    .toSorted((one, other) => one.fact.at - other.fact.at)
    .filter((answer) => {
      const before = askedAt.get(questionOf(answer)) ?? -Infinity;
      askedAt.set(questionOf(answer), answer.fact.at);
      return answer.fact.at - before > MAX_STALENESS_MS;
    });
}

/** True if the same request returned different ATMs at different times: ATMs may have opened or closed. */
const varies = (answers: readonly AtmNote[]): boolean =>
  [...groupBy(answers, questionOf).values()].some(
    (same) => new Set(same.map(({ fact }) => numbersOf(fact.atms))).size > 1,
  );

type Span = readonly [first: number, last: number];

/** The span of an ATM that no answer showed. */
const NEVER: Span = [Infinity, -Infinity];

/** Returns when each ATM was surely in service (milliseconds since the epoch): from its first to its last answer. */
function spansIn(answers: readonly AtmNote[]): ReadonlyMap<string, Span> {
  const spans = new Map<string, Span>();
  for (const { fact } of answers)
    for (const no of fact.atms.map(numberOf)) {
      const [first, last] = spans.get(no) ?? NEVER;
      spans.set(no, [Math.min(first, fact.until), Math.max(last, fact.at)]);
    }
  return spans;
}

/** If distances are not straight lines: a returned ATM must be this many times, and km, farther than a missing ATM. */
const CLEARLY_FURTHER = { times: 5, from: 100 } as const;

/** An outage of an ATM lasts at least this many milliseconds. After a shorter absence, the ATM was left out by mistake. */
const SHORTEST_OUTAGE_MS = 1000;

/** If two positions of one ATM are more than this many kilometres apart, one position is wrong. */
const MOVED_KM = 1;

/** Returns all answers, or only the answers by position if the answers by codes show an ATM at another place. */
function withSamePlaces(answers: readonly Answer[], all: readonly AtmNote[]): readonly AtmNote[] {
  const own = new Map(answers.flatMap(({ atms }) => atms.map((atm) => [numberOf(atm), positionOf(atm)])));
  const ofPositions = new Set(answers.map(({ exchange }) => exchange));
  const isMoved = (atm: SeenAtm): boolean => {
    const there = own.get(numberOf(atm));
    return there !== undefined && greatCircle(there, positionOf(atm)) > MOVED_KM;
  };
  const others = all.filter(({ exchange }) => !ofPositions.has(exchange));
  const areMoved = others.some(({ fact }) => fact.atms.some(isMoved));
  return areMoved ? all.filter(({ exchange }) => ofPositions.has(exchange)) : all;
}

/**
 * Checks that no other ATM of the run is closer than the farthest returned ATM. The bank may sort by rounded distances: a closer ATM
 * must be closer by more than one step (`stepKm`). If distances are no straight lines, `stepKm` is null: it must be much closer.
 */
export function* closest(
  answers: readonly Answer[],
  all: readonly AtmNote[],
  stepKm: number | null,
  tested: Tested,
): Iterable<Broken> {
  const seen = withSamePlaces(answers, all);
  const fresh = varies(seen) ? freshIn(seen) : null;
  const spans = spansIn(fresh ?? []);
  const isFresh = new Set(fresh?.map(({ exchange }) => exchange));
  const atmAt = new Map(
    seen.flatMap(({ fact }) => fact.atms).map((atm) => [`${numberOf(atm)} ${atm[1]} ${atm[2]}`, atm]),
  );
  // If an ATM was seen at several positions, the position farthest from the requested one counts.
  const known = [...groupBy([...atmAt.values()], numberOf)].map(([no, places]) => ({
    no,
    text: places[0][0],
    positions: places.map(positionOf),
    slack: 2 * Math.max(...places.map((atm) => coordinateError(atm[1], atm[2]))) + 0.01 + (stepKm ?? 0),
  }));
  const sightings = groupBy(
    seen.flatMap(({ fact: { at, atms } }) => atms.map((atm) => ({ no: numberOf(atm), at }))),
    ({ no }) => no,
  );
  /** Returns the milliseconds from the last sighting of an ATM before `moment` to the first one after it. */
  const unseenFor = (no: string, moment: number): number => {
    const times = (sightings.get(no) ?? []).map(({ at }) => at);
    const before = Math.max(...times.filter((at) => at <= moment));
    return Math.min(...times.filter((at) => at >= moment)) - before;
  };
  const returnedAt = new Map(
    [...groupBy(answers, placeOf)].map(([place, same]) => [
      place,
      new Set(same.flatMap(({ atms }) => atms.map(numberOf))),
    ]),
  );
  const judged = answers.flatMap((answer) => {
    const { exchange, from, atms, at, until } = answer;
    if (atms.length === 0 || known.length <= atms.length || (fresh !== null && !isFresh.has(exchange))) return [];
    const returned = new Set(atms.map(numberOf));
    const furthest = Math.max(...atms.map((atm) => greatCircle(from, positionOf(atm))));
    if (stepKm === null && furthest < CLEARLY_FURTHER.from) return [];
    const times = stepKm === null ? CLEARLY_FURTHER.times : 1 + ELLIPSOID_TOLERANCE;
    const isOpen = ([first, last] = NEVER): boolean => fresh === null || (first <= at && until <= last);
    const missed = known.filter(
      ({ no, positions, slack }) =>
        // This quicker test excludes most ATMs.
        positions.every((one) => meridianDistance(from, one) * times + slack < furthest) &&
        !returned.has(no) &&
        isOpen(spans.get(no)) &&
        positions.every((one) => greatCircle(from, one) * times + slack < furthest),
    );
    const isOut = missed.some(
      ({ no }) => returnedAt.get(placeOf(answer))?.has(no) === true && unseenFor(no, at) >= SHORTEST_OUTAGE_MS,
    );
    return [{ exchange, from, furthest, missed, isOut }];
  });
  // If the same request returned a missing ATM at other times, ATMs may be out of service: nothing is proved.
  if (judged.some(({ isOut }) => isOut)) return;
  for (const by of judged) {
    const { from, furthest, missed } = by;
    tested(by);
    const [first] = missed;
    if (first === undefined) continue;
    const distance = Math.max(...first.positions.map((one) => greatCircle(from, one)));
    yield {
      by,
      pointer: '/data',
      expected: `the ATM ${first.text}, ${distance.toFixed(1)} km away`,
      received: `ATMs up to ${furthest.toFixed(1)} km away without it`,
    };
  }
}
