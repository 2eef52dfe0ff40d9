/** Makes disbursements from one account, and reads its available limit before and after each. */
import { amountMistakes, listBoundaryAmounts } from '../../fixtures/arbitraries/amounts.ts';
import type { LoanTerms } from '../../fixtures/arbitraries/loans.ts';
import { separateMistakes } from '../../fixtures/arbitraries/pairwise.ts';
import {
  claimUnused,
  findOpenings,
  hasErrors,
  isPending,
  isRefusal,
  limits,
  listTaken,
  readDecimal,
  toSent,
  type Application,
  type Offer,
  type Reply,
  type Tools,
} from '../../fixtures/runner/index.ts';
import { compareRefused } from './refused-disbursements.ts';

const LEDGER = 'loans.limit.ledger';
const FAILURE = 'loans.limit.failure-costs-nothing';
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
/** The wish for a large amount comes after so many others. */
const LARGE_WISH = 5;
/** Applications of each other kind disburse at most this part of the limit. */
const KIND_SHARE = 10;
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

/** An amount to disburse, or one that depends on the highest possible amount. */
interface Wish {
  readonly amount: number | ((highest: number) => number);
  readonly ip: string;
}

type Kind = Pick<LoanTerms, 'commercial_disbursement' | 'disbursement_purpose' | 'currency'>;

const wasSent = ({ outcome }: Reply): boolean => outcome !== 'not-sent';

/** Opens the ledger of one account: it records the readings of the limit, the disbursements and their outcomes. */
function openLedger({ loans, run, target }: Tools, terms: LoanTerms, account: string) {
  const { session } = run;
  const record = {
    looks: [] as NonNullable<ReturnType<typeof toSent<'requestLoan'>>>[],
    disbursed: [] as Reply<'disburse'>[],
    outcomes: [] as Reply<'queryDisbursement'>[],
  };
  let limit = 0;

  function look(application: Application, ip: string): Look | null {
    const offer = application.offers.find((one) => one.account === account);
    const sent = toSent('requestLoan', findOpenings(session.requests).get(application.id));
    if (offer?.limit == null || sent === null) return null;
    limit = offer.limit;
    record.looks.push(sent);
    return { application, offer, amount: application.terms.amount, ip };
  }

  /** Opens the next application that offers the account. An amount is at most half the limit. */
  async function openNext(wishes: Wish[], kind: Kind = terms): Promise<Look | null> {
    for (let opened = 0; opened < MAX_OPENED; opened += 1) {
      const highest = Math.min(limit, target.caps.amount);
      const next = wishes.findIndex(({ amount }) => typeof amount === 'function' || amount <= limit / 2);
      const [wish] = next < 0 ? [] : wishes.splice(next, 1);
      if (wish === undefined) return null;
      const amount = typeof wish.amount === 'function' ? wish.amount(highest) : wish.amount;
      const application = await loans.apply({ ...terms, ...kind, amount });
      const found = application && look(application, wish.ip);
      if (found !== null) return found;
      if (application !== null) wishes.unshift(wish);
    }
    return null;
  }

  /** Disburses for applications with a contract, at once. Returns those that the bank made; null if one has no final outcome. */
  async function disburse(looks: readonly Look[], { isSentAgain = false, overLimit = false } = {}) {
    const send = ({ application, offer, amount, ip }: Look, probe = false) =>
      loans.disburse(application, offer, { amount, ip }, { atOnce: looks.length > 1, probe, overLimit });
    const sent = await Promise.all(looks.map((one) => send(one)));
    const accepted = looks.filter((_, nth) => sent[nth]?.accepted === true);
    if (isSentAgain) for (const one of accepted) sent.push(await send(one, true));
    record.disbursed.push(...sent.filter(wasSent));
    const ask = async ({ application }: Look) => [
      await loans.outcome(application),
      await loans.settled(application.id),
    ];
    const outcomes = (await Promise.all(accepted.map(ask))).flat();
    record.outcomes.push(...outcomes.filter(wasSent));
    const isOver = outcomes.every(({ accepted: isKnown, data }) => isKnown && !isPending(data.result));
    return isOver ? { sent, accepted, outcomes, hasFailed: outcomes.some(({ body }) => hasErrors(body)) } : null;
  }

  return { record, look, openNext, disburse, limit: () => limit };
}
type Ledger = ReturnType<typeof openLedger>;

