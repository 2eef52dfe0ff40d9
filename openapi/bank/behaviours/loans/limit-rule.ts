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
 * `isUnexplainedByFee` tests an interval against the rule, and `readLedger` does all three.
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
  readonly disbursed: Judged<'disburse'>;
  /** The amounts of all disbursements, in cents. */
  readonly amounts: readonly bigint[];
  /** The sum of the amounts whose outcome has no errors, in cents. */
  readonly succeededAmount: bigint;
  /** True if the outcome of at least one disbursement has errors. */
  readonly hasFailed: boolean;
  /** The last outcome texts of the disbursements, with numbers masked. */
  readonly texts: readonly string[];
}

export const sumCents = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n);
export const isDisbursement = (change: Interval['changes'][number]): change is Judged<'disburse'> =>
  change.operation === 'disburse';
export const readApplicationId = (answer: Pick<LimitReading, 'exchange'>): string =>
  readInput(answer, 'application_id');

/** What a contract without a disbursement does to the limit. */
type ContractEffect = 'none' | 'unknown' | 'lower';

function findContractEffect(intervals: readonly Interval[]): ContractEffect {
  const onlyContracts = intervals.filter(({ changes }) => changes.length > 0 && !changes.some(isDisbursement));
  if (onlyContracts.length === 0) return 'unknown';
  return onlyContracts.every(({ decrease }) => decrease === 0n) ? 'none' : 'lower';
}

/**
 * True if a contract may have changed the limit by another amount than the disbursements of the interval:
 * - an application was opened with another amount than it disburses,
 * - a contract of another application was approved in the interval, or
 * - a contract of these applications was approved before the interval.
 */
function mayContractDistort(
  { before, changes }: Interval,
  ids: ReadonlySet<string>,
  { looks: loanAnswers, contracts }: LimitEvidence,
): boolean {
  const hasOpeningAmount = (disbursement: Judged<'disburse'>): boolean => {
    const { amount } = disbursement.exchange.request.asked;
    const opening = loanAnswers.find(({ data }) => toIdText(data.application_id) === readApplicationId(disbursement));
    return readAmount(opening?.exchange.request.asked['amount'] ?? amount) === readAmount(amount);
  };
  const isOfOtherApplication = (change: Interval['changes'][number]): boolean =>
    !isDisbursement(change) && !ids.has(readApplicationId(change));
  const isEarlier = (contract: LimitEvidence['contracts'][number]): boolean =>
    contract.accepted && ids.has(readApplicationId(contract)) && readTimes(contract).from < readTimes(before).until;
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
  ids: ReadonlySet<string>,
  evidence: LimitEvidence,
  contractEffect: ContractEffect,
): boolean {
  if (contractEffect === 'none') return false;
  if (!hasFailed) return mayContractDistort(interval, ids, evidence);
  const hasContract = interval.changes.some((change) => !isDisbursement(change));
  return contractEffect === 'lower' || hasContract || interval.decrease < 0n;
}

