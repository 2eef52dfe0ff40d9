/** Makes disbursements from one account, and reads its available limit before and after each. */
import { amountMistakes, listBoundaryAmounts } from '../../fixtures/arbitraries/amounts.ts';
import { separateMistakes } from '../../fixtures/arbitraries/pairwise.ts';
import {
  claimUnused,
  hasErrors,
  isPending,
  findOpenings,
  listTaken,
  type Application,
  type Offer,
  type Tools,
} from '../../fixtures/runner/index.ts';

const LEDGER = 'loans.limit.ledger';
const FIXED_LIMIT_TEXT = 'a disbursement does not lower the limit on offer';
/** Number of disbursements: usually, and if some do not fit the limit. */
const [USUAL, MOST] = [8, 14];
/** At most this many applications are opened to get the account offered again. */
const MAX_OPENED = 3;
/** At most this many readings of the limit are repeated if they do not fit. */
const MAX_REPEATED_READINGS = 2;
/** This many disbursements without an effect on the limit show that there is none: a single one may have failed. */
const MIN_UNCHANGED = 2;
/** Steps with a repeated disbursement. Not periodic, since a fault may be. */
const LATER_DISBURSEMENTS = [1, 3, 6, 10];

/** Says which cap would do if no offer is small enough to be disbursed, or exceeded, as a whole. */
export const needsHigherCap = (amount: number): string =>
  `the smallest available limit is above MAX_AMOUNT: MAX_AMOUNT=${amount} would do`;

/** An application for the account: its offer shows the limit, and it has the amount to disburse. */
interface Look {
  readonly application: Application;
  readonly offer: Offer;
  readonly amount: number;
  readonly ip: string;
  readonly exchange: { readonly id: string };
}

const toCents = (amount: number | null | undefined): number => Math.round((amount ?? 0) * 100);

/** Returns the account with the highest limit that both applications show equally, without a pending disbursement. */
function findIdleAccount(
  { requests }: Tools['run']['session'],
  one: Application,
  other: Application,
): Offer | undefined {
  const told = requests.filter(({ result }) => result !== undefined);
  const outcomes = new Map(told.map(({ values, result }) => [String(values['application_id']), result]));
  const disbursed = listTaken(requests, 'disburse').map(({ values }) => values);
  const awaited = disbursed.filter((one) => isPending(outcomes.get(String(one['application_id']))));
  return one.offers
    .filter(({ account }) => !awaited.some((values) => values['account_id'] === account))
    .filter(({ account, limit }) => other.offers.some((same) => same.account === account && same.limit === limit))
    .toSorted((a, b) => (b.limit ?? 0) - (a.limit ?? 0))[0];
}

/** True if the limit of every account is the same before a disbursement and at the end of the run. */
function areLimitsFixed({ requests }: Tools['run']['session']): boolean {
  const unchanged = listTaken(requests, 'disburse').flatMap(({ values, at, until }) => {
    const account = String(values['account_id']);
    const offers = requests.filter(({ opened }) => opened?.accounts.includes(account));
    const before = offers.findLast((one) => one.until < at)?.opened;
    const after = offers.findLast((one) => one.at > until)?.opened;
    if (before === undefined || after === undefined) return [];
    return [before.limits[before.accounts.indexOf(account)] === after.limits[after.accounts.indexOf(account)]];
  });
  return unchanged.length >= MIN_UNCHANGED && !unchanged.includes(false);
}

