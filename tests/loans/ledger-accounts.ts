/** Divides the accounts of a bank among ledgers that run at the same time, and leaves some for other scenarios. */
import type { LoanTerms } from '../../fixtures/arbitraries/loans.ts';
import { getOrSet, readDecimal, type Tools } from '../../fixtures/runner/index.ts';

type Session = Tools['run']['session'];

interface OfferedAccount {
  readonly account: string;
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
function listOfferedAccounts({ requests }: Session, first: string): readonly CurrencyOffers[] {
  const byCurrency = new Map([[first, { applications: 0, accounts: new Map<string, OfferedAccount>() }]]);
  for (const { opened, values } of requests) {
    if (opened === undefined) continue;
    const offers = getOrSet(byCurrency, String(values['currency']), () => ({ applications: 0, accounts: new Map() }));
    offers.applications += 1;
    for (const [nth, account] of opened.accounts.entries()) {
      const times = 1 + (offers.accounts.get(account)?.times ?? 0);
      offers.accounts.set(account, { account, limit: readDecimal(opened.limits[nth]) ?? 0, times });
    }
  }
  const seen = new Set<string>();
  return [...byCurrency].map(([currency, { applications, accounts }]) => {
    const own = [...accounts.values()].filter(({ account, times }) => times > 1 && !seen.has(account));
    for (const { account } of own) seen.add(account);
    return { currency, applications, accounts: own };
  });
}

/**
 * The accounts of one ledger. `main`: disbursements of many amounts and kinds. `beyond`: disbursements above the limit and at once;
 * `all`: both. `currency`: a few disbursements in another currency.
 */
export interface LedgerShare {
  readonly accounts: readonly string[];
  readonly currency: string;
  readonly part: 'all' | 'main' | 'beyond' | 'currency';
}

/** This many amounts fit into a limit that is large enough for a ledger. */
const MIN_AMOUNTS = 10;
/** If every application is offered at least this many accounts, two ledgers run at the same time. */
const MIN_ACCOUNTS_FOR_TWO = 3;

/** Lists the accounts for a ledger, the lowest sufficient limit first: the caps must allow to exceed the limit. */
function listChoices({ accounts }: Session, { applications, accounts: offered }: CurrencyOffers, amount: number) {
  const always = offered.filter(({ times }) => times === applications);
  const isSufficient = ({ limit }: OfferedAccount): boolean => limit >= MIN_AMOUNTS * amount;
  const sorted = (always.length > 0 ? always : offered).toSorted(
    (a, b) =>
      Number(isSufficient(b)) - Number(isSufficient(a)) || (isSufficient(a) ? a.limit - b.limit : b.limit - a.limit),
  );
  return { isAlways: always.length > 0, names: accounts.freeFirst(sorted).map(({ account }) => account) };
}

export function listLedgerShares(session: Session, { amount, currency: main }: LoanTerms): readonly LedgerShare[] {
  const shares = listOfferedAccounts(session, main).flatMap((offers): readonly LedgerShare[] => {
    const { currency } = offers;
    const { isAlways, names } = listChoices(session, offers, amount);
    const [lowest, highest] = [names[0], names.at(-1)];
    if (lowest === undefined || highest === undefined) return [];
    // If an application is offered only some of the accounts, a ledger needs several.
    const accounts = isAlways ? [lowest] : names.slice(0, Math.ceil(names.length / 2));
    if (currency !== main) return [{ accounts, currency, part: 'currency' }];
    if (!isAlways || names.length < MIN_ACCOUNTS_FOR_TWO) return [{ accounts, currency, part: 'all' }];
    return [
      { accounts: [highest], currency, part: 'main' },
      { accounts, currency, part: 'beyond' },
    ];
  });
  return shares.some(({ part }) => part !== 'currency')
    ? shares
    : [{ accounts: [], currency: main, part: 'all' }, ...shares];
}
