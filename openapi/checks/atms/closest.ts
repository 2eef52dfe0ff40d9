/** A query by position returns the closest ATMs. */
import type { Broken, Tested } from '../../model/check.ts';
import type { FactRecord, AtmFact, SeenAtm } from '../../model/facts.ts';
import { measureKm, meridianDistance, type Position } from '../../util/geo.ts';
import { groupBy } from '../../util/group-by.ts';
import { toIdText } from '../../util/ids.ts';
import { memoizeByText } from '../../util/memoize.ts';
import { estimateError, ELLIPSOID_TOLERANCE, getPosition } from './positions.ts';

type AtmNote = FactRecord<AtmFact>;

/** An answer to a query by position. */
export interface Answer {
  readonly exchange: string;
  readonly from: Position;
  readonly atms: readonly SeenAtm[];
  readonly at: number;
  readonly until: number;
}

const readIdText = memoizeByText(toIdText);
/** Returns the number of an ATM as text; all spellings of a number give the same text. */
const getNumber = ([no]: SeenAtm): string => readIdText(no);

/** Joins the numbers of ATMs, sorted, into one text. */
const getNumbers = (atms: readonly SeenAtm[]): string => [...new Set(atms.map(getNumber))].sort().join();

const getPlaceKey = ({ from }: Answer): string => `${from.latitude} ${from.longitude}`;

/** True if queries for the same position mostly return the same ATMs. */
export function areRepeatable(answers: readonly Answer[]): boolean {
  const repeated = [...groupBy(answers, getPlaceKey).values()].filter((same) => same.length > 1);
  const varying = repeated.filter((same) => new Set(same.map(({ atms }) => getNumbers(atms))).size > 1);
  return varying.length * 2 <= repeated.length;
}

const getQuestion = ({ fact }: AtmNote): string => fact.asked.join(' ');

/** A cache may repeat an outdated answer for at most this many milliseconds. */
const MAX_STALENESS_MS = 2000;

/** Returns the answers that cannot come from a cache: the same request was not sent shortly before. */
function selectFresh(answers: readonly AtmNote[]): readonly AtmNote[] {
  const askedAt = new Map<string, number>();
  return answers
    .toSorted((a, b) => a.fact.at - b.fact.at)
    .filter((answer) => {
      const before = askedAt.get(getQuestion(answer)) ?? -Infinity;
      askedAt.set(getQuestion(answer), answer.fact.at);
      return answer.fact.at - before > MAX_STALENESS_MS;
    });
}

/** True if the same request returned different ATMs at different times: ATMs may have opened or closed. */
const haveChanged = (answers: readonly AtmNote[]): boolean =>
  [...groupBy(answers, getQuestion).values()].some(
    (same) => new Set(same.map(({ fact }) => getNumbers(fact.atms))).size > 1,
  );

type Span = readonly [first: number, last: number];

/** The span of an ATM that no answer showed. */
const EMPTY_SPAN: Span = [Infinity, -Infinity];

/** Returns when each ATM was surely in service (milliseconds since the epoch): from its first to its last answer. */
function measureSpans(answers: readonly AtmNote[]): ReadonlyMap<string, Span> {
  const spans = new Map<string, Span>();
  for (const { fact } of answers)
    for (const no of fact.atms.map(getNumber)) {
      const [first, last] = spans.get(no) ?? EMPTY_SPAN;
      spans.set(no, [Math.min(first, fact.until), Math.max(last, fact.at)]);
    }
  return spans;
}

/** If distances are not straight lines: a returned ATM must be this many times, and km, farther than a missing ATM. */
const CLEARLY_FARTHER = { times: 5, from: 100 } as const;

/** An outage of an ATM lasts at least this many milliseconds. After a shorter absence, the ATM was left out by mistake. */
const SHORTEST_OUTAGE_MS = 1000;

/** If two positions of one ATM are more than this many kilometres apart, one position is wrong. */
const MOVED_KM = 1;

