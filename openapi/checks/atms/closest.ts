/** Checks that a query with a position returns the ATMs closest to this position. */
import type { Broken, Tested } from '../../model/check.ts';
import type { FactRecord, AtmFact, SeenAtm } from '../../model/facts.ts';
import { measureKm, measureNorthSouthKm, type Position } from '../../util/geo.ts';
import { groupBy } from '../../util/group-by.ts';
import { toIdText } from '../../util/ids.ts';
import { memoizeByText } from '../../util/memoize.ts';
import { estimateErrorKm, ELLIPSOID_TOLERANCE, getPosition } from './positions.ts';

type AtmNote = FactRecord<AtmFact>;

/** The answer to a query with a position. */
export interface Answer {
  readonly exchange: string;
  readonly from: Position;
  readonly atms: readonly SeenAtm[];
  readonly at: number;
  readonly until: number;
}

const normalizeId = memoizeByText(toIdText);
/** Returns the number of an ATM as text; all spellings of a number give the same text. */
const getAtmNumber = ([no]: SeenAtm): string => normalizeId(no);

/** Joins the numbers of ATMs, sorted, into one text. */
const joinAtmNumbers = (atms: readonly SeenAtm[]): string => [...new Set(atms.map(getAtmNumber))].sort().join();

const makePositionKey = ({ from }: Answer): string => `${from.latitude} ${from.longitude}`;

/** True if queries for the same position mostly return the same ATMs. */
export function haveMostlySameAtms(answers: readonly Answer[]): boolean {
  const repeated = [...groupBy(answers, makePositionKey).values()].filter((same) => same.length > 1);
  const varying = repeated.filter((same) => new Set(same.map(({ atms }) => joinAtmNumbers(atms))).size > 1);
  return varying.length * 2 <= repeated.length;
}

const joinQueryInputs = ({ fact }: AtmNote): string => fact.asked.join(' ');

/** A cache may repeat an outdated answer for at most this many milliseconds. */
const MAX_STALENESS_MS = 2000;

/** Returns the answers that cannot come from a cache: the same request was not sent shortly before. */
function selectUncached(answers: readonly AtmNote[]): readonly AtmNote[] {
  const askedAt = new Map<string, number>();
  return answers
    .toSorted((a, b) => a.fact.at - b.fact.at)
    .filter((answer) => {
      const before = askedAt.get(joinQueryInputs(answer)) ?? -Infinity;
      askedAt.set(joinQueryInputs(answer), answer.fact.at);
      return answer.fact.at - before > MAX_STALENESS_MS;
    });
}

/** True if the same request returned different ATMs at different times: ATMs may have opened or closed. */
const haveAtmsChanged = (answers: readonly AtmNote[]): boolean =>
  [...groupBy(answers, joinQueryInputs).values()].some(
    (same) => new Set(same.map(({ fact }) => joinAtmNumbers(fact.atms))).size > 1,
  );

type Span = readonly [first: number, last: number];

/** The time span of an ATM that is in no answer. */
const EMPTY_TIME_SPAN: Span = [Infinity, -Infinity];

/**
 * Returns for each ATM the time span in which it was in service (milliseconds since the epoch): from its first to its last answer.
 */
function measureServiceSpans(answers: readonly AtmNote[]): ReadonlyMap<string, Span> {
  const spans = new Map<string, Span>();
  for (const { fact } of answers)
    for (const no of fact.atms.map(getAtmNumber)) {
      const [first, last] = spans.get(no) ?? EMPTY_TIME_SPAN;
      spans.set(no, [Math.min(first, fact.until), Math.max(last, fact.at)]);
    }
  return spans;
}

/**
 * If distances are not straight lines, a returned ATM must be this many times and this many kilometres farther than a missing ATM.
 */
const MIN_EXTRA_DISTANCE = { times: 5, from: 100 } as const;

/** An outage of an ATM lasts at least this many milliseconds. After a shorter absence, the ATM was left out by mistake. */
const MIN_OUTAGE_MS = 1000;

