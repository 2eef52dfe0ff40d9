/**
 * Finds the rule by which disbursements lower the available limit of their account: each lowers the limit by its amount and a fee.
 * The bank may choose the fee. Example, in cents:
 *
 *   limit before   disbursements   limit after   decrease   fee
 *          10000       3000             6950        3050      50
 *           6950       1000             5900        1050      50
 *           5900        500             5350         550      50   three different amounts with one fee: the rule is “fee 50”
 *           5350       2000             1300        4050           no fee explains the decrease: 2050 is due, the bank took 2000 again
 *
 * The steps: `readDisbursementIntervals` selects the intervals whose decrease has a known cause, `findRule` finds the fee,
 * `isUnexplainedByFee` says whether this fee explains the decrease of an interval, and `readLedger` does all three steps.
 */
import { hasErrors } from '../../../history/answers.ts';
import { groupBy } from '../../../util/group-by.ts';
import { toIdText } from '../../../util/ids.ts';
import { maskNumbers } from '../../../util/truncate.ts';
import type { Judged } from '../../../behaviours/evidence.ts';
import {
  readAmount,
  readInput,
  readIntervals,
  readLoanType,
  readTimes,
  type Interval,
  type LimitEvidence,
  type LimitReading,
} from './account-limits.ts';

/** At least this many different amounts must show the same fee, because any one amount shows some fee. */
const MIN_FITTING_AMOUNTS = 3;
/** A single unexpected change of a limit may be another transaction on the account. */
export const MIN_CHANGES = 2;
/** A single change counts only if this many readings of the limit before it, and as many after it, are equal. */
const MIN_EQUAL_LIMIT_READINGS = 2;

/** Milliseconds until the limit after a failure is read again. */
export const MIN_HOLD_MS = 3000;

/** An interval with at least one disbursement, whose effect on the limit is known. */
export interface DisbursementInterval extends Interval {
  /** The loan type of the first disbursement. */
  readonly loanType: string;
  /** The loan types of all disbursements. */
  readonly loanTypes: readonly string[];
  /** The first disbursement. */
  readonly firstDisbursement: Judged<'disburse'>;
  /** The amounts of all disbursements, in cents. */
  readonly amountsCents: readonly bigint[];
  /** The sum of the amounts whose outcome has no errors, in cents. */
  readonly succeededCents: bigint;
  /** True if the outcome of at least one disbursement has errors. */
  readonly hasFailed: boolean;
  /** The last outcome texts of the disbursements, with numbers masked. */
  readonly outcomeTexts: readonly string[];
}

export const sumCents = (amountsCents: readonly bigint[]): bigint =>
  amountsCents.reduce((totalCents, amountCents) => totalCents + amountCents, 0n);
export const isDisbursement = (change: Interval['changes'][number]): change is Judged<'disburse'> =>
  change.operation === 'disburse';
export const readApplicationId = (answer: Pick<LimitReading, 'exchange'>): string =>
  readInput(answer, 'application_id');

/** What a contract without a disbursement does to the limit. */
type ContractEffect = 'none' | 'unknown' | 'lower';

function findContractEffect(intervals: readonly Interval[]): ContractEffect {
  const contractIntervals = intervals.filter(({ changes }) => changes.length > 0 && !changes.some(isDisbursement));
  if (contractIntervals.length === 0) return 'unknown';
  return contractIntervals.every(({ decreaseCents }) => decreaseCents === 0n) ? 'none' : 'lower';
}

/**
 * True if a contract may have changed the limit by another amount than the disbursements of the interval:
 * - an application was opened with another amount than it disburses,
 * - a contract of another application was approved in the interval, or
 * - a contract of these applications was approved before the interval.
 */
function mayContractDistort(
  { readingBefore, changes }: Interval,
  applicationIds: ReadonlySet<string>,
  { looks: loanAnswers, contracts }: LimitEvidence,
): boolean {
  const hasOpeningAmount = (disbursement: Judged<'disburse'>): boolean => {
    const { amount } = disbursement.exchange.request.asked;
    const openingAnswer = loanAnswers.find(
      ({ data }) => toIdText(data.application_id) === readApplicationId(disbursement),
    );
    return readAmount(openingAnswer?.exchange.request.asked['amount'] ?? amount) === readAmount(amount);
  };
  const isOfOtherApplication = (change: Interval['changes'][number]): boolean =>
    !isDisbursement(change) && !applicationIds.has(readApplicationId(change));
  const isEarlier = (contract: LimitEvidence['contracts'][number]): boolean =>
    contract.accepted &&
    applicationIds.has(readApplicationId(contract)) &&
    readTimes(contract).sentAt < readTimes(readingBefore).answeredAt;
  return (
    !changes.filter(isDisbursement).every(hasOpeningAmount) ||
    changes.some(isOfOtherApplication) ||
    contracts.some(isEarlier)
  );
}

