/** Finds disbursements without a final outcome, with a changed outcome, or with a failure that no business rule explains. */
import type { Answered, Check, Compared } from '../../model/check.ts';
import { isRejection } from '../../model/outcome.ts';
import type { ClauseId } from '../../clauses/index.ts';
import { hasErrors } from '../../history/answer-data.ts';
import { isCrash } from '../../history/describe.ts';
import { isPending } from '../../history/outcome-texts.ts';
import { decodeText } from '../../model/exchange.ts';
import { maskNumbers } from '../../util/truncate.ts';
import { checkComparison, type Ruling } from '../check.ts';
import { readApplicationId, readOutcome, makeOutcomeTests } from '../../behaviours/loans/settled.ts';

/** At least this many disbursements must have an outcome before a missing or different outcome counts as a finding. */
export const MIN_CONTROLS = 3;
/** Disbursements with the value and without it must alternate this many times: A-B-A-B. */
export const MIN_ALTERNATIONS = 2;
/**
 * This many times, a disbursement must complete the disbursement before it. This is one more than `MIN_ALTERNATIONS`, because
 * time may be the reason.
 */
export const MIN_COMPLETED_BY_NEXT = 3;
/** At least this many queries of one outcome must crash. */
export const MIN_CRASHED_QUERIES = 3;

const RESULT_POINTER = '/data/result';

/** Finds disbursements that never get an outcome, although disbursements that differ in one value always get one. */
function findMissingOutcomes({ all, about }: Compared): Ruling | null {
  const [open, waiting, settled] = [all('open'), all('waiting'), all('settled')];
  const { isSettled } = makeOutcomeTests(all('told'));
  const times = waiting.length > 0 ? MIN_COMPLETED_BY_NEXT : MIN_ALTERNATIONS;
  const missing = [...open, ...waiting];
  const by = missing.at(-1);
  if (by === undefined || missing.length < times || settled.length < times) return null;
  if (missing.some(isSettled) || !settled.every(isSettled)) return null;
  const { expected = '', received = '' } = about;
  return { by, holds: false, pointer: RESULT_POINTER, expected, received, contrast: settled.at(-1) };
}

/** True if, for all disbursements without an outcome, all queries crashed. */
const haveAllQueriesCrashed = ({ all }: Compared): boolean => {
  const [open, again] = [all('open'), all('again')];
  const queries = [...open, ...again];
  return open.length > 0 && queries.length === open.length * MIN_CRASHED_QUERIES && queries.every(isCrash);
};

/**
 * Makes a check for a disbursement that blocks all later ones: the bank made all disbursements before it and none after it. Some
 * outcomes must be final before it: a batch may complete all disbursements at the same time.
 */
const checkBlockingDisbursement = (clause: ClauseId, isOfSettled: boolean): Check =>
  checkComparison(clause, ({ one, all, about }) => {
    const [cause, next, before, behind] = [one('cause'), one('next'), all('before'), all('behind')];
    const [last, by, told] = [all('disbursed').at(-1), behind.at(-1), all('told')];
    if (cause === undefined || last === undefined || by === undefined) return null;
    const { isMade, isSettled } = makeOutcomeTests(told);
    if (isSettled(by) !== isOfSettled || !before.every(isMade) || behind.some(isMade)) return null;
    const sentAt = ({ exchange }: Answered): number => exchange.startedAt;
    // The last successful disbursement must come directly before the cause. A daily limit would be used up exactly there only by
    // chance.
    if (sentAt(cause) < sentAt(last) || (next !== undefined && sentAt(cause) > sentAt(next))) return null;
    const known = new Set(
      told.filter((query) => sentAt(query) < sentAt(cause) && !isPending(readOutcome(query))).map(readApplicationId),
    );
    const knownBefore = before.filter((query) => known.has(readApplicationId(query)));
    if (knownBefore.length < MIN_CONTROLS || behind.length < MIN_CONTROLS) return null;
    return {
      by,
      holds: false,
      pointer: RESULT_POINTER,
      expected: `an outcome without errors, as all ${before.length} disbursements had until ${about['which']} was sent`,
      received: `none of the ${behind.length} behind it has one`,
      contrast: before.at(-1),
    };
  });

/** Returns the status and the text of an answer, without numbers in the text. */
const readStatusAndText = ({ status, exchange: { answer } }: Answered): string =>
  `${status} ${answer === null ? '' : maskNumbers(decodeText(answer.bytes))}`;

/** Finds a disbursement that the bank answers like an unknown application, while it knows the outcome of a later disbursement. */
function findLostDisbursement({ one, all }: Compared): Ruling | null {
  const [queries, idle, overtaking, told] = [all('lost'), one('idle'), one('overtaking'), all('told')];
  const [sent, later] = all('disbursed');
  const by = queries.at(-1);
  if (by === undefined || idle === undefined || overtaking === undefined || sent === undefined || later === undefined)
    return null;
  const { isSettled, wasFollowed } = makeOutcomeTests(told);
  if (!isSettled(overtaking) || sent.exchange.startedAt >= later.exchange.startedAt) return null;
  // The bank has a text for pending disbursements. This disbursement does not have this text, so it is not pending.
  if (!told.map(readOutcome).some((text) => isPending(text) || wasFollowed(text))) return null;
  if (![...queries, idle].every(isRejection) || readStatusAndText(by) !== readStatusAndText(idle)) return null;
  return {
    by,
    holds: false,
    expected: 'an outcome, or the words for a disbursement under way, as others have them',
    received: `status ${by.status}, as for an application without a disbursement`,
    contrast: idle,
  };
}

/** This many disbursements with a value must fail, and this many without it must succeed, in the order A-B-B-A-A. */
const [FAILED, MADE] = [3, 2];

export const outcomeChecks: readonly Check[] = [
  checkComparison('loans.outcome.reached', ({ all }) => {
    const [followed, { isSettled }] = [all('followed'), makeOutcomeTests(all('told'))];
    const by = followed.at(-1);
    if (by === undefined || followed.length < MIN_CONTROLS || !followed.every(isSettled)) return null;
    return { by, holds: true, expected: 'an outcome' };
  }),
  checkComparison('loans.outcome.reached', (compared) =>
    haveAllQueriesCrashed(compared) ? null : findMissingOutcomes(compared),
  ),
  checkComparison('loans.outcome.request.application-id', (compared) => {
    const ruling = haveAllQueriesCrashed(compared) ? findMissingOutcomes(compared) : null;
    return ruling && { ...ruling, pointer: 'request/path/application_id' };
  }),
  checkComparison('loans.outcome.reached', findLostDisbursement),
  checkBlockingDisbursement('loans.outcome.reached', false),
  checkBlockingDisbursement('loans.independence', true),
  checkComparison('loans.disbursement.refusal-explained', ({ all, about }) => {
    const [failed, made, { isSettled, isMade }] = [all('failed'), all('made'), makeOutcomeTests(all('told'))];
    const by = failed.at(-1);
    if (by === undefined || failed.length < FAILED || made.length < MADE) return null;
    if (!made.every(isMade) || !failed.every((reply) => isSettled(reply) && hasErrors(reply.body))) return null;
    return {
      by,
      holds: false,
      pointer: RESULT_POINTER,
      expected: 'the outcome of the same disbursement with another value, or a business reason for the refusal',
      received: `"${String(readOutcome(by))}" each time for ${about['what']}`,
      contrast: made.at(-1),
    };
  }),
];
