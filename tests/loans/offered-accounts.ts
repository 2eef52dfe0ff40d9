/** Finds the accounts that the bank offers again and again, and divides them among scenarios that run at the same time. */
import type { LoanTerms } from '../../fixtures/arbitraries/loans.ts';
import { getOrSet, partition, readDecimal, type Tools } from '../../fixtures/runner/index.ts';

type Session = Tools['run']['session'];

interface OfferedAccount {
  readonly account: string;
  readonly currency: string;
  /** The limit in the last offer. */
  readonly limit: number;
  /** The number of applications that were offered this account. */
  readonly times: number;
}

interface CurrencyOffers {
  readonly currency: string;
  /** The number of applications in this currency. */
  readonly applications: number;
  readonly accounts: readonly OfferedAccount[];
}

/** Lists the accounts that were offered again, by currency, `first` first. An account stands in the first of its currencies. */
export function listOfferedAccounts({ requests }: Session, first: string): readonly CurrencyOffers[] {
  const byCurrency = new Map([[first, { applications: 0, accounts: new Map<string, OfferedAccount>() }]]);
  for (const { opened, values } of requests) {
    if (opened === undefined) continue;
    const offers = getOrSet(byCurrency, String(values['currency']), () => ({ applications: 0, accounts: new Map() }));
    offers.applications += 1;
    for (const [nth, account] of opened.accounts.entries()) {
      const times = 1 + (offers.accounts.get(account)?.times ?? 0);
      offers.accounts.set(account, {
        account,
        currency: String(values['currency']),
        limit: readDecimal(opened.limits[nth]) ?? 0,
        times,
      });
    }
  }
  const seen = new Set<string>();
  return [...byCurrency].map(([currency, { applications, accounts }]) => {
    const own = [...accounts.values()].filter(({ account, times }) => times > 1 && !seen.has(account));
    for (const { account } of own) seen.add(account);
    return { currency, applications, accounts: own };
  });
}

/** Returns terms in the first currency with `count` free accounts; by default `terms`. */
export function chooseTerms(session: Session, terms: LoanTerms, count: number): LoanTerms {
  const isFree = ({ account }: OfferedAccount): boolean => session.accounts.isFree(account);
  const offers = listOfferedAccounts(session, terms.currency);
  const { currency } = offers.find(({ accounts }) => accounts.filter(isFree).length >= count) ?? terms;
  return { ...terms, currency };
}

/**
 * The accounts of one ledger. `main`: disbursements of all kinds. `beyond`: disbursements above the limit and at once. `all`: both.
 */
export interface LedgerShare {
  readonly accounts: readonly string[];
  readonly part: 'all' | 'main' | 'beyond';
}

/** This many amounts fit into a limit that is large enough for a ledger. */
const MIN_AMOUNTS = 10;
/** Two ledgers run at the same time if they leave accounts for other scenarios: one of their currency, or two of others. */
const MIN_ACCOUNTS_FOR_TWO = 3;
const MIN_OTHER_ACCOUNTS = 2;

/**
 * Divides some accounts of the currency of `terms` among ledgers. `currencies`: other currencies, without those that have accounts of
 * their own.
 */
export function listLedgerShares(session: Session, { amount, currency: main }: LoanTerms, accepted: readonly string[]) {
  const [ofMain, ...ofOthers] = listOfferedAccounts(session, main);
  const currencies = accepted.filter(
    (code) => code !== main && !ofOthers.some(({ currency, accounts }) => currency === code && accounts.length > 0),
  );
  const { applications = 0, accounts = [] } = ofMain ?? {};
  const always = accounts.filter(({ times }) => times === applications);
  const offered = always.length > 0 ? always : accounts;
  const [sufficient, low] = partition(offered, ({ limit }) => limit >= MIN_AMOUNTS * amount);
  // The lowest sufficient limit comes first: the caps must allow to exceed it.
  const sorted = session.accounts.freeFirst(sufficient.toSorted((a, b) => a.limit - b.limit));
  const names = [...sorted, ...low.toSorted((a, b) => b.limit - a.limit)].map(({ account }) => account);
  // If an application is offered only some of the accounts, a ledger needs several.
  const all: LedgerShare = {
    accounts: names.slice(0, always.length > 0 ? 1 : Math.ceil(names.length / 2)),
    part: 'all',
  };
  const [lowest, highest] = [sorted[0], sorted.at(-1)];
  const others = ofOthers.flatMap((offers) => offers.accounts);
  const leavesEnough = sorted.length >= MIN_ACCOUNTS_FOR_TWO || others.length >= MIN_OTHER_ACCOUNTS;
  if (always.length === 0 || !leavesEnough || lowest === undefined || highest === undefined || lowest === highest)
    return { shares: [all], currencies };
  const shares: readonly LedgerShare[] = [
    { accounts: [highest.account], part: 'main' },
    { accounts: [lowest.account], part: 'beyond' },
  ];
  return { shares, currencies };
}
