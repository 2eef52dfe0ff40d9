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
  readonly sentAt: number;
  /** The last query with this text. */
  readonly last: Query;
  /** The next query, which returned another text. */
  readonly next: Query | undefined;
  /** From the answer to the disbursement request to the last query with this text, or to the first answer with another text. */
  readonly durationMs: number;
}

/** Measures how long a disbursement had `text`; null if no query returned the text, or if the outcome returned to it. */
function measureTextDuration(text: string, disbursement: Disbursed, answers: readonly Query[]): TextDuration | null {
  const acceptedAt = getEndMs(disbursement);
  const queries = answers
    .filter((query) => readApplicationId(query) === readApplicationId(disbursement) && getStartMs(query) >= acceptedAt)
    .toSorted((a, b) => getStartMs(a) - getStartMs(b));
  const firstIndex = queries.findIndex((query) => readOutcomeText(query) === text);
  const lastIndex = queries.findLastIndex((query) => readOutcomeText(query) === text);
  const last = queries[lastIndex];
  const hasReturned = queries.slice(firstIndex, lastIndex).some((query) => readOutcomeText(query) !== text);
  if (last === undefined || hasReturned) return null;
  const next = queries[lastIndex + 1];
  const endMs = next === undefined ? getStartMs(last) : getEndMs(next);
  return { sentAt: getStartMs(disbursement), last, next, durationMs: endMs - acceptedAt };
}

/**
 * True if at least three texts changed at different times. If all texts change together, the bank works in batches, and the next
 * batch may come later. A change is seen between the last query with the text and the next query. Counts changes that do not overlap.
 */
function haveChangedAtDifferentTimes(changed: readonly TextDuration[]): boolean {
  let [separateChanges, until] = [0, -Infinity];
  for (const { last, next } of changed.toSorted((a, b) => getEndMs(a.next ?? a.last) - getEndMs(b.next ?? b.last)))
    if (next !== undefined && getStartMs(last) > until)
      [separateChanges, until] = [separateChanges + 1, getEndMs(next)];
  return separateChanges >= MIN_CHANGED_TEXTS;
}

const formatSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const disbursements = list(reply('disburse'));

/**
 * `resting`: disbursements that may be stuck. `left`: disbursements whose text may have changed. `fresh`: a disbursement that was
 * sent last. `told`: all outcomes of the run.
 */
export const outcomeNotStuck = compared({
  ...outcomeClause,
  way: 'stuck',
  control: 'The same outcome text of other disbursements changes much sooner.',
  evidence: {
    resting: disbursements,
    left: disbursements,
    fresh: optional(reply('disburse')),
    told: list(reply('queryDisbursement')),
  },
  judge({ resting, left: others, fresh, told }) {
    const answers = told.filter(({ accepted }) => accepted);
    const findLastAnswer = (disbursement: Disbursed): Query | undefined =>
      answers.findLast((query) => readApplicationId(query) === readApplicationId(disbursement));
    const [lastAnswer] = resting.map(findLastAnswer);
    if (lastAnswer === undefined) return notTested('no disbursement rests at an outcome text');
    const text = readOutcomeText(lastAnswer);
    const measure = (disbursement: Disbursed) => measureTextDuration(text, disbursement, answers);
    const changed = others.flatMap((disbursement) => {
      const duration = measure(disbursement);
      return duration?.next === undefined || hasErrors(duration.next.body) ? [] : [duration];
    });
    const [slowest] = changed.toSorted((a, b) => b.durationMs - a.durationMs);
    if (slowest === undefined || changed.length < MIN_CHANGED_TEXTS)
      return notTested('the text changed for too few other disbursements');
    const minStuckMs = Math.max(MIN_STUCK_MS, MIN_SLOWDOWN * slowest.durationMs);
    const isLong = (duration: TextDuration | null): duration is TextDuration =>
      duration !== null && duration.next === undefined && duration.durationMs > minStuckMs;
    const isOvertaken = ({ sentAt, last }: TextDuration): boolean =>
      changed.filter((later) => later.sentAt > sentAt && getEndMs(later.next ?? later.last) < getStartMs(last))
        .length >= MIN_LATER_COMPLETED;
    const isFreshStuck = fresh !== undefined && isLong(measure(fresh));
    const isStuck = (duration: TextDuration | null): duration is TextDuration =>
      isLong(duration) && (isOvertaken(duration) || (isFreshStuck && haveChangedAtDifferentTimes(changed)));
    const stuck = resting.map(measure).filter(isStuck);
    const by = stuck.at(-1)?.last;
    if (by === undefined || stuck.length < MIN_STUCK)
      return notTested('the disbursements do not rest much longer than others, or time may explain it');
    const shortestMs = Math.min(...stuck.map(({ durationMs }) => durationMs));
    return broken(by, {
      pointer: '/data/result',
      expected: `another text, as ${changed.length} others had within ${formatSeconds(slowest.durationMs)}`,
      received: `"${text}" of ${stuck.length} disbursements, still after ${formatSeconds(shortestMs)}`,
      contrast: slowest.next,
    });
  },
});
