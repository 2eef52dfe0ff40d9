/**
 * Judges that a query with a position returns the ATMs closest to this position. An answer is broken if the run knows an ATM that the
 * answer leaves out, and that is closer than the farthest ATM of the answer.
 */
import { defineLevels } from '../../../clauses/clause.ts';
import { positionRuleSource } from '../../clauses/atms.ts';
import type { SeenAtm } from '../../records/kinds.ts';
import { measureKm, measureNorthSouthKm } from '../../../util/geo.ts';
import { groupBy } from '../../../util/group-by.ts';
import { toIdText } from '../../../util/ids.ts';
import { memoizeByText } from '../../../util/memoize.ts';
import { max } from '../../../util/min-max.ts';
import { broken, kept, notTested, ofRun, type Verdict } from '../../../behaviours/behaviour.ts';
import {
  ELLIPSOID_TOLERANCE,
  estimateErrorKm,
  isByPosition,
  joinInputs,
  type AtmAnswer,
  type PositionAnswer,
  MIN_MISTAKEN_ANSWERS,
  positionMistakes,
  type Mistake,
} from './positions.ts';
import { distanceUnits, fitStraightLines, readDistances } from './distances.ts';

const normalizeId = memoizeByText(toIdText);
/** Returns the number of an ATM as text; 5, 5.0 and "5" give the same text. */
export const getAtmNumber = ({ no }: SeenAtm): string => normalizeId(no);

const joinAtmNumbers = (atms: readonly SeenAtm[]): string => [...new Set(atms.map(getAtmNumber))].sort().join();
const hasDifferentAtms = (answers: readonly AtmAnswer[]): boolean =>
  new Set(answers.map(({ atms }) => joinAtmNumbers(atms))).size > 1;

/** True if at least half of the repeated queries returned the same ATMs each time. */
function haveMostlySameAtms(answers: readonly PositionAnswer[]): boolean {
  const groups = [...groupBy(answers, joinInputs).values()].filter((sameQuery) => sameQuery.length > 1);
  const varyingGroups = groups.filter((sameQuery) => hasDifferentAtms(sameQuery));
  return varyingGroups.length * 2 <= groups.length;
}

/** A cache may repeat an outdated answer for at most this many milliseconds. */
const MAX_STALENESS_MS = 2000;

/** Returns the answers that cannot come from a cache, because the same request was not sent shortly before. */
function selectUncached(answers: readonly AtmAnswer[]): readonly AtmAnswer[] {
  const lastSentAt = new Map<string, number>();
  return answers
    .toSorted((a, b) => a.at - b.at)
    .filter((answer) => {
      const previous = lastSentAt.get(joinInputs(answer)) ?? -Infinity;
      lastSentAt.set(joinInputs(answer), answer.at);
      return answer.at - previous > MAX_STALENESS_MS;
    });
}

/** True if the same request returned different ATMs at different times: ATMs may have opened or closed. */
const haveAtmsChanged = (answers: readonly AtmAnswer[]): boolean =>
  [...groupBy(answers, joinInputs).values()].some((sameQuery) => hasDifferentAtms(sameQuery));

/** Milliseconds since the epoch. */
interface Interval {
  readonly first: number;
  readonly last: number;
}

const EMPTY_INTERVAL: Interval = { first: Infinity, last: -Infinity };

/** Returns for each ATM when the ATM was in service: from the first answer with the ATM to the last. */
function measureServiceIntervals(answers: readonly AtmAnswer[]): ReadonlyMap<string, Interval> {
  const intervals = new Map<string, Interval>();
  for (const { atms, at, until } of answers)
    for (const no of atms.map(getAtmNumber)) {
      const { first, last } = intervals.get(no) ?? EMPTY_INTERVAL;
      intervals.set(no, { first: Math.min(first, until), last: Math.max(last, at) });
    }
  return intervals;
}

/**
 * If distances are not straight lines, the farthest returned ATM must be at least `from` km away, and `times` as far as a missing ATM.
 */
const MIN_EXTRA_DISTANCE = { times: 5, from: 100 } as const;

/** An outage of an ATM lasts at least this many milliseconds. After a shorter absence, the ATM was left out by mistake. */
const MIN_OUTAGE_MS = 1000;

/** If two positions of one ATM are more than this many kilometres apart, one position is wrong. */
const MIN_WRONG_POSITION_KM = 1;

/**
 * Returns all answers. Returns only the answers to queries by position (`answers`) if queries by codes show one of their ATMs at
 * another position.
 */