/** If two positions of one ATM are more than this many kilometres apart, one position is wrong. */
const MIN_WRONG_POSITION_KM = 1;

/** Returns all answers. If queries by codes show an ATM at another position, returns only the answers to queries by position. */
function selectWithSamePositions(answers: readonly Answer[], all: readonly AtmNote[]): readonly AtmNote[] {
  const own = new Map(answers.flatMap(({ atms }) => atms.map((atm) => [getAtmNumber(atm), getPosition(atm)])));
  const ofPositions = new Set(answers.map(({ exchange }) => exchange));
  const isMoved = (atm: SeenAtm): boolean => {
    const there = own.get(getAtmNumber(atm));
    return there !== undefined && measureKm(there, getPosition(atm)) > MIN_WRONG_POSITION_KM;
  };
  const answersByCodes = all.filter(({ exchange }) => !ofPositions.has(exchange));
  const areMoved = answersByCodes.some(({ fact }) => fact.atms.some(isMoved));
  return areMoved ? all.filter(({ exchange }) => ofPositions.has(exchange)) : all;
}

/**
 * Checks that no missing ATM is closer than the farthest returned ATM. The bank may round distances before it sorts: the missing
 * ATM must be closer by more than one rounding step (`stepKm`). `stepKm` is null if distances are not straight lines: then the
 * missing ATM must be much closer.
 */
export function* findMissingClosest(
  answers: readonly Answer[],
  all: readonly AtmNote[],
  stepKm: number | null,
  tested: Tested,
): Iterable<Broken> {
  const seen = selectWithSamePositions(answers, all);
  const fresh = haveAtmsChanged(seen) ? selectUncached(seen) : null;
  const spans = measureServiceSpans(fresh ?? []);
  const isFresh = new Set(fresh?.map(({ exchange }) => exchange));
  const atmAt = new Map(
    seen.flatMap(({ fact }) => fact.atms).map((atm) => [`${getAtmNumber(atm)} ${atm[1]} ${atm[2]}`, atm]),
  );
  // If an ATM was seen at several positions, the position farthest from the requested one counts.
  const known = [...groupBy([...atmAt.values()], getAtmNumber)].map(([no, places]) => ({
    no,
    text: places[0][0],
    positions: places.map(getPosition),
    slack: 2 * Math.max(...places.map((atm) => estimateErrorKm(atm[1], atm[2]))) + 0.01 + (stepKm ?? 0),
  }));
  const sightings = groupBy(
    seen.flatMap(({ fact: { at, atms } }) => atms.map((atm) => ({ no: getAtmNumber(atm), at }))),
    ({ no }) => no,
  );
  /** Returns the milliseconds from the last answer with an ATM before `moment` to the first answer with it after `moment`. */
  const measureAbsence = (no: string, moment: number): number => {
    const times = (sightings.get(no) ?? []).map(({ at }) => at);
    const before = Math.max(...times.filter((at) => at <= moment));
    return Math.min(...times.filter((at) => at >= moment)) - before;
  };
  const judged = answers.flatMap((answer) => {
    const { exchange, from, atms, at, until } = answer;
    if (atms.length === 0 || known.length <= atms.length || (fresh !== null && !isFresh.has(exchange))) return [];
    const returned = new Set(atms.map(getAtmNumber));
    const farthestKm = Math.max(...atms.map((atm) => measureKm(from, getPosition(atm))));
    if (stepKm === null && farthestKm < MIN_EXTRA_DISTANCE.from) return [];
    const times = stepKm === null ? MIN_EXTRA_DISTANCE.times : 1 + ELLIPSOID_TOLERANCE;
    const isOpen = (no: string): boolean => {
      const [first, last] = spans.get(no) ?? EMPTY_TIME_SPAN;
      return fresh === null || (first <= at && until <= last && measureAbsence(no, at) < MIN_OUTAGE_MS);
    };
    const missed = known.filter(
      ({ no, positions, slack }) =>
        // This quick test excludes most ATMs.
        positions.every((position) => measureNorthSouthKm(from, position) * times + slack < farthestKm) &&
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
