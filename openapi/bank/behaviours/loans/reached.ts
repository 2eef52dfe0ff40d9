/**
 * Judges that each accepted disbursement gets a final outcome, and that a failure has a business reason. Each behaviour compares
 * disbursements without an outcome (`open`) with disbursements that have one (`settled`) and differ in one thing: a value of the
 * request, the time of the first query, or a disbursement that was sent before. `told`: all outcomes of the run.
 */
import { defineLevels } from '../../../clauses/clause.ts';
import { statesSource } from '../../clauses/loans.ts';
import { hasErrors, isCrash } from '../../../history/answers.ts';
import { isPending } from '../../history/outcome-texts.ts';
import { decodeText } from '../../../model/exchange.ts';
import { isRejection } from '../../../model/outcome.ts';
import { maskNumbers } from '../../../util/truncate.ts';
import { broken, compared, kept, notTested, type Verdict } from '../../../behaviours/behaviour.ts';
import { list, optional, reply, word, type EvidenceOf, type Judged } from '../../../behaviours/evidence.ts';
import { makeOutcomeTests, readApplicationId, readOutcome } from './outcome-history.ts';

/** At least this many disbursements must have an outcome before a missing or different outcome counts as a finding. */
export const MIN_CONTROLS = 3;
/** Pairs of a disbursement with the suspected value (A) and one without this value (B): at least this many, as A-B-A-B. */
const MIN_ALTERNATIONS = 2;
/** At least this many disbursements must have an outcome only after the next one was sent. Fewer may need only more time. */
export const MIN_COMPLETED_BY_NEXT = 3;
/** Each query without an outcome is sent this many times, and crashes the bank each time. */
export const MIN_CRASHED_QUERIES = 3;

const RESULT_POINTER = '/data/result';
const queryReply = reply('queryDisbursement');
const disbursementReply = reply('disburse');
type Query = Judged<'queryDisbursement'>;

/** The clause of all behaviours here, and of those in other files that show the same fault in another way. */
export const outcomeClause = {
  id: 'loans.outcome.reached',
  clause: defineLevels('loans').expected(statesSource, 'Each accepted disbursement gets a final outcome.'),
} as const;

/** `followed`: the last queries of disbursements. `told`: all queries of the run that returned an outcome text. */
export const outcomeReached = compared({
  ...outcomeClause,
  control: 'The run follows at least three disbursements to the end.',
  evidence: { followed: list(queryReply), told: list(queryReply) },
  judge({ followed: lastQueries, told: allQueries }) {
    const lastQuery = lastQueries.at(-1);
    if (lastQuery === undefined || lastQueries.length < MIN_CONTROLS)
      return notTested('too few disbursements were accepted');
    if (!lastQueries.every(makeOutcomeTests(allQueries).isSettled))
      return notTested('some disbursements had no final outcome when the run ended');
    return kept(lastQuery);
  },
});

interface WithoutOutcome {
  readonly open: readonly Query[];
  readonly settled: readonly Query[];
  readonly told: readonly Query[];
}

/**
 * Judges disbursements that never get an outcome, while disbursements that differ in one thing always get one. `minCount`: how many
 * of both are needed.
 */
function judgeMissing(
  { open: openQueries, settled: settledQueries, told: allQueries }: WithoutOutcome,
  {
    minCount,
    ...words
  }: { readonly minCount: number; readonly pointer?: string } & Record<'expected' | 'received', string>,
): Verdict {
  const { isSettled } = makeOutcomeTests(allQueries);
  const lastOpenQuery = openQueries.at(-1);
  if (lastOpenQuery === undefined || openQueries.length < minCount || settledQueries.length < minCount)
    return notTested('too few disbursements have no outcome, or too few have one');
  if (openQueries.some(isSettled) || !settledQueries.every(isSettled))
    return notTested('the difference between the disbursements did not decide each outcome');
  return broken(lastOpenQuery, { pointer: RESULT_POINTER, ...words, contrast: settledQueries.at(-1) });
}

/** `again`: queries repeated after a crash of the bank. `what`: the disbursements without an outcome, in words. */
const missingOutcome = {
  open: list(queryReply),
  again: list(queryReply),
  settled: list(queryReply),
  told: list(queryReply),
  what: word,
};
const OUTCOME_AFTER_QUERIES = 'an outcome after as many queries as others needed, and more';

const haveAllQueriesCrashed = ({
  open: openQueries,
  again: repeatedQueries,
}: EvidenceOf<typeof missingOutcome>): boolean => {
  const queries = [...openQueries, ...repeatedQueries];
  return (
    openQueries.length > 0 && queries.length === openQueries.length * MIN_CRASHED_QUERIES && queries.every(isCrash)
  );
};

