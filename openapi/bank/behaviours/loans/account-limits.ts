/**
 * Lists intervals between two consecutive readings of the available limit of an account, with the changes that the bank accepted
 * between them. Amounts are in cents. Example: reading 100.00, a disbursement of 30.00, reading 70.00, reading 70.00 give
 * 1. `limit: 10000, decrease: 3000, changes: [disbursement]`,
 * 2. `limit: 7000, decrease: 0, changes: []`.
 * A reading is a loan answer. A reading counts only if no change of the account was in flight during the reading.
 */
import { makePendingTest } from '../../history/outcome-texts.ts';
import { hasErrors } from '../../../history/answers.ts';
import type { OperationId } from '../../../model/exchange.ts';
import { isRejection } from '../../../model/outcome.ts';
import { getEntries } from '../../../rules/entries.ts';
import { groupBy } from '../../../util/group-by.ts';
import { isSameId, toIdText } from '../../../util/ids.ts';
import { maskNumbers } from '../../../util/truncate.ts';
import { list, reply, type EvidenceOf, type Judged } from '../../../behaviours/evidence.ts';
import { listTexts, readOutcome } from './outcome-history.ts';

/** Returns the amount that a pattern finds, in cents: its first group has the whole number, its second the decimals. */
const parseCents = (text: string, pattern: RegExp): bigint | null => {
  const [, whole = '', cents = ''] = pattern.exec(text) ?? [];
  return whole === '' ? null : BigInt(whole.replaceAll(/\D/g, '') + cents.padEnd(2, '0'));
};

