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
  type PositionMistake,
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
  const answersByPosition = [...groupBy(answers, joinInputs).values()].filter(
    (answersToQuery) => answersToQuery.length > 1,
  );
  const varyingAnswers = answersByPosition.filter((answersToQuery) => hasDifferentAtms(answersToQuery));
  return varyingAnswers.length * 2 <= answersByPosition.length;
}

/** A cache may repeat an outdated answer for at most this many milliseconds. */
const MAX_STALENESS_MS = 2000;

/** Returns the answers that cannot come from a cache, because the same request was not sent shortly before. */
function selectUncached(answers: readonly AtmAnswer[]): readonly AtmAnswer[] {
  const lastSentAt = new Map<string, number>();
  return answers
    .toSorted((a, b) => a.at - b.at)
    .filter((answer) => {
      const previousSentAt = lastSentAt.get(joinInputs(answer)) ?? -Infinity;
      lastSentAt.set(joinInputs(answer), answer.at);
      return answer.at - previousSentAt > MAX_STALENESS_MS;
    });
}

/** True if the same request returned different ATMs at different times: ATMs may have opened or closed. */
const haveAtmsChanged = (answers: readonly AtmAnswer[]): boolean =>
  [...groupBy(answers, joinInputs).values()].some((answersToQuery) => hasDifferentAtms(answersToQuery));

/** Milliseconds since the epoch. */
interface ServiceInterval {
  readonly firstSeenMs: number;
  readonly lastSeenMs: number;
}

const EMPTY_INTERVAL: ServiceInterval = { firstSeenMs: Infinity, lastSeenMs: -Infinity };

/** Returns for each ATM when the ATM was in service: from the first answer with the ATM to the last. */
function measureServiceIntervals(answers: readonly AtmAnswer[]): ReadonlyMap<string, ServiceInterval> {
  const intervalByAtmNumber = new Map<string, ServiceInterval>();
  for (const { atms, at, until } of answers)
    for (const atmNumber of atms.map(getAtmNumber)) {
      const { firstSeenMs, lastSeenMs } = intervalByAtmNumber.get(atmNumber) ?? EMPTY_INTERVAL;
      intervalByAtmNumber.set(atmNumber, {
        firstSeenMs: Math.min(firstSeenMs, until),
        lastSeenMs: Math.max(lastSeenMs, at),
      });
    }
  return intervalByAtmNumber;
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
  positionAnswers: readonly PositionAnswer[],
  allAnswers: readonly AtmAnswer[],
): readonly AtmAnswer[] {
  const atmByNumber = new Map(positionAnswers.flatMap(({ atms }) => atms.map((atm) => [getAtmNumber(atm), atm])));
  const exchangesByPosition = new Set(positionAnswers.map(({ exchange }) => exchange));
  const isMoved = (atm: SeenAtm): boolean => {
    const atmByPosition = atmByNumber.get(getAtmNumber(atm));
    return atmByPosition !== undefined && measureKm(atmByPosition, atm) > MIN_WRONG_POSITION_KM;
  };
  const answersByCodes = allAnswers.filter(({ exchange }) => !exchangesByPosition.has(exchange));
  const areMoved = answersByCodes.some(({ atms }) => atms.some(isMoved));
  return areMoved ? allAnswers.filter(({ exchange }) => exchangesByPosition.has(exchange)) : allAnswers;
}

/** An ATM that the run knows. If it was seen at several positions, the position farthest from the requested one counts. */
export interface KnownAtm {
  readonly atmNumber: string;
  readonly shownNumber: string;
  readonly positions: readonly SeenAtm[];
  /** The largest possible error of a distance to the ATM, in kilometres. */
  readonly slackKm: number;
}

/** `stepKm`: the rounding step of distances, in kilometres. */
export function listKnownAtms(answers: readonly AtmAnswer[], stepKm: number | null): readonly KnownAtm[] {
  const atmByNumberAndPosition = new Map(
    answers.flatMap(({ atms }) => atms).map((atm) => [`${getAtmNumber(atm)} ${atm.latitude} ${atm.longitude}`, atm]),
  );
  return [...groupBy([...atmByNumberAndPosition.values()], getAtmNumber)].map(([atmNumber, positions]) => ({
    atmNumber,
    shownNumber: positions[0].no,
    positions,
    slackKm: 2 * max(positions.map(estimateErrorKm)) + 0.01 + (stepKm ?? 0),
  }));
}