/** True if a contract may have changed the limit in the interval. After a failure, the bank may give back what a contract held. */
function hasUnknownContractEffect(
  interval: Interval,
  hasFailed: boolean,
  applicationIds: ReadonlySet<string>,
  evidence: LimitEvidence,
  contractEffect: ContractEffect,
): boolean {
  if (contractEffect === 'none') return false;
  if (!hasFailed) return mayContractDistort(interval, applicationIds, evidence);
  const hasContract = interval.changes.some((change) => !isDisbursement(change));
  return contractEffect === 'lower' || hasContract || interval.decreaseCents < 0n;
}

/** Returns the disbursements of an interval; null if there is none, or if something else may have changed the limit. */
function readDisbursementInterval(
  interval: Interval,
  evidence: LimitEvidence,
  contractEffect: ContractEffect,
): DisbursementInterval | null {
  const disbursements = interval.changes.filter(isDisbursement);
  const [firstDisbursement] = disbursements;
  const applicationIds = new Set(disbursements.map(readApplicationId));
  const wasSentBefore = (disbursement: Judged<'disburse'>): boolean =>
    readTimes(disbursement).sentAt < readTimes(interval.readingBefore).answeredAt;
  const hasEarlierDisbursement = evidence.disbursed.some(
    (disbursement) => applicationIds.has(readApplicationId(disbursement)) && wasSentBefore(disbursement),
  );
  const amountsCents = disbursements.flatMap(({ exchange }) => readAmount(exchange.request.asked['amount']) ?? []);
  // If one application has two disbursements, the effect of the second is unknown: the bank may repeat its first answer.
  if (hasEarlierDisbursement || applicationIds.size < disbursements.length) return null;
  if (firstDisbursement === undefined || amountsCents.length < disbursements.length) return null;
  const findOpeningAnswer = (applicationId: string) =>
    evidence.looks.find(({ data }) => toIdText(data.application_id) === applicationId);
  const lastOutcomes = [...applicationIds].map((applicationId) =>
    evidence.outcomes.findLast((outcome) => readApplicationId(outcome) === applicationId),
  );
  const hasErrorsByIndex = lastOutcomes.map((outcome) => hasErrors(outcome?.body));
  const hasFailed = hasErrorsByIndex.includes(true);
  if (hasUnknownContractEffect(interval, hasFailed, applicationIds, evidence, contractEffect)) return null;
  const loanTypes = [...applicationIds].map((applicationId) =>
    readLoanType(findOpeningAnswer(applicationId) ?? interval.readingAfter),
  );
  const [loanType = ''] = loanTypes;
  return {
    ...interval,
    ...{ loanType, loanTypes, firstDisbursement, amountsCents, hasFailed },
    succeededCents: sumCents(amountsCents.filter((_, nth) => hasErrorsByIndex[nth] === false)),
    outcomeTexts: lastOutcomes.flatMap((outcome) =>
      outcome === undefined ? [] : maskNumbers(String(outcome.data.result)),
    ),
  };
}

/** Returns the intervals with disbursements whose effect on the limit is known; null if no account has a steady limit. */
export function readDisbursementIntervals(
  evidence: LimitEvidence,
  intervals = readIntervals(evidence),
): readonly DisbursementInterval[] | null {
  if (intervals === null) return null;
  const contractEffect = findContractEffect(intervals);
  return intervals.flatMap((interval) => readDisbursementInterval(interval, evidence, contractEffect) ?? []);
}

/**
 * Leaves out the intervals of an account after a failed disbursement that may have lowered the limit: the bank may give the amount
 * back at any time. A failure does not count if the interval with this failure shows that the limit lacks nothing.
 * Nothing is left out if each single failure left the limit as it was.
 */
