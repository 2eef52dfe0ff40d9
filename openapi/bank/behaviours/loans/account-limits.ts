/**
 * Lists intervals between two consecutive readings of the available limit of an account, with the changes that the bank accepted
 * between them. Amounts are in cents. Example: reading 100.00, a disbursement of 30.00, reading 70.00, reading 70.00 give
 * 1. `limitCents: 10000, decreaseCents: 3000, changes: [disbursement]`,
 * 2. `limitCents: 7000, decreaseCents: 0, changes: []`.
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
import { listOutcomeTexts, readOutcome } from './outcome-history.ts';

/** Returns the amount that a pattern finds, in cents: its first group has the whole number, its second the decimals. */
const parseCents = (text: string, pattern: RegExp): bigint | null => {
  const [, whole = '', cents = ''] = pattern.exec(text) ?? [];
  return whole === '' ? null : BigInt(whole.replaceAll(/\D/g, '') + cents.padEnd(2, '0'));
};

/** Returns the available limit of an account; null if the answer has no readable limit. */
export function readLimit(reading: { readonly data: object }, account: unknown): bigint | null {
  const offers = getEntries((reading.data as { infos?: unknown }).infos);
  const offerOfAccount = offers.find((offer) => isSameId(offer['account_id'], account));
  const limitText = String(offerOfAccount?.['avaliable_limit']).trim();
  const limit = parseCents(limitText.replace(/^-/, ''), /^(\d[\d.,' ]*)[.,](\d\d)$/);
  return limit !== null && limitText.startsWith('-') ? -limit : limit;
}

export const formatCents = (cents: bigint): string => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
export const readAmount = (amount: unknown): bigint | null => parseCents(String(amount), /^(\d+)(?:\.(\d\d?))?$/);

type AnyAnswer = Pick<Judged<OperationId>, 'exchange'>;
/** A loan answer: it shows the limits of the offered accounts. */
export type LimitReading = Judged<'requestLoan'>;
type Query = Judged<'queryDisbursement'>;
/** A contract or a disbursement that the bank did not refuse. */
type LimitChange = Judged<'approveContract'> | Judged<'disburse'>;

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
  sentAt: ticks?.[0] ?? startedAt,
  answeredAt: ticks?.[1] ?? startedAt + durationMs,
});
const compareSendTimes = (a: AnyAnswer, b: AnyAnswer): number => readTimes(a).sentAt - readTimes(b).sentAt;

/** Returns what distinguishes loan requests, as one text: two boolean fields and the currency, such as `true false EUR`. */
export const readLoanType = (reading: LimitReading): string =>
  ['commercial_disbursement', 'disbursement_purpose', 'currency'].map((name) => readInput(reading, name)).join(' ');

/** The time between two consecutive readings of one limit. */
export interface Interval {
  readonly accountId: string;
  readonly readingBefore: LimitReading;
  readonly readingAfter: LimitReading;
  /** The limit in `readingBefore`, in cents. */
  readonly limitCents: bigint;
  /** The limit in `readingBefore` minus the limit in `readingAfter`, in cents. Negative if the limit grew. */
  readonly decreaseCents: bigint;
  readonly changes: readonly LimitChange[];
  /** True if disbursements from another account may have changed this limit: several accounts may share a limit. */
  readonly isDisturbed: boolean;
  /** How many readings in a row show the same limit, up to `readingBefore`. 1 if only `readingBefore` shows this limit. */
  readonly equalReadingsBefore: number;
  /** How many readings in a row show the same limit, from `readingAfter` on. */
  readonly equalReadingsAfter: number;
}

/** An interval, before the intervals of other accounts are considered. */
type AccountInterval = Omit<Interval, 'isDisturbed'>;

/** Returns when the outcome of a disbursement became final: no different outcome follows. Infinity if this time is unknown. */
function findFinalOutcomeTime(
  outcomes: readonly Query[],
  applicationId: string,
  isPending: (text: unknown) => boolean,
): number {
  const queries = outcomes
    .filter((query) => readInput(query, 'application_id') === applicationId)
    .toSorted(compareSendTimes);
  const describeOutcome = (outcome: Query): string =>
    `${maskNumbers(String(readOutcome(outcome)))} ${hasErrors(outcome.body)}`;
  const lastQuery = queries.at(-1);
  if (lastQuery?.accepted !== true || isPending(readOutcome(lastQuery))) return Infinity;
  const lastDifferentIndex = queries.findLastIndex(
    (query) => !query.accepted || describeOutcome(query) !== describeOutcome(lastQuery),
  );
  const firstFinalQuery = queries[lastDifferentIndex + 1];
  return firstFinalQuery === undefined ? Infinity : readTimes(firstFinalQuery).answeredAt;
}

/** A contract or a disbursement, and the time in which the bank may change the limit because of this request. */
interface TimedChange {
  readonly change: LimitChange;
  readonly sentAt: number;
  /** The time of the final outcome. Infinity if the effect of the request is unknown. */
  readonly endsAt: number;
}

/** Lists what may change the limit of an account. */
function listChanges({ contracts, disbursed, outcomes }: LimitEvidence, accountId: string): readonly TimedChange[] {
  const isPending = makePendingTest(listOutcomeTexts(outcomes));
  return [...contracts, ...disbursed]
    .filter((change) => readInput(change, 'account_id') === accountId && !isRejection(change))
    .map((change) => {
      const { sentAt, answeredAt } = readTimes(change);
      if (!change.accepted) return { change, sentAt, endsAt: Infinity };
      if (change.operation !== 'disburse') return { change, sentAt, endsAt: answeredAt };
      const finalAt = findFinalOutcomeTime(outcomes, readInput(change, 'application_id'), isPending);
      return { change, sentAt, endsAt: Math.max(answeredAt, finalAt) };
    });
}

/** True if none of the requests was in flight during a reading. */
function isQuiet(reading: LimitReading, requests: readonly Pick<TimedChange, 'sentAt' | 'endsAt'>[]): boolean {
  const readingTimes = readTimes(reading);
  return requests.every(({ sentAt, endsAt }) => endsAt < readingTimes.sentAt || sentAt > readingTimes.answeredAt);
}

/** Returns the interval between two readings; null if a limit is not readable. */
function readInterval(
  accountId: string,
  readingBefore: LimitReading,
  readingAfter: LimitReading,
  changesOfAccount: readonly TimedChange[],
) {
  const [limitCents, limitAfterCents] = [readLimit(readingBefore, accountId), readLimit(readingAfter, accountId)];
  if (limitCents === null || limitAfterCents === null) return null;
  const changesBetween = changesOfAccount.filter(
    ({ sentAt, endsAt }) => sentAt > readTimes(readingBefore).answeredAt && endsAt < readTimes(readingAfter).sentAt,
  );
  const decreaseCents = limitCents - limitAfterCents;
  const changes = changesBetween.map(({ change }) => change);
  return { accountId, readingBefore, readingAfter, limitCents, decreaseCents, changes };
}

interface AccountHistory {
  readonly accountId: string;
  /** The readings, in order of time. No change of the account and no examined request was in flight during a reading. */
  readonly readings: readonly LimitReading[];
  readonly changes: readonly TimedChange[];
}

function listAccounts(evidence: LimitEvidence, examinedRequests: readonly AnyAnswer[]): readonly AccountHistory[] {
  const { looks: loanAnswers, disbursed: disbursements } = evidence;
  const accountIds = new Set(disbursements.map((disbursement) => readInput(disbursement, 'account_id')));
  const accountIdByApplicationId = new Map(
    disbursements.map((disbursement) => [
      readInput(disbursement, 'application_id'),
      readInput(disbursement, 'account_id'),
    ]),
  );
  return [...accountIds].map((accountId) => {
    const changes = listChanges(evidence, accountId);
    // A request whose application has no disbursement may be about any account.
    const mayBeAboutAccount = (request: AnyAnswer): boolean =>
      (accountIdByApplicationId.get(readInput(request, 'application_id')) ?? accountId) === accountId;
    const examinedTimes = examinedRequests
      .filter(mayBeAboutAccount)
      .map(readTimes)
      .map(({ sentAt, answeredAt }) => ({ sentAt, endsAt: answeredAt }));
    const readings = loanAnswers
      .filter((loanAnswer) => readLimit(loanAnswer, accountId) !== null)
      .filter((loanAnswer) => isQuiet(loanAnswer, [...changes, ...examinedTimes]))
      .toSorted(compareSendTimes);
    return { accountId, readings, changes };
  });
}

/** Returns the accounts, without the account of the interval, from which disbursements may have taken effect in the interval. */
const listDisturbingAccounts = (
  accounts: readonly AccountHistory[],
  { accountId, readingBefore, readingAfter }: Pick<Interval, 'accountId' | 'readingBefore' | 'readingAfter'>,
): readonly string[] => {
  const mayBeInInterval = ({ change, sentAt, endsAt }: TimedChange): boolean =>
    change.operation === 'disburse' &&
    endsAt > readTimes(readingBefore).sentAt &&
    sentAt < readTimes(readingAfter).answeredAt;
  return accounts
    .filter((otherAccount) => otherAccount.accountId !== accountId && otherAccount.changes.some(mayBeInInterval))
    .map((otherAccount) => otherAccount.accountId);
};

/** Returns the sum of the amounts of all disbursements, in cents. */
function sumAmounts(changes: readonly LimitChange[]): bigint {
  let sumCents = 0n;
  for (const { operation, exchange } of changes)
    if (operation === 'disburse') sumCents += readAmount(exchange.request.asked['amount']) ?? 0n;
  return sumCents;
}

/**
 * Returns the fee of each disbursement in an interval: by how much the limit decreased beyond the amounts, divided by their number.
 * Example: two disbursements of 30.00, a decrease of 62.00: the fee is 1.00. Null if there is no disbursement or no whole fee.
 */
function computeFeeCents({ decreaseCents, changes }: Pick<Interval, 'decreaseCents' | 'changes'>): bigint | null {
  const disbursementCount = BigInt(changes.filter(({ operation }) => operation === 'disburse').length);
  const extraCents = decreaseCents - sumAmounts(changes);
  const isWholeFee = disbursementCount > 0n && extraCents % disbursementCount === 0n;
  return isWholeFee ? extraCents / disbursementCount : null;
}

/** An interval, and the further accounts from which disbursements may have taken effect in it. */
interface SharedInterval {
  readonly interval: AccountInterval;
  readonly otherAccountIds: readonly string[];
}

const namePair = (a: string, b: string): string => (a < b ? `${a} ${b}` : `${b} ${a}`);

/**
 * Lists the pairs of accounts with separate limits, from the intervals of one account. In an interval with disbursements from a second
 * account, the limit may decrease exactly as the first account explains: by its amounts, or by its amounts and a fee that an interval
 * without other accounts shows. Then no disbursement from one account changes the limit of the other account.
 */
function listSeparatePairs(intervals: readonly SharedInterval[]): readonly string[] {
  const undisturbedFeesCents = intervals
    .filter(({ otherAccountIds }) => otherAccountIds.length === 0)
    .flatMap(({ interval }) => computeFeeCents(interval) ?? []);
  const isExplainedByOwnAccount = (interval: AccountInterval): boolean => {
    if (interval.decreaseCents === sumAmounts(interval.changes)) return true;
    const feeCents = computeFeeCents(interval);
    return feeCents !== null && undisturbedFeesCents.includes(feeCents);
  };
  return intervals
    .filter(({ interval }) => isExplainedByOwnAccount(interval))
    .flatMap(({ interval, otherAccountIds }) =>
      otherAccountIds.map((otherId) => namePair(interval.accountId, otherId)),
    );
}

/**
 * Returns a function that maps a loan type to the name of its limit. Loan types share one limit if consecutive readings of
 * different types showed equal limits, and never different limits, while nothing changed.
 */
function makeLimitNaming(accounts: readonly AccountHistory[]): (loanType: string) => string {
  const loanTypesWithEqualLimits = new Set<string>();
  const loanTypesWithDifferentLimits = new Set<string>();
  for (const { accountId, readings, changes } of accounts)
    for (const [nth, reading] of readings.entries()) {
      const previousReading = readings[nth - 1];
      if (previousReading === undefined || readLoanType(previousReading) === readLoanType(reading)) continue;
      const interval = readInterval(accountId, previousReading, reading, changes);
      if (interval === null || interval.changes.length > 0) continue;
      const loanTypes = [readLoanType(previousReading), readLoanType(reading)] as const;
      const isConnected =
        loanTypesWithEqualLimits.size === 0 || loanTypes.some((loanType) => loanTypesWithEqualLimits.has(loanType));
      if (interval.decreaseCents !== 0n) loanTypesWithDifferentLimits.add(loanTypes[1]);
      else if (isConnected) for (const loanType of loanTypes) loanTypesWithEqualLimits.add(loanType);
    }
  const sharesLimit = (loanType: string): boolean =>
    loanTypesWithEqualLimits.has(loanType) && !loanTypesWithDifferentLimits.has(loanType);
  return (loanType) => (sharesLimit(loanType) ? 'one limit' : loanType);
}

/** Returns how many readings in a row show the same limit, from the first reading of these intervals on. */
const countEqualReadings = (intervals: readonly ReturnType<typeof readInterval>[]): number => {
  const endIndex = intervals.findIndex(
    (interval) => interval === null || interval.changes.length > 0 || interval.decreaseCents !== 0n,
  );
  const equalIntervalCount = endIndex < 0 ? intervals.length : endIndex;
  return equalIntervalCount + 1;
};

/** Lists the intervals between consecutive readings of one limit, in order of time. */
function listIntervals(
  { accountId, changes }: AccountHistory,
  readings: readonly LimitReading[],
): readonly AccountInterval[] {
  const intervals = readings
    .slice(1)
    .map((readingAfter, nth) => readInterval(accountId, readings[nth] as LimitReading, readingAfter, changes));
  return intervals.flatMap((interval, nth): AccountInterval | [] => {
    if (interval === null) return [];
    const equalReadingsBefore = countEqualReadings(intervals.slice(0, nth).toReversed());
    const equalReadingsAfter = countEqualReadings(intervals.slice(nth + 1));
    return { ...interval, equalReadingsBefore, equalReadingsAfter };
  });
}

/** Returns the requests that were sent and answered between the two readings of an interval. */
export const selectWithin = <T extends AnyAnswer>(
  { readingBefore, readingAfter }: Interval,
  requests: readonly T[],
): readonly T[] =>
  requests.filter(
    (request) =>
      readTimes(request).sentAt > readTimes(readingBefore).answeredAt &&
      readTimes(request).answeredAt < readTimes(readingAfter).sentAt,
  );

/** Returns one list of intervals for each account. */
function listIntervalsByAccount(
  evidence: LimitEvidence,
  examinedRequests: readonly AnyAnswer[] = [],
): readonly (readonly Interval[])[] {
  const accounts = listAccounts(evidence, examinedRequests);
  const nameLimit = makeLimitNaming(accounts);
  const intervalsByAccount = accounts.map((account) => {
    const readingsByLimit = groupBy(account.readings, (reading) => nameLimit(readLoanType(reading)));
    return [...readingsByLimit.values()]
      .flatMap((readings) => listIntervals(account, readings))
      .map((interval): SharedInterval => ({
        interval,
        otherAccountIds: listDisturbingAccounts(accounts, interval),
      }));
  });
  const failedOutcomes = evidence.outcomes.filter(({ body }) => hasErrors(body));
  const failedApplicationIds = new Set(failedOutcomes.map((outcome) => readInput(outcome, 'application_id')));
  const hasFailure = ({ interval }: SharedInterval): boolean =>
    interval.changes.some((change) => failedApplicationIds.has(readInput(change, 'application_id')));
  // If a disbursement failed, an equal amount from another account may explain the decrease.
  const separatePairs = new Set(
    intervalsByAccount.flatMap((intervals) => listSeparatePairs(intervals.filter((interval) => !hasFailure(interval)))),
  );
  const isDisturbed = ({ interval, otherAccountIds }: SharedInterval): boolean =>
    otherAccountIds.some((otherId) => !separatePairs.has(namePair(interval.accountId, otherId)));
  return intervalsByAccount.map((intervals) =>
    intervals.map((sharedInterval) => ({ ...sharedInterval.interval, isDisturbed: isDisturbed(sharedInterval) })),
  );
}

/** True if the limit changed without a contract, a disbursement or an examined request. */
const hasUnexplainedChange = (interval: Interval, examinedRequests: readonly AnyAnswer[] = []): boolean =>
  interval.changes.length === 0 &&
  interval.decreaseCents !== 0n &&
  selectWithin(interval, examinedRequests).length === 0;

/** True if a limit changed without a disbursement from its account: accounts may share a limit. */
export const haveUnsteadyLimits = (evidence: LimitEvidence): boolean =>
  listIntervalsByAccount(evidence)
    .flat()
    .some((interval) => hasUnexplainedChange(interval));

/**
 * Returns the intervals of all accounts whose limit changes only through contracts, disbursements and the `examinedRequests`.
 * Null if there are accounts, and each has a limit that changes for another reason.
 */
export function readIntervals(
  evidence: LimitEvidence,
  examinedRequests: readonly AnyAnswer[] = [],
): readonly Interval[] | null {
  const intervalsByAccount = listIntervalsByAccount(evidence, examinedRequests);
  const steadyIntervals = intervalsByAccount.filter(
    (intervals) => !intervals.some((interval) => hasUnexplainedChange(interval, examinedRequests)),
  );
  return steadyIntervals.length === 0 && intervalsByAccount.length > 0 ? null : steadyIntervals.flat();
}