export const outcomeForEachValue = compared({
  ...outcomeClause,
  way: 'value',
  control: 'Disbursements that were sent with a different input value get an outcome.',
  evidence: missingOutcome,
  judge(evidence) {
    if (haveAllQueriesCrashed(evidence)) return notTested('the queries crashed each time');
    const received = `none for ${evidence.what}`;
    return judgeMissing(evidence, { minCount: MIN_ALTERNATIONS, expected: OUTCOME_AFTER_QUERIES, received });
  },
});

export const queryForEachValue = compared({
  id: 'loans.outcome.request.application-id',
  control: 'The bank answers queries for disbursements that were sent with a different input value.',
  evidence: missingOutcome,
  judge(evidence) {
    if (!haveAllQueriesCrashed(evidence)) return notTested('the queries did not crash each time');
    return judgeMissing(evidence, {
      minCount: MIN_ALTERNATIONS,
      pointer: 'request/path/application_id',
      expected: OUTCOME_AFTER_QUERIES,
      received: `status ${evidence.open.at(-1)?.status} each time for ${evidence.what}`,
    });
  },
});

const timedQueries = { open: list(queryReply), settled: list(queryReply), told: list(queryReply) };

/** `open`: queries soon after the disbursement. `settled`: queries of disbursements that were first queried later. */
export const outcomeWhenAskedEarly = compared({
  ...outcomeClause,
  way: 'asked early',
  control: 'Disbursements whose outcome is queried later get an outcome.',
  evidence: timedQueries,
  judge: (evidence) =>
    judgeMissing(evidence, {
      minCount: MIN_ALTERNATIONS,
      expected: 'an outcome, whether the first query comes early or late',
      received: 'no outcome if the first query came early, and an outcome if the first query came later',
    }),
});

/** `open`: queries before the next disbursement. `settled`: queries soon after the next disbursement. */
export const outcomeWithoutNext = compared({
  ...outcomeClause,
  way: 'waiting',
  control: 'A disbursement gets an outcome after the next disbursement was sent.',
  evidence: timedQueries,
  judge: (evidence) =>
    judgeMissing(evidence, {
      minCount: MIN_COMPLETED_BY_NEXT,
      expected: 'an outcome, whether or not a next disbursement is sent',
      received: `no outcome before the next disbursement, ${MIN_COMPLETED_BY_NEXT} times in turn`,
    }),
});

/**
 * `cause`: the disbursement that may block later disbursements. `disbursed`: the disbursements before `cause`, with the outcomes `before`.
 * `next`: the first disbursement after `cause`. `behind`: the outcomes of disbursements after `cause`. `which`: `cause`, in words.
 */
const blockedDisbursements = {
  ...{ cause: disbursementReply, next: optional(disbursementReply), disbursed: list(disbursementReply) },
  ...{ before: list(queryReply), behind: list(queryReply), told: list(queryReply), which: word },
};

const getSentAt = ({ exchange }: Pick<Query, 'exchange'>): number => exchange.startedAt;

/**
 * Judges a disbursement (`cause`) that blocks all later ones: the bank made all disbursements before `cause` and none after it.
 * Some outcomes must be known before `cause` was sent, because a batch may complete all disbursements at the same time.
 * `areSettled`: whether the blocked disbursements have a final outcome (a failure), or no final outcome.
 */
function judgeBlocking(evidence: EvidenceOf<typeof blockedDisbursements>, areSettled: boolean): Verdict {
  const {
    cause,
    next: nextDisbursement,
    before: outcomesBefore,
    behind: outcomesBehind,
    disbursed: disbursementsBefore,
    told: allOutcomes,
    which: causeText,
  } = evidence;
  const [lastDisbursementBefore, lastOutcomeBehind] = [disbursementsBefore.at(-1), outcomesBehind.at(-1)];
  const { isMade, isSettled } = makeOutcomeTests(allOutcomes);
  if (
    lastDisbursementBefore === undefined ||
    lastOutcomeBehind === undefined ||
    isSettled(lastOutcomeBehind) !== areSettled
  )
    return notTested(`the later disbursements ${areSettled ? 'have no' : 'have an'} outcome`);
  if (!outcomesBefore.every(isMade) || outcomesBehind.some(isMade))
    return notTested('an earlier disbursement was not made, or a later disbursement was made');
  // The last successful disbursement must come directly before the cause. A daily limit would be used up exactly there only by
  // chance.
  if (
    getSentAt(cause) < getSentAt(lastDisbursementBefore) ||
    (nextDisbursement !== undefined && getSentAt(cause) > getSentAt(nextDisbursement))
  )
    return notTested(
      'the suspected disbursement was not sent between the last successful and the first failed disbursement',
    );
  const queriesBeforeCause = allOutcomes.filter((outcome) => getSentAt(outcome) < getSentAt(cause));
  const finalApplicationIds = new Set(
    queriesBeforeCause.filter((outcome) => !isPending(readOutcome(outcome))).map(readApplicationId),
  );
  const finalOutcomesBefore = outcomesBefore.filter((outcome) => finalApplicationIds.has(readApplicationId(outcome)));
  if (finalOutcomesBefore.length < MIN_CONTROLS || outcomesBehind.length < MIN_CONTROLS)
    return notTested('too few outcomes of earlier and later disbursements are known');
  return broken(lastOutcomeBehind, {
    pointer: RESULT_POINTER,
    expected: `an outcome without errors, as all ${outcomesBefore.length} disbursements had until ${causeText} was sent`,
    received: `none of the ${outcomesBehind.length} later disbursements has such an outcome`,
    contrast: outcomesBefore.at(-1),
  });
}