export function leaveOutAfterFailures(
  intervals: readonly DisbursementInterval[],
  { disbursed: disbursements, outcomes }: LimitEvidence,
): readonly DisbursementInterval[] {
  const singleFailures = intervals.filter(
    ({ amountsCents, hasFailed, limitCents }) => hasFailed && amountsCents.length === 1 && limitCents > 0n,
  );
  const haveFailuresNoEffect =
    singleFailures.length > 0 && singleFailures.every(({ decreaseCents }) => decreaseCents === 0n);
  if (haveFailuresNoEffect) return intervals;
  const lacksNothing = ({ hasFailed, limitCents, decreaseCents, succeededCents }: DisbursementInterval): boolean =>
    hasFailed && limitCents > 0n && decreaseCents === succeededCents;
  const harmlessApplicationIds = new Set(
    intervals.filter(lacksNothing).flatMap(({ changes }) => changes.filter(isDisbursement).map(readApplicationId)),
  );
  const failedApplicationIds = outcomes.filter(({ body }) => hasErrors(body)).map(readApplicationId);
  const harmfulApplicationIds = new Set(
    failedApplicationIds.filter((applicationId) => !harmlessApplicationIds.has(applicationId)),
  );
  const harmfulDisbursements = disbursements.filter((disbursement) =>
    harmfulApplicationIds.has(readApplicationId(disbursement)),
  );
  const comesAfterFailure = ({ accountId, readingAfter, changes }: DisbursementInterval): boolean =>
    harmfulDisbursements.some(
      (disbursement) =>
        readInput(disbursement, 'account_id') === accountId &&
        !changes.includes(disbursement) &&
        readTimes(disbursement).sentAt < readTimes(readingAfter).sentAt,
    );
  return intervals.filter((interval) => !comesAfterFailure(interval));
}

export const getLaterReadingTime = ({ readingAfter }: Interval): number => readTimes(readingAfter).sentAt;

/** The fee of one disbursement, in cents, and the intervals that show this fee. */
export interface FeeRule {
  readonly feeCents: bigint;
  readonly fittingIntervals: readonly [DisbursementInterval, ...DisbursementInterval[]];
}

const getCurrency = (loanType: string): string => loanType.split(' ').at(-1) ?? '';

/** Returns by how much the limit decreased beyond the amounts, in cents: all fees together. */
export const computeExtraDecrease = ({ decreaseCents, amountsCents }: DisbursementInterval): bigint =>
  decreaseCents - sumCents(amountsCents);

/** Returns the fee of each disbursement of an interval if all have the same; null if they cannot have the same. */
function computeFeeCents(interval: DisbursementInterval): bigint | null {
  const [extraCents, disbursementCount] = [computeExtraDecrease(interval), BigInt(interval.amountsCents.length)];
  const isWholeFee = extraCents >= 0n && extraCents % disbursementCount === 0n;
  return isWholeFee ? extraCents / disbursementCount : null;
}

/**
 * Finds the fee that disbursements of enough different amounts have in common. A fee is an amount of one currency; without a fee,
 * the rule is the same in all currencies. Intervals with several disbursements count only if a single disbursement shows their fee.
 */
export function findRule(intervals: readonly DisbursementInterval[]): FeeRule | undefined {
  const usableIntervals = intervals.filter(
    (interval) => !interval.hasFailed && !interval.isDisturbed && computeFeeCents(interval) !== null,
  );
  const nameFee = (interval: DisbursementInterval): string => {
    const feeCents = computeFeeCents(interval);
    return feeCents === 0n ? 'no fee' : `${feeCents} ${getCurrency(interval.loanType)}`;
  };
  const intervalsByFee = [...groupBy(usableIntervals, nameFee).values()].filter((intervalsWithFee) =>
    intervalsWithFee.some(({ amountsCents }) => amountsCents.length === 1),
  );
  const countDifferentAmounts = (intervalsWithFee: readonly DisbursementInterval[]): number =>
    new Set(intervalsWithFee.map(({ amountsCents }) => amountsCents.join(' '))).size;
  const [fittingIntervals] = intervalsByFee.toSorted((a, b) => countDifferentAmounts(b) - countDifferentAmounts(a));
  if (fittingIntervals === undefined || countDifferentAmounts(fittingIntervals) < MIN_FITTING_AMOUNTS) return undefined;
  return { feeCents: computeFeeCents(fittingIntervals[0]) ?? 0n, fittingIntervals };
}

