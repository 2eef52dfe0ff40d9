/** Disbursements that rest at a text which others left long ago: they are stuck. No word of a text is read. */
import type { Answered, Check, Compared } from '../../model/check.ts';
import { hasErrors } from '../../history/answer-data.ts';
import { withoutNumbers } from '../../util/truncate.ts';
import { ruled, type Ruling } from '../check.ts';
import { applicationOf, resultOf } from './settled.ts';

/** Times as long as the slowest of the others: processing times differ, but hardly by an order of magnitude. */
export const SLOWER = 10;
/** Milliseconds within which nobody calls a disbursement stuck, however fast the others are. */
export const LEAST_MS = 10_000;
/** One application may have been picked out by hand. */
export const MIN_RESTING = 2;
/** Applications that have left the text: as many as for other outcomes. */
const MIN_LEFT = 3;
/** Applications that were asked for later and are done: one may have been preferred. */
const MIN_OVERTAKING = 2;

const sentAt = ({ exchange }: Answered): number => exchange.startedAt;
const answeredAt = ({ exchange }: Answered): number => exchange.startedAt + exchange.durationMs;
const textOf = (query: Answered): string => withoutNumbers(String(resultOf(query)));

/** How long a disbursement stood at a text. All times in milliseconds since the epoch. */
interface Stay {
  /** When it was asked for. */
  readonly since: number;
  /** The last query that was answered with the text. */
  readonly last: Answered;
  /** The first query that was answered otherwise after that. */
  readonly next: Answered | undefined;
  /** From the answer to the disbursement to the last query with the text, or, where it left, to the first other answer. */
  readonly lasted: number;
}

/** The stay of a disbursement at `text`; null where no query showed it, or it came back to it. */
function stayAt(text: string, disbursement: Answered, told: readonly Answered[]): Stay | null {
  const since = answeredAt(disbursement);
  const queries = told
    .filter((query) => applicationOf(query) === applicationOf(disbursement) && sentAt(query) >= since)
    .toSorted((a, b) => sentAt(a) - sentAt(b));
  const first = queries.findIndex((query) => textOf(query) === text);
  const end = queries.findLastIndex((query) => textOf(query) === text);
  const last = queries[end];
  if (last === undefined || queries.slice(first, end).some((query) => textOf(query) !== text)) return null;
  const next = queries[end + 1];
  const lasted = (next === undefined ? sentAt(last) : answeredAt(next)) - since;
  return { since: sentAt(disbursement), last, next, lasted };
}

/** True where some left one after the other: what leaves together is settled in batches, and a batch may be due later. */
function leftApart(left: readonly Stay[]): boolean {
  let [apart, until] = [0, -Infinity];
  for (const { last, next } of left.toSorted((a, b) => answeredAt(a.next ?? a.last) - answeredAt(b.next ?? b.last)))
    if (next !== undefined && sentAt(last) > until) [apart, until] = [apart + 1, answeredAt(next)];
  return apart >= MIN_LEFT;
}

/** Two disbursements that rest, beside those that left the same text without errors. */
function stuckAt({ all }: Compared): Ruling | null {
  const [resting, others, told, fresh] = [all('resting'), all('left'), all('told'), all('fresh').at(-1)];
  const answered = told.filter(({ accepted }) => accepted);
  const lastOf = (disbursement: Answered): Answered | undefined =>
    answered.findLast((query) => applicationOf(query) === applicationOf(disbursement));
  const text = resting.map(lastOf).map((query) => query && textOf(query))[0];
  if (text === undefined) return null;
  const left = others.flatMap((one) => {
    const stay = stayAt(text, one, answered);
    return stay?.next === undefined || hasErrors(stay.next.body) ? [] : [stay];
  });
  if (left.length < MIN_LEFT) return null;
  const slowest = left.toSorted((a, b) => b.lasted - a.lasted)[0] as Stay;
  const isLong = (stay: Stay | null): stay is Stay =>
    stay !== null && stay.next === undefined && stay.lasted > Math.max(LEAST_MS, SLOWER * slowest.lasted);
  const isOvertaken = (stay: Stay): boolean =>
    left.filter((one) => one.since > stay.since && answeredAt(one.next ?? one.last) < sentAt(stay.last)).length >=
    MIN_OVERTAKING;
  const isFreshStuck = fresh !== undefined && isLong(stayAt(text, fresh, answered));
  const isStuck = (stay: Stay | null): stay is Stay =>
    isLong(stay) && (isOvertaken(stay) || (isFreshStuck && leftApart(left)));
  const stuck = resting.map((one) => stayAt(text, one, answered)).filter(isStuck);
  const by = stuck.at(-1)?.last;
  if (by === undefined || stuck.length < MIN_RESTING) return null;
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

export const stuckCheck: Check = ruled('loans.outcome.reached', stuckAt);
