/** Makes disbursements of many amounts and kinds of applications, and reads the limits of their accounts afterwards. */
import { listBoundaryAmounts, orderByMistakes } from '../../fixtures/arbitraries/amounts.ts';
import { getAmountForm, pickAmountOfMistakes } from '../../fixtures/arbitraries/amount-classes.ts';
import type { LoanTerms } from '../../fixtures/bank/arbitraries/loans.ts';
import {
  claimUnused,
  countDecimals,
  disbursesLess,
  findOpenings,
  listAccepted,
  mapAll,
  readDecimal,
  type Application,
  type Tools,
} from '../../fixtures/runner/index.ts';
import { askingCostsNothing } from '../../openapi/bank/behaviours/loans/asking.ts';
import * as limits from '../../openapi/bank/behaviours/loans/limit-ledger.ts';
import * as parallel from '../../openapi/bank/behaviours/loans/parallel-disbursements.ts';
import {
  AccountLedger,
  listLimitSeries,
  OTHER_SHARDS_TEXT,
  queryUnknownOutcomes,
  roundDown,
  toCents,
  type ApplicationKind,
  type QueryTiming,
  type Disbursement,
} from './account-ledger.ts';
import { repeatContradictions } from './contradictions.ts';
import { exceedLimit } from './exceeded-limit.ts';
import { divideIntoLanes, MIN_ACCOUNTS_OF_LANES, type Lanes } from './ledger-lanes.ts';
import { chooseTerms } from './offered-accounts.ts';
import { disburseInParallel } from './parallel-disbursements.ts';

const FIXED_LIMIT_TEXT = 'a disbursement does not lower the limit on offer';
/** The maximum number of single disbursements before the simultaneous ones, and again after them. Caps end most ledgers earlier. */
const MAX_SINGLES = 10;
/** A small amount is at most the highest limit divided by this number, so that the limit is enough for many disbursements. */
const SMALL_AMOUNT_DIVISOR = 10;
/** A large amount is this share of the highest limit. */
const LARGE_SHARE = 0.55;
/** In cents: after a disbursement, the limit is a multiple of one of these. Such limits show mistakes with zeros at the end. */
const LIMIT_UNITS = [10, 100, 100_000];
/** In cents. A bank may refuse a smaller amount. */
const MIN_AMOUNT = 100;
/** In cents: amounts among which `pickAmountOfMistakes` finds one that shows mistakes of binary arithmetic. */
const MISBOOKED_AMOUNTS = Array.from({ length: 1000 }, (_, nth) => 2 * MIN_AMOUNT + nth);
/** The maximum number of repeated disbursements: their effect was unusual, or no offered account had a sufficient limit. */
const MAX_REPETITIONS = 6;
/** The first disbursements ignore the reserve: a rule about limits needs three, and without a rule the ledger shows nothing. */
const MIN_SINGLES = 4;
/** If at least this many disbursements did not change a limit, limits are fixed. One may have failed. */
const MIN_UNCHANGED = 2;
/** The position in the list of the single disbursement whose request is sent again. */
const REPEATED_INDEX = 4;

type Session = Tools['run']['session'];

/** A planned disbursement. If `leaves` or `isMisbooked` is set, its amount depends on the limit of the account. */
interface Plan extends Pick<Disbursement, 'amount' | 'leaves' | 'isMisbooked' | 'isHalf' | 'customer'> {
  readonly kind: ApplicationKind;
  readonly queryTiming?: QueryTiming | 'in turn';
  readonly isRepeated?: boolean;
}

/**
 * Returns `terms`. If their currency has no account with a sufficient limit, returns the terms in the currency with the highest
 * limit.
 */
function pickTerms({ requests }: Session, terms: LoanTerms): LoanTerms {
  const openings = [...findOpenings(requests).values()].map(({ values, opened }) => ({
    terms: { ...terms, currency: String(values['currency']) },
    limit: Math.max(0, ...(opened?.limits ?? []).map((limit) => readDecimal(limit) ?? 0)),
  }));
  const latest = new Map(openings.map((opening) => [opening.terms.currency, opening]));
  const openingInCurrency = latest.get(terms.currency);
  if (openingInCurrency === undefined || openingInCurrency.limit >= terms.amount) return terms;
  return [...latest.values()].toSorted((a, b) => b.limit - a.limit)[0]?.terms ?? terms;
}

