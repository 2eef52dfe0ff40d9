/**
 * Finds stuck disbursements: their outcome text does not change, although the same text of other disbursements changed long ago.
 */
import type { Answered, Check, Compared } from '../../model/check.ts';
import { hasErrors } from '../../history/answer-data.ts';
import { maskNumbers } from '../../util/truncate.ts';
import { checkComparison, type Ruling } from '../check.ts';
import { readApplicationId, readOutcome } from '../../behaviours/loans/settled.ts';

/** A stuck disbursement takes this many times as long as the slowest other disbursement: normal processing times differ less. */
export const MIN_SLOWDOWN = 10;
/** A disbursement counts as stuck after this many milliseconds or more. */
export const MIN_STUCK_MS = 10_000;
/** At least this many disbursements must be stuck: somebody may have stopped a single one by hand. */
export const MIN_STUCK = 2;
/** The text must have changed for at least this many other disbursements. */
const MIN_CHANGED_TEXTS = 3;
/** At least this many later disbursements must be complete earlier: the bank may process a single one first. */
const MIN_LATER_COMPLETED = 2;

const getStartMs = ({ exchange }: Answered): number => exchange.startedAt;
const getEndMs = ({ exchange }: Answered): number => exchange.startedAt + exchange.durationMs;
const readOutcomeText = (query: Answered): string => maskNumbers(String(readOutcome(query)));

/** How long a disbursement had one outcome text. Times are in milliseconds. */
interface Stay {
  /** When the disbursement request was sent, since the epoch. */
  readonly since: number;
  /** The last query that returned this text. */
  readonly last: Answered;
  /** The first later query that returned another text. */
  readonly next: Answered | undefined;
  /** From the answer to the disbursement request to the last query with this text, or to the first answer with another text. */
  readonly lasted: number;
}

/** Measures how long a disbursement had `text`; null if no query returned the text, or if the text came back. */
function measureTextDuration(text: string, disbursement: Answered, told: readonly Answered[]): Stay | null {
  const since = getEndMs(disbursement);
  const queries = told
    .filter((query) => readApplicationId(query) === readApplicationId(disbursement) && getStartMs(query) >= since)
    .toSorted((a, b) => getStartMs(a) - getStartMs(b));
  const first = queries.findIndex((query) => readOutcomeText(query) === text);
  const end = queries.findLastIndex((query) => readOutcomeText(query) === text);
  const last = queries[end];
  if (last === undefined || queries.slice(first, end).some((query) => readOutcomeText(query) !== text)) return null;
  const next = queries[end + 1];
  const lasted = (next === undefined ? getStartMs(last) : getEndMs(next)) - since;
  return { since: getStartMs(disbursement), last, next, lasted };
}

/**
 * True if the text changed at `MIN_CHANGED_TEXTS` different times. If all change together, the bank works in batches: the next
 * batch may come later.
 */
function haveChangedAtDifferentTimes(left: readonly Stay[]): boolean {
  let [apart, until] = [0, -Infinity];
  for (const { last, next } of left.toSorted((a, b) => getEndMs(a.next ?? a.last) - getEndMs(b.next ?? b.last)))
    if (next !== undefined && getStartMs(last) > until) [apart, until] = [apart + 1, getEndMs(next)];
  return apart >= MIN_CHANGED_TEXTS;
}

/** Finds disbursements whose text does not change, although the same text of others changed to an outcome without errors. */
function findStuckDisbursement({ all }: Compared): Ruling | null {
  const [resting, others, told, fresh] = [all('resting'), all('left'), all('told'), all('fresh').at(-1)];
  const answered = told.filter(({ accepted }) => accepted);
  const lastOf = (disbursement: Answered): Answered | undefined =>
    answered.findLast((query) => readApplicationId(query) === readApplicationId(disbursement));
  const text = resting.map(lastOf).map((query) => query && readOutcomeText(query))[0];
  if (text === undefined) return null;
  const left = others.flatMap((one) => {
    const stay = measureTextDuration(text, one, answered);
    return stay?.next === undefined || hasErrors(stay.next.body) ? [] : [stay];
  });
  if (left.length < MIN_CHANGED_TEXTS) return null;
  const slowest = left.toSorted((a, b) => b.lasted - a.lasted)[0] as Stay;
  const isLong = (stay: Stay | null): stay is Stay =>
    stay !== null && stay.next === undefined && stay.lasted > Math.max(MIN_STUCK_MS, MIN_SLOWDOWN * slowest.lasted);
  const isOvertaken = (stay: Stay): boolean =>
    left.filter((one) => one.since > stay.since && getEndMs(one.next ?? one.last) < getStartMs(stay.last)).length >=
    MIN_LATER_COMPLETED;
  const isFreshStuck = fresh !== undefined && isLong(measureTextDuration(text, fresh, answered));
  const isStuck = (stay: Stay | null): stay is Stay =>
    isLong(stay) && (isOvertaken(stay) || (isFreshStuck && haveChangedAtDifferentTimes(left)));
  const stuck = resting.map((one) => measureTextDuration(text, one, answered)).filter(isStuck);
  const by = stuck.at(-1)?.last;
  if (by === undefined || stuck.length < MIN_STUCK) return null;
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  return {
    by,
    holds: false,
    pointer: '/data/result',
    expected: `another text, as ${left.length} others had within ${seconds(slowest.lasted)}`,
    received: `"${text}" of ${stuck.length} disbursements, still after ${seconds(Math.min(...stuck.map(({ lasted }) => lasted)))}`,
    contrast: slowest.next,
  };
}

export const stuckCheck: Check = checkComparison('loans.outcome.reached', findStuckDisbursement);