function selectWithSamePositions(
  answers: readonly PositionAnswer[],
  allAnswers: readonly AtmAnswer[],
): readonly AtmAnswer[] {
  const atmByNumber = new Map(answers.flatMap(({ atms }) => atms.map((atm) => [getAtmNumber(atm), atm])));
  const exchangesByPosition = new Set(answers.map(({ exchange }) => exchange));
  const isMoved = (atm: SeenAtm): boolean => {
    const sameAtm = atmByNumber.get(getAtmNumber(atm));
    return sameAtm !== undefined && measureKm(sameAtm, atm) > MIN_WRONG_POSITION_KM;
  };
  const answersByCodes = allAnswers.filter(({ exchange }) => !exchangesByPosition.has(exchange));
  const areMoved = answersByCodes.some(({ atms }) => atms.some(isMoved));
  return areMoved ? allAnswers.filter(({ exchange }) => exchangesByPosition.has(exchange)) : allAnswers;
}

/** An ATM that the run knows. If it was seen at several positions, the position farthest from the requested one counts. */
export interface KnownAtm {
  readonly no: string;
  readonly text: string;
  readonly positions: readonly SeenAtm[];
  /** The largest possible error of a distance to the ATM, in kilometres. */
  readonly slackKm: number;
}

/** `stepKm`: the rounding step of distances, in kilometres. */
export function listKnownAtms(answers: readonly AtmAnswer[], stepKm: number | null): readonly KnownAtm[] {
  const atmAt = new Map(
    answers.flatMap(({ atms }) => atms).map((atm) => [`${getAtmNumber(atm)} ${atm.latitude} ${atm.longitude}`, atm]),
  );
  return [...groupBy([...atmAt.values()], getAtmNumber)].map(([no, positions]) => ({
    no,
    text: positions[0].no,
    positions,
    slackKm: 2 * max(positions.map(estimateErrorKm)) + 0.01 + (stepKm ?? 0),
  }));
}

/**
 * Returns a test whether an ATM was in service during an answer. `uncached`: the answers that do not come from a cache; null if no
 * list changed, which means that all ATMs were always in service.
 */
function makeServiceTest(answers: readonly AtmAnswer[], uncached: readonly AtmAnswer[] | null) {
  if (uncached === null) return () => true;
  const intervals = measureServiceIntervals(uncached);
  const sightings = groupBy(
    answers.flatMap(({ at, atms }) => atms.map((atm) => ({ no: getAtmNumber(atm), at }))),
    ({ no }) => no,
  );
  /** Returns the milliseconds from the last answer with an ATM before `moment` to the first answer with it after `moment`. */
  const measureAbsence = (no: string, moment: number): number => {
    const times = (sightings.get(no) ?? []).map(({ at }) => at);
    return Math.min(...times.filter((at) => at >= moment)) - Math.max(...times.filter((at) => at <= moment));
  };
  return (no: string, { at, until }: AtmAnswer): boolean => {
    const { first, last } = intervals.get(no) ?? EMPTY_INTERVAL;
    return first <= at && until <= last && measureAbsence(no, at) < MIN_OUTAGE_MS;
  };
}

/**
 * Judges whether no missing ATM is closer than the farthest returned ATM. The bank may round distances before it sorts: the missing
 * ATM must be closer by more than one rounding step (`stepKm`). `straight` is null if distances are not straight lines: then the
 * missing ATM must be much closer.
 */