/** True if disbursements do not change the limits: each account has the same limit before a disbursement and at the end of the run. */
export function areLimitsFixed({ requests }: Session): boolean {
  const areUnchanged = listAccepted(requests, 'disburse').flatMap(({ values, sentAt, answeredAt }) => {
    const account = String(values['account_id']);
    const offers = requests.filter(({ opened }) => opened?.accounts.includes(account));
    const before = offers.findLast((offer) => offer.answeredAt < sentAt)?.opened;
    const after = offers.findLast((offer) => offer.sentAt > answeredAt)?.opened;
    if (before === undefined || after === undefined) return [];
    return [before.limits[before.accounts.indexOf(account)] === after.limits[after.accounts.indexOf(account)]];
  });
  return areUnchanged.length >= MIN_UNCHANGED && !areUnchanged.includes(false);
}

/** Lists amounts to disburse. A few that show every mistake come first, because caps may end the ledger early. */
function listAmounts(
  { requests }: Session,
  maxAmount: number,
  configuredAmounts: readonly number[],
): readonly number[] {
  const loanRequests = requests.filter(({ operation }) => operation === 'requestLoan');
  const accepted = new Set(listAccepted(loanRequests, 'requestLoan').map(({ values }) => Number(values['amount'])));
  const isRefused = loanRequests.some(({ values }) => !accepted.has(Number(values['amount'])));
  // If the bank refused an amount, it has a rule about amounts: then only accepted amounts are used.
  const amounts = listBoundaryAmounts(maxAmount, configuredAmounts).filter(
    (amount) => !isRefused || accepted.has(amount),
  );
  const otherAmounts = [...accepted].filter((amount) => amount <= maxAmount).toSorted((a, b) => a - b);
  return [...new Set(orderByMistakes([...amounts, ...otherAmounts]))];
}

/** Returns the offer of the first account whose limit covers the amount. */
const pickOffer = (ledger: AccountLedger, { offers, terms }: Application) =>
  offers
    .filter(({ account }) => ledger.mayUse(account) && !ledger.accountsInProgress.has(account))
    .filter(({ limit }) => toCents(limit) >= toCents(terms.amount))
    .toSorted((a, b) => ledger.compareAccounts(a.account, b.account))[0];

/** Returns the amount of a plan. If the amount depends on the limit and the limit is high enough, calculates the amount from it. */
function pickAmount(ledger: AccountLedger, { amount, leaves, isMisbooked = false }: Plan): number {
  const accounts = [...ledger.accounts.keys()].filter((name) => !ledger.accountsInProgress.has(name));
  const [account] = accounts.toSorted(ledger.compareAccounts);
  const limit = ledger.expectLimit(account ?? '');
  const cents = isMisbooked
    ? pickAmountOfMistakes(MISBOOKED_AMOUNTS, limit)
    : MIN_AMOUNT + ((limit - MIN_AMOUNT) % (leaves ?? 1));
  return (isMisbooked || leaves !== undefined) && limit > cents ? cents / 100 : amount;
}

/** Opens an application and disburses its amount. Null if the outcome is not final; undefined if no limit is high enough. */
export async function applyAndDisburse(
  ledger: AccountLedger,
  { kind, queryTiming, isRepeated = false, ...plan }: Plan,
) {
  const amount = pickAmount(ledger, { kind, ...plan });
  const isHalf = plan.isHalf === true && disbursesLess(ledger.tools.run.session.requests);
  const application = await ledger.open(isHalf ? 2 * amount : amount, kind);
  if (application === null) return null;
  const offer = pickOffer(ledger, application);
  if (offer === undefined) return undefined;
  await ledger.tools.loans.approve(application, offer);
  const isDouble = isHalf && application.terms.amount === 2 * amount;
  const disbursement = { ...plan, application, offer, amount: isDouble ? amount : application.terms.amount };
  return ledger.disburse([disbursement], { isRepeated, ...(queryTiming && { queryTiming }) });
}

