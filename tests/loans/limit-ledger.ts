/** Makes disbursements of many amounts and kinds of applications, and reads the limits of their accounts. */
import { listBoundaryAmounts, orderByMistakes } from '../../fixtures/arbitraries/amounts.ts';
import { getAmountForm, pickAmountOfMistakes } from '../../fixtures/arbitraries/amount-classes.ts';
import type { LoanTerms } from '../../fixtures/arbitraries/loans.ts';
import {
  askingCostsNothing,
  claimUnused,
  countDecimals,
  findOpenings,
  limits,
  listTaken,
  mapAll,
  parallel,
  readDecimal,
  type Application,
  type Tools,
} from '../../fixtures/runner/index.ts';
import {
  AccountLedger,
  listLimitSeries,
  OTHER_SHARDS_TEXT,
  queryUnknownOutcomes,
  roundDown,
  toCents,
  type ApplicationKind,
  type Asking,
  type Draw,
} from './account-ledger.ts';
import { askContradictionsAgain } from './contradictions.ts';
import { exceedLimit } from './exceeded-limit.ts';
import { divideIntoLanes, MIN_ACCOUNTS_OF_LANES, type Lanes } from './ledger-lanes.ts';
import { chooseTerms } from './offered-accounts.ts';
import { disburseInParallel } from './parallel-disbursements.ts';

const FIXED_LIMIT_TEXT = 'a disbursement does not lower the limit on offer';
/** The numbers of single disbursements before and after the simultaneous disbursements. The caps end most ledgers earlier. */
const MOST_SINGLES = 10;
/** Small amounts are at most this part of the highest limit, so that the limit is enough for many disbursements. */
const SMALL_SHARE = 10;
/** A large amount is this part of the highest limit. */
const LARGE_SHARE = 0.55;
/** In cents: the limit ends in a zero, in two zeros, or is a multiple of a thousand. */
const LEFT_UNITS = [10, 100, 100_000];
/** In cents. A smaller amount may be below the minimum of the bank. */
const MIN_LEAVING_AMOUNT = 100;
/** In cents. Some of these show each mistake of binary arithmetic. Other disbursements are smaller and larger. */
const MISBOOKED_AMOUNTS = Array.from({ length: 1000 }, (_, nth) => 2 * MIN_LEAVING_AMOUNT + nth);
/** The maximum number of repeated amounts: the effect was unusual, or no offered account had a sufficient limit. */
const MAX_AGAIN = 6;
/** So many disbursements do not wait for a reserve: a rule needs three, and without a rule the ledger shows nothing. */
const MIN_SINGLES = 4;
/** This many disbursements without an effect show that the bank does not lower the limit: one may have failed. */
const MIN_UNCHANGED = 2;
/** The number of the single disbursement that is sent again. */
const SENT_AGAIN = 1;

type Session = Tools['run']['session'];

/** With `leaves` or `isMisbooked`, the amount depends on the limit. */
interface Wish extends Pick<Draw, 'amount' | 'leaves' | 'isMisbooked' | 'isHalf' | 'customer'> {
  readonly kind: ApplicationKind;
  readonly asking?: Asking;
  readonly isSentAgain?: boolean;
}

/** Returns `terms`, or the terms of another application if only its accounts still have a limit for their amount. */
function pickTerms({ requests }: Session, terms: LoanTerms): LoanTerms {
  const openings = [...findOpenings(requests).values()].map(({ values, opened }) => ({
    terms: { ...terms, currency: String(values['currency']) },
    limit: Math.max(0, ...(opened?.limits ?? []).map((limit) => readDecimal(limit) ?? 0)),
  }));
  const latest = new Map(openings.map((opening) => [opening.terms.currency, opening]));
  const own = latest.get(terms.currency);
  if (own === undefined || own.limit >= terms.amount) return terms;
  return [...latest.values()].toSorted((a, b) => b.limit - a.limit)[0]?.terms ?? terms;
}

/** True if the limit of every account is the same before a disbursement and at the end of the run. */
export function areLimitsFixed({ requests }: Session): boolean {
  const unchanged = listTaken(requests, 'disburse').flatMap(({ values, at, until }) => {
    const account = String(values['account_id']);
    const offers = requests.filter(({ opened }) => opened?.accounts.includes(account));
    const before = offers.findLast((offer) => offer.until < at)?.opened;
    const after = offers.findLast((offer) => offer.at > until)?.opened;
    if (before === undefined || after === undefined) return [];
    return [before.limits[before.accounts.indexOf(account)] === after.limits[after.accounts.indexOf(account)]];
  });
  return unchanged.length >= MIN_UNCHANGED && !unchanged.includes(false);
}

