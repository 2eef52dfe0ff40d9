/** Makes disbursements from one account, and reads its available limit before and after each. */
import { amountMistakes, listBoundaryAmounts } from '../../fixtures/arbitraries/amounts.ts';
import type { LoanTerms } from '../../fixtures/arbitraries/loans.ts';
import { separateMistakes } from '../../fixtures/arbitraries/pairwise.ts';
import {
  claimUnused,
  findOpenings,
  hasErrors,
  isPending,
  listTaken,
  readDecimal,
  type Application,
  type Offer,
  type Tools,
} from '../../fixtures/runner/index.ts';

const LEDGER = 'loans.limit.ledger';
const FIXED_LIMIT_TEXT = 'a disbursement does not lower the limit on offer';
/** Number of single disbursements: usually, and if some do not fit the limit. */
const [USUAL, MOST] = [8, 14];
/** Two disbursements go out at once after this many single ones, which have shown the rule by then. */
const SINGLES_BEFORE_PAIR = 5;
/** At most this many applications are opened to get the account offered again. */
const MAX_OPENED = 6;
/** At most this many readings of the limit are repeated if they do not fit. */
const MAX_REPEATED_READINGS = 2;
/** This many disbursements without an effect on the limit show that there is none: a single one may have failed. */
const MIN_UNCHANGED = 2;
/** Steps with a repeated disbursement. Not periodic, since a fault may be. */
const LATER_DISBURSEMENTS = [1, 3, 6, 10];
/** Two disbursements of this share each are more than the limit, and each alone is not. */
const SHARE_BEYOND = 0.6;

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

type Session = Tools['run']['session'];

const toCents = (amount: number | null | undefined): number => Math.round((amount ?? 0) * 100);
const sumCents = (looks: readonly Look[]): number => looks.reduce((sum, { amount }) => sum + toCents(amount), 0);

/** Returns `terms`, or those of another opening if only its accounts still have a limit that covers their amount. */
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

