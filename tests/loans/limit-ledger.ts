/** Disbursements from one account, one after the other, each between two looks at its limit. The check says what follows. */
import { boundaryAmounts } from '../../fixtures/arbitraries/amounts.ts';
import {
  claimUnused,
  getOrSet,
  hasErrors,
  isPending,
  openingsOf,
  takenOf,
  type Application,
  type ClauseId,
  type Offer,
  type Reply,
  type Tools,
} from '../../fixtures/runner/index.ts';

const clause: ClauseId = 'loans.limit.ledger';
/** Disbursements after which a limit that never fell is left alone; how many there are, and how many where some do not fit. */
const [FEWEST, USUAL, MOST] = [3, 6, 14];
/** Applications that are opened at most until one is offered the account again. */
const MAX_OPENED = 3;
/** So many looks that do not fit are taken once more, after milliseconds in which whatever was written can be read. */
const [LOOKS_AGAIN, VISIBLE_AFTER_MS] = [2, 2000];
/** Steps of which the disbursement is sent once more: with no period, which what is counted might have as well. */
const SENT_AGAIN = [1, 3, 6, 10];

interface Wish {
  readonly amount: number;
  readonly ip: string;
}
/** An application over the account, whose offer shows the limit. */
interface Look extends Wish {
  readonly application: Application;
  readonly offer: Offer;
  readonly exchange: { readonly id: string };
}

const cents = (amount: number | null): number => Math.round((amount ?? 0) * 100);

/** What is offered in both of these with one limit: of the accounts that no outcome is awaited of, the one with the highest limit. */
function quietest({ requests }: Tools['run']['session'], one: Application, other: Application): Offer | undefined {
  const outcomes = new Map(
    requests
      .filter(({ operation }) => operation === 'queryDisbursement')
      .map(({ values, outcome }) => [String(values['application_id']), outcome]),
  );
  const awaited = takenOf(requests, 'disburse')
    .filter(({ values }) => isPending(outcomes.get(String(values['application_id']))))
    .map(({ values }) => String(values['account_id']));
  return one.offers
    .filter(({ account }) => !awaited.includes(account))
    .filter(({ account, limit }) => other.offers.some((same) => same.account === account && same.limit === limit))
    .toSorted((a, b) => (b.limit ?? 0) - (a.limit ?? 0))[0];
}

export async function keepLedger({ loans, run, target }: Tools): Promise<void> {
  const { session } = run;
  if (session.shard.total > 1) return run.unexercised(clause, 'other shards draw from the same accounts');
  claimUnused(run, 'loans', { applications: 2 * MOST, disbursements: 2 * MOST });
  const terms = await loans.terms();
  const lookOf = (application: Application, offer: Offer, ip: string): Look => ({
    application,
    offer,
    // What is held is held for what was applied for.
    amount: application.terms.amount,
    ip,
    exchange: { id: openingsOf(session.requests).get(application.id)?.exchange ?? '' },
  });
  const first = await loans.apply(terms);
  // Of another amount: a limit may be shown for what was applied for.
  const second = await loans.apply({ ...terms, amount: Math.max(1, Math.floor(terms.amount / 2)) });
  const chosen = first === null || second === null ? undefined : quietest(session, first, second);
  if (first === null || second === null || chosen?.limit == null) return;
  const { account, limit } = chosen;
  const amounts = boundaryAmounts(Math.min(limit, target.caps.amount), target.testData.amounts);
  const others = amounts.filter((amount) => amount !== terms.amount);
  const wishes = [...others, ...amounts].map((amount, nth): Wish => ({ amount, ip: loans.ip(nth) }));
  const ready = [lookOf(first, chosen, loans.ip(1)), lookOf(second, chosen, loans.ip(2))];
  let before: readonly Look[] = ready.slice();

  /** Opens the next application over the account, for the next amount of which the limit holds several. */
  async function look(): Promise<Look | null> {
    const left = (before.at(-1)?.offer.limit ?? 0) / 3;
    const next = wishes.findIndex(({ amount }) => amount <= left);
    const [wish] = next < 0 ? [] : wishes.splice(next, 1);
    for (let opened = 0; opened < MAX_OPENED && wish !== undefined; opened += 1) {
      const application = (await loans.apply({ ...terms, amount: wish.amount })) ?? (await loans.apply(terms));
      const offer = application?.offers.find((one) => one.account === account);
      if (application === null) return null;
      if (offer !== undefined) return lookOf(application, offer, wish.ip);
    }
    return null;
  }

  /** Of each difference between what a disbursement took and its amount: the amounts. */
  const differences = new Map<number, Set<number>>();
  /** The difference of most amounts. */
  const usual = (): number =>
    [...differences].toSorted(([a, as], [b, bs]) => bs.size - as.size || Math.abs(a) - Math.abs(b))[0]?.[0] ?? 0;
  let odd = 0;

  /** Disburses these at once, and looks at the limit; whether it fell as usual, null where the account is left alone from then on. */
  async function step(looks: readonly Look[], isSentAgain = false): Promise<boolean | null> {
    const disburse = ({ application, offer, amount, ip }: Look, probe: boolean): Promise<Reply> =>
      loans.disburse(application, offer, { amount, ip }, { atOnce: looks.length > 1, probe });
    for (const { application, offer } of looks) await loans.approve(application, offer);
    const disbursed = await Promise.all(looks.map((one) => disburse(one, false)));
    const outcome = await Promise.all(looks.map(({ application }) => loans.settled(application.id)));
    if (isSentAgain) for (const one of looks) disbursed.push(await disburse(one, true));
    const next = await look();
    if (next === null) return null;
    const after = [next];
    const made = looks.filter((_, at) => disbursed[at]?.accepted === true);
    const fall = cents(before.at(-1)?.offer.limit ?? null) - cents(next.offer.limit);
    const difference = fall - made.reduce((sum, { amount }) => sum + cents(amount), 0);
    if (looks.length === 1 && made.length === 1)
      getOrSet(differences, difference, () => new Set()).add(made[0]?.amount ?? 0);
    const isUsual = difference === made.length * usual();
    if (!isUsual && (odd += 1) <= LOOKS_AGAIN) {
      // It may be shown late, or others may draw from the account.
      await session.clock.sleep(VISIBLE_AFTER_MS);
      const again = await look();
      if (again !== null) after.push(again);
    }
    run.compare(clause, { before, disbursed, outcome, after });
    ready.push(...after);
    before = after.slice(-1);
    const isMade = made.length > 0 && outcome.every(({ accepted, body }) => accepted && !hasErrors(body));
    return isMade ? isUsual : null;
  }

  const askedAgain = new Set<number>();
  for (let at = 0, most = USUAL; at < most; at += 1) {
    const now = ready.shift();
    const isUsual = now === undefined ? null : await step([now], SENT_AGAIN.includes(at));
    if (now === undefined || isUsual === null) return;
    if (odd > 0) most = odd > LOOKS_AGAIN && (differences.get(usual())?.size ?? 0) > FEWEST ? 0 : MOST;
    // It may lie in what was asked, or not: once more, and another one between.
    if (!isUsual && !askedAgain.has(now.amount)) wishes.splice(1, 0, now);
    if (!isUsual) askedAgain.add(now.amount);
    if (at + 1 === FEWEST && before.at(-1)?.offer.limit === limit)
      return run.unexercised(clause, 'no disbursement lowered the limit on offer');
  }
  for (let time = 0; time < 2; time += 1) {
    const pair = ready.splice(0, 2);
    if (pair.length < 2 || (await step(pair)) !== false) return;
    const more = await look();
    if (more !== null) ready.push(more);
  }
}