/** Returns by how much the limit must decrease in an interval, in cents: the amounts and their fees. */
export const computeDueDecrease = ({ amountsCents }: DisbursementInterval, { feeCents }: FeeRule): bigint =>
  sumCents(amountsCents) + feeCents * BigInt(amountsCents.length);

/**
 * A faulty bank may make the same disbursement again, for example after each query. This file assumes that the bank makes one
 * disbursement again at most this many times.
 */
const MAX_REPEATS = 2;
/** With more amounts than this, too many sums are possible. */
const MAX_SUMMED_AMOUNTS = 6;

/**
 * True if `excessCents` is what the bank subtracts when it makes some of the disbursements again, with or without their fee.
 * Example: amounts 30 and 50, no fee: the sums of repeats are 30, 50, 60, 80, 100, 110, 130 and 160.
 */
function isSumOfRepeats(excessCents: bigint, amountsCents: readonly bigint[], feeCents: bigint): boolean {
  if (excessCents <= 0n || amountsCents.length > MAX_SUMMED_AMOUNTS) return false;
  const listSumsOfRepeats = (feeOfRepeatCents: bigint): ReadonlySet<bigint> => {
    let sumsCents = [0n];
    for (const amountCents of amountsCents) {
      const costCents = amountCents + feeOfRepeatCents;
      const costsByRepeatCount = Array.from({ length: MAX_REPEATS + 1 }, (_, repeats) => BigInt(repeats) * costCents);
      sumsCents = sumsCents.flatMap((sum) => costsByRepeatCount.map((cost) => sum + cost));
    }
    return new Set(sumsCents);
  };
  return listSumsOfRepeats(0n).has(excessCents) || listSumsOfRepeats(feeCents).has(excessCents);
}

/** The rule, and the intervals that are compared with it. */
export type ComparedLedger = Pick<LimitLedger, 'usualIntervals' | 'rule'>;

/** Two currencies may have one value, such as the dollars of Singapore and Brunei. Three currencies of a bank never have. */
const MIN_UNCONVERTED_CURRENCIES = 3;

/** True if the bank may convert currencies. It does not if amounts in three currencies lower the limit of one account by the same rule. */
function mayConvertCurrencies({ fittingIntervals }: FeeRule): boolean {
  const intervalsByAccount = [...groupBy(fittingIntervals, ({ accountId }) => accountId).values()];
  return !intervalsByAccount.some((intervals) => {
    const currencies = new Set(intervals.flatMap(({ loanTypes }) => loanTypes.map(getCurrency)));
    return currencies.size >= MIN_UNCONVERTED_CURRENCIES;
  });
}

/**
 * True if the limit may have fallen by less than the amount because the bank shows at most a maximum: then it shows the same limit until
 * the real one is below the maximum, and at most one partial decrease. An earlier decrease by the rule, or two partial decreases, exclude
 * this.
 */
function mayShowMaximum(interval: DisbursementInterval, { usualIntervals, rule }: ComparedLedger): boolean {
  const isOfAccount = ({ accountId }: DisbursementInterval): boolean => accountId === interval.accountId;
  const hasFittingBefore = rule.fittingIntervals
    .filter(isOfAccount)
    .some((example) => getLaterReadingTime(example) < getLaterReadingTime(interval));
  if (hasFittingBefore) return false;
  const partialDecreases = usualIntervals
    .filter(isOfAccount)
    .filter(({ isDisturbed, decreaseCents }) => !isDisturbed && decreaseCents > 0n)
    .filter((candidate) => computeExtraDecrease(candidate) < 0n);
  return partialDecreases.length < MIN_CHANGES;
}

/**
 * True if no fee that a bank may charge explains the decrease of an interval. Two unknown fees are possible: a fee that grows with
 * the amount, and a fee that starts at a higher amount. Compares with intervals of the same account that follow the rule. If the bank
 * converts no currencies, the amount itself is never a fee, even if no interval of the account follows the rule.
 */