/** Returns all answers, or only the answers by position if the answers by codes show an ATM at another place. */
function withSamePlaces(answers: readonly Answer[], all: readonly AtmNote[]): readonly AtmNote[] {
  const own = new Map(answers.flatMap(({ atms }) => atms.map((atm) => [getNumber(atm), getPosition(atm)])));
  const ofPositions = new Set(answers.map(({ exchange }) => exchange));
  const isMoved = (atm: SeenAtm): boolean => {
    const there = own.get(getNumber(atm));
    return there !== undefined && measureKm(there, getPosition(atm)) > MOVED_KM;
  };
  const answersByCodes = all.filter(({ exchange }) => !ofPositions.has(exchange));
  const areMoved = answersByCodes.some(({ fact }) => fact.atms.some(isMoved));
  return areMoved ? all.filter(({ exchange }) => ofPositions.has(exchange)) : all;
}

/**
 * Checks that no other ATM of the run is closer than the farthest returned ATM. The bank may sort by rounded distances: a closer ATM
 * must be closer by more than one step (`stepKm`). If distances are no straight lines, `stepKm` is null: it must be much closer.
 */
export function* findClosest(
  answers: readonly Answer[],
  all: readonly AtmNote[],
  stepKm: number | null,
  tested: Tested,
): Iterable<Broken> {
  const seen = withSamePlaces(answers, all);
  const fresh = haveChanged(seen) ? selectFresh(seen) : null;
  const spans = measureSpans(fresh ?? []);
  const isFresh = new Set(fresh?.map(({ exchange }) => exchange));
  const atmAt = new Map(
    seen.flatMap(({ fact }) => fact.atms).map((atm) => [`${getNumber(atm)} ${atm[1]} ${atm[2]}`, atm]),
  );
  // If an ATM was seen at several positions, the position farthest from the requested one counts.
  const known = [...groupBy([...atmAt.values()], getNumber)].map(([no, places]) => ({
    no,
    text: places[0][0],
    positions: places.map(getPosition),
    slack: 2 * Math.max(...places.map((atm) => estimateError(atm[1], atm[2]))) + 0.01 + (stepKm ?? 0),
  }));
  const sightings = groupBy(
    seen.flatMap(({ fact: { at, atms } }) => atms.map((atm) => ({ no: getNumber(atm), at }))),
    ({ no }) => no,
  );
  /** Returns the milliseconds from the last sighting of an ATM before `moment` to the first one after it. */
  const measureAbsence = (no: string, moment: number): number => {
    const times = (sightings.get(no) ?? []).map(({ at }) => at);
    const before = Math.max(...times.filter((at) => at <= moment));
    return Math.min(...times.filter((at) => at >= moment)) - before;
  };
  const judged = answers.flatMap((answer) => {
    const { exchange, from, atms, at, until } = answer;
    if (atms.length === 0 || known.length <= atms.length || (fresh !== null && !isFresh.has(exchange))) return [];
    const returned = new Set(atms.map(getNumber));
    const farthestKm = Math.max(...atms.map((atm) => measureKm(from, getPosition(atm))));
    if (stepKm === null && farthestKm < CLEARLY_FARTHER.from) return [];
    const times = stepKm === null ? CLEARLY_FARTHER.times : 1 + ELLIPSOID_TOLERANCE;
    // ATMs may be out of service by turns: one counts only if other answers show it shortly before and after.
    const isOpen = (no: string): boolean => {
      const [first, last] = spans.get(no) ?? EMPTY_SPAN;
      return fresh === null || (first <= at && until <= last && measureAbsence(no, at) < SHORTEST_OUTAGE_MS);
    };
    const missed = known.filter(
      ({ no, positions, slack }) =>
        // This quicker test excludes most ATMs.
        positions.every((position) => meridianDistance(from, position) * times + slack < farthestKm) &&
        !returned.has(no) &&
        isOpen(no) &&
        positions.every((position) => measureKm(from, position) * times + slack < farthestKm),
    );
    return [{ exchange, from, farthestKm, missed }];
  });
  for (const by of judged) {
    const { from, farthestKm, missed } = by;
    tested(by);
    const [first] = missed;
    if (first === undefined) continue;
    const distance = Math.max(...first.positions.map((position) => measureKm(from, position)));
    yield {
      by,
      pointer: '/data',
      expected: `the ATM ${first.text}, ${distance.toFixed(1)} km away`,
      received: `ATMs up to ${farthestKm.toFixed(1)} km away without it`,
    };
  }
}