/** Returns the disbursements of an interval; null if there is none, or if something else may have changed the limit. */
function readDisbursementInterval(
  interval: Interval,
  evidence: LimitEvidence,
  contractEffect: ContractEffect,
): DisbursementInterval | null {
  const disbursements = interval.changes.filter(isDisbursement);
  const [disbursed] = disbursements;
  const ids = new Set(disbursements.map(readApplicationId));
  const isRepeated = evidence.disbursed.some(
    (earlier) => ids.has(readApplicationId(earlier)) && readTimes(earlier).from < readTimes(interval.before).until,
  );
  const amounts = disbursements.flatMap(({ exchange }) => readAmount(exchange.request.asked['amount']) ?? []);
  // If one application has two disbursements, the effect of the second is unknown: the bank may repeat its first answer.
  if (isRepeated || ids.size < disbursements.length) return null;
  if (disbursed === undefined || amounts.length < disbursements.length) return null;
  const findOpening = (id: string) => evidence.looks.find(({ data }) => toIdText(data.application_id) === id);
  const lastOutcomes = [...ids].map((id) => evidence.outcomes.findLast((outcome) => readApplicationId(outcome) === id));
  const failures = lastOutcomes.map((outcome) => hasErrors(outcome?.body));
  const hasFailed = failures.includes(true);
  if (hasUnknownContractEffect(interval, hasFailed, ids, evidence, contractEffect)) return null;
  const loanTypes = [...ids].map((id) => readLoanType(findOpening(id) ?? interval.after));
  const [loanType = ''] = loanTypes;
  return {
    ...interval,
    ...{ loanType, loanTypes, disbursed, amounts, hasFailed },
    succeededAmount: sumCents(amounts.filter((_, nth) => failures[nth] === false)),
    texts: lastOutcomes.flatMap((outcome) => (outcome === undefined ? [] : maskNumbers(String(outcome.data.result)))),
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
  { disbursed, outcomes }: LimitEvidence,
): readonly DisbursementInterval[] {
  const singleFailures = intervals.filter(
    ({ amounts, hasFailed, limit }) => hasFailed && amounts.length === 1 && limit > 0n,
  );
  if (singleFailures.length > 0 && singleFailures.every(({ decrease }) => decrease === 0n)) return intervals;
  const lacksNothing = ({ hasFailed, limit, decrease, succeededAmount }: DisbursementInterval): boolean =>
    hasFailed && limit > 0n && decrease === succeededAmount;
  const harmless = new Set(
    intervals.filter(lacksNothing).flatMap(({ changes }) => changes.filter(isDisbursement).map(readApplicationId)),
  );
  const failedIds = outcomes.filter(({ body }) => hasErrors(body)).map(readApplicationId);
  const harmful = new Set(failedIds.filter((id) => !harmless.has(id)));
  const harmfulDisbursements = disbursed.filter((disbursement) => harmful.has(readApplicationId(disbursement)));
  return intervals.filter(
    ({ account, after, changes }) =>
      !harmfulDisbursements.some(
        (disbursement) =>
          readInput(disbursement, 'account_id') === account &&
          !changes.includes(disbursement) &&
          readTimes(disbursement).from < readTimes(after).from,
      ),
  );
}

export const getReadAt = ({ after }: Interval): number => readTimes(after).from;

/** The fee of one disbursement, in cents, and the intervals that show this fee. */
export interface Rule {
  readonly fee: bigint;
  readonly fitting: readonly [DisbursementInterval, ...DisbursementInterval[]];
}

const getCurrency = (loanType: string): string => loanType.split(' ').at(-1) ?? '';

/** Returns by how much the limit decreased beyond the amounts, in cents: all fees together. */
export const computeExtraDecrease = ({ decrease, amounts }: DisbursementInterval): bigint =>
  decrease - sumCents(amounts);

/** Returns the fee of each disbursement of an interval if all have the same; null if they cannot have the same. */
function readFee(interval: DisbursementInterval): bigint | null {
  const [extra, count] = [computeExtraDecrease(interval), BigInt(interval.amounts.length)];
  return extra >= 0n && extra % count === 0n ? extra / count : null;
}

/**
 * Finds the fee that disbursements of enough different amounts have in common. A fee is an amount of one currency; without a fee,
 * the rule is the same in all currencies. Intervals with several disbursements count only if a single disbursement shows their fee.
 */
export function findRule(intervals: readonly DisbursementInterval[]): Rule | undefined {
  const usable = intervals.filter(
    (interval) => !interval.hasFailed && !interval.isDisturbed && readFee(interval) !== null,
  );
  const nameRule = (interval: DisbursementInterval): string => {
    const fee = readFee(interval);
    return fee === 0n ? 'no fee' : `${fee} ${getCurrency(interval.loanType)}`;
  };
  const groups = [...groupBy(usable, nameRule).values()].filter((group) =>
    group.some(({ amounts }) => amounts.length === 1),
  );
  const countAmounts = (group: readonly DisbursementInterval[]): number =>
    new Set(group.map(({ amounts }) => amounts.join(' '))).size;
  const [fitting] = groups.toSorted((a, b) => countAmounts(b) - countAmounts(a));
  if (fitting === undefined || countAmounts(fitting) < MIN_FITTING_AMOUNTS) return undefined;
  return { fee: readFee(fitting[0]) ?? 0n, fitting };
}

/** Returns by how much the limit must decrease in an interval, in cents: the amounts and their fees. */
export const computeDueDecrease = ({ amounts }: DisbursementInterval, { fee }: Rule): bigint =>
  sumCents(amounts) + fee * BigInt(amounts.length);

/** A bank that makes a disbursement again, for example with each query, makes it at most so many times more. */
const MAX_REPEATS = 2;
/** Of more amounts than these, too many sums are possible. */
const MAX_SUMMED = 6;

/**
 * True if `excess` is what the bank subtracts when it makes some of the disbursements again, with or without their fee.
 * Example: amounts 30 and 50, no fee: the sums of repeats are 30, 50, 60, 80, 100, 110, 130 and 160.
 */
function isSumOfRepeats(excess: bigint, amounts: readonly bigint[], fee: bigint): boolean {
  if (excess <= 0n || amounts.length > MAX_SUMMED) return false;
  const listSums = (feeOfRepeat: bigint): ReadonlySet<bigint> =>
    amounts.reduce<ReadonlySet<bigint>>(
      (sums, amount) => {
        const repeats = Array.from({ length: MAX_REPEATS + 1 }, (_, times) => BigInt(times) * (amount + feeOfRepeat));
        return new Set([...sums].flatMap((sum) => repeats.map((repeated) => sum + repeated)));
      },
      new Set([0n]),
    );
  return listSums(0n).has(excess) || listSums(fee).has(excess);
}

/** The rule, and the intervals that are compared with it. */
export type ComparedLedger = Pick<Ledger, 'intervals' | 'rule'>;

/** Two currencies may have one value, such as the dollars of Singapore and Brunei. Three currencies of a bank never have. */
const MIN_UNCONVERTED_CURRENCIES = 3;

/** True if the bank may convert other currencies. It does not if amounts in three currencies lower the limit of one account by the same rule. */
function mayConvertCurrencies({ fitting }: Rule): boolean {
  const intervalsByAccount = [...groupBy(fitting, ({ account }) => account).values()];
  return !intervalsByAccount.some((intervals) => {
    const currencies = new Set(intervals.flatMap(({ loanTypes }) => loanTypes.map(getCurrency)));
    return currencies.size >= MIN_UNCONVERTED_CURRENCIES;
  });
}

/**
 * True if the limit may have fallen by less than the amount because the bank shows at most a maximum: then it shows the same limit until
 * the real one is below the maximum, and at most one partial decrease. An earlier decrease by the rule, or two partial decreases, exclude this.
 */
function mayShowMaximum({ account, after }: DisbursementInterval, { intervals, rule }: ComparedLedger): boolean {
  const isBefore = (example: DisbursementInterval): boolean => readTimes(example.after).from < readTimes(after).from;
  if (rule.fitting.some((example) => example.account === account && isBefore(example))) return false;
  const partialDecreases = intervals.filter(
    (interval) =>
      interval.account === account &&
      !interval.isDisturbed &&
      interval.decrease > 0n &&
      computeExtraDecrease(interval) < 0n,
  );
  return partialDecreases.length < MIN_CHANGES;
}

/**
 * True if no fee that a bank may charge explains the decrease of an interval. Two unknown fees are possible: a fee that grows with
 * the amount, and a fee that starts at a higher amount. Compares with intervals of the same account that follow the rule. If the bank
 * converts no currencies, the amount itself is never a fee, even if no interval of the account follows the rule.
 */
export function isUnexplainedByFee(interval: DisbursementInterval, ledger: ComparedLedger): boolean {
  const { rule } = ledger;
  const { amounts, decrease, limit, loanTypes } = interval;
  const due = computeDueDecrease(interval, rule);
  const excess = decrease - due;
  // A limit does not fall below zero.
  if (excess === 0n || (decrease === limit && excess < 0n)) return false;
  if (excess < 0n && mayShowMaximum(interval, ledger)) return false;
  const fitting = rule.fitting.filter(({ account }) => account === interval.account);
  const currencies = fitting.map(({ loanType }) => getCurrency(loanType));
  const isOtherCurrency = loanTypes.some((loanType) => !currencies.includes(getCurrency(loanType)));
  // Another currency may be converted, but a disbursement always lowers the limit.
  if (isOtherCurrency && mayConvertCurrencies(rule)) return decrease === 0n && fitting.length > 0;
  const isLessThanAmounts = computeExtraDecrease(interval) < 0n;
  if (isLessThanAmounts) return true;
  // Each loan type may have its own fee.
  const hasKnownFees = loanTypes.every((loanType) => fitting.some((example) => example.loanTypes.includes(loanType)));
  if (amounts.length > 1 && !hasKnownFees) return false;
  if (isSumOfRepeats(excess, amounts, rule.fee)) return true;
  return hasKnownFees && excess > 0n && areFeesOfAmountKnown(interval, fitting);
}

/** True if a smaller and a larger amount follow the rule, so that a fee that depends on the amount explains nothing. */
function areFeesOfAmountKnown(interval: DisbursementInterval, fitting: readonly DisbursementInterval[]): boolean {
  const fittingAmounts = fitting.flatMap(({ amounts }) => amounts);
  const isBetweenFittingAmounts = (amount: bigint): boolean =>
    fittingAmounts.some((fittingAmount) => fittingAmount <= amount) &&
    fittingAmounts.some((fittingAmount) => fittingAmount >= amount);
  const hasFittingAfter = fitting.some((example) => getReadAt(example) > getReadAt(interval));
  return hasFittingAfter && interval.amounts.every(isBetweenFittingAmounts);
}

/** True if all decreases together are what the rule asks for: the bank may book late, and correct the limit in a later interval. */
export const doDecreasesEvenOut = (intervals: readonly DisbursementInterval[], rule: Rule): boolean =>
  sumCents(intervals.map((interval) => interval.decrease - computeDueDecrease(interval, rule))) === 0n;

export const isBetweenEqualReadings = ({ equalBefore, equalAfter }: Interval): boolean =>
  Math.min(equalBefore, equalAfter) >= MIN_EQUAL_LIMIT_READINGS;

export const NO_RULE_TEXT = 'fewer than three disbursements lowered the limit by one rule';
export const UNSTEADY_LIMIT_TEXT = 'the limit changed without a disbursement, or a disbursement had no final outcome';

export interface Ledger {
  /** The intervals of all accounts in which no disbursement failed. */
  readonly successful: readonly DisbursementInterval[];
  /** Those of `successful` whose outcome texts occur in intervals that follow the rule too. */
  readonly intervals: readonly DisbursementInterval[];
  readonly rule: Rule;
}

/**
 * Reads the intervals of all accounts and finds their rule. Returns the reason if there is no rule.
 * `maySupportRule` selects the intervals from which the rule is found.
 */
export function readLedger(
  evidence: LimitEvidence,
  maySupportRule: (interval: DisbursementInterval) => boolean = () => true,
): Ledger | string {
  const disbursementIntervals = readDisbursementIntervals(evidence);
  if (disbursementIntervals === null) return UNSTEADY_LIMIT_TEXT;
  const successful = leaveOutAfterFailures(disbursementIntervals, evidence).filter(({ hasFailed }) => !hasFailed);
  const rule = findRule(successful.filter(maySupportRule));
  if (rule === undefined) return NO_RULE_TEXT;
  const usualTexts = new Set(rule.fitting.flatMap(({ texts }) => texts));
  // A disbursement with another text may wait for something, such as the approval of its contract.
  const intervals = successful.filter(({ texts }) => texts.every((text) => usualTexts.has(text)));
  return { successful, intervals, rule };
}
