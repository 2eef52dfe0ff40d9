/** No disbursement is stuck: its outcome text does not stay when the same text of other disbursements changed long ago. */
import { hasErrors } from '../../history/answers.ts';
import { maskNumbers } from '../../util/truncate.ts';
import { broken, compared, notTested } from '../behaviour.ts';
import { list, optional, reply, type Judged } from '../evidence.ts';
import { REACHED_CLAUSE } from './reached.ts';
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
interface Stay {
  readonly since: number;
  readonly last: Query;
  readonly next: Query | undefined;
  /** From the answer to the disbursement request to the last query with this text, or to the first answer with another text. */
  readonly lasted: number;
}

/** Measures how long a disbursement had `text`; null if no query returned the text, or if the outcome returned to it. */
function measureTextDuration(text: string, disbursement: Disbursed, told: readonly Query[]): Stay | null {
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

/** If all outcomes change together, the bank works in batches, and the next batch may come later. */
function haveChangedAtDifferentTimes(left: readonly Stay[]): boolean {
  let [apart, until] = [0, -Infinity];
  for (const { last, next } of left.toSorted((a, b) => getEndMs(a.next ?? a.last) - getEndMs(b.next ?? b.last)))
    if (next !== undefined && getStartMs(last) > until) [apart, until] = [apart + 1, getEndMs(next)];
  return apart >= MIN_CHANGED_TEXTS;
}

const formatSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const disbursements = list(reply('disburse'));

export const outcomeNotStuck = compared({
  id: 'loans.outcome.reached',
  way: 'stuck',
  clause: REACHED_CLAUSE,
  control: 'The same outcome text of other disbursements changes much sooner.',
  evidence: {
    resting: disbursements,
    left: disbursements,
    fresh: optional(reply('disburse')),
    told: list(reply('queryDisbursement')),
  },
  judge({ resting, left: others, fresh, told }) {
    const answered = told.filter(({ accepted }) => accepted);
    const lastOf = (disbursement: Disbursed): Query | undefined =>
      answered.findLast((query) => readApplicationId(query) === readApplicationId(disbursement));
    const text = resting.map(lastOf).map((query) => query && readOutcomeText(query))[0];
    if (text === undefined) return notTested('no disbursement rests at an outcome text');
    const left = others.flatMap((one) => {
      const stay = measureTextDuration(text, one, answered);
      return stay?.next === undefined || hasErrors(stay.next.body) ? [] : [stay];
    });
    const [slowest] = left.toSorted((a, b) => b.lasted - a.lasted);
    if (slowest === undefined || left.length < MIN_CHANGED_TEXTS)
      return notTested('the text changed for too few other disbursements');
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
    if (by === undefined || stuck.length < MIN_STUCK)
      return notTested('the disbursements do not rest much longer than others, or time may explain it');
    return broken(by, {
      pointer: '/data/result',
      expected: `another text, as ${left.length} others had within ${formatSeconds(slowest.lasted)}`,
      received: `"${text}" of ${stuck.length} disbursements, still after ${formatSeconds(Math.min(...stuck.map(({ lasted }) => lasted)))}`,
      contrast: slowest.next,
    });
  },
});
