/** Compares two requests sent at once with the same two requests sent in a row. */
import type { Answered, Came, Check } from '../model/check.ts';
import type { ClauseId } from '../clauses/index.ts';
import { isCrash } from '../history/describe.ts';
import { isRefusal } from '../model/outcome.ts';
import { ruled } from './check.ts';

/** At least this many pairs in a row must have the same end: one may be an accident. */
export const IN_A_ROW = 2;
/** Number of rounds with both requests at once. */
export const AT_ONCE = 2;
/** Each round has its own entity, and so has the last pair in a row. */
export const ENTITIES = IN_A_ROW + AT_ONCE + 1;
/** The second request of a pair is sent this many times if it crashes. */
const TIMES_SENT = 2;

/** How the second of two requests in a row ended: refused, or with the id of the first. */
export type End = 'refused' | 'same';

/** The answer field with the id of the created resource; undefined if there is no such field. */
type Field = 'application_id' | 'order_id' | undefined;

interface Sent extends Came {
  readonly data: object;
}

const idIn = ({ data }: Sent, field: Field): unknown => (data as Readonly<Record<string, unknown>>)[field ?? ''];
const isSame = (one: Sent, other: Sent, field: Field): boolean =>
  field !== undefined && one.accepted && other.accepted && idIn(one, field) === idIn(other, field);

/** Returns how two requests in a row ended; null if the second was neither refused nor got the id of the first. */
export function endOf(first: Sent, second: Sent | undefined, field: Field): End | null {
  if (!first.accepted || second === undefined) return null;
  return isRefusal(second) ? 'refused' : isSame(first, second, field) ? 'same' : null;
}

/** True if both requests were in flight at the same time. */
const overlap = ({ exchange: one }: Answered, { exchange: other }: Answered): boolean =>
  one.ticks !== undefined &&
  other.ticks !== undefined &&
  one.ticks[0] < other.ticks[1] &&
  other.ticks[0] < one.ticks[1];

const raceCheck = (clause: ClauseId, end: End, field?: Field): Check =>
  ruled(clause, ({ one, all }) => {
    const [firsts, seconds, a, b] = [all('first'), all('second'), one('one'), one('other')];
    if (a === undefined || b === undefined || !overlap(a, b)) return null;
    const ends = firsts.map((first, nth) => endOf(first, seconds[nth], field));
    const inARow = ends.slice(0, IN_A_ROW);
    if (inARow.length < IN_A_ROW || inARow.some((one) => one !== end)) return null;
    // If different pairs got the same id, it proves nothing.
    if (end === 'same' && new Set(seconds.map((second) => idIn(second, field))).size < IN_A_ROW) return null;
    const isTwice = a.accepted && b.accepted && !isSame(a, b, field);
    // A rate limit may have refused the pairs in a row. The second request must be refused again after a pause.
    if (isTwice && end === 'refused' && ends[IN_A_ROW] !== 'refused') return null;
    const [second, does] = end === 'refused' ? ['be refused', 'is'] : ['bring the same', 'does'];
    return {
      by: b,
      holds: !isTwice,
      expected: `one of two at once to ${second}, as the second of two in a row ${does}`,
      received: end === 'refused' ? 'both were accepted' : `another ${field} for each`,
      contrast: seconds[0],
    };
  });

export const raceChecks: readonly Check[] = [
  raceCheck('loans.contract.once', 'refused'),
  raceCheck('loans.disbursement.once', 'refused'),
  raceCheck('loans.application.once', 'refused', 'application_id'),
  raceCheck('loans.application.same-at-once', 'same', 'application_id'),
  raceCheck('links.link.once', 'refused', 'order_id'),
  raceCheck('links.link.same-at-once', 'same', 'order_id'),
  // A repeated request is a mistake of the client. The bank must not crash.
  ruled('service.odd-input', ({ one, all }) => {
    const repeated = all('repeated');
    const [by] = repeated;
    if (by === undefined || repeated.length < IN_A_ROW * TIMES_SENT || !repeated.every(isCrash)) return null;
    return { by, holds: false, expected: 'a status below 500', contrast: one('first') };
  }),
];