export async function keepLedger({ loans, run, target }: Tools): Promise<void> {
  const { session } = run;
  if (session.shard.total > 1) return run.unexercised(LEDGER, 'other shards draw from the same accounts');
  if (areLimitsFixed(session)) return run.unexercised(LEDGER, FIXED_LIMIT_TEXT);
  claimUnused(run, 'loans', { applications: 2 * MOST, disbursements: 2 * MOST });
  const terms = await loans.terms();
  const [first, second] = await Promise.all([
    loans.apply(terms),
    // Uses another amount: the limit may depend on it.
    loans.apply({ ...terms, amount: Math.max(1, Math.floor(terms.amount / 2)) }),
  ]);
  const chosen = first === null || second === null ? undefined : findIdleAccount(session, first, second);
  if (first === null || second === null || chosen?.limit == null)
    return run.unexercised(LEDGER, 'no account was on offer twice with one limit, without a disbursement under way');
  const lookOf = (application: Application, offer: Offer, ip: string): Look => {
    const exchange = { id: findOpenings(session.requests).get(application.id)?.exchange ?? '' };
    // A target may reserve the requested amount.
    return { application, offer, amount: application.terms.amount, ip, exchange };
  };
  const ready = [lookOf(first, chosen, loans.ip(0)), lookOf(second, chosen, loans.ip(1))];
  let before: readonly Look[] = ready.slice();
  const limitNow = (): number | null | undefined => before.at(-1)?.offer.limit;
  const amounts = listBoundaryAmounts(Math.min(chosen.limit, target.caps.amount), target.testData.amounts);
  const others = amounts.filter((amount) => amount !== terms.amount);
  // The amounts that distinguish most mistakes come first: the caps may end before the others.
  const wishes = [...new Set([...separateMistakes(others, amountMistakes), ...others]), ...amounts].map(
    (amount, nth): Pick<Look, 'amount' | 'ip'> => ({
      amount,
      ip: loans.ip(nth + 2),
    }),
  );

  /** Opens the next application for the account, with the next amount of at most half the limit. */
  async function openNextLook(): Promise<Look | null> {
    const next = wishes.findIndex(({ amount }) => amount <= (limitNow() ?? 0) / 2);
    const [wish] = next < 0 ? [] : wishes.splice(next, 1);
    for (let opened = 0; opened < MAX_OPENED && wish !== undefined; opened += 1) {
      const application = (await loans.apply({ ...terms, amount: wish.amount })) ?? (await loans.apply(terms));
      const offer = application?.offers.find(({ account }) => account === chosen?.account);
      if (application === null) return null;
      if (offer !== undefined) return lookOf(application, offer, wish.ip);
    }
    return null;
  }

  /** Cents that disbursements took from the limit beyond their amounts. */
  const seen = new Set<number>();
  let odd = 0;

  /** Disburses these at once and reads the limit. True if the limit fell as usual; null if no more can be disbursed. */
  async function step(looks: readonly Look[], isSentAgain = false): Promise<boolean | null> {
    const sum = (of: readonly Look[]): number => of.reduce((all, { amount }) => all + toCents(amount), 0);
    if (looks.length === 0 || sum(looks) > toCents(limitNow())) return null;
    const disburse = ({ application, offer, amount, ip }: Look, probe = false) =>
      loans.disburse(application, offer, { amount, ip }, { atOnce: looks.length > 1, probe });
    for (const { application, offer } of looks) await loans.approve(application, offer);
    const disbursed = await Promise.all(looks.map((one) => disburse(one)));
    const made = looks.filter((_, at) => disbursed[at]?.accepted === true);
    if (isSentAgain) for (const one of made) disbursed.push(await disburse(one, true));
    const outcome = await Promise.all(made.map(({ application }) => loans.settled(application.id)));
    const isOver = outcome.every(({ accepted, body, data }) => accepted && !hasErrors(body) && !isPending(data.result));
    const next = made.length > 0 && isOver ? await openNextLook() : null;
    if (next === null) return null;
    const beyond = (toCents(limitNow()) - toCents(next.offer.limit) - sum(made)) / made.length;
    const isUsual = seen.size === 0 || seen.has(beyond);
    seen.add(beyond);
    const after = [next];
    if (!isUsual && (odd += 1) <= MAX_REPEATED_READINGS) {
      // The bank may show the limit late, or others may disburse from the account.
      await session.waiting.apart();
      after.push(...[await openNextLook()].filter((one) => one !== null));
    }
    run.compare(LEDGER, { before, disbursed, outcome, after });
    ready.push(...after);
    before = after.slice(-1);
    return isUsual;
  }

  for (let at = 0; at < (odd === 0 ? USUAL : MOST); at += 1) {
    const now = ready.splice(0, 1);
    const isUsual = await step(now, LATER_DISBURSEMENTS.includes(at));
    if (isUsual === null) return;
    // Repeats the same amount, with another one between.
    if (!isUsual) wishes.splice(1, 0, ...now);
    if (at === 0 && limitNow() === chosen.limit) return run.unexercised(LEDGER, FIXED_LIMIT_TEXT);
  }
  // Disburses two at once, and the same two amounts again if they do not fit.
  for (let time = 0; time < 2; time += 1) {
    const now = ready.splice(0, 2);
    wishes.unshift(...now);
    if ((await step(now)) !== false) return;
    ready.push(...[await openNextLook()].filter((one) => one !== null));
  }
}