/**
 * Returns a test whether an ATM was in service during an answer. `uncachedAnswers`: the answers that do not come from a cache; null if no
 * list changed, which means that all ATMs were always in service.
 */
function makeServiceTest(answers: readonly AtmAnswer[], uncachedAnswers: readonly AtmAnswer[] | null) {
  if (uncachedAnswers === null) return () => true;
  const intervalByAtmNumber = measureServiceIntervals(uncachedAnswers);
  const sightingsByAtmNumber = groupBy(
    answers.flatMap(({ at, atms }) => atms.map((atm) => ({ atmNumber: getAtmNumber(atm), at }))),
    ({ atmNumber }) => atmNumber,
  );
  /** Returns the milliseconds from the last answer with an ATM before `momentMs` to the first answer with it after `momentMs`. */
  const measureAbsenceMs = (atmNumber: string, momentMs: number): number => {
    const seenMs = (sightingsByAtmNumber.get(atmNumber) ?? []).map(({ at }) => at);
    const lastSeenBeforeMs = Math.max(...seenMs.filter((at) => at <= momentMs));
    const firstSeenAfterMs = Math.min(...seenMs.filter((at) => at >= momentMs));
    return firstSeenAfterMs - lastSeenBeforeMs;
  };
  return (atmNumber: string, { at, until }: AtmAnswer): boolean => {
    const { firstSeenMs, lastSeenMs } = intervalByAtmNumber.get(atmNumber) ?? EMPTY_INTERVAL;
    return firstSeenMs <= at && until <= lastSeenMs && measureAbsenceMs(atmNumber, at) < MIN_OUTAGE_MS;
  };
}

/**
 * Judges whether no missing ATM is closer than the farthest returned ATM. The bank may round distances before it sorts: the missing
 * ATM must be closer by more than one rounding step (`stepKm`). `straightLineFit` is null if distances are not straight lines: then the
 * missing ATM must be much closer.
 */
function judgeMissingAtms(
  positionAnswers: readonly PositionAnswer[],
  allAnswers: readonly AtmAnswer[],
  straightLineFit: ReturnType<typeof fitStraightLines>,
): readonly Verdict[] {
  const stepKm = straightLineFit?.stepKm ?? null;
  const usableAnswers = selectWithSamePositions(positionAnswers, allAnswers);
  const uncachedAnswers = haveAtmsChanged(usableAnswers) ? selectUncached(usableAnswers) : null;
  const uncachedExchanges = new Set(uncachedAnswers?.map(({ exchange }) => exchange));
  const knownAtms = listKnownAtms(usableAnswers, stepKm);
  const wasInService = makeServiceTest(usableAnswers, uncachedAnswers);
  const distanceFactor = stepKm === null ? MIN_EXTRA_DISTANCE.times : 1 + ELLIPSOID_TOLERANCE;
  const testedAnswers = positionAnswers.flatMap((answer) => {
    const { exchange, asked, atms } = answer;
    if (atms.length === 0 || (uncachedAnswers !== null && !uncachedExchanges.has(exchange))) return [];
    const returnedNumbers = new Set(atms.map(getAtmNumber));
    const isMissing = ({ atmNumber }: KnownAtm): boolean =>
      !returnedNumbers.has(atmNumber) && wasInService(atmNumber, answer);
    if (!knownAtms.some(isMissing)) return [];
    const farthestKm = max(atms.map((atm) => measureKm(asked, atm)));
    if (stepKm === null && farthestKm < MIN_EXTRA_DISTANCE.from) return [];
    const isCloser = ({ positions, slackKm }: KnownAtm, measure: typeof measureKm): boolean =>
      positions.every((position) => measure(asked, position) * distanceFactor + slackKm < farthestKm);
    const missedAtm = knownAtms.find(
      (atm) =>
        // This quick test excludes most ATMs.
        isCloser(atm, measureNorthSouthKm) && isMissing(atm) && isCloser(atm, measureKm),
    );
    return [{ answer, missedAtm, farthestKm }];
  });
  const isBroken = testedAnswers.some(({ missedAtm }) => missedAtm !== undefined);
  const mistake = isBroken ? findListMistake(positionAnswers, knownAtms, straightLineFit?.unitKm ?? 1) : undefined;
  return testedAnswers.map(({ answer, missedAtm, farthestKm }) => {
    if (missedAtm === undefined) return kept(answer);
    const distanceKm = max(missedAtm.positions.map((position) => measureKm(answer.asked, position)));
    return broken(answer, {
      pointer: '/data',
      expected: `the ATM ${missedAtm.shownNumber}, ${distanceKm.toFixed(1)} km away`,
      received: `ATMs up to ${farthestKm.toFixed(1)} km away without it${mistake === undefined ? '' : `, ${mistake}`}`,
    });
  });
}

