/** The closest ATMs are the ones that are returned. */
import type { Broken, Tested } from '../../model/check.ts';
import type { FactRecord, AtmFact, SeenAtm } from '../../model/facts.ts';
import { greatCircle, meridianDistance, type Position } from '../../util/geo.ts';
import { groupBy } from '../../util/group-by.ts';
import { idText } from '../../util/ids.ts';
import { memoizeByText } from '../../util/memoize.ts';
import { coordinateError, ELLIPSOID_TOLERANCE, positionOf } from './positions.ts';

export interface Answer {
  readonly exchange: string;
  readonly from: Position;
  readonly atms: readonly SeenAtm[];
  readonly at: number;
  readonly until: number;
}

const numberInWords = memoizeByText(idText);
/** The number of an ATM, however it is spelt. */
const numberOf = ([no]: SeenAtm): string => numberInWords(no);

/** True where the same position mostly brings the same ATMs: they do not come and go. */
export function areSteady(answers: readonly Answer[]): boolean {
  const again = [...groupBy(answers, ({ from }) => `${from.latitude} ${from.longitude}`).values()].filter(
    (same) => same.length > 1,
  );
  const varying = again.filter((same) => new Set(same.map(({ atms }) => atms.map(numberOf).sort().join())).size > 1);
  return varying.length * 2 <= again.length;
}

const questionOf = ({ fact }: FactRecord<AtmFact>): string => fact.asked.join(' ');

/** Milliseconds for which a cache may give an answer again, as if nothing had been opened or closed since. */
const MAX_STALENESS_MS = 2000;

/** The answers that come from no cache: the same was not asked shortly before. */
function freshIn(answers: readonly FactRecord<AtmFact>[]): readonly FactRecord<AtmFact>[] {
  const askedAt = new Map<string, number>();
  return answers
    .toSorted((one, other) => one.fact.at - other.fact.at)
    .filter((answer) => {
      const before = askedAt.get(questionOf(answer)) ?? -Infinity;
      askedAt.set(questionOf(answer), answer.fact.at);
      return answer.fact.at - before > MAX_STALENESS_MS;
    });
}

/** True where the same question brought other ATMs at another time: some may have been opened meanwhile, or closed. */
function varies(answers: readonly FactRecord<AtmFact>[]): boolean {
  const shown = ({ fact }: FactRecord<AtmFact>): string => [...new Set(fact.atms.map(numberOf))].sort().join();
  return [...groupBy(answers, questionOf).values()].some((same) => new Set(same.map(shown)).size > 1);
}

/** From when until when (milliseconds since the epoch) each ATM was in service: from the end of an answer to the beginning of one. */
function spansIn(answers: readonly FactRecord<AtmFact>[]): ReadonlyMap<string, readonly [first: number, last: number]> {
  const spans = new Map<string, readonly [number, number]>();
  for (const { fact } of answers)
    for (const no of fact.atms.map(numberOf)) {
      const [first, last] = spans.get(no) ?? [Infinity, -Infinity];
      spans.set(no, [Math.min(first, fact.until), Math.max(last, fact.at)]);
    }
  return spans;
}

/** Where ways are measured, or nobody knows what: how many times as far away (km) an ATM has to be that stands for a closer one. */
const CLEARLY_FURTHER = { times: 5, from: 100 } as const;

/** The span of an ATM that no such answer showed. */
const NEVER: readonly [number, number] = [Infinity, -Infinity];

/** Milliseconds that an ATM is out of service at least: one that is seen again at once was left out. */
const SHORTEST_OUTAGE_MS = 1000;

/** Kilometres between two places of one ATM above which one of them is wrong. */
const MOVED_KM = 1;

/** All answers that show ATMs; those to positions alone where others show ATMs at other places than these do. */
function placedAlike(answers: readonly Answer[], all: readonly FactRecord<AtmFact>[]): readonly FactRecord<AtmFact>[] {
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
 * No ATM that the run knows, from whichever answer, is closer than one that was returned in its place: by more than a step
 * (`stepKm`) of the distances, which may be what they are sorted by; where they are no straight lines, by far.
 */
export function* closest(
  answers: readonly Answer[],
  all: readonly FactRecord<AtmFact>[],
  stepKm: number | null,
  tested: Tested,
): Iterable<Broken> {
  const seen = placedAlike(answers, all);
  const fresh = varies(seen) ? freshIn(seen) : null;
  const spans = spansIn(fresh ?? []);
  const isFresh = new Set(fresh?.map(({ exchange }) => exchange));
  const atmAt = new Map(
    seen.flatMap(({ fact }) => fact.atms).map((atm) => [`${numberOf(atm)} ${atm[1]} ${atm[2]}`, atm]),
  );
  // Of an ATM that was seen at several places, the one that is the furthest from where was asked counts.
  const known = [...groupBy([...atmAt.values()], numberOf)].map(([no, places]) => ({
    no,
    text: places[0]?.[0] ?? no,
    positions: places.map(positionOf),
    slack: 2 * Math.max(...places.map((atm) => coordinateError(atm[1], atm[2]))) + 0.01 + (stepKm ?? 0),
  }));
  const sightings = groupBy(
    seen.flatMap(({ fact: { at, atms } }) => atms.map((atm) => ({ no: numberOf(atm), at }))),
    ({ no }) => no,
  );
  /** Milliseconds between the sightings of an ATM before and after a moment. */
  const unseenFor = (no: string, moment: number): number => {
    const times = (sightings.get(no) ?? []).map(({ at }) => at);
    const before = Math.max(...times.filter((at) => at <= moment));
    return Math.min(...times.filter((at) => at >= moment)) - before;
  };
  const place = ({ from }: Answer): string => `${from.latitude} ${from.longitude}`;
  const returnedAt = new Map(
    [...groupBy(answers, place)].map(([where, same]) => [
      where,
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
        // Most are far to the north or south, which is quicker to see.
        positions.every((one) => meridianDistance(from, one) * times + slack < furthest) &&
        !returned.has(no) &&
        isOpen(spans.get(no)) &&
        positions.every((one) => greatCircle(from, one) * times + slack < furthest),
    );
    const isOut = missed.some(
      ({ no }) => returnedAt.get(place(answer))?.has(no) === true && unseenFor(no, at) >= SHORTEST_OUTAGE_MS,
    );
    return [{ exchange, from, furthest, missed, isOut }];
  });
  // An ATM that the same question brings at other times is out of service meanwhile, and so may any other be.
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
