/** Judges that concurrent disbursements from one account lower its limit by their sum, and not below zero. */
import { defineLevels } from '../../../clauses/clause.ts';
import { offerField, statesSource } from '../../clauses/loans.ts';
import { hasErrors } from '../../../history/answers.ts';
import { makePendingTest } from '../../history/outcome-texts.ts';
import { isRejection, isThrottled } from '../../../model/outcome.ts';
import { broken, compared, kept, notTested, type Verdict } from '../../../behaviours/behaviour.ts';
import { list, reply, type Judged } from '../../../behaviours/evidence.ts';
import {
  formatCents,
  limitEvidence,
  readAmount,
  readInput,
  readIntervals,
  readTimes,
  type Interval,
  type LimitEvidence,
} from './account-limits.ts';
import {
  computeDueDecrease,
  isBetweenEqualReadings,
  isDisbursement,
  isUnexplainedByFee,
  MIN_HOLD_MS,
  readApplicationId,
  readLedger,
  sumCents,
  type DisbursementInterval,
  type ComparedLedger,
} from './limit-rule.ts';
import { listOutcomeTexts, readOutcome } from './outcome-history.ts';

type Disbursement = Judged<'disburse'>;

const { money } = defineLevels('loans');
const LIMIT_POINTER = '/data/infos/*/avaliable_limit';

/** True if each disbursement was in flight at the same time as a second disbursement of the list. */
const areConcurrent = (disbursements: readonly Disbursement[]): boolean =>
  disbursements.length > 1 &&
  disbursements.every((disbursement) =>
    disbursements.some((otherDisbursement) => {
      const [times, otherTimes] = [readTimes(disbursement), readTimes(otherDisbursement)];
      return (
        otherDisbursement !== disbursement &&
        times.sentAt < otherTimes.answeredAt &&
        otherTimes.sentAt < times.answeredAt
      );
    }),
  );

const joinAmounts = (amountsCents: readonly bigint[]): string => amountsCents.map(formatCents).join(', ');

/**
 * Returns the sums of some of the amounts. Each amount that counts has the fee. The limit decreases by such a sum if the bank forgets
 * the other disbursements. Example: amounts 30 and 50 with the fee 1 give 0, 31, 51 and 82.
 */
function listPartialSums(amountsCents: readonly bigint[], feeCents: bigint): ReadonlySet<bigint> {
  const sumsCents = new Set([0n]);
  for (const amountCents of amountsCents)
    for (const sumCents of [...sumsCents]) sumsCents.add(sumCents + amountCents + feeCents);
  return sumsCents;
}

/** True if the limit decreased as if the bank had forgotten some of the disbursements, or had counted some twice. */
function isMiscounted(interval: DisbursementInterval, ledger: ComparedLedger): boolean {
  const { rule } = ledger;
  const { amountsCents, decreaseCents } = interval;
  const excessCents = decreaseCents - computeDueDecrease(interval, rule);
  const partialSumsCents = listPartialSums(amountsCents, rule.feeCents);
  return (
    isUnexplainedByFee(interval, ledger) && (partialSumsCents.has(decreaseCents) || partialSumsCents.has(excessCents))
  );
}

/** True if the limit was still the same some seconds after an interval: a bank may book late, or show an old limit for a while. */
const isLimitLasting = (disbursementInterval: DisbursementInterval, intervals: readonly Interval[]): boolean =>
  intervals.some(
    ({ accountId, changes, decreaseCents, limitCents, readingAfter }) =>
      accountId === disbursementInterval.accountId &&
      changes.length === 0 &&
      decreaseCents === 0n &&
      limitCents === disbursementInterval.limitCents - disbursementInterval.decreaseCents &&
      readingAfter.exchange.startedAt - disbursementInterval.readingAfter.exchange.startedAt >= MIN_HOLD_MS,
  );

export const parallelSum = compared({
  id: 'loans.parallel-disbursements.sum',
  clause: money(
    offerField('avaliable_limit'),
    'Disbursements of several applications at the same time lower the limit of their account by the sum of their amounts.',
  ),
  control:
    'At least three single disbursements lower the limit by the same rule, and equal limits come before and after.',
  evidence: limitEvidence,
  judge(evidence) {
    const ledger = readLedger(evidence, ({ amountsCents }) => amountsCents.length === 1);
    if (typeof ledger === 'string') return notTested(ledger);
    const { rule } = ledger;
    const testedIntervals = ledger.usualIntervals
      .filter(({ changes }) => areConcurrent(changes.filter(isDisbursement)))
      .filter(isBetweenEqualReadings);
    const [firstInterval] = testedIntervals;
    if (firstInterval === undefined)
      return notTested(
        'no disbursements were made at the same time between two limits that were each confirmed by a second reading',
      );
    const intervals = readIntervals(evidence) ?? [];
    const miscountedIntervals = testedIntervals.filter((interval) => isMiscounted(interval, ledger));
    const lastingMiscount = miscountedIntervals.find((interval) => isLimitLasting(interval, intervals));
    if (lastingMiscount === undefined)
      return miscountedIntervals.length > 0
        ? notTested('the limit was not read again some seconds after the disbursements at the same time')
        : kept(firstInterval.readingAfter, {
            contrast: firstInterval.firstDisbursement,
            count: testedIntervals.length,
          });
    const { limitCents, decreaseCents, amountsCents } = lastingMiscount;
    return broken(lastingMiscount.readingAfter, {
      contrast: lastingMiscount.firstDisbursement,
      pointer: LIMIT_POINTER,
      expected: `${formatCents(limitCents - computeDueDecrease(lastingMiscount, rule))} left of ${formatCents(limitCents)} after disbursements of ${joinAmounts(amountsCents)} at the same time, as ${rule.fittingIntervals.length} single disbursements show`,
      received: formatCents(limitCents - decreaseCents),
    });
  },
});