/** Lists amounts to disburse: first a few that show every mistake, because the caps may end, and then other accepted amounts. */
function listAmounts({ requests }: Session, highest: number, given: readonly number[]): readonly number[] {
  const asked = requests.filter(({ operation }) => operation === 'requestLoan');
  const accepted = new Set(listTaken(asked, 'requestLoan').map(({ values }) => Number(values['amount'])));
  const isRefused = asked.some(({ values }) => !accepted.has(Number(values['amount'])));
  // If the bank has a rule about amounts, only accepted amounts are used.
  const amounts = listBoundaryAmounts(highest, given).filter((amount) => !isRefused || accepted.has(amount));
  const others = [...accepted].filter((amount) => amount <= highest).toSorted((a, b) => a - b);
  return [...new Set(orderByMistakes([...amounts, ...others]))];
}

/** Returns the offer of the first account whose limit covers the amount. */
const pickOffer = (ledger: AccountLedger, { offers, terms }: Application) =>
  offers
    .filter(({ account }) => ledger.isHeld(account) && !ledger.awaited.has(account))
    .filter(({ limit }) => toCents(limit) >= toCents(terms.amount))
    .toSorted((a, b) => ledger.compareAccounts(a.account, b.account))[0];

/** True if the bank disbursed less than the amount of an application in this run. */
const isLessTaken = ({ requests }: Session): boolean =>
  listTaken(requests, 'disburse').some(({ values }) => {
    const opening = findOpenings(requests).get(String(values['application_id']))?.values;
    return Number(values['amount']) < Number(opening?.['amount']);
  });

/** Returns the amount of a wish; the amount that it depends on the limit for, if the limit of the next account is enough. */
function pickAmount(ledger: AccountLedger, { amount, leaves, isMisbooked = false }: Wish): number {
  const names = [...ledger.accounts.keys()].filter((name) => !ledger.awaited.has(name));
  const [account] = names.toSorted(ledger.compareAccounts);
  const limit = ledger.expectLimit(account ?? '');
  const cents = isMisbooked
    ? pickAmountOfMistakes(MISBOOKED_AMOUNTS, limit)
    : MIN_LEAVING_AMOUNT + ((limit - MIN_LEAVING_AMOUNT) % (leaves ?? 1));
  return (isMisbooked || leaves !== undefined) && limit > cents ? cents / 100 : amount;
}

/** Opens an application and disburses its amount. Null if the outcome is not final; undefined if no limit covers the amount. */
export async function drawSingle(
  ledger: AccountLedger,
  { kind, asking: wishedAsking, isSentAgain = false, ...wish }: Wish,
  { choosesAsking = false } = {},
) {
  const amount = pickAmount(ledger, { kind, ...wish });
  const isHalf = wish.isHalf === true && isLessTaken(ledger.tools.run.session);
  const application = await ledger.open(isHalf ? 2 * amount : amount, kind);
  if (application === null) return null;
  const offer = pickOffer(ledger, application);
  if (offer === undefined) return undefined;
  await ledger.tools.loans.approve(application, offer);
  const isAppliedTwice = isHalf && application.terms.amount === 2 * amount;
  const draw = { ...wish, application, offer, amount: isAppliedTwice ? amount : application.terms.amount };
  const asking = wishedAsking ?? (choosesAsking ? ledger.chooseAsking(draw) : undefined);
  return ledger.disburse([draw], { isSentAgain, ...(asking && { asking }) });
}

type Reserve = Readonly<Record<'applications' | 'disbursements', number>>;
/** Kept for disbursements above the limit and at once: their applications, and readings of the limit. */
const RESERVE: Reserve = { applications: 11, disbursements: 9 };
/** Kept at the end of the ledger. */
const LAST_RESERVE: Reserve = { applications: 4, disbursements: 2 };

/** What all lanes of single disbursements have in common. */
interface Singles {
  /** The number of disbursements with an outcome. */
  made: number;
  readonly getReserve: (what: keyof Reserve) => number;
}

/** Names a disbursement by its values: one with the same values is made again only once. */
function nameWish({ amount, customer, isMisbooked, kind, leaves }: Wish): string {
  const { commercial_disbursement, disbursement_purpose, currency } = kind;
  return JSON.stringify([
    leaves ?? isMisbooked ?? amount,
    customer,
    commercial_disbursement,
    disbursement_purpose,
    currency,
  ]);
}

