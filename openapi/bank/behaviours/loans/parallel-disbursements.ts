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
import { listTexts, readOutcome } from './outcome-history.ts';

type Disbursement = Judged<'disburse'>;

const { money } = defineLevels('loans');
const LIMIT_POINTER = '/data/infos/*/avaliable_limit';

/** True if each of the disbursements was in flight together with another one. */
const areConcurrent = (disbursements: readonly Disbursement[]): boolean =>
  disbursements.length > 1 &&
  disbursements.every((disbursement) =>
    disbursements.some((other) => {
      const [a, b] = [readTimes(disbursement), readTimes(other)];
      return other !== disbursement && a.from < b.until && b.from < a.until;
    }),
  );

const joinAmounts = (amounts: readonly bigint[]): string => amounts.map(formatCents).join(', ');

/**
 * Returns the sums of some of the amounts. Each amount that counts has the fee. The limit decreases by such a sum if the bank forgets
 * the other disbursements. Example: amounts 30 and 50 with the fee 1 give 0, 31, 51 and 82.
 */
function listPartialSums(amounts: readonly bigint[], fee: bigint): ReadonlySet<bigint> {
  const sums = new Set([0n]);
  for (const amount of amounts) for (const sum of [...sums]) sums.add(sum + amount + fee);
  return sums;
}

/** True if the limit decreased as if the bank had forgotten some of the disbursements, or had counted some twice. */
function isMiscounted(interval: DisbursementInterval, ledger: ComparedLedger): boolean {
  const { rule } = ledger;
  const { amounts, decrease } = interval;
  const excess = decrease - computeDueDecrease(interval, rule);
  const partialSums = listPartialSums(amounts, rule.fee);
  return isUnexplainedByFee(interval, ledger) && (partialSums.has(decrease) || partialSums.has(excess));
}

/** True if the limit was still the same some seconds after an interval: a bank may book late, or show an old limit for a while. */
const isLasting = (disbursed: DisbursementInterval, intervals: readonly Interval[]): boolean =>
  intervals.some(
    ({ account, changes, decrease, limit, after }) =>
      account === disbursed.account &&
      changes.length === 0 &&
      decrease === 0n &&
      limit === disbursed.limit - disbursed.decrease &&
      after.exchange.startedAt - disbursed.after.exchange.startedAt >= MIN_HOLD_MS,
  );

export const parallelSum = compared({
  id: 'loans.parallel-disbursements.sum',
  clause: money(
    offerField('avaliable_limit'),
    'Disbursements of several applications at once lower the limit of their account by their sum.',
  ),
  control:
    'At least three single disbursements lower the limit by the same rule, and equal limits come before and after.',
  evidence: limitEvidence,
  judge(evidence) {
    const ledger = readLedger(evidence, ({ amounts }) => amounts.length === 1);
    if (typeof ledger === 'string') return notTested(ledger);
    const { rule } = ledger;
    const tested = ledger.intervals
      .filter(({ changes }) => areConcurrent(changes.filter(isDisbursement)))
      .filter(isBetweenEqualReadings);
    const [first] = tested;
    if (first === undefined)
      return notTested('no disbursements at once were made between two equal readings of the limit each');
    const intervals = readIntervals(evidence) ?? [];
    const miscounted = tested.filter((interval) => isMiscounted(interval, ledger));
    const lasting = miscounted.find((interval) => isLasting(interval, intervals));
    if (lasting === undefined)
      return miscounted.length > 0
        ? notTested('the limit after disbursements at once was not read again some seconds later')
        : kept(first.after, { contrast: first.disbursed, count: tested.length });
    const { limit, decrease, amounts } = lasting;
    return broken(lasting.after, {
      contrast: lasting.disbursed,
      pointer: LIMIT_POINTER,
      expected: `${formatCents(limit - computeDueDecrease(lasting, rule))} left of ${formatCents(limit)} after disbursements of ${joinAmounts(amounts)} at once, as ${rule.fitting.length} single ones show`,
      received: formatCents(limit - decrease),
    });
  },
});

type Result = 'made' | 'not made' | 'unknown';