export function isUnexplainedByFee(interval: DisbursementInterval, ledger: ComparedLedger): boolean {
  const { rule } = ledger;
  const { amountsCents, decreaseCents, limitCents, loanTypes } = interval;
  const excessCents = decreaseCents - computeDueDecrease(interval, rule);
  const isLimitUsedUp = decreaseCents === limitCents;
  if (excessCents === 0n || (isLimitUsedUp && excessCents < 0n)) return false;
  if (excessCents < 0n && mayShowMaximum(interval, ledger)) return false;
  const fitting = rule.fittingIntervals.filter(({ accountId }) => accountId === interval.accountId);
  // Another currency may be converted, but a disbursement always lowers the limit.
  const fittingCurrencies = fitting.map(({ loanType }) => getCurrency(loanType));
  const hasOtherCurrency = loanTypes.some((loanType) => !fittingCurrencies.includes(getCurrency(loanType)));
  if (hasOtherCurrency && mayConvertCurrencies(rule)) return decreaseCents === 0n && fitting.length > 0;
  const isLessThanAmounts = computeExtraDecrease(interval) < 0n;
  if (isLessThanAmounts) return true;
  // Each loan type may have its own fee.
  const hasKnownFees = loanTypes.every((loanType) => fitting.some((example) => example.loanTypes.includes(loanType)));
  if (amountsCents.length > 1 && !hasKnownFees) return false;
  if (isSumOfRepeats(excessCents, amountsCents, rule.feeCents)) return true;
  return hasKnownFees && excessCents > 0n && areFeesOfAmountKnown(interval, fitting);
}

/** True if a smaller and a larger amount follow the rule, so that a fee that depends on the amount explains nothing. */
function areFeesOfAmountKnown(interval: DisbursementInterval, fitting: readonly DisbursementInterval[]): boolean {
  const fittingAmountsCents = fitting.flatMap(({ amountsCents }) => amountsCents);
  const isBetweenFittingAmounts = (amountCents: bigint): boolean =>
    fittingAmountsCents.some((fittingCents) => fittingCents <= amountCents) &&
    fittingAmountsCents.some((fittingCents) => fittingCents >= amountCents);
  const hasFittingAfter = fitting.some((example) => getLaterReadingTime(example) > getLaterReadingTime(interval));
  return hasFittingAfter && interval.amountsCents.every(isBetweenFittingAmounts);
}

/** True if all decreases together are what the rule asks for: the bank may book late, and correct the limit in a later interval. */
export function doDecreasesEvenOut(intervals: readonly DisbursementInterval[], rule: FeeRule): boolean {
  const excesses = intervals.map((interval) => interval.decreaseCents - computeDueDecrease(interval, rule));
  return sumCents(excesses) === 0n;
}

export const isBetweenEqualReadings = ({ equalReadingsBefore, equalReadingsAfter }: Interval): boolean =>
  Math.min(equalReadingsBefore, equalReadingsAfter) >= MIN_EQUAL_LIMIT_READINGS;

export const NO_RULE_TEXT = 'fewer than three disbursements lowered the limit by one rule';
export const UNSTEADY_LIMIT_TEXT = 'the limit changed without a disbursement, or a disbursement had no final outcome';

export interface LimitLedger {
  /** The intervals of all accounts in which no disbursement failed. */
  readonly successfulIntervals: readonly DisbursementInterval[];
  /** The intervals of `successfulIntervals` whose outcome texts also occur in intervals that follow the rule. */
  readonly usualIntervals: readonly DisbursementInterval[];
  readonly rule: FeeRule;
}

/**
 * Reads the intervals of all accounts and finds their rule. Returns the reason if there is no rule.
 * `maySupportRule` selects the intervals from which the rule is found.
 */
export function readLedger(
  evidence: LimitEvidence,
  maySupportRule: (interval: DisbursementInterval) => boolean = () => true,
): LimitLedger | string {
  const disbursementIntervals = readDisbursementIntervals(evidence);
  if (disbursementIntervals === null) return UNSTEADY_LIMIT_TEXT;
  const successfulIntervals = leaveOutAfterFailures(disbursementIntervals, evidence).filter(
    ({ hasFailed }) => !hasFailed,
  );
  const rule = findRule(successfulIntervals.filter(maySupportRule));
  if (rule === undefined) return NO_RULE_TEXT;
  const usualTexts = new Set(rule.fittingIntervals.flatMap(({ outcomeTexts }) => outcomeTexts));
  // A disbursement with another text may wait for something, such as the approval of its contract.
  const usualIntervals = successfulIntervals.filter(({ outcomeTexts }) =>
    outcomeTexts.every((text) => usualTexts.has(text)),
  );
  return { successfulIntervals, usualIntervals, rule };
}