/** Makes disbursements one by one. Repeats each with an unexpected change of the limit: the bank may show limits late. */
async function drawSingles(ledger: AccountLedger, wishes: Wish[], singles: Singles): Promise<void> {
  const { budget, session } = ledger.tools.run;
  const isReserved = (what: keyof Reserve): boolean =>
    singles.made >= MIN_SINGLES && budget.left(what) <= singles.getReserve(what);
  const again = new Set<string>();
  for (let nth = 0; nth < MOST_SINGLES && wishes.length > 0; nth += 1) {
    if (nth > 0 && (isReserved('applications') || isReserved('disbursements'))) return;
    const wish = wishes.shift() as Wish;
    const made = await drawSingle(ledger, wish, { choosesAsking: true });
    singles.made += made?.accepted.length ?? 0;
    if (areLimitsFixed(session)) return;
    const isCovered = made !== undefined;
    const unusual = ledger.unusual
      .splice(0)
      // At rest: then the queries are not the reason.
      .map(({ application, offer: _, ...draw }): Wish => ({ ...draw, kind: application.terms, asking: 'at rest' }));
    for (const next of isCovered ? unusual : [wish]) {
      const name = nameWish(next);
      if (again.size >= MAX_AGAIN || again.has(name)) continue;
      again.add(name);
      if (isCovered) await session.waiting.apart();
      wishes.unshift(next);
    }
  }
}

const listKinds = (terms: LoanTerms): readonly ApplicationKind[] => [
  terms,
  { ...terms, commercial_disbursement: !terms.commercial_disbursement },
  { ...terms, disbursement_purpose: !terms.disbursement_purpose },
];

/**
 * Lists the disbursements to make: each kind of application with a small and a large amount, and then the other amounts. The
 * first amounts have the most decimals, so that they show a rounded limit.
 */
async function listWishes({ terms, tools, listLimits }: AccountLedger, given: readonly number[]): Promise<Wish[]> {
  const [, ...currencies] = await tools.loans.currencies();
  const isCut = (amount: number): boolean => getAmountForm(toCents(amount)) === 'falls below';
  const byDecimals = given.toSorted((a, b) => countDecimals(b) - countDecimals(a));
  // The first is one whose cents binary arithmetic cuts off.
  const amounts = [...new Set([byDecimals.find(isCut) ?? byDecimals[0] ?? 1, ...byDecimals])];
  const rows = await mapAll(Array.from({ length: MOST_SINGLES }), 1, () => tools.loans.nextTerms());
  const areCentsTaken =
    tools.target.testData.amounts.length === 0 && amounts.some((amount) => countDecimals(amount) > 0);
  const cents = (amounts[0] ?? 0) % 1;
  const highest = Math.min(listLimits()[0] ?? 0, 2 * tools.target.caps.amount);
  const flags = listKinds(terms);
  const wish = (nth: number, kind: ApplicationKind = terms, approved = true): Wish => {
    const { order = terms.order, planned } = rows[nth % rows.length] ?? {};
    return {
      kind: { ...kind, order, ...(planned && { planned }) },
      amount: amounts[nth % amounts.length] ?? 1,
      customer: { approved },
    };
  };
  // Half of the disbursements have this flag: a rule needs three.
  const otherFlag = { ...terms, commercial_disbursement: !terms.commercial_disbursement };
  const leaving = LEFT_UNITS.map((leaves, nth): Wish => ({
    ...wish(nth + 3, nth === 0 ? terms : otherFlag),
    leaves,
    isHalf: nth === 1,
  }));
  const ofCents = areCentsTaken ? [{ ...wish(flags.length), isMisbooked: true }, ...leaving] : [];
  const [first = [], ...more] = flags.map((kind, nth): readonly Wish[] => [
    wish(nth, kind),
    // Each large amount leaves less for the next one. The first is whole, because a bank may refuse cents in large amounts.
    { kind, amount: Number((roundDown(highest * LARGE_SHARE ** (nth + 1)) + (nth === 0 ? 0 : cents)).toFixed(2)) },
  ]);
  const all = [
    ...[...first, wish(flags.length, terms, false), ...ofCents, ...more.flat()],
    ...currencies.map((currency, nth) => wish(flags.length + 1 + nth, { ...terms, currency })),
    ...amounts.slice(flags.length + currencies.length).map((_, nth) => wish(flags.length + currencies.length + nth)),
  ];
  return all.map((one, nth) => ({ ...one, isSentAgain: nth === SENT_AGAIN }));
}

/** The clauses that the ledger tests. */
const CLAUSES = [limits.limitLedger, askingCostsNothing, parallel.parallelSum, parallel.parallelWithinLimit] as const;

const leaveOut = ({ run }: Tools, why: string): void => CLAUSES.forEach(({ id }) => run.unexercised(id, why));