/** Returns whether the bank made a disbursement. An answer that throttles the request does not show the result. */
function findResult(disbursement: Disbursement, { outcomes }: LimitEvidence): Result {
  if (isThrottled(disbursement.exchange.answer)) return 'unknown';
  if (isRejection(disbursement)) return 'not made';
  const last = outcomes.findLast((outcome) => readApplicationId(outcome) === readApplicationId(disbursement));
  const isPending = makePendingTest(listTexts(outcomes));
  if (!disbursement.accepted || last?.accepted !== true || isPending(readOutcome(last))) return 'unknown';
  return hasErrors(last.body) ? 'not made' : 'made';
}

const readAmounts = (disbursements: readonly Disbursement[]): readonly bigint[] =>
  disbursements.flatMap(({ exchange }) => readAmount(exchange.request.asked['amount']) ?? []);

/** Returns the interval, between equal readings, with exactly the disbursements that the bank did not reject. */
function findInterval(disbursements: readonly Disbursement[], intervals: readonly Interval[]): Interval | undefined {
  const [first] = disbursements;
  const ids = disbursements.filter((disbursement) => !isRejection(disbursement)).map(readApplicationId);
  if (first === undefined || ids.length === 0) return undefined;
  return intervals.filter(isBetweenEqualReadings).find(({ account, changes }) => {
    const idsInInterval = changes.filter(isDisbursement).map(readApplicationId);
    return (
      account === readInput(first, 'account_id') &&
      ids.length === idsInInterval.length &&
      ids.every((id) => idsInInterval.includes(id))
    );
  });
}

const formatLimit = (cents: bigint): string => (cents < 0n ? `-${formatCents(-cents)}` : formatCents(cents));

/** Judges concurrent disbursements that together exceed the limit before them. Those that the bank makes must not exceed it. */
function judgeExcess(interval: Interval, atOnce: readonly Disbursement[], evidence: LimitEvidence): Verdict {
  const [first] = atOnce;
  const amounts = readAmounts(atOnce);
  if (sumCents(amounts) <= interval.limit) return notTested('the disbursements at once do not exceed the limit');
  const results = atOnce.map((disbursement) => findResult(disbursement, evidence));
  if (results.includes('unknown')) return notTested('a disbursement at once had no final outcome');
  const limitAfter = interval.limit - interval.decrease;
  const succeeded = atOnce.filter((_, nth) => results[nth] === 'made');
  const areTooManyMade = sumCents(readAmounts(succeeded)) > interval.limit;
  if (areTooManyMade && limitAfter > 0n)
    return notTested('the limit does not show that the disbursements at once were made');
  if (!areTooManyMade && limitAfter >= 0n) return kept(interval.after, { contrast: first });
  return broken(interval.after, {
    contrast: first,
    pointer: LIMIT_POINTER,
    expected: `disbursements of ${joinAmounts(amounts)} at once not to be all made from a limit of ${formatLimit(interval.limit)}, as in a row`,
    received: `${succeeded.length} made, and a limit of ${formatLimit(limitAfter)}`,
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
    'Disbursements of several applications that together exceed the limit of their account are not all made at once.',
  ),
  control: 'Such disbursements in a row are not all made, and equal limits come before and after.',
  evidence: { ...limitEvidence, inRow: list(reply('disburse')), atOnce: list(reply('disburse')) },
  judge({ inRow, atOnce, ...evidence }) {
    const ledger = readLedger(evidence, ({ amounts }) => amounts.length === 1);
    if (typeof ledger === 'string') return notTested(ledger);
    const resultsInRow = inRow.map((disbursement) => findResult(disbursement, evidence));
    if (resultsInRow[0] !== 'made' || !resultsInRow.includes('not made') || resultsInRow.includes('unknown'))
      return notTested('disbursements in a row that together exceed the limit were all made, or none');
    const interval = findInterval(atOnce, readIntervals(evidence) ?? []);
    if (interval === undefined || !areConcurrent(atOnce))
      return notTested('no disbursements at once were made between two equal readings of the limit each');
    return judgeExcess(interval, atOnce, evidence);
  },
});