/** Disburses and reads the limit, step by step. The bank follows its rule if each disbursement costs the same beyond its amount. */
function openSteps({ loans, run }: Tools, ledger: Ledger, wishes: Wish[], ready: Look[], kind?: Kind) {
  /** Cents that disbursements took from the limit beyond their amounts. */
  const seen = new Set<number>();
  let unusual = 0;
  /** Disburses these at once and reads the limit. True if the limit fell as usual; null if no more can be disbursed. */
  async function step(looks: readonly Look[], isSentAgain = false): Promise<boolean | null> {
    if (looks.length === 0) return null;
    const before = ledger.limit();
    for (const { application, offer } of looks) await loans.approve(application, offer);
    const made = await ledger.disburse(looks, { isSentAgain });
    const next =
      made === null || made.accepted.length === 0 || made.hasFailed ? null : await ledger.openNext(wishes, kind);
    if (made === null || next === null) return null;
    const beyond = (toCents(before) - toCents(next.offer.limit) - sumCents(made.accepted)) / made.accepted.length;
    const isUsual = seen.size === 0 || seen.has(beyond);
    seen.add(beyond);
    ready.push(next);
    if (!isUsual && (unusual += 1) <= MAX_REPEATED_READINGS) {
      // The bank may show the limit late, or others may disburse from the account.
      await run.session.waiting.apart();
      ready.push(...[await ledger.openNext(wishes, kind)].filter((look) => look !== null));
    }
    return isUsual;
  }
  return { step, seen, areUsual: () => unusual === 0 };
}

/** Disburses two at once, and the same two amounts again if they do not fit. */
async function stepInPairs(ledger: Ledger, { step }: ReturnType<typeof openSteps>, wishes: Wish[], ready: Look[]) {
  for (let time = 0; time < 2; time += 1) {
    while (ready.length < 2) {
      const look = await ledger.openNext(wishes);
      if (look === null) return false;
      ready.push(look);
    }
    const pair = ready.splice(0, 2);
    if (sumCents(pair) > toCents(ledger.limit())) return false;
    const isUsual = await step(pair);
    if (isUsual !== false) return isUsual === true;
    wishes.unshift(...pair);
    ready.length = 0;
  }
  return true;
}

/** Disburses single amounts, and two at once. False if the ledger cannot go on. */
async function stepThrough(tools: Tools, ledger: Ledger, wishes: Wish[], ready: Look[]): Promise<boolean> {
  const steps = openSteps(tools, ledger, wishes, ready);
  const first = ledger.limit();
  for (let nth = 0; nth < (steps.areUsual() ? USUAL : MOST); nth += 1) {
    if (nth === SINGLES_BEFORE_PAIR && !(await stepInPairs(ledger, steps, wishes, ready))) return false;
    const now = ready.splice(0, 1);
    if (sumCents(now) > toCents(ledger.limit())) return false;
    const isUsual = await steps.step(now, LATER_DISBURSEMENTS.includes(nth));
    if (isUsual === null) return false;
    // Repeats the same amount soon: the applications that are open already come between.
    if (!isUsual) wishes.unshift(...now);
    if (nth === 0 && ledger.limit() === first) return false;
  }
  return true;
}

/** Disburses for applications with other flags or in another currency. A step that does not fit is repeated. */
async function stepThroughKinds(tools: Tools, ledger: Ledger, terms: LoanTerms): Promise<void> {
  const [, ...currencies] = await tools.loans.currencies();
  const kinds: readonly Kind[] = [
    { ...terms, commercial_disbursement: !terms.commercial_disbursement },
    { ...terms, disbursement_purpose: !terms.disbursement_purpose },
    ...currencies.map((currency) => ({ ...terms, currency })),
  ];
  for (const kind of kinds) {
    const amount = Math.max(1, Math.floor(Math.min(terms.amount, ledger.limit() / KIND_SHARE)));
    const wishes = Array.from({ length: 2 * MOST }, (_, nth): Wish => ({ amount, ip: tools.loans.ip(nth) }));
    const ready = [await ledger.openNext(wishes, kind)].filter((look) => look !== null);
    const { step, seen } = openSteps(tools, ledger, wishes, ready, kind);
    const [now] = ready.splice(0, 1);
    if (now === undefined || (await step([now])) === null) continue;
    // Another currency may be converted, but a limit that stays is asked again.
    const [beyond = 0] = seen;
    if (beyond < 0) await step(ready.splice(0, 1));
  }
}

