/** Compares two identical requests at the same time with the same two requests one after the other. */
import type { Answered, RequestResult, Check } from '../model/check.ts';
import type { ClauseId } from '../clauses/index.ts';
import { isCrash } from '../history/describe.ts';
import { isRefusal } from '../model/outcome.ts';
import { checkComparison } from './check.ts';

/** At least this many pairs that are sent one after the other must have the same result: a single one may be an accident. */
export const SEQUENTIAL_ROUNDS = 2;
/** The number of pairs that are sent at the same time. */
export const CONCURRENT_ROUNDS = 2;
/** Each pair has its own entity. One more pair is sent one after the other at the end. */
export const ENTITY_COUNT = SEQUENTIAL_ROUNDS + CONCURRENT_ROUNDS + 1;
/** If the second request of a pair crashes, it is sent again: this many times in total. */
const MAX_SECOND_REQUEST_TRIES = 2;

/** The result of the second request: refused, or accepted with the same id as the first. */
export type End = 'refused' | 'same';

/** The answer field with the id of the created resource; undefined if there is no such field. */
type Field = 'application_id' | 'order_id' | undefined;

interface Sent extends RequestResult {
  readonly data: object;
}

const readCreatedId = ({ data }: Sent, field: Field): unknown =>
  (data as Readonly<Record<string, unknown>>)[field ?? ''];
const haveSameId = (a: Sent, b: Sent, field: Field): boolean =>
  field !== undefined && a.accepted && b.accepted && readCreatedId(a, field) === readCreatedId(b, field);

/** Returns the result of the second request: refused, or accepted with the id of the first request. Null for any other result. */
export function classifySecond(first: Sent, second: Sent | undefined, field: Field): End | null {
  if (!first.accepted || second === undefined) return null;
  return isRefusal(second) ? 'refused' : haveSameId(first, second, field) ? 'same' : null;
}

/** True if both requests were in flight at the same time. */
const wereConcurrent = ({ exchange: { ticks: a } }: Answered, { exchange: { ticks: b } }: Answered): boolean =>
  a !== undefined && b !== undefined && a[0] < b[1] && b[0] < a[1];

const checkRace = (clause: ClauseId, end: End, field?: Field): Check =>
  checkComparison(clause, ({ one, all }) => {
    const [firsts, seconds, a, b] = [all('first'), all('second'), one('one'), one('other')];
    if (a === undefined || b === undefined || !wereConcurrent(a, b)) return null;
    const ends = firsts.map((first, nth) => classifySecond(first, seconds[nth], field));
    const sequentialEnds = ends.slice(0, SEQUENTIAL_ROUNDS);
    if (sequentialEnds.length < SEQUENTIAL_ROUNDS || sequentialEnds.some((actual) => actual !== end)) return null;
    // If different pairs got the same id, the id proves nothing.
    if (end === 'same' && new Set(seconds.map((second) => readCreatedId(second, field))).size < SEQUENTIAL_ROUNDS)
      return null;
    const areBothAccepted = a.accepted && b.accepted && !haveSameId(a, b, field);
    // A rate limit may explain the refusals. So the second request must be refused again after a pause.
    if (areBothAccepted && end === 'refused' && ends[SEQUENTIAL_ROUNDS] !== 'refused') return null;
    return {
      by: b,
      holds: !areBothAccepted,
      expected: `${end === 'refused' ? 'a refusal' : `the same ${field}`} for one of two requests at the same time, as for the second of two in a row`,
      received: end === 'refused' ? 'both were accepted' : `another ${field} for each`,
      contrast: seconds[0],
    };
  });

export const raceChecks: readonly Check[] = [
  checkRace('loans.contract.once', 'refused'),
  checkRace('loans.disbursement.once', 'refused'),
  checkRace('loans.application.once', 'refused', 'application_id'),
  checkRace('loans.application.same-at-once', 'same', 'application_id'),
  checkRace('links.link.once', 'refused', 'order_id'),
  checkRace('links.link.same-at-once', 'same', 'order_id'),
  // The repeated request is a mistake of the client, but the bank must not crash.
  checkComparison('service.odd-input', ({ one, all }) => {
    const repeated = all('repeated');
    const [by] = repeated;
    if (by === undefined || repeated.length < SEQUENTIAL_ROUNDS * MAX_SECOND_REQUEST_TRIES || !repeated.every(isCrash))
      return null;
    return { by, holds: false, expected: 'a status below 500', contrast: one('first') };
  }),
];