type DisbursementResult = 'made' | 'not made' | 'unknown';

/** Returns whether the bank made a disbursement. An answer that throttles the request does not show the result. */
function findResult(disbursement: Disbursement, { outcomes }: LimitEvidence): DisbursementResult {
  if (isThrottled(disbursement.exchange.answer)) return 'unknown';
  if (isRejection(disbursement)) return 'not made';
  const lastOutcome = outcomes.findLast((outcome) => readApplicationId(outcome) === readApplicationId(disbursement));
  const isPending = makePendingTest(listOutcomeTexts(outcomes));
  if (!disbursement.accepted || lastOutcome?.accepted !== true || isPending(readOutcome(lastOutcome))) return 'unknown';
  return hasErrors(lastOutcome.body) ? 'not made' : 'made';
}

const readAmountsCents = (disbursements: readonly Disbursement[]): readonly bigint[] =>
  disbursements.flatMap(({ exchange }) => readAmount(exchange.request.asked['amount']) ?? []);

/** Returns the interval, between equal readings, with exactly the disbursements that the bank did not reject. */
function findInterval(disbursements: readonly Disbursement[], intervals: readonly Interval[]): Interval | undefined {
  const [firstDisbursement] = disbursements;
  const applicationIds = disbursements.filter((disbursement) => !isRejection(disbursement)).map(readApplicationId);
  if (firstDisbursement === undefined || applicationIds.length === 0) return undefined;
  return intervals.filter(isBetweenEqualReadings).find(({ accountId, changes }) => {
    const applicationIdsInInterval = changes.filter(isDisbursement).map(readApplicationId);
    return (
      accountId === readInput(firstDisbursement, 'account_id') &&
      applicationIds.length === applicationIdsInInterval.length &&
      applicationIds.every((applicationId) => applicationIdsInInterval.includes(applicationId))
    );
  });
}

const formatLimit = (cents: bigint): string => (cents < 0n ? `-${formatCents(-cents)}` : formatCents(cents));

/** Judges concurrent disbursements whose sum exceeds the limit. The sum of those that the bank makes must not exceed the limit. */
function judgeExcess(
  interval: Interval,
  concurrentDisbursements: readonly Disbursement[],
  evidence: LimitEvidence,
): Verdict {
  const [firstDisbursement] = concurrentDisbursements;
  const amountsCents = readAmountsCents(concurrentDisbursements);
  if (sumCents(amountsCents) <= interval.limitCents)
    return notTested('the disbursements at the same time do not exceed the limit');
  const results = concurrentDisbursements.map((disbursement) => findResult(disbursement, evidence));
  if (results.includes('unknown')) return notTested('one of the disbursements at the same time had no final outcome');
  const limitAfterCents = interval.limitCents - interval.decreaseCents;
  const madeDisbursements = concurrentDisbursements.filter((_, nth) => results[nth] === 'made');
  const doMadeExceedLimit = sumCents(readAmountsCents(madeDisbursements)) > interval.limitCents;
  if (doMadeExceedLimit && limitAfterCents > 0n)
    return notTested('the limit does not show that the disbursements at the same time were made');
  if (!doMadeExceedLimit && limitAfterCents >= 0n) return kept(interval.readingAfter, { contrast: firstDisbursement });
  return broken(interval.readingAfter, {
    contrast: firstDisbursement,
    pointer: LIMIT_POINTER,
    expected: `the bank not to make all disbursements of ${joinAmounts(amountsCents)} at the same time from a limit of ${formatLimit(interval.limitCents)}, as one after the other`,
    received: `${madeDisbursements.length} made, and a limit of ${formatLimit(limitAfterCents)}`,
  });
}

/**
 * `inRow`: disbursements from one account that together exceed its limit, one after the other.
 * `atOnce`: concurrent disbursements from one account that together exceed its limit.
 */
export const parallelWithinLimit = compared({
  id: 'loans.parallel-disbursements.within-limit',
  clause: money(
    statesSource,
    'If disbursements at the same time together exceed the limit of their account, the bank does not make all of them.',
  ),
  control: 'The bank does not make all such disbursements one after the other, and equal limits come before and after.',
  evidence: { ...limitEvidence, inRow: list(reply('disburse')), atOnce: list(reply('disburse')) },
  judge({ inRow, atOnce, ...evidence }) {
    const ledger = readLedger(evidence, ({ amountsCents }) => amountsCents.length === 1);
    if (typeof ledger === 'string') return notTested(ledger);
    const resultsInRow = inRow.map((disbursement) => findResult(disbursement, evidence));
    if (resultsInRow[0] !== 'made' || !resultsInRow.includes('not made') || resultsInRow.includes('unknown'))
      return notTested('disbursements in a row that together exceed the limit were all made, or none');
    const interval = findInterval(atOnce, readIntervals(evidence) ?? []);
    if (interval === undefined || !areConcurrent(atOnce))
      return notTested(
        'no disbursements were made at the same time between two limits that were each confirmed by a second reading',
      );
    return judgeExcess(interval, atOnce, evidence);
  },
});
