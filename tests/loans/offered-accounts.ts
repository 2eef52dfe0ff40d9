/** Finds the accounts that the bank offers again and again. */
import type { LoanTerms } from '../../fixtures/arbitraries/loans.ts';
import { getOrSet, readDecimal, type Tools } from '../../fixtures/runner/index.ts';

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
