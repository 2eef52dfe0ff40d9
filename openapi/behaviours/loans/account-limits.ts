/** The available limit of each account over time, and what the bank accepted between two readings. Limits are in cents. */
import { makePendingTest } from '../../history/outcome-texts.ts';
import { hasErrors } from '../../history/answers.ts';
import type { OperationId } from '../../model/exchange.ts';
import { isRejection } from '../../model/outcome.ts';
import { getEntries } from '../../rules/entries.ts';
import { groupBy } from '../../util/group-by.ts';
import { isSameId, toIdText } from '../../util/ids.ts';
import { maskNumbers } from '../../util/truncate.ts';
import { list, reply, type EvidenceOf, type Judged } from '../evidence.ts';
import { listTexts, readOutcome } from './outcome-history.ts';

const parseCents = (text: string, pattern: RegExp): bigint | null => {
  const [, whole = '', cents = ''] = pattern.exec(text) ?? [];
  return whole === '' ? null : BigInt(whole.replaceAll(/\D/g, '') + cents.padEnd(2, '0'));
};

/** Returns the available limit of an account; null if the answer has no readable limit. */
export function readLimit(look: { readonly data: object }, account: unknown): bigint | null {
  const offer = getEntries((look.data as { infos?: unknown }).infos).find((one) =>
    isSameId(one['account_id'], account),
  );
  const text = String(offer?.['avaliable_limit']).trim();
  const limit = parseCents(text.replace(/^-/, ''), /^(\d[\d.,' ]*)[.,](\d\d)$/);
  return limit !== null && text.startsWith('-') ? -limit : limit;
}

export const formatCents = (cents: bigint): string => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
export const readAmount = (amount: unknown): bigint | null => parseCents(String(amount), /^(\d+)(?:\.(\d\d?))?$/);

type Exchanged = Pick<Judged<OperationId>, 'exchange'>;
/** A loan answer: it shows the limits of the offered accounts. */
export type Look = Judged<'requestLoan'>;
type Query = Judged<'queryDisbursement'>;
/** A contract or a disbursement that the bank did not refuse. */
type Change = Judged<'approveContract'> | Judged<'disburse'>;

/** The loan answers that show limits, and the contracts, disbursements and outcomes of the run. */
export const series = {
  looks: list(reply('requestLoan')),
  contracts: list(reply('approveContract')),
  disbursed: list(reply('disburse')),
  outcomes: list(reply('queryDisbursement')),
};
export type Series = EvidenceOf<typeof series>;

export const readInput = ({ exchange }: Pick<Look, 'exchange'>, name: string): string =>
  toIdText(exchange.request.asked[name]);
/** Returns when an exchange was sent and answered. */
export const readTimes = ({ exchange: { ticks, startedAt, durationMs } }: Pick<Look, 'exchange'>) => ({
  from: ticks?.[0] ?? startedAt,
  until: ticks?.[1] ?? startedAt + durationMs,
});
/** Returns the two boolean fields and the currency of an application as one text. */
export const readKind = (look: Look): string =>
  ['commercial_disbursement', 'disbursement_purpose', 'currency'].map((name) => readInput(look, name)).join(' ');

/** Two consecutive readings of one limit. No request that may change the limit was in flight during a reading. */
export interface Span {
  readonly account: string;
  readonly before: Look;
  readonly after: Look;
  readonly limit: bigint;
  readonly fall: bigint;
  readonly changes: readonly Change[];
  /**
   * True if there were disbursements from another account between the readings, and nothing shows that they leave this limit as it is:
   * several accounts may share a limit.
   */
  readonly isDisturbed: boolean;
  /** How many equal readings there are in a row before the changes, and after them. */
  readonly equalBefore: number;
  readonly equalAfter: number;
}

/** Returns when the outcome of a disbursement became final: no other outcome follows. Infinity if it is not known. */
function findEnd(outcomes: readonly Query[], application: string, isPending: (text: unknown) => boolean): number {
  const own = outcomes
    .filter((one) => readInput(one, 'application_id') === application)
    .toSorted((a, b) => readTimes(a).from - readTimes(b).from);
  const describe = (one: Query): string => `${maskNumbers(String(readOutcome(one)))} ${hasErrors(one.body)}`;
  const last = own.at(-1);
  if (last?.accepted !== true || isPending(readOutcome(last))) return Infinity;
  const different = own.findLastIndex((one) => !one.accepted || describe(one) !== describe(last));
  const first = own[different + 1];
  return first === undefined ? Infinity : readTimes(first).until;
}

interface TimedChange {
  readonly change: Change;
  readonly from: number;
  readonly until: number;
}

/** Lists what may change the limit of an account. It ends when the outcome is final; never if the effect is not known. */
function listChanges({ contracts, disbursed, outcomes }: Series, account: string): readonly TimedChange[] {
  const isPending = makePendingTest(listTexts(outcomes));
  return [...contracts, ...disbursed]
    .filter((one) => readInput(one, 'account_id') === account && !isRejection(one))
    .map((change) => {
      const { from, until } = readTimes(change);
      if (!change.accepted) return { change, from, until: Infinity };
      const end =
        change.operation === 'disburse' ? findEnd(outcomes, readInput(change, 'application_id'), isPending) : until;
      return { change, from, until: Math.max(until, end) };
    });
}

/** True if no change, and no examined request, was in flight during a reading. */
function isQuiet(look: Look, changes: readonly Pick<TimedChange, 'from' | 'until'>[]): boolean {
  const reading = readTimes(look);
  return changes.every(({ from, until }) => until < reading.from || from > reading.until);
}

/** Returns the span between two quiet readings. */
function readSpan(account: string, before: Look, after: Look, changes: readonly TimedChange[]) {
  const [limit, rest] = [readLimit(before, account), readLimit(after, account)];
  if (limit === null || rest === null) return null;
  const inside = changes.filter(({ from, until }) => from > readTimes(before).until && until < readTimes(after).from);
  return { account, before, after, limit, fall: limit - rest, changes: inside.map(({ change }) => change) };
}

interface AccountSeries {
  readonly account: string;
  /** The readings during which no change of the account and no examined request was in flight. */
  readonly looks: readonly Look[];
  readonly changes: readonly TimedChange[];
}

function listAccounts(evidence: Series, examined: readonly Exchanged[]): readonly AccountSeries[] {
  const accounts = new Set(evidence.disbursed.map((one) => readInput(one, 'account_id')));
  const accountOf = new Map(
    evidence.disbursed.map((one) => [readInput(one, 'application_id'), readInput(one, 'account_id')]),
  );
  return [...accounts].map((account) => {
    const changes = listChanges(evidence, account);
    const disturbing = examined
      .filter((one) => (accountOf.get(readInput(one, 'application_id')) ?? account) === account)
      .map(readTimes);
    const looks = evidence.looks
      .filter((look) => readLimit(look, account) !== null)
      .filter((look) => isQuiet(look, [...changes, ...disturbing]))
      .toSorted((a, b) => readTimes(a).from - readTimes(b).from);
    return { account, looks, changes };
  });
}

const isDisbursement = ({ change }: TimedChange): boolean => change.operation === 'disburse';

/**
 * Returns the accounts of disbursements that may have taken effect between the two readings of a span of another account.
 */
const listDisturbing = (
  accounts: readonly AccountSeries[],
  { account, before, after }: Pick<Span, 'account' | 'before' | 'after'>,
): readonly string[] =>
  accounts.flatMap((other) => {
    const isBetween = (change: TimedChange): boolean =>
      isDisbursement(change) && change.until > readTimes(before).from && change.from < readTimes(after).until;
    return other.account !== account && other.changes.some(isBetween) ? [other.account] : [];
  });

const sumAmounts = (changes: readonly Change[]): bigint =>
  changes.reduce(
    (sum, { operation, exchange }) =>
      operation === 'disburse' ? sum + (readAmount(exchange.request.asked['amount']) ?? 0n) : sum,
    0n,
  );

/** Returns by how much the limit fell beyond each disbursement; null without disbursements. */
function readFee({ fall, changes }: Pick<Span, 'fall' | 'changes'>): bigint | null {
  const count = BigInt(changes.filter(({ operation }) => operation === 'disburse').length);
  const beyond = fall - sumAmounts(changes);
  return count === 0n || beyond % count !== 0n ? null : beyond / count;
}

/**
 * Marks the spans in which the limit of another account may matter. A span shows that others do not matter if the limit fell exactly
 * by its own disbursements, with the fee that the account shows when there are no others.
 */
function markDisturbed(
  accounts: readonly AccountSeries[],
  spans: readonly Omit<Span, 'isDisturbed'>[],
): readonly Span[] {
  const withOthers = spans.map((span) => ({ span, others: listDisturbing(accounts, span) }));
  const alone = withOthers.flatMap(({ span, others }) => (others.length === 0 ? (readFee(span) ?? []) : []));
  const isExplained = (span: Omit<Span, 'isDisturbed'>): boolean => {
    const fee = readFee(span);
    return span.fall === sumAmounts(span.changes) || (fee !== null && alone.includes(fee));
  };
  const separate = new Set(withOthers.flatMap(({ span, others }) => (isExplained(span) ? others : [])));
  return withOthers.map(({ span, others }) => ({ ...span, isDisturbed: others.some((other) => !separate.has(other)) }));
}

/** Returns a function that names the limit of a kind. Two kinds that showed equal limits in a row share one limit. */
function groupKinds(accounts: readonly AccountSeries[]): (kind: string) => string {
  const alike = new Set<string>();
  const different = new Set<string>();
  for (const { account, looks, changes } of accounts)
    for (const [nth, look] of looks.entries()) {
      const before = looks[nth - 1];
      if (before === undefined || readKind(before) === readKind(look)) continue;
      const span = readSpan(account, before, look, changes);
      if (span === null || span.changes.length > 0) continue;
      const kinds = [readKind(before), readKind(look)] as const;
      if (span.fall !== 0n) different.add(kinds[1]);
      else if (alike.size === 0 || kinds.some((kind) => alike.has(kind))) for (const kind of kinds) alike.add(kind);
    }
  return (kind) => (alike.has(kind) && !different.has(kind) ? 'one limit' : kind);
}

const countEqualReadings = (spans: readonly ReturnType<typeof readSpan>[]): number => {
  const end = spans.findIndex((span) => span === null || span.changes.length > 0 || span.fall !== 0n);
  return 1 + (end < 0 ? spans.length : end);
};

/** Reads the spans of one limit in order. */
function listSpans({ account, changes }: AccountSeries, looks: readonly Look[]): readonly Omit<Span, 'isDisturbed'>[] {
  const spans = looks.slice(1).map((after, nth) => readSpan(account, looks[nth] as Look, after, changes));
  return spans.flatMap((span, nth) =>
    span === null
      ? []
      : {
          ...span,
          equalBefore: countEqualReadings(spans.slice(0, nth).toReversed()),
          equalAfter: countEqualReadings(spans.slice(nth + 1)),
        },
  );
}

const isWithin = ({ before, after }: Pick<Span, 'before' | 'after'>, one: Pick<Look, 'exchange'>): boolean =>
  readTimes(one).from > readTimes(before).until && readTimes(one).until < readTimes(after).from;

/** Returns the requests that were sent between the two readings of a span. */
export const selectWithin = <T extends Pick<Look, 'exchange'>>(span: Span, requests: readonly T[]): readonly T[] =>
  requests.filter((one) => isWithin(span, one));

/** Reads the spans of each account. */
function listSpansOfAccounts(evidence: Series, examined: readonly Exchanged[] = []): readonly (readonly Span[])[] {
  const accounts = listAccounts(evidence, examined);
  const nameLimit = groupKinds(accounts);
  return accounts.map((account) => {
    const byLimit = [...groupBy(account.looks, (look) => nameLimit(readKind(look))).values()];
    return markDisturbed(
      accounts,
      byLimit.flatMap((looks) => listSpans(account, looks)),
    );
  });
}

/** True if the limit changed without a contract, a disbursement or an examined request for its account. */
const isUnsteady = (span: Span, examined: readonly Exchanged[] = []): boolean =>
  span.changes.length === 0 && span.fall !== 0n && selectWithin(span, examined).length === 0;

/** True if a limit changed without a disbursement from its account: accounts may share a limit. */
export const haveUnsteadyLimits = (evidence: Series): boolean =>
  listSpansOfAccounts(evidence).some((spans) => spans.some((span) => isUnsteady(span)));

/**
 * Reads all accounts whose limit changes only through contracts and disbursements, or with the `examined` requests; null if there
 * is no such account.
 */
export function readSpans(evidence: Series, examined: readonly Exchanged[] = []): readonly Span[] | null {
  const spans = listSpansOfAccounts(evidence, examined);
  const steady = spans.filter((ofAccount) => !ofAccount.some((span) => isUnsteady(span, examined)));
  return steady.length === 0 && spans.length > 0 ? null : steady.flat();
}