/** A unit that is fitted to distances differs from the unit of the bank by at most this share. */
const MAX_UNIT_ERROR = 0.03;
/** Two distances are equal if they differ only by one in the last of four digits. */
const MAX_ROUNDING_SHARE = 2e-4;

/** Returns the mistake that explains all lists: with it, no missing ATM is closer than the farthest ATM of the answer. */
function findListMistake(
  answers: readonly PositionAnswer[],
  knownAtms: readonly KnownAtm[],
  unitKm: number,
): string | undefined {
  if (answers.length < MIN_MISTAKEN_ANSWERS) return undefined;
  const doesMistakeExplain = (
    measureDistance: PositionMistake['measureDistance'],
    isExactDistance = false,
  ): boolean => {
    const marginsByAnswer = answers.map(({ asked, atms }) => {
      const returnedNumbers = new Set(atms.map(getAtmNumber));
      const farthestDistance = max(atms.map((atm) => measureDistance(asked, atm)));
      return knownAtms
        .filter(({ atmNumber }) => !returnedNumbers.has(atmNumber))
        .map(({ positions, slackKm }) => {
          const margin = max(positions.map((atm) => measureDistance(asked, atm))) - farthestDistance;
          const slack = isExactDistance ? MAX_ROUNDING_SHARE : slackKm + ELLIPSOID_TOLERANCE * farthestDistance;
          if (margin > slack) return 'farther';
          return margin < -slack ? 'nearer' : 'as far';
        });
    });
    // If all ATMs are about equally far, every mistake explains the list.
    const conclusiveMargins = marginsByAnswer.filter((margins) => margins.includes('farther'));
    const hasNearerAtm = marginsByAnswer.some((margins) => margins.includes('nearer'));
    return conclusiveMargins.length >= MIN_MISTAKEN_ANSWERS && !hasNearerAtm;
  };
  // As a decimal fraction, a number has the order of its text: “10” comes before “9”, and 0.10 before 0.9.
  const exactUnitKm = distanceUnits.find(({ km }) => Math.abs(km / unitKm - 1) < MAX_UNIT_ERROR)?.km ?? unitKm;
  const measureAsText: PositionMistake['measureDistance'] = (query, atm) =>
    Number(`0.${Math.round(measureKm(query, atm) / exactUnitKm)}`);
  return (
    positionMistakes.find(({ measureDistance }) => doesMistakeExplain(measureDistance))?.asIfText ??
    (doesMistakeExplain(measureAsText, true) ? 'as if distances were compared as texts' : undefined)
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
    const runDistances = readDistances(run);
    if (runDistances === null) return [notTested('the run saw fewer than two distances of ATMs')];
    // If only some ATMs of an answer were kept, the closest ATM may be missing.
    const completeAnswers = run.atmAnswers.filter(isByPosition).filter(({ drawnFrom }) => drawnFrom === undefined);
    if (runDistances.roadFit.firstUnfitting !== undefined)
      return [notTested('the distances do not fit the positions of the ATMs')];
    if (!haveMostlySameAtms(completeAnswers))
      return [notTested('repeated queries for one position mostly returned other ATMs')];
    const verdicts = judgeMissingAtms(completeAnswers, run.atmAnswers, fitStraightLines(runDistances.distances));
    return verdicts.length > 0 ? verdicts : [notTested('no answer left out an ATM that the run knows')];
  },
});