function judgeMissingAtms(
  answers: readonly PositionAnswer[],
  allAnswers: readonly AtmAnswer[],
  straight: ReturnType<typeof fitStraightLines>,
): readonly Verdict[] {
  const stepKm = straight?.stepKm ?? null;
  const usable = selectWithSamePositions(answers, allAnswers);
  const uncached = haveAtmsChanged(usable) ? selectUncached(usable) : null;
  const uncachedExchanges = new Set(uncached?.map(({ exchange }) => exchange));
  const knownAtms = listKnownAtms(usable, stepKm);
  const wasInService = makeServiceTest(usable, uncached);
  const times = stepKm === null ? MIN_EXTRA_DISTANCE.times : 1 + ELLIPSOID_TOLERANCE;
  const tested = answers.flatMap((answer) => {
    const { exchange, asked, atms } = answer;
    if (atms.length === 0 || (uncached !== null && !uncachedExchanges.has(exchange))) return [];
    const returned = new Set(atms.map(getAtmNumber));
    if (!knownAtms.some(({ no }) => !returned.has(no) && wasInService(no, answer))) return [];
    const farthestKm = max(atms.map((atm) => measureKm(asked, atm)));
    if (stepKm === null && farthestKm < MIN_EXTRA_DISTANCE.from) return [];
    const missed = knownAtms.find(
      ({ no, positions, slackKm }) =>
        // This quick test excludes most ATMs.
        positions.every((position) => measureNorthSouthKm(asked, position) * times + slackKm < farthestKm) &&
        !returned.has(no) &&
        wasInService(no, answer) &&
        positions.every((position) => measureKm(asked, position) * times + slackKm < farthestKm),
    );
    return [{ answer, missed, farthestKm }];
  });
  const isBroken = tested.some(({ missed }) => missed !== undefined);
  const mistake = isBroken ? explainLists(answers, knownAtms, straight?.unit ?? 1) : undefined;
  return tested.map(({ answer, missed, farthestKm }) => {
    if (missed === undefined) return kept(answer);
    const distanceKm = max(missed.positions.map((position) => measureKm(answer.asked, position)));
    return broken(answer, {
      pointer: '/data',
      expected: `the ATM ${missed.text}, ${distanceKm.toFixed(1)} km away`,
      received: `ATMs up to ${farthestKm.toFixed(1)} km away without it${mistake === undefined ? '' : `, ${mistake}`}`,
    });
  });
}

/** A unit that is fitted to distances differs from the unit of the bank by at most this share. */
const MAX_UNIT_ERROR = 0.03;
/** Two distances are equal if they differ only by one in the last of four digits. */
const MAX_ROUNDING_SHARE = 2e-4;

/** Returns the mistake that explains all lists: with it, no missing ATM is closer than the farthest ATM of the answer. */
function explainLists(
  answers: readonly PositionAnswer[],
  knownAtms: readonly KnownAtm[],
  unit: number,
): string | undefined {
  if (answers.length < MIN_MISTAKEN_ANSWERS) return undefined;
  const explains = (measure: Mistake['measure'], isExact = false): boolean => {
    const margins = answers.map(({ asked, atms }) => {
      const returned = new Set(atms.map(getAtmNumber));
      const farthest = max(atms.map((atm) => measure(asked, atm)));
      return knownAtms
        .filter(({ no }) => !returned.has(no))
        .map(({ positions, slackKm }) => {
          const margin = max(positions.map((atm) => measure(asked, atm))) - farthest;
          const slack = isExact ? MAX_ROUNDING_SHARE : slackKm + ELLIPSOID_TOLERANCE * farthest;
          if (margin > slack) return 'farther';
          return margin < -slack ? 'nearer' : 'as far';
        });
    });
    // If all ATMs are about equally far, every mistake explains the list.
    const conclusive = margins.filter((missing) => missing.includes('farther'));
    return conclusive.length >= MIN_MISTAKEN_ANSWERS && !margins.some((missing) => missing.includes('nearer'));
  };
  // As a decimal fraction, a number has the order of its text: “10” comes before “9”, and 0.10 before 0.9.
  const exactUnit = distanceUnits.find(({ km }) => Math.abs(km / unit - 1) < MAX_UNIT_ERROR)?.km ?? unit;
  const compareTexts: Mistake['measure'] = (query, atm) => Number(`0.${Math.round(measureKm(query, atm) / exactUnit)}`);
  return (
    positionMistakes.find(({ measure }) => explains(measure))?.what ??
    (explains(compareTexts, true) ? 'as if distances were compared as texts' : undefined)
  );
}

export const closestAtms = ofRun({
  id: 'atms.closest',
  clause: defineLevels('atms').expected(
    positionRuleSource,
    'A query with a position returns the closest of all ATMs that the test run has seen.',
  ),
  operation: 'findAtms',
  control: 'The run knows an ATM that the answer leaves out.',
  judge(run) {
    const distances = readDistances(run);
    if (distances === null) return [notTested('the run saw fewer than two distances of ATMs')];
    // If only some ATMs of an answer were kept, the closest ATM may be missing.
    const completeAnswers = run.atmAnswers.filter(isByPosition).filter(({ drawnFrom }) => drawnFrom === undefined);
    if (distances.fitted.violator !== undefined)
      return [notTested('the distances do not fit the positions of the ATMs')];
    if (!haveMostlySameAtms(completeAnswers))
      return [notTested('repeated queries for one position mostly returned other ATMs')];
    const verdicts = judgeMissingAtms(completeAnswers, run.atmAnswers, fitStraightLines(distances.measured));
    return verdicts.length > 0 ? verdicts : [notTested('no answer left out an ATM that the run knows')];
  },
});
