/**
 * Divides the work of a ledger into lanes. Each lane disburses from an account of its own. The lanes work, and wait for outcomes, at
 * the same time.
 */
import { type Tools } from '../../fixtures/runner/index.ts';
import * as limits from '../../openapi/bank/behaviours/loans/limit-ledger.ts';
import { AccountLedger, readLimitSeries, STEADY_SHARE, toCents, type ApplicationKind } from './account-ledger.ts';
import { listOfferedAccounts } from './offered-accounts.ts';

/** The number of lanes for single disbursements. One more account is for disbursements above its limit. */
const MAX_SINGLE_LANES = 2;
export const MIN_ACCOUNTS_OF_LANES = 2;
/** The account of a lane has at least this limit. */
const MIN_LIMIT = 20;

interface LanePlan {
  readonly amount: number;
  /** In cents: the limit after the disbursement is a multiple of this number. The disbursement may cost this much more. */
  readonly leaves?: number;
  readonly kind: ApplicationKind;
}

interface Lane<Plan> {
  readonly ledger: AccountLedger;
  /** The disbursements of this lane, in order. */
  readonly plans: Plan[];
}

export interface Lanes<Plan> {
  /** The ledger of the account whose limit is exceeded. */
  readonly exceeding: AccountLedger;
  readonly singles: readonly Lane<Plan>[];
}

interface LaneAccount {
  readonly account: string;
  readonly limit: number;
  /** The currencies in which the bank offers the account. */
  readonly currencies: ReadonlySet<string>;
}

/**
 * Lists the steady accounts in a currency: those that nearly each application offers. The highest limit comes first. An account that
 * also the currency of the ledger offers is an account of that currency only.
 */
function listLaneAccounts(
  { accountsInProgress, terms, tools }: AccountLedger,
  currency: string,
): readonly LaneAccount[] {
  const { session } = tools.run;
  const offered = listOfferedAccounts(session, terms.currency).find((offers) => offers.currency === currency);
  const { accounts = [], applications = 0 } = offered ?? {};
  return accounts
    .filter(({ limit, offers }) => limit >= MIN_LIMIT && offers >= STEADY_SHARE * applications)
    .filter(({ account }) => !accountsInProgress.has(account))
    .toSorted((a, b) => b.limit - a.limit)
    .map(({ account, limit }) => {
      const loanAnswers = session.requests.filter(({ opened }) => opened?.accounts.includes(account));
      return { account, limit, currencies: new Set(loanAnswers.map(({ values }) => String(values['currency']))) };
    });
}

const doLimitsDependOnOtherAccounts = ({ run }: Tools): boolean =>
  limits.haveUnsteadyLimits(readLimitSeries(run.session));

/**
 * Divides planned disbursements among lanes: each goes to the lane with the fewest plans whose limit is high enough. Each further
 * currency has a lane, if none of these accounts is offered in it. The account with the smallest limit gets the disbursements above
 * its limit. Returns null if the bank has too few accounts, or if disbursements from one account change the limit of another account.
 */
export function divideIntoLanes<Plan extends LanePlan>(
  ledger: AccountLedger,
  plans: readonly Plan[],
): Lanes<Plan> | null {
  const { terms, tools } = ledger;
  const accounts = listLaneAccounts(ledger, terms.currency);
  const smallest = accounts.at(-1);
  if (smallest === undefined || accounts.length < MIN_ACCOUNTS_OF_LANES || doLimitsDependOnOtherAccounts(tools))
    return null;
  const openLedger = ({ account }: LaneAccount, currency = terms.currency) =>
    new AccountLedger(tools, { ...terms, currency }, [account], ledger);
  const otherCurrencies = [...new Set(plans.map(({ kind }) => kind.currency))].filter(
    (currency) => !accounts.some(({ currencies }) => currencies.has(currency)),
  );
  const accountsInOtherCurrencies = otherCurrencies.flatMap((currency) =>
    listLaneAccounts(ledger, currency)
      .slice(0, 1)
      .map((account) => ({ ...account, ledger: openLedger(account, currency) })),
  );
  const singles = accounts.slice(0, -1).slice(0, MAX_SINGLE_LANES);
  const lanes = [
    ...singles.map((account) => ({ ...account, ledger: openLedger(account) })),
    ...accountsInOtherCurrencies,
  ].map((lane) => ({ ...lane, plans: [] as Plan[], centsLeft: toCents(lane.limit) }));
  for (const plan of plans) {
    const costCents = toCents(plan.amount) + (plan.leaves ?? 0);
    const [lane] = lanes
      .filter(({ centsLeft, currencies }) => costCents <= centsLeft && currencies.has(plan.kind.currency))
      .toSorted((a, b) => a.plans.length - b.plans.length);
    if (lane === undefined) continue;
    lane.plans.push(plan);
    lane.centsLeft -= costCents;
  }
  return { exceeding: openLedger(smallest), singles: lanes };
}