type Reserve = Readonly<Record<'applications' | 'disbursements', number>>;
/** Kept for later disbursements, above the limit and at the same time, and for readings of the limit. */
const RESERVE: Reserve = { applications: 11, disbursements: 11 };
/**
 * Also kept, for disbursements at the same time: applications for exactly their amounts, if the bank disburses only whole amounts, or at
 * most the amount of an application.
 */
const RESERVED_FOR_AMOUNTS = { whole: 3, atMostApplied: 1 };
/** Kept until the end of the ledger. */
const LAST_RESERVE: Reserve = { applications: 4, disbursements: 2 };

function getReserve({ tools: { loans } }: AccountLedger, what: keyof Reserve): number {
  if (what === 'disbursements' || loans.disbursesMore()) return RESERVE[what];
  return RESERVE[what] + RESERVED_FOR_AMOUNTS[loans.disbursesOnlyWhole() ? 'whole' : 'atMostApplied'];
}

/** What the lanes of single disbursements share. */
interface Singles {
  /** The number of disbursements that succeeded or that wait for their outcome. */
  count: number;
  readonly getReserve: (what: keyof Reserve) => number;
}

/** Returns a text that is equal for equal plans: each is repeated only once. */
function getPlanKey({ amount, customer, isMisbooked, kind, leaves }: Plan): string {
  const { commercial_disbursement, disbursement_purpose, currency } = kind;
  return JSON.stringify([
    leaves ?? isMisbooked ?? amount,
    customer,
    commercial_disbursement,
    disbursement_purpose,
    currency,
  ]);
}

/** Makes disbursements one by one. Repeats each with an unusual change of the limit, because the bank may show limits late. */
async function disburseOneByOne(ledger: AccountLedger, plans: Plan[], shared: Singles): Promise<void> {
  const { budget, session } = ledger.tools.run;
  const isReserved = (what: keyof Reserve): boolean =>
    shared.count >= MIN_SINGLES && budget.countLeft(what) <= shared.getReserve(what);
  const repeatedKeys = new Set<string>();
  for (let count = 0; count < MAX_SINGLES && plans.length > 0; count += 1) {
    if (count > 0 && (isReserved('applications') || isReserved('disbursements'))) return;
    const plan = plans.shift() as Plan;
    shared.count += 1;
    const result = await applyAndDisburse(ledger, { queryTiming: 'in turn', ...plan });
    shared.count += (result?.accepted.length ?? 0) - 1;
    if (areLimitsFixed(session)) return;
    const isCovered = result !== undefined;
    const unusual = ledger.unusualDisbursements
      .splice(0)
      // Queries at rest exclude that the queries changed the limit.
      .map(({ application, offer: _, ...disbursement }): Plan => ({
        ...disbursement,
        kind: application.terms,
        queryTiming: 'at rest',
      }));
    for (const planToRepeat of isCovered ? unusual : [plan]) {
      const key = getPlanKey(planToRepeat);
      if (repeatedKeys.size >= MAX_REPETITIONS || repeatedKeys.has(key)) continue;
      repeatedKeys.add(key);
      if (isCovered) await session.waiting.waitForMinInterval();
      plans.unshift(planToRepeat);
    }
  }
}

const listKinds = (terms: LoanTerms): readonly ApplicationKind[] => [
  terms,
  { ...terms, commercial_disbursement: !terms.commercial_disbursement },
  { ...terms, disbursement_purpose: !terms.disbursement_purpose },
];

/**
 * Plans the disbursements. Each kind of application disburses a small and a large amount; other amounts follow. The first amounts
 * have the most decimals, because they show whether the bank rounds limits.
 */
