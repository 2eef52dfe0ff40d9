/**
 * Lanes of the ledger: each disburses from an account of its own, and the lanes work at the same time. So they wait at the same time
 * for the bank and for outcomes.
 */
import { limits, type Tools } from '../../fixtures/runner/index.ts';
import { AccountLedger, readLimitSeries, STEADY_SHARE, toCents, type ApplicationKind } from './account-ledger.ts';
import { listOfferedAccounts } from './offered-accounts.ts';

/** The number of lanes for single disbursements, besides the account that is exceeded. More would need more of the caps. */
const MAX_SINGLE_LANES = 2;
export const MIN_ACCOUNTS_OF_LANES = 2;
/** A lane begins with at least this limit. */
const MIN_LIMIT = 20;

interface LaneWish {
  readonly amount: number;
  /** In cents: the limit after the disbursement is a multiple of so many, which may cost as much more. */
  readonly leaves?: number;
  readonly kind: ApplicationKind;
}

interface Lane<Wish> {
  readonly ledger: AccountLedger;
  /** What the lane disburses, in order. */
  readonly wishes: Wish[];
}

export interface Lanes<Wish> {
  /** The ledger of the account whose limit is exceeded. */
  readonly exceeding: AccountLedger;
  readonly singles: readonly Lane<Wish>[];
}

interface LaneAccount {
  readonly account: string;
  readonly limit: number;
  /** All currencies in which the bank offers the account. */
  readonly currencies: ReadonlySet<string>;
}

/** Lists the accounts that nearly each application in the currency of the ledger offers, those with the highest limit first. */
function listLaneAccounts({ awaited, terms, tools }: AccountLedger): readonly LaneAccount[] {
  const { session } = tools.run;
  const offered = listOfferedAccounts(session, terms.currency).find(({ currency }) => currency === terms.currency);
  const { accounts = [], applications = 0 } = offered ?? {};
  return accounts
    .filter(({ limit, times }) => limit >= MIN_LIMIT && times >= STEADY_SHARE * applications)
    .filter(({ account }) => !awaited.has(account))
    .toSorted((a, b) => b.limit - a.limit)
    .map(({ account, limit }) => {
      const offers = session.requests.filter(({ opened }) => opened?.accounts.includes(account));
      return { account, limit, currencies: new Set(offers.map(({ values }) => String(values['currency']))) };
    });
}

const areLimitsShared = ({ run }: Tools): boolean => limits.haveUnsteadyLimits(readLimitSeries(run.session));

/**
 * Divides wishes among lanes: each goes to the lane with the fewest wishes whose limit covers its amount. The account with the smallest
 * limit is exceeded. Null if the bank has too few accounts, or if a limit also changes by disbursements from other accounts.
 */
export function divideIntoLanes<Wish extends LaneWish>(
  ledger: AccountLedger,
  wishes: readonly Wish[],
): Lanes<Wish> | null {
  const accounts = listLaneAccounts(ledger);
  const smallest = accounts.at(-1);
  if (smallest === undefined || accounts.length < MIN_ACCOUNTS_OF_LANES || areLimitsShared(ledger.tools)) return null;
  const open = ({ account }: LaneAccount) => new AccountLedger(ledger.tools, ledger.terms, [account], ledger);
  const singles = accounts.slice(0, -1).slice(0, MAX_SINGLE_LANES);
  const lanes = singles.map((one) => ({ ...one, ledger: open(one), wishes: [] as Wish[], cents: toCents(one.limit) }));
  for (const wish of wishes) {
    const cost = toCents(wish.amount) + (wish.leaves ?? 0);
    const [lane] = lanes
      .filter(({ cents, currencies }) => cost <= cents && currencies.has(wish.kind.currency))
      .toSorted((a, b) => a.wishes.length - b.wishes.length);
    if (lane === undefined) continue;
    lane.wishes.push(wish);
    lane.cents -= cost;
  }
  return { exceeding: open(smallest), singles: lanes };
}
