/**
 * Judges that no disbursement is stuck. Example: the text “processing” of three disbursements changed within 2 s. A disbursement
 * that is still at “processing” after 20 s is stuck if a disbursement that was sent later is complete.
 */
import { hasErrors } from '../../../history/answers.ts';
import { maskNumbers } from '../../../util/truncate.ts';
import { broken, compared, notTested } from '../../../behaviours/behaviour.ts';
import { list, optional, reply, type Judged } from '../../../behaviours/evidence.ts';
import { outcomeClause } from './reached.ts';
import { readApplicationId, readOutcome } from './outcome-history.ts';

type Query = Judged<'queryDisbursement'>;
type Disbursed = Judged<'disburse'>;

/** A stuck disbursement takes this many times longer than the slowest other one. Normal processing times differ less. */
export const MIN_SLOWDOWN = 10;
export const MIN_STUCK_MS = 10_000;
/** At least this many disbursements must be stuck, because somebody may have stopped a single one by hand. */
export const MIN_STUCK = 2;
const MIN_CHANGED_TEXTS = 3;
/** At least this many disbursements that were made later must be complete earlier. A single one may have priority. */
const MIN_LATER_COMPLETED = 2;

const getStartMs = ({ exchange }: Pick<Query, 'exchange'>): number => exchange.startedAt;
const getEndMs = ({ exchange }: Pick<Query, 'exchange'>): number => exchange.startedAt + exchange.durationMs;
const readOutcomeText = (query: Query): string => maskNumbers(String(readOutcome(query)));

/** How long a disbursement had one outcome text. Times are in milliseconds. */
interface TextDuration {
  /** When the disbursement was sent. */
  readonly sentMs: number;
  /** The last query with this text. */
  readonly lastWithText: Query;
  /** The next query, which returned another text. */
  readonly firstWithOtherText: Query | undefined;
  /** From the answer to the disbursement request to the last query with this text, or to the first answer with another text. */
  readonly durationMs: number;
}

const getChangeEndMs = ({ lastWithText, firstWithOtherText }: TextDuration): number =>
  getEndMs(firstWithOtherText ?? lastWithText);

/** Measures how long a disbursement had `text`; null if no query returned the text, or if the outcome returned to it. */
function measureTextDuration(text: string, disbursement: Disbursed, allQueries: readonly Query[]): TextDuration | null {
  const acceptedMs = getEndMs(disbursement);
  const queries = allQueries
    .filter((query) => readApplicationId(query) === readApplicationId(disbursement) && getStartMs(query) >= acceptedMs)
    .toSorted((a, b) => getStartMs(a) - getStartMs(b));
  const firstIndex = queries.findIndex((query) => readOutcomeText(query) === text);
  const lastIndex = queries.findLastIndex((query) => readOutcomeText(query) === text);
  const lastWithText = queries[lastIndex];
  const hasReturned = queries.slice(firstIndex, lastIndex).some((query) => readOutcomeText(query) !== text);
  if (lastWithText === undefined || hasReturned) return null;
  const firstWithOtherText = queries[lastIndex + 1];
  const endMs = firstWithOtherText === undefined ? getStartMs(lastWithText) : getEndMs(firstWithOtherText);
  return { sentMs: getStartMs(disbursement), lastWithText, firstWithOtherText, durationMs: endMs - acceptedMs };
}

/**
 * True if at least three texts changed at different times. If all texts change together, the bank works in batches, and the next
 * batch may come later. A change is seen between the last query with the text and the next query. Counts changes that do not overlap.
 */
function haveChangedAtDifferentTimes(durations: readonly TextDuration[]): boolean {
  let separateChangeCount = 0;
  let lastChangeEndMs = -Infinity;
  const durationsInOrder = durations.toSorted((a, b) => getChangeEndMs(a) - getChangeEndMs(b));
  for (const { lastWithText, firstWithOtherText } of durationsInOrder)
    if (firstWithOtherText !== undefined && getStartMs(lastWithText) > lastChangeEndMs) {
      separateChangeCount += 1;
      lastChangeEndMs = getEndMs(firstWithOtherText);
    }
  return separateChangeCount >= MIN_CHANGED_TEXTS;
}

const formatSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const disbursementList = list(reply('disburse'));

/**
 * `resting`: disbursements that may be stuck. `left`: disbursements whose outcome text was pending and may have changed. `fresh`: a
 * disbursement that was sent last. `told`: all outcomes of the run.
 */
export const outcomeNotStuck = compared({
  ...outcomeClause,
  way: 'stuck',
  control: 'The same outcome text of other disbursements changes much sooner.',
  evidence: {
    resting: disbursementList,
    left: disbursementList,
    fresh: optional(reply('disburse')),
    told: list(reply('queryDisbursement')),
  },
  judge({ resting: restingDisbursements, left: otherDisbursements, fresh: lastDisbursement, told: allQueries }) {
    const acceptedQueries = allQueries.filter(({ accepted }) => accepted);
    const findLastAnswer = (disbursement: Disbursed): Query | undefined =>
      acceptedQueries.findLast((query) => readApplicationId(query) === readApplicationId(disbursement));
    const [lastAnswer] = restingDisbursements.map(findLastAnswer);
    if (lastAnswer === undefined) return notTested('no disbursement seems to be stuck at an outcome text');
    const restingText = readOutcomeText(lastAnswer);
    const measureRestingText = (disbursement: Disbursed) =>
      measureTextDuration(restingText, disbursement, acceptedQueries);
    const changedDurations = otherDisbursements.flatMap((disbursement) => {
      const duration = measureRestingText(disbursement);
      const outcomeAfterText = duration?.firstWithOtherText;
      const hasSucceeded = outcomeAfterText !== undefined && !hasErrors(outcomeAfterText.body);
      return duration !== null && hasSucceeded ? [duration] : [];
    });
    const [slowestChange] = changedDurations.toSorted((a, b) => b.durationMs - a.durationMs);
    if (slowestChange === undefined || changedDurations.length < MIN_CHANGED_TEXTS)
      return notTested('the outcome text changed for too few other disbursements');
    const minStuckMs = Math.max(MIN_STUCK_MS, MIN_SLOWDOWN * slowestChange.durationMs);
    const isLongEnough = (duration: TextDuration | null): duration is TextDuration =>
      duration !== null && duration.firstWithOtherText === undefined && duration.durationMs > minStuckMs;
    const isOvertaken = ({ sentMs, lastWithText }: TextDuration): boolean => {
      const overtaking = changedDurations.filter(
        (changed) => changed.sentMs > sentMs && getChangeEndMs(changed) < getStartMs(lastWithText),
      );
      return overtaking.length >= MIN_LATER_COMPLETED;
    };
    const isLastAlsoStuck = lastDisbursement !== undefined && isLongEnough(measureRestingText(lastDisbursement));
    const isStuck = (duration: TextDuration | null): duration is TextDuration =>
      isLongEnough(duration) &&
      (isOvertaken(duration) || (isLastAlsoStuck && haveChangedAtDifferentTimes(changedDurations)));
    const stuckDurations = restingDisbursements.map(measureRestingText).filter(isStuck);
    const lastStuckQuery = stuckDurations.at(-1)?.lastWithText;
    if (lastStuckQuery === undefined || stuckDurations.length < MIN_STUCK)
      return notTested(
        'the disbursements do not keep their outcome text much longer than other disbursements, or time may explain the difference',
      );
    const shortestMs = Math.min(...stuckDurations.map(({ durationMs }) => durationMs));
    return broken(lastStuckQuery, {
      pointer: '/data/result',
      expected: `another text, as ${changedDurations.length} others had within ${formatSeconds(slowestChange.durationMs)}`,
      received: `"${restingText}" of ${stuckDurations.length} disbursements, still after ${formatSeconds(shortestMs)}`,
      contrast: slowestChange.firstWithOtherText,
    });
  },
});