async function listPlans(
  { terms, tools, listLimits }: AccountLedger,
  amountsToDisburse: readonly number[],
): Promise<Plan[]> {
  const [, ...currencies] = await tools.loans.currencies();
  const isCutOff = (amount: number): boolean => getAmountForm(toCents(amount)) === 'falls below';
  const byDecimals = amountsToDisburse.toSorted((a, b) => countDecimals(b) - countDecimals(a));
  // Binary arithmetic cuts off the cents of the first amount.
  const amounts = [...new Set([byDecimals.find(isCutOff) ?? byDecimals[0] ?? 1, ...byDecimals])];
  const termsList = await mapAll(Array.from({ length: MAX_SINGLES }), 1, () => tools.loans.nextTerms());
  const mayHaveCents =
    tools.target.testData.amounts.length === 0 && amounts.some((amount) => countDecimals(amount) > 0);
  const cents = (amounts[0] ?? 0) % 1;
  const highestLimit = Math.min(listLimits()[0] ?? 0, 2 * tools.target.caps.amount);
  const kinds = listKinds(terms);
  const plan = (nth: number, kind: ApplicationKind = terms, approved = true): Plan => {
    const { order = terms.order, planned } = termsList[nth % termsList.length] ?? {};
    return {
      kind: { ...kind, order, ...(planned && { planned }) },
      amount: amounts[nth % amounts.length] ?? 1,
      customer: { approved },
    };
  };
  // At least three disbursements have this flag: a rule about limits needs three.
  const otherKind = { ...terms, commercial_disbursement: !terms.commercial_disbursement };
  const leavingPlans = LIMIT_UNITS.map((leaves, nth): Plan => ({
    ...plan(nth + 3, nth === 0 ? terms : otherKind),
    leaves,
    isHalf: nth === 1,
  }));
  const centsPlans = mayHaveCents ? [{ ...plan(kinds.length), isMisbooked: true }, ...leavingPlans] : [];
  const [firstKind = [], ...otherKinds] = kinds.map((kind, nth): readonly Plan[] => [
    plan(nth, kind),
    // Each large amount leaves less for the next one. The first has no cents, because a bank may refuse cents in large amounts.
    { kind, amount: Number((roundDown(highestLimit * LARGE_SHARE ** (nth + 1)) + (nth === 0 ? 0 : cents)).toFixed(2)) },
  ]);
  const currencyPlans = currencies.map((currency, nth) => plan(kinds.length + 1 + nth, { ...terms, currency }));
  const plans = [
    ...[...firstKind, plan(kinds.length, terms, false), ...centsPlans.slice(0, 1), ...currencyPlans],
    ...[...centsPlans.slice(1), ...otherKinds.flat()],
    ...amounts.slice(kinds.length + currencies.length).map((_, nth) => plan(kinds.length + currencies.length + nth)),
  ];
  return plans.map((plan, nth) => ({ ...plan, isRepeated: nth === REPEATED_INDEX }));
}

/** The behaviours that the ledger tests. */
const LEDGER_BEHAVIOURS = [
  limits.limitLedger,
  askingCostsNothing,
  parallel.parallelSum,
  parallel.parallelWithinLimit,
] as const;

const reportNotTested = ({ run }: Tools, why: string): void =>
  LEDGER_BEHAVIOURS.forEach((behaviour) => run.unexercised(behaviour, why));

export async function runLimitLedger(tools: Tools): Promise<void> {
  const { run } = tools;
  if (run.session.shard.total > 1) return reportNotTested(tools, OTHER_SHARDS_TEXT);
  await disburseAndRead(tools);
  run.compare(limits.failureCostsNothing, listLimitSeries(run.session));
}

/** Reads the limit of the account with the highest limit twice. Returns the account; null if the bank does not offer it again. */
async function findAccountOfferedAgain(ledger: AccountLedger, amount: number): Promise<string | null> {
  const [account] = [...ledger.accounts].toSorted(([, a], [, b]) => b.limit - a.limit)[0] ?? [];
  return account === undefined || (await ledger.readLimit(account, amount, 2)) === null ? null : account;
}

function findObstacleToParallel({ target }: Tools, account: string | null): string | null {
  if (!target.overLimit) return 'OVER_LIMIT=0 sends no disbursements above a limit';
  if (target.inFlight < 2) return 'IN_FLIGHT=1 sends no two requests at the same time';
  return account === null ? 'no account was offered again' : null;
}