export const disbursementsNotBlocked = compared({
  ...outcomeClause,
  way: 'blocked',
  control: 'The bank makes all disbursements before the disbursement that may block later disbursements.',
  evidence: blockedDisbursements,
  judge: (evidence) => judgeBlocking(evidence, false),
});
export const independentOfFailure = compared({
  id: 'loans.independence',
  control: 'The bank makes all disbursements before the disbursement that may block later disbursements.',
  evidence: blockedDisbursements,
  judge: (evidence) => judgeBlocking(evidence, true),
});

const readStatusAndText = ({ status, exchange: { answer } }: Query): string =>
  `${status} ${answer === null ? '' : maskNumbers(decodeText(answer.bytes))}`;

/**
 * `sent`: a disbursement without an outcome, with its queries `lost`. `later`: a disbursement sent after it, with its query
 * `overtaking`. `idle`: the query for an application without a disbursement.
 */
export const outcomeNotLost = compared({
  ...outcomeClause,
  way: 'lost',
  control: 'A later disbursement has an outcome.',
  evidence: {
    ...{ lost: list(queryReply), idle: queryReply, sent: disbursementReply, later: disbursementReply },
    ...{ overtaking: queryReply, told: list(queryReply) },
  },
  judge({
    lost: lostQueries,
    idle: idleQuery,
    sent: lostDisbursement,
    later: laterDisbursement,
    overtaking: laterQuery,
    told: allQueries,
  }) {
    const lastLostQuery = lostQueries.at(-1);
    const { isSettled, wasFollowed } = makeOutcomeTests(allQueries);
    if (
      lastLostQuery === undefined ||
      !isSettled(laterQuery) ||
      getSentAt(lostDisbursement) >= getSentAt(laterDisbursement)
    )
      return notTested('no later disbursement has an outcome');
    // The bank has a text for pending disbursements. This disbursement does not have this text, so it is not pending.
    if (!allQueries.map(readOutcome).some((text) => isPending(text) || wasFollowed(text)))
      return notTested('no answer of the bank has a text for a pending disbursement');
    if (
      ![...lostQueries, idleQuery].every(isRejection) ||
      readStatusAndText(lastLostQuery) !== readStatusAndText(idleQuery)
    )
      return notTested('the bank does not answer the query like a query for an application without a disbursement');
    return broken(lastLostQuery, {
      expected: 'an outcome, or the text for a pending disbursement, as other disbursements have it',
      received: `status ${lastLostQuery.status}, as for an application without a disbursement`,
      contrast: idleQuery,
    });
  },
});

/** At least this many disbursements with the value (A) must fail. Disbursements with a different value (B) are made: A-B-B-A-A. */
const MIN_FAILED_DISBURSEMENTS = 3;
const MIN_SUCCESSFUL_DISBURSEMENTS = 2;

/** `failed`, `made`: the outcomes of both. `what`: the disbursements that fail, in words. */
export const failureExplained = compared({
  id: 'loans.disbursement.refusal-explained',
  control: 'The bank makes the same disbursement with a different value.',
  evidence: { failed: list(queryReply), made: list(queryReply), told: list(queryReply), what: word },
  judge({ failed: failedOutcomes, made: successfulOutcomes, told: allOutcomes, what: failedText }) {
    const { isSettled, isMade } = makeOutcomeTests(allOutcomes);
    const lastFailedOutcome = failedOutcomes.at(-1);
    if (
      lastFailedOutcome === undefined ||
      failedOutcomes.length < MIN_FAILED_DISBURSEMENTS ||
      successfulOutcomes.length < MIN_SUCCESSFUL_DISBURSEMENTS
    )
      return notTested('too few failed and successful disbursements alternate');
    if (
      !successfulOutcomes.every(isMade) ||
      !failedOutcomes.every((outcome) => isSettled(outcome) && hasErrors(outcome.body))
    )
      return notTested('the value did not decide each outcome');
    return broken(lastFailedOutcome, {
      pointer: RESULT_POINTER,
      expected:
        'the outcome that the same disbursement has with a different value, or a business reason for the refusal',
      received: `"${String(readOutcome(lastFailedOutcome))}" each time for ${failedText}`,
      contrast: successfulOutcomes.at(-1),
    });
  },
});