/** Returns the account with the highest limit that both applications show equally, without a pending disbursement. */
function findIdleAccount({ requests }: Session, first: Application, second: Application): Offer | undefined {
  const answered = requests.filter(({ result }) => result !== undefined);
  const outcomes = new Map(answered.map(({ values, result }) => [String(values['application_id']), result]));
  const disbursed = listTaken(requests, 'disburse').map(({ values }) => values);
  const awaited = disbursed.filter((values) => isPending(outcomes.get(String(values['application_id']))));
  return first.offers
    .filter(({ account }) => !awaited.some((values) => values['account_id'] === account))
    .filter(({ account, limit }) => second.offers.some((same) => same.account === account && same.limit === limit))
    .toSorted((a, b) => (b.limit ?? 0) - (a.limit ?? 0))[0];
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

/** Lists amounts to disburse: first those that distinguish most mistakes, since the caps may end, then accepted ones. */
function listAmounts({ requests }: Session, highest: number, given: readonly number[]): readonly number[] {
  const asked = requests.filter(({ operation }) => operation === 'requestLoan');
  const accepted = new Set(listTaken(asked, 'requestLoan').map(({ values }) => Number(values['amount'])));
  const refused = new Set(
    asked.map(({ values }) => Number(values['amount'])).filter((amount) => !accepted.has(amount)),
  );
  // A rule of the target about amounts: uses accepted ones only.
  const amounts = listBoundaryAmounts(highest, given).filter((amount) => refused.size === 0 || accepted.has(amount));
  const others = [...accepted].filter((amount) => amount <= highest).toSorted((a, b) => a - b);
  return [...new Set([...separateMistakes(amounts, amountMistakes), ...amounts, ...others])];
}

export async function keepLedger({ loans, run, target }: Tools): Promise<void> {
  const { session } = run;
  if (session.shard.total > 1) return run.unexercised(LEDGER, 'other shards draw from the same accounts');
  if (areLimitsFixed(session)) return run.unexercised(LEDGER, FIXED_LIMIT_TEXT);
  claimUnused(run, 'loans', { applications: 2 * MOST, disbursements: 2 * MOST });
  const terms = pickTerms(session, await loans.terms());
  const [first, second] = await Promise.all([
    loans.apply(terms),
    // Uses another amount: the limit may depend on it.
    loans.apply({ ...terms, amount: Math.max(1, Math.floor(terms.amount / 2)) }),
  ]);
  const chosen = first === null || second === null ? undefined : findIdleAccount(session, first, second);
  if (first === null || second === null || chosen?.limit == null)
    return run.unexercised(LEDGER, 'no account was on offer twice with one limit, without a disbursement under way');
  const makeLook = (application: Application, offer: Offer, amount: number, ip: string): Look => {
    const exchange = { id: findOpenings(session.requests).get(application.id)?.exchange ?? '' };
    return { application, offer, amount, ip, exchange };
  };
  // A target may reserve the requested amount.
  const ready = [first, second].map((one, nth) => makeLook(one, chosen, one.terms.amount, loans.ip(nth)));
  let before: readonly Look[] = ready.slice();
  const limitNow = (): number => before.at(-1)?.offer.limit ?? 0;
  const amounts = listAmounts(session, Math.min(chosen.limit, target.caps.amount), target.testData.amounts);
  const wishes = [...amounts.filter((amount) => amount !== terms.amount), ...amounts].map(
    (amount, nth): Pick<Look, 'amount' | 'ip'> => ({ amount, ip: loans.ip(nth + 2) }),
  );

  /** Opens the next application for the account, with the next amount of at most half the limit. */
  async function openNextLook(): Promise<Look | null> {
    for (let opened = 0; opened < MAX_OPENED; opened += 1) {
      const next = wishes.findIndex(({ amount }) => amount <= limitNow() / 2);
      const [wish] = next < 0 ? [] : wishes.splice(next, 1);
      if (wish === undefined) return null;
      const application = await loans.apply({ ...terms, amount: wish.amount });
      const offer = application?.offers.find(({ account }) => account === chosen?.account);
      if (application === null) continue;
      if (offer !== undefined) return makeLook(application, offer, application.terms.amount, wish.ip);
      wishes.unshift(wish);
    }
    return null;
  }

  /** Cents that disbursements took from the limit beyond their amounts. */
  const seen = new Set<number>();
  let unusual = 0;

  /** Disburses these at once and reads the limit. True if the limit fell as usual; null if no more can be disbursed. */
  async function step(looks: readonly Look[], isSentAgain = false): Promise<boolean | null> {
    if (looks.length === 0) return null;
    const disburse = ({ application, offer, amount, ip }: Look, probe = false) =>
      loans.disburse(application, offer, { amount, ip }, { atOnce: looks.length > 1, probe });
    for (const { application, offer } of looks) await loans.approve(application, offer);
    const disbursed = await Promise.all(looks.map((look) => disburse(look)));
    const made = looks.filter((_, at) => disbursed[at]?.accepted === true);
    if (isSentAgain) for (const look of made) disbursed.push(await disburse(look, true));
    const outcome = await Promise.all(made.map(({ application }) => loans.settled(application.id)));
    const isOver = outcome.every(({ accepted, body, data }) => accepted && !hasErrors(body) && !isPending(data.result));
    const next = made.length > 0 && isOver ? await openNextLook() : null;
    if (next === null) return null;
    const beyond = (toCents(limitNow()) - toCents(next.offer.limit) - sumCents(made)) / made.length;
    const isUsual = seen.size === 0 || seen.has(beyond);
    seen.add(beyond);
    const after = [next];
    if (!isUsual && (unusual += 1) <= MAX_REPEATED_READINGS) {
      // The bank may show the limit late, or others may disburse from the account.
      await session.waiting.apart();
      after.push(...[await openNextLook()].filter((look) => look !== null));
    }
    run.compare(LEDGER, { before, disbursed, outcome, after });
    ready.push(...after);
    before = after.slice(-1);
    return isUsual;
  }

  /** Disburses two at once, and the same two amounts again if they do not fit. */
  async function stepInPairs(): Promise<boolean> {
    for (let time = 0; time < 2; time += 1) {
      while (ready.length < 2) {
        const look = await openNextLook();
        if (look === null) return false;
        ready.push(look);
      }
      const pair = ready.splice(0, 2);
      if (sumCents(pair) > toCents(limitNow())) return false;
      const isUsual = await step(pair);
      if (isUsual !== false) return isUsual === true;
      wishes.unshift(...pair);
      ready.length = 0;
    }
    return true;
  }

  for (let at = 0; at < (unusual === 0 ? USUAL : MOST); at += 1) {
    if (at === SINGLES_BEFORE_PAIR && !(await stepInPairs())) return;
    const now = ready.splice(0, 1);
    if (sumCents(now) > toCents(limitNow())) return;
    const isUsual = await step(now, LATER_DISBURSEMENTS.includes(at));
    if (isUsual === null) return;
    // Repeats the same amount soon: the applications that are open already come between.
    if (!isUsual) wishes.unshift(...now);
    if (at === 0 && limitNow() === chosen.limit) return run.unexercised(LEDGER, FIXED_LIMIT_TEXT);
  }
  // Disburses two at once that are above the limit together: the next offer shows whether both were made.
  const share = Math.min(Math.floor(limitNow() * SHARE_BEYOND), target.caps.amount);
  if (!target.overLimit || 2 * share <= limitNow()) return;
  ready.push(...[await openNextLook()].filter((look) => look !== null));
  const pair = ready.splice(0, 2).map((look) => ({ ...look, amount: share }));
  if (pair.length === 2) await step(pair);
}