async function disburseAndRead(tools: Tools): Promise<void> {
  const { loans, run, target } = tools;
  const { session } = run;
  if (areLimitsFixed(session)) return reportNotTested(tools, FIXED_LIMIT_TEXT);
  claimUnused(run, 'loans');
  // If possible, chooses a currency with several accounts, because lanes use several accounts at the same time.
  const terms = chooseTerms(session, pickTerms(session, await loans.terms()), MIN_ACCOUNTS_OF_LANES);
  await queryUnknownOutcomes(tools, []);
  const ledger = new AccountLedger(tools, terms, []);
  // These readings show which kinds of applications share a limit.
  await Promise.all(listKinds(terms).map((kind) => ledger.open(terms.amount, kind)));
  const highestLimit = ledger.listLimits()[0] ?? 0;
  const amounts = listAmounts(
    session,
    Math.min(highestLimit / SMALL_AMOUNT_DIVISOR, target.caps.amount),
    target.testData.amounts,
  );
  const plans = await listPlans(ledger, amounts);
  const lanes = divideIntoLanes(ledger, plans);
  const [readingAmount = 1] = amounts;
  await (lanes === null ? disburseWithoutLanes(ledger, plans, readingAmount) : disburseInLanes(lanes, readingAmount));
  if (areLimitsFixed(session)) return reportNotTested(tools, FIXED_LIMIT_TEXT);
  await repeatContradictions(tools, terms);
  for (const behaviour of [limits.limitLedger, askingCostsNothing, parallel.parallelSum])
    run.compare(behaviour, listLimitSeries(session));
}

/** Makes all disbursements with one ledger, one after another. */
async function disburseWithoutLanes(ledger: AccountLedger, plans: Plan[], readingAmount: number): Promise<void> {
  await disburseOneByOne(ledger, plans, { count: 0, getReserve: (what) => getReserve(ledger, what) });
  if (areLimitsFixed(ledger.tools.run.session)) return;
  await disburseAboveAndInParallel(ledger, readingAmount, 0);
  await disburseOneByOne(ledger, plans, { count: MIN_SINGLES, getReserve: (what) => LAST_RESERVE[what] });
}

/** Makes single disbursements in lanes. At the same time, disburses above the limit and in parallel from another account. */
async function disburseInLanes({ exceeding, singles }: Lanes<Plan>, readingAmount: number): Promise<void> {
  let isExceeded = false;
  const sharedBySingles: Singles = {
    count: 0,
    getReserve: (what) =>
      Math.max(LAST_RESERVE[what], isExceeded ? 0 : getReserve(exceeding, what) - exceeding.usage[what]),
  };
  const planCount = singles.reduce((sum, { plans }) => sum + plans.length, 0);
  await Promise.all([
    disburseAboveAndInParallel(exceeding, readingAmount, Math.min(MAX_SINGLES, planCount)).finally(
      () => (isExceeded = true),
    ),
    ...singles.map(({ ledger, plans }) => disburseOneByOne(ledger, plans, sharedBySingles)),
  ]);
  // One more application shows the limits after the last disbursements.
  const isLimitUnread = [exceeding, ...singles.map(({ ledger }) => ledger)].some((ledger) => ledger.hasUnreadLimit());
  if (isLimitUnread) await exceeding.open(exceeding.terms.amount);
}

/**
 * Makes disbursements one after the other that exceed a limit, and then disbursements at the same time: within the limit, and above
 * it. `reservedApplications`: the number of applications that the lanes need.
 */
async function disburseAboveAndInParallel(
  ledger: AccountLedger,
  readingAmount: number,
  reservedApplications: number,
): Promise<void> {
  const { run, target } = ledger.tools;
  const exceeded = target.overLimit ? await exceedLimit(ledger, reservedApplications) : null;
  const account = exceeded?.account ?? (await findAccountOfferedAgain(ledger, readingAmount));
  const why = findObstacleToParallel(ledger.tools, account);
  if (why !== null) run.unexercised(parallel.parallelWithinLimit, why);
  if (account !== null && target.inFlight > 1) await disburseInParallel(ledger, account, exceeded?.inRow ?? []);
}