/** Disburses twice more than half the limit: the second fails or is refused. Reads the limit before it and after it. */
async function failOne(tools: Tools, ledger: Ledger): Promise<void> {
  const { loans, run, target } = tools;
  if (!target.overLimit || (await ledger.openNext([{ amount: () => 1, ip: loans.ip(0) }])) === null) return;
  const amount = Math.floor(ledger.limit() * SHARE_BEYOND);
  if (amount > target.caps.amount) return run.unexercised(FAILURE, needsHigherCap(amount));
  const wish = (nth: number): Wish[] => [{ amount: () => amount, ip: loans.ip(nth) }];
  const opened = [await ledger.openNext(wish(0)), await ledger.openNext(wish(1))].filter((look) => look !== null);
  const [older, newer] = opened;
  if (older === undefined || newer === undefined || 2 * amount <= ledger.limit()) return;
  for (const { application, offer } of [older, newer]) if (!(await loans.approve(application, offer)).accepted) return;
  const made = await ledger.disburse([older]);
  if (made === null || made.accepted.length === 0 || made.hasFailed) return;
  const readTwice = async () => [await ledger.openNext(wish(2)), await ledger.openNext(wish(3))];
  if ((await readTwice()).includes(null)) return;
  const before = ledger.limit();
  // Its contract is the newest of the account: a newer one might end it.
  const failed = await ledger.disburse([newer], { overLimit: true });
  const [refused] = failed?.sent ?? [];
  const [, usual] = made.outcomes;
  if (refused !== undefined && isRefusal(refused) && usual !== undefined)
    await compareRefused(tools, newer.application.id, { refused, made: usual });
  if (failed === null || !failed.hasFailed || (await readTwice()).includes(null)) return;
  const evidence = { ...ledger.record, looks: [...ledger.record.looks] };
  if (ledger.limit() < before) {
    // The bank may give back the limit a little later.
    await run.session.waiting.visible();
    await ledger.openNext(wish(4));
  }
  run.compare(limits.failureCostsNothing, { ...evidence, atEnd: ledger.record.looks.slice(evidence.looks.length) });
}

export async function keepLedger(tools: Tools): Promise<void> {
  const { loans, run, target } = tools;
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
  const ledger = openLedger(tools, terms, chosen.account);
  // A target may reserve the requested amount.
  const ready = [first, second].flatMap((one, nth) => ledger.look(one, loans.ip(nth)) ?? []);
  const amounts = listAmounts(session, Math.min(chosen.limit, target.caps.amount), target.testData.amounts);
  const listed = [...amounts.filter((amount) => amount !== terms.amount), ...amounts];
  const wishes = listed.map((amount, nth): Wish => ({ amount, ip: loans.ip(nth + 2) }));
  wishes.splice(LARGE_WISH, 0, { amount: (highest) => Math.ceil(highest / 2), ip: loans.ip(0) });
  const isWhole = await stepThrough(tools, ledger, wishes, ready);
  if (ledger.limit() === chosen.limit) return run.unexercised(LEDGER, FIXED_LIMIT_TEXT);
  if (isWhole) await stepThroughKinds(tools, ledger, terms);
  // Disburses two at once that are above the limit together: the next offer shows whether both were made.
  const share = Math.min(Math.floor(ledger.limit() * SHARE_BEYOND), target.caps.amount);
  if (isWhole && target.overLimit && 2 * share > ledger.limit()) {
    const pair = [await ledger.openNext(wishes), await ledger.openNext(wishes)].flatMap((look) =>
      look === null ? [] : [{ ...look, amount: share }],
    );
    if (pair.length === 2) await openSteps(tools, ledger, wishes, []).step(pair);
  }
  run.compare(limits.limitLedger, { ...ledger.record });
  await failOne(tools, ledger);
}