export async function runLimitLedger(tools: Tools): Promise<void> {
  const { run } = tools;
  if (run.session.shard.total > 1) return leaveOut(tools, OTHER_SHARDS_TEXT);
  await drawLedger(tools);
  run.compare(limits.failureCostsNothing, listLimitSeries(run.session));
}

/** Reads the highest limit twice. Returns its account; null if the bank does not offer it again. */
async function findSteadyAccount(ledger: AccountLedger, amount: number): Promise<string | null> {
  const [account] = [...ledger.accounts].toSorted(([, a], [, b]) => b.limit - a.limit)[0] ?? [];
  return account === undefined || (await ledger.look(account, amount, 2)) === null ? null : account;
}

function findReasonNotInParallel({ target }: Tools, account: string | null): string | null {
  if (!target.overLimit) return 'OVER_LIMIT=0 sends no disbursements above a limit';
  if (target.inFlight < 2) return 'IN_FLIGHT=1 sends no two requests at once';
  return account === null ? 'no account was offered again' : null;
}

async function drawLedger(tools: Tools): Promise<void> {
  const { loans, run, target } = tools;
  const { session } = run;
  if (areLimitsFixed(session)) return leaveOut(tools, FIXED_LIMIT_TEXT);
  claimUnused(run, 'loans');
  // A currency with several accounts comes first, because they are used at the same time.
  const terms = chooseTerms(session, pickTerms(session, await loans.terms()), MIN_ACCOUNTS_OF_LANES);
  await queryUnknownOutcomes(tools, []);
  const ledger = new AccountLedger(tools, terms, []);
  // Readings in a row show which kinds of applications share a limit.
  await Promise.all(listKinds(terms).map((kind) => ledger.open(terms.amount, kind)));
  const highest = ledger.listLimits()[0] ?? 0;
  const amounts = listAmounts(session, Math.min(highest / SMALL_SHARE, target.caps.amount), target.testData.amounts);
  const wishes = await listWishes(ledger, amounts);
  const lanes = divideIntoLanes(ledger, wishes);
  const [amount = 1] = amounts;
  await (lanes === null ? drawInTurn(ledger, wishes, amount) : drawInLanes(lanes, amount));
  if (areLimitsFixed(session)) return leaveOut(tools, FIXED_LIMIT_TEXT);
  await askContradictionsAgain(tools, terms);
  for (const behaviour of [limits.limitLedger, askingCostsNothing, parallel.parallelSum])
    run.compare(behaviour, listLimitSeries(session));
}

/** Makes all disbursements one after another. */
async function drawInTurn(ledger: AccountLedger, wishes: Wish[], amount: number): Promise<void> {
  await drawSingles(ledger, wishes, { made: 0, getReserve: (what) => RESERVE[what] });
  if (areLimitsFixed(ledger.tools.run.session)) return;
  await drawTogether(ledger, amount, 0);
  await drawSingles(ledger, wishes, { made: MIN_SINGLES, getReserve: (what) => LAST_RESERVE[what] });
}

/** Makes single disbursements in lanes, and those that exceed a limit and those at once from another account. */
async function drawInLanes({ exceeding, singles }: Lanes<Wish>, amount: number): Promise<void> {
  let isExceeded = false;
  const getReserve = (what: keyof Reserve): number =>
    Math.max(LAST_RESERVE[what], isExceeded ? 0 : RESERVE[what] - exceeding.used[what]);
  const common = { made: 0, getReserve };
  const kept = singles.reduce((sum, { wishes }) => sum + wishes.length, 0);
  await Promise.all([
    drawTogether(exceeding, amount, Math.min(MOST_SINGLES, kept)).finally(() => (isExceeded = true)),
    ...singles.map(({ ledger, wishes }) => drawSingles(ledger, wishes, common)),
  ]);
  // One application shows all limits after the last disbursements.
  const hasEffect = [exceeding, ...singles.map(({ ledger }) => ledger)].some((ledger) => ledger.hasEffect());
  if (hasEffect) await exceeding.open(exceeding.terms.amount);
}

/** Makes disbursements in a row that exceed a limit, and then disbursements at once: within the limit, and above it. */
async function drawTogether(ledger: AccountLedger, amount: number, kept: number): Promise<void> {
  const { run, target } = ledger.tools;
  const exceeded = target.overLimit ? await exceedLimit(ledger, kept) : null;
  const account = exceeded?.account ?? (await findSteadyAccount(ledger, amount));
  const why = findReasonNotInParallel(ledger.tools, account);
  if (why !== null) run.unexercised(parallel.parallelWithinLimit.id, why);
  if (account !== null && target.inFlight > 1) await disburseInParallel(ledger, account, exceeded?.inRow ?? []);
}