/** Returns the available limit of an account; null if the answer has no readable limit. */
export function readLimit(reading: { readonly data: object }, account: unknown): bigint | null {
  const offers = getEntries((reading.data as { infos?: unknown }).infos);
  const accountOffer = offers.find((offer) => isSameId(offer['account_id'], account));
  const text = String(accountOffer?.['avaliable_limit']).trim();
  const limit = parseCents(text.replace(/^-/, ''), /^(\d[\d.,' ]*)[.,](\d\d)$/);
  return limit !== null && text.startsWith('-') ? -limit : limit;
}

export const formatCents = (cents: bigint): string => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
export const readAmount = (amount: unknown): bigint | null => parseCents(String(amount), /^(\d+)(?:\.(\d\d?))?$/);

type AnyAnswer = Pick<Judged<OperationId>, 'exchange'>;
/** A loan answer: it shows the limits of the offered accounts. */
export type LimitReading = Judged<'requestLoan'>;
type Query = Judged<'queryDisbursement'>;
/** A contract or a disbursement that the bank did not refuse. */
type Change = Judged<'approveContract'> | Judged<'disburse'>;

/** `looks`: the readings of limits. The others: the contracts, disbursements and outcomes of the run. */
export const limitEvidence = {
  looks: list(reply('requestLoan')),
  contracts: list(reply('approveContract')),
  disbursed: list(reply('disburse')),
  outcomes: list(reply('queryDisbursement')),
};
export type LimitEvidence = EvidenceOf<typeof limitEvidence>;

/** Returns an input of the request as text. */
export const readInput = ({ exchange }: AnyAnswer, name: string): string => toIdText(exchange.request.asked[name]);
/** Returns when an exchange was sent and answered: ticks of the session, or milliseconds since the epoch. */
export const readTimes = ({ exchange: { ticks, startedAt, durationMs } }: AnyAnswer) => ({
  from: ticks?.[0] ?? startedAt,
  until: ticks?.[1] ?? startedAt + durationMs,
});
const compareSendTimes = (a: AnyAnswer, b: AnyAnswer): number => readTimes(a).from - readTimes(b).from;

/** Returns what distinguishes loan requests, as one text: two boolean fields and the currency, such as `true false EUR`. */
export const readLoanType = (reading: LimitReading): string =>
  ['commercial_disbursement', 'disbursement_purpose', 'currency'].map((name) => readInput(reading, name)).join(' ');

/** The time between two consecutive readings of one limit. */
export interface Interval {
  readonly account: string;
  readonly before: LimitReading;
  readonly after: LimitReading;
  /** The limit in `before`, in cents. */
  readonly limit: bigint;
  /** The limit in `before` minus the limit in `after`, in cents. Negative if the limit grew. */
  readonly decrease: bigint;
  readonly changes: readonly Change[];
  /** True if disbursements from another account may have changed this limit: several accounts may share a limit. */
  readonly isDisturbed: boolean;
  /** How many readings in a row show the same limit, up to `before`. 1 if only `before` shows this limit. */
  readonly equalBefore: number;
  /** How many readings in a row show the same limit, from `after` on. */
  readonly equalAfter: number;
}

/** An interval, before the intervals of other accounts are considered. */
type AccountInterval = Omit<Interval, 'isDisturbed'>;

/** Returns when the outcome of a disbursement became final: no different outcome follows. Infinity if this time is unknown. */
function findFinalOutcomeTime(
  outcomes: readonly Query[],
  application: string,
  isPending: (text: unknown) => boolean,
): number {
  const queries = outcomes
    .filter((query) => readInput(query, 'application_id') === application)
    .toSorted(compareSendTimes);
  const describe = (query: Query): string => `${maskNumbers(String(readOutcome(query)))} ${hasErrors(query.body)}`;
  const last = queries.at(-1);
  if (last?.accepted !== true || isPending(readOutcome(last))) return Infinity;
  const lastDifferent = queries.findLastIndex((query) => !query.accepted || describe(query) !== describe(last));
  const firstFinal = queries[lastDifferent + 1];
  return firstFinal === undefined ? Infinity : readTimes(firstFinal).until;
}

interface TimedChange {
  readonly change: Change;
  readonly from: number;
  readonly until: number;
}

/** Lists what may change the limit of an account. A change ends with its final outcome, or never if its effect is unknown. */
function listChanges({ contracts, disbursed, outcomes }: LimitEvidence, account: string): readonly TimedChange[] {
  const isPending = makePendingTest(listTexts(outcomes));
  return [...contracts, ...disbursed]
    .filter((change) => readInput(change, 'account_id') === account && !isRejection(change))
    .map((change) => {
      const { from, until } = readTimes(change);
      if (!change.accepted) return { change, from, until: Infinity };
      if (change.operation !== 'disburse') return { change, from, until };
      const finalAt = findFinalOutcomeTime(outcomes, readInput(change, 'application_id'), isPending);
      return { change, from, until: Math.max(until, finalAt) };
    });
}

/** True if none of the requests was in flight during a reading. */
function isQuiet(reading: LimitReading, requests: readonly Pick<TimedChange, 'from' | 'until'>[]): boolean {
  const { from: readFrom, until: readUntil } = readTimes(reading);
  return requests.every(({ from, until }) => until < readFrom || from > readUntil);
}

/** Returns the interval between two readings; null if a limit is not readable. */
function readInterval(account: string, before: LimitReading, after: LimitReading, changes: readonly TimedChange[]) {
  const [limit, limitAfter] = [readLimit(before, account), readLimit(after, account)];
  if (limit === null || limitAfter === null) return null;
  const changesBetween = changes.filter(
    ({ from, until }) => from > readTimes(before).until && until < readTimes(after).from,
  );
  return {
    account,
    before,
    after,
    limit,
    decrease: limit - limitAfter,
    changes: changesBetween.map(({ change }) => change),
  };
}

interface AccountHistory {
  readonly account: string;
  /** The readings, in order of time. No change of the account and no examined request was in flight during a reading. */
  readonly readings: readonly LimitReading[];
  readonly changes: readonly TimedChange[];
}

function listAccounts(evidence: LimitEvidence, examined: readonly AnyAnswer[]): readonly AccountHistory[] {
  const { disbursed } = evidence;
  const accounts = new Set(disbursed.map((disbursement) => readInput(disbursement, 'account_id')));
  const accountOfApplication = new Map(
    disbursed.map((disbursement) => [readInput(disbursement, 'application_id'), readInput(disbursement, 'account_id')]),
  );
  return [...accounts].map((account) => {
    const changes = listChanges(evidence, account);
    // A request whose application has no disbursement may be about any account.
    const examinedTimes = examined
      .filter((request) => (accountOfApplication.get(readInput(request, 'application_id')) ?? account) === account)
      .map(readTimes);
    const readings = evidence.looks
      .filter((reading) => readLimit(reading, account) !== null)
      .filter((reading) => isQuiet(reading, [...changes, ...examinedTimes]))
      .toSorted(compareSendTimes);
    return { account, readings, changes };
  });
}

/** Returns the accounts, without the account of the interval, from which disbursements may have taken effect in the interval. */
const listDisturbingAccounts = (
  accounts: readonly AccountHistory[],
  { account, before, after }: Pick<Interval, 'account' | 'before' | 'after'>,
): readonly string[] => {
  const mayBeInInterval = ({ change, from, until }: TimedChange): boolean =>
    change.operation === 'disburse' && until > readTimes(before).from && from < readTimes(after).until;
  return accounts
    .filter((candidate) => candidate.account !== account && candidate.changes.some(mayBeInInterval))
    .map((candidate) => candidate.account);
};

const sumAmounts = (changes: readonly Change[]): bigint =>
  changes.reduce(
    (sum, { operation, exchange }) =>
      operation === 'disburse' ? sum + (readAmount(exchange.request.asked['amount']) ?? 0n) : sum,
    0n,
  );

/**
 * Returns the fee of each disbursement in an interval: by how much the limit decreased beyond the amounts, divided by their number.
 * Example: two disbursements of 30.00, a decrease of 62.00: the fee is 1.00. Null if there is no disbursement or no whole fee.
 */
function readFee({ decrease, changes }: Pick<Interval, 'decrease' | 'changes'>): bigint | null {
  const count = BigInt(changes.filter(({ operation }) => operation === 'disburse').length);
  const extra = decrease - sumAmounts(changes);
  return count === 0n || extra % count !== 0n ? null : extra / count;
}

/** An interval, and the further accounts from which disbursements may have taken effect in it. */
interface SharedInterval {
  readonly interval: AccountInterval;
  readonly others: readonly string[];
}

const namePair = (a: string, b: string): string => (a < b ? `${a} ${b}` : `${b} ${a}`);

/**
 * Lists the pairs of accounts with separate limits, from the intervals of one account. In an interval with disbursements from a second
 * account, the limit may decrease exactly as the first account explains: by its amounts, or by its amounts and a fee that an interval
 * without other accounts shows. Then no disbursement from one account changes the limit of the other account.
 */
function listSeparatePairs(intervals: readonly SharedInterval[]): readonly string[] {
  const undisturbedFees = intervals.flatMap(({ interval, others }) =>
    others.length === 0 ? (readFee(interval) ?? []) : [],
  );
  const isExplained = (interval: AccountInterval): boolean => {
    const fee = readFee(interval);
    return interval.decrease === sumAmounts(interval.changes) || (fee !== null && undisturbedFees.includes(fee));
  };
  return intervals.flatMap(({ interval, others }) =>
    isExplained(interval) ? others.map((other) => namePair(interval.account, other)) : [],
  );
}

/**
 * Returns a function that maps a loan type to the name of its limit. Loan types share one limit if consecutive readings of
 * different types showed equal limits, and never different limits, while nothing changed.
 */
function groupLoanTypes(accounts: readonly AccountHistory[]): (loanType: string) => string {
  const withEqualLimits = new Set<string>();
  const withDifferentLimits = new Set<string>();
  for (const { account, readings, changes } of accounts)
    for (const [nth, reading] of readings.entries()) {
      const previous = readings[nth - 1];
      if (previous === undefined || readLoanType(previous) === readLoanType(reading)) continue;
      const interval = readInterval(account, previous, reading, changes);
      if (interval === null || interval.changes.length > 0) continue;
      const types = [readLoanType(previous), readLoanType(reading)] as const;
      const isConnected = withEqualLimits.size === 0 || types.some((type) => withEqualLimits.has(type));
      if (interval.decrease !== 0n) withDifferentLimits.add(types[1]);
      else if (isConnected) for (const type of types) withEqualLimits.add(type);
    }
  return (loanType) => (withEqualLimits.has(loanType) && !withDifferentLimits.has(loanType) ? 'one limit' : loanType);
}

/** Returns how many readings in a row show the same limit, from the first reading of these intervals on. */
const countEqualReadings = (intervals: readonly ReturnType<typeof readInterval>[]): number => {
  const end = intervals.findIndex(
    (interval) => interval === null || interval.changes.length > 0 || interval.decrease !== 0n,
  );
  return 1 + (end < 0 ? intervals.length : end);
};

/** Lists the intervals between consecutive readings of one limit, in order of time. */
function listIntervals(
  { account, changes }: AccountHistory,
  readings: readonly LimitReading[],
): readonly AccountInterval[] {
  const intervals = readings
    .slice(1)
    .map((after, nth) => readInterval(account, readings[nth] as LimitReading, after, changes));
  return intervals.flatMap((interval, nth) =>
    interval === null
      ? []
      : {
          ...interval,
          equalBefore: countEqualReadings(intervals.slice(0, nth).toReversed()),
          equalAfter: countEqualReadings(intervals.slice(nth + 1)),
        },
  );
}

/** Returns the requests that were sent and answered between the two readings of an interval. */
export const selectWithin = <T extends AnyAnswer>({ before, after }: Interval, requests: readonly T[]): readonly T[] =>
  requests.filter(
    (request) => readTimes(request).from > readTimes(before).until && readTimes(request).until < readTimes(after).from,
  );

/** Returns one list of intervals for each account. */
function listIntervalsByAccount(
  evidence: LimitEvidence,
  examined: readonly AnyAnswer[] = [],
): readonly (readonly Interval[])[] {
  const accounts = listAccounts(evidence, examined);
  const nameLimit = groupLoanTypes(accounts);
  const byAccount = accounts.map((account) => {
    const readingsByLimit = groupBy(account.readings, (reading) => nameLimit(readLoanType(reading)));
    return [...readingsByLimit.values()]
      .flatMap((readings) => listIntervals(account, readings))
      .map((interval): SharedInterval => ({ interval, others: listDisturbingAccounts(accounts, interval) }));
  });
  const separatePairs = new Set(byAccount.flatMap(listSeparatePairs));
  const isDisturbed = ({ interval, others }: SharedInterval): boolean =>
    others.some((other) => !separatePairs.has(namePair(interval.account, other)));
  return byAccount.map((intervals) =>
    intervals.map((shared) => ({ ...shared.interval, isDisturbed: isDisturbed(shared) })),
  );
}

/** True if the limit changed without a contract, a disbursement or an examined request. */
const hasUnexplainedChange = (interval: Interval, examined: readonly AnyAnswer[] = []): boolean =>
  interval.changes.length === 0 && interval.decrease !== 0n && selectWithin(interval, examined).length === 0;

/** True if a limit changed without a disbursement from its account: accounts may share a limit. */
export const haveUnsteadyLimits = (evidence: LimitEvidence): boolean =>
  listIntervalsByAccount(evidence)
    .flat()
    .some((interval) => hasUnexplainedChange(interval));

/**
 * Returns the intervals of all accounts whose limit changes only through contracts, disbursements and the `examined` requests.
 * Null if there are accounts, and each has a limit that changes for another reason.
 */
export function readIntervals(
  evidence: LimitEvidence,
  examined: readonly AnyAnswer[] = [],
): readonly Interval[] | null {
  const byAccount = listIntervalsByAccount(evidence, examined);
  const steady = byAccount.filter(
    (intervals) => !intervals.some((interval) => hasUnexplainedChange(interval, examined)),
  );
  return steady.length === 0 && byAccount.length > 0 ? null : steady.flat();
}
