/** Finds the accounts that the bank offers more than once. */
import type { LoanTerms } from '../../fixtures/bank/arbitraries/loans.ts';
import { getOrSet, readDecimal, type Tools } from '../../fixtures/runner/index.ts';

type Session = Tools['run']['session'];

interface OfferedAccount {
  readonly account: string;
  readonly currency: string;
  /** The limit in the last offer. */
  readonly limit: number;
  /** The number of applications that offer this account. */
  readonly offers: number;
}

interface CurrencyOffers {
  readonly currency: string;
  /** The number of applications in this currency. */
  readonly applications: number;
  readonly accounts: readonly OfferedAccount[];
}

/** Lists the accounts with at least two offers, by currency; `first` is the first currency. Each account is in one currency only. */
export function listOfferedAccounts({ requests }: Session, first: string): readonly CurrencyOffers[] {
  const byCurrency = new Map([[first, { applications: 0, accounts: new Map<string, OfferedAccount>() }]]);
  for (const { opened, values } of requests) {
    if (opened === undefined) continue;
    const currencyOffers = getOrSet(byCurrency, String(values['currency']), () => ({
      applications: 0,
      accounts: new Map(),
    }));
    currencyOffers.applications += 1;
    for (const [index, account] of opened.accounts.entries()) {
      const offers = 1 + (currencyOffers.accounts.get(account)?.offers ?? 0);
      currencyOffers.accounts.set(account, {
        account,
        currency: String(values['currency']),
        limit: readDecimal(opened.limits[index]) ?? 0,
        offers,
      });
    }
  }
  const listedAccounts = new Set<string>();
  return [...byCurrency].map(([currency, { applications, accounts }]) => {
    const accountsOfCurrency = [...accounts.values()].filter(
      ({ account, offers }) => offers > 1 && !listedAccounts.has(account),
    );
    for (const { account } of accountsOfCurrency) listedAccounts.add(account);
    return { currency, applications, accounts: accountsOfCurrency };
  });
}

/** Returns terms in the first currency that has `count` free accounts. Returns `terms` if no currency has. */
export function chooseTerms(session: Session, terms: LoanTerms, count: number): LoanTerms {
  const isFree = ({ account }: OfferedAccount): boolean => session.accounts.isFree(account);
  const offers = listOfferedAccounts(session, terms.currency);
  const { currency } = offers.find(({ accounts }) => accounts.filter(isFree).length >= count) ?? terms;
  return { ...terms, currency };
}
