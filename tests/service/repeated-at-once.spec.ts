/** Sends the same step twice, first one after the other and then at the same time, and amounts of exactly the limit. */
import {
  claimUnused,
  findOpenings,
  isCrash,
  listAccepted,
  loadProbes,
  once,
  probes,
  scenario,
  test,
  toSent,
  type Asking,
  type Offer,
  type OpenedLoan,
  type OperationId,
  type Reply,
  type Tools,
} from '../../fixtures/runner/index.ts';
import type { LoanTerms } from '../../fixtures/arbitraries/loans.ts';
import { AT_LIMIT_BUDGET, compareAtLimit } from '../loans/at-limit.ts';
import { areLimitsFixed } from '../loans/limit-ledger.ts';
import { chooseTerms } from '../loans/offered-accounts.ts';

const { classifySecond, CONCURRENT_PAIRS, SEQUENTIAL_PAIRS } = once;

const area = 'loans';

interface Round<O extends OperationId> {
  /** The accounts that nobody else uses during the round. */
  readonly accounts?: readonly string[];
  /** Sends what comes before the two requests; false if the bank refuses it. */
  readonly prepare?: () => Promise<boolean>;
  readonly first: (asking?: Asking) => Promise<Reply<O>>;
  readonly second: (asking?: Asking) => Promise<Reply<O>>;
}

/** The reasons why no race is possible. */
const OTHER_END = {
  refused: 'the bank does not refuse the second of two such requests in a row',
  same: 'the bank does not answer the second of two such requests in a row with the id of the first',
} as const;

/** Opens the next round; null if there is none. If `isSwapped`, the two requests change their order. */
type NextRound<O extends OperationId> = (isSwapped?: boolean) => Promise<Round<O> | null>;

/** The behaviour if the second of two successive requests is refused, and the behaviour if both answers have one `id`. */
interface Races<O extends OperationId> {
  readonly refused: once.Race<O>;
  readonly same?: once.Race<O>;
  readonly id?: once.IdField;
}

/** The number of the successive round whose requests change their order. */
const SWAPPED_ROUND = 1;

interface Pair<O extends OperationId> {
  readonly first: Reply<O>;
  readonly second: Reply<O>;
}
interface Sequential<O extends OperationId> {
  /** The result of the second request; null if it was neither refused nor answered with the same id. */
  readonly end: once.End | null;
  readonly pair: Pair<O>;
}

/** Sends pairs of requests, one request after the other. No two requests are in flight at the same time. */
class Sequence<O extends OperationId> {
  readonly pairs: Pair<O>[] = [];
  readonly swapped: Pair<O>[] = [];
  /** Second requests that crashed, each with its repetition, because one crash may be an accident. */
  readonly repeated: Reply<O>[] = [];
  readonly #tools: Tools;
  readonly #id: once.IdField;
  readonly #next: NextRound<O>;
  #sent: Promise<unknown> = Promise.resolve();

  constructor(tools: Tools, id: once.IdField, next: NextRound<O>) {
    this.#tools = tools;
    this.#id = id;
    this.#next = next;
  }

  #send(send: () => Promise<Reply<O>>): Promise<Reply<O>> {
    const sending = this.#sent.then(() => send());
    this.#sent = sending.catch(() => undefined);
    return sending;
  }

  /** Returns the result of the second request; undefined if the bank did not accept the first. */
  async run(opened: Promise<Round<O> | null>, nth = 0): Promise<Sequential<O> | undefined> {
    const round = await opened;
    if (round === null) return undefined;
    return this.#tools.run.session.accounts.use(round.accounts ?? [], () => this.#sendRound(round, nth));
  }

  async #sendRound(round: Round<O>, nth: number): Promise<Sequential<O> | undefined> {
    const { prepare } = round;
    if ((await prepare?.()) === false) return undefined;
    const first = await this.#send(round.first);
    if (!first.accepted) return undefined;
    const second = await this.#send(round.second);
    if (isCrash(second)) this.repeated.push(second, await this.#send(round.second));
    const pair = { first, second };
    (nth === SWAPPED_ROUND ? this.swapped : this.pairs).push(pair);
    return { end: classifySecond(first, second, this.#id), pair };
  }

  /** Compares a simultaneous pair with successive pairs. True if the bank accepted both simultaneous requests. */
  async compare(race: once.Race<O>, atOnce: Pair<O>, isRefused: boolean): Promise<boolean> {
    const { run } = this.#tools;
    const { first, second } = atOnce;
    const inSequence = this.pairs.slice(0, SEQUENTIAL_PAIRS);
    const areBothAccepted = first.accepted && second.accepted && classifySecond(first, second, this.#id) === null;
    if (areBothAccepted && isRefused) await run.session.waiting.apart();
    const again = areBothAccepted && isRefused ? (await this.run(this.#next()))?.pair : undefined;
    run.compare(race, { inSequence, swapped: this.swapped, atOnce, again });
    return areBothAccepted;
  }
}

/** Reports the behaviours that the successive pairs leave untested. Returns the behaviour to test, if there is one. */
function pickRace<O extends OperationId>(
  { run, target }: Tools,
  races: Races<O>,
  controls: readonly (Sequential<O> | undefined)[],
): once.Race<O> | undefined {
  const [control, ...others] = controls;
  const race = control?.end == null ? undefined : races[control.end];
  for (const end of ['refused', 'same'] as const)
    if (races[end] !== undefined && races[end] !== race) run.unexercised(races[end].id, OTHER_END[end]);
  if (race === undefined || others.some((one) => one?.end !== control?.end)) return undefined;
  if (target.inFlight >= 2) return race;
  run.unexercised(race.id, 'IN_FLIGHT=1 sends no two requests at once');
  return undefined;
}

const sendAtOnce = <O extends OperationId>(tools: Tools, round: Round<O>): Promise<Pair<O> | null> =>
  tools.run.session.accounts.use(round.accounts ?? [], () => sendPair(tools, round));

async function sendPair<O extends OperationId>({ run }: Tools, round: Round<O>): Promise<Pair<O> | null> {
  if ((await round.prepare?.()) === false) return null;
  await run.session.concurrency.room(2);
  // The bank may process either request first.
  const sent = round.first({ atOnce: true, probe: true });
  const [first, second] = await Promise.all([sent, round.second({ atOnce: true })]);
  return first.outcome === 'not-sent' || second.outcome === 'not-sent' ? null : { first, second };
}

/**
 * Sends pairs of successive requests. If the second is refused or has the same id each time, sends a simultaneous pair. Returns
 * false if the bank does not accept the second request alone.
 */
async function runRace<O extends OperationId>(tools: Tools, races: Races<O>, next: NextRound<O>): Promise<boolean> {
  const { run, target } = tools;
  // All applications are opened at the same time, so that an application is as old in each round.
  const rounds = Array.from(
    { length: target.inFlight > 1 ? SEQUENTIAL_PAIRS + CONCURRENT_PAIRS : SEQUENTIAL_PAIRS },
    (_, nth) => next(nth === SWAPPED_ROUND),
  );
  const sequence = new Sequence<O>(tools, races.id, next);
  const controls = await Promise.all(rounds.splice(0, SEQUENTIAL_PAIRS).map((one, nth) => sequence.run(one, nth)));
  // A request of the other pair came between and may be the reason for a refusal. Such a pair is sent again, alone.
  for (const nth of controls.keys())
    if (controls[nth] === undefined) controls[nth] = await sequence.run(next(nth === SWAPPED_ROUND), nth);
  const { pairs, swapped, repeated } = sequence;
  const sentAgain = repeated.filter(({ outcome }) => outcome !== 'not-sent');
  run.compare(probes.repeatedWithoutCrash, { repeated: sentAgain, first: (pairs[0] ?? swapped[0])?.first });
  const race = pickRace(tools, races, controls);
  // All rounds must end: an answer after the end of the scenario would be lost.
  const opened = await Promise.all(rounds);
  if (race !== undefined) {
    const possible = opened.filter((round) => round !== null);
    const pairs = await Promise.all(possible.map((round) => sendAtOnce(tools, round)));
    for (const atOnce of pairs)
      if (atOnce === null || (await sequence.compare(race, atOnce, controls[0]?.end === 'refused'))) break;
  }
  return controls[0] === undefined || controls[SWAPPED_ROUND] !== undefined;
}

/** The limit of an account in a race covers this many disbursements. */
const MIN_AMOUNTS = 4;
/** A race of contracts needs two accounts. */
const MIN_FREE_ACCOUNTS = 2;

/** Opens an application, preferably in the currency of `planned`. Prefers accounts not in `taken`, and adds the first two to it. */
async function openApplication({ loans, run }: Tools, planned: LoanTerms, taken = new Set<string>()) {
  const terms = chooseTerms(run.session, planned, MIN_FREE_ACCOUNTS);
  const application = await loans.apply(terms);
  // Accounts with sufficient limits are used, and of these the free ones: other limits may be used up.
  const least = MIN_AMOUNTS * terms.amount;
  const isLow = ({ limit }: Offer): boolean => limit !== null && limit < least;
  const offers = (application?.offers ?? []).toSorted((a, b) => Number(b.limit) - Number(a.limit));
  const [offer, other] = run.session.accounts
    .freeFirst(offers)
    .toSorted((a, b) => Number(taken.has(a.account)) - Number(taken.has(b.account)))
    .toSorted((a, b) => Number(isLow(a)) - Number(isLow(b)));
  for (const one of [offer, other]) if (one !== undefined) taken.add(one.account);
  return application === null || offer === undefined ? null : { application, offer, other: other ?? offer };
}

/** Two different amounts are raced: the larger is at least this share of the usual amount. */
const RACED_SHARE = 0.1;
const MAX_OPENED_APPLICATIONS = 6;
/** Two successive pairs, and then a simultaneous pair. */
const TWIN_ROUNDS = [false, false, true];

/**
 * Sends identical disbursements of one application, first successive, then simultaneous. Reads the limit between pairs. Meanwhile,
 * nobody draws from any account: several accounts may share a limit.
 */
async function raceTwins(tools: Tools): Promise<void> {
  const { run } = tools;
  const first = await openApplication(tools, await tools.loans.nextTerms());
  if (first !== null) await run.session.accounts.useAll(() => sendTwins(tools, first));
}

async function sendTwins(tools: Tools, { application: { terms }, offer: { account } }: OpenedLoan): Promise<void> {
  const { loans, run } = tools;
  async function openNext(): Promise<OpenedLoan | null> {
    for (let opened = 0; opened < MAX_OPENED_APPLICATIONS; opened += 1) {
      const application = await loans.apply(terms);
      const offer = application?.offers.find((one) => one.account === account);
      if (application !== null && offer !== undefined) return { application, offer };
    }
    return null;
  }
  let current = await openNext();
  const measured = [];
  for (const atOnce of TWIN_ROUNDS) {
    if (current === null || !(await loans.approve(current.application, current.offer)).accepted) return;
    const { application, offer } = current;
    const sent = loans.disburse(application, offer, {}, { atOnce });
    if (!atOnce) await sent;
    const [first, second] = await Promise.all([sent, loans.disburse(application, offer, {}, { atOnce, probe: true })]);
    await loans.settled(application.id);
    current = await openNext();
    const openings = findOpenings(run.session.requests);
    const [before, after] = [application.id, current?.application.id ?? ''].map((id) =>
      toSent('requestLoan', openings.get(id)),
    );
    if (before == null || after == null) return;
    measured.push({ before, first, second, after });
  }
  const [atOnce] = measured.splice(-1);
  if (atOnce !== undefined) run.compare(once.disbursementEffectOnce, { inSequence: measured, atOnce });
}

test(
  'Two contracts of one application, one after the other and at the same time',
  ...scenario('contract-race', { area, stage: 'races' }, async (tools) => {
    claimUnused(tools.run, area);
    // The two contracts are for different accounts: the bank may count two identical contracts as one contract.
    const terms = await tools.loans.nextTerms();
    const taken = new Set<string>();
    await runRace(tools, { refused: once.contractOnce }, async (isSwapped = false) => {
      const found = await openApplication(tools, terms, taken);
      if (found === null || found.other === found.offer) return null;
      const { application, offer, other } = found;
      // A limit below the requested amount is a reason to refuse.
      if (other.limit !== null && other.limit < application.terms.amount) return null;
      const [one, two] = isSwapped ? [other, offer] : [offer, other];
      return {
        accounts: [offer.account, other.account],
        first: (asking) => tools.loans.approve(application, one, asking),
        second: (asking) => tools.loans.approve(application, two, { ...asking, probe: true }),
      };
    });
  }),
);

test(
  'Two disbursements of one application, one after the other and at the same time',
  ...scenario('disbursement-race', { area, stage: 'races' }, async (tools) => {
    const { loans, run } = tools;
    claimUnused(run, area);
    // The smallest accepted amount is not too small.
    const made = listAccepted(run.session.requests, 'disburse');
    const least = Math.min(...made.map(({ values }) => Number(values['amount'])));
    const terms = await loans.nextTerms(RACED_SHARE);
    const taken = new Set<string>();
    const isRaced = await runRace(tools, { refused: once.disbursementOnce }, async (isSwapped = false) => {
      const found = await openApplication(tools, terms, taken);
      if (found === null) return null;
      const { application, offer } = found;
      const { amount } = application.terms;
      const less = { amount: Math.min(least, Math.max(1, Math.floor(amount / 2))) };
      // All successive rounds may use the same account.
      const room = Math.floor((offer.limit ?? Infinity) / SEQUENTIAL_PAIRS - less.amount);
      const asked = { amount: Math.min(loans.within(offer, amount), room) };
      // The bank may count two equal simultaneous requests as one request.
      if (asked.amount <= less.amount) return null;
      const [one, two] = isSwapped ? [less, asked] : [asked, less];
      return {
        accounts: [offer.account],
        prepare: async () => (await loans.approve(application, offer)).accepted,
        first: (asking) => loans.disburse(application, offer, one, asking),
        second: (asking) => loans.disburse(application, offer, two, { ...asking, probe: true }),
      };
    });
    if (!isRaced) await raceTwins(tools);
  }),
);

// This scenario runs at the same time as the races. With a fixed limit, it does not use up the limit.
test(
  'Disbursements of exactly the available limit and of less, if disbursements do not lower the limit',
  ...scenario('at-fixed-limit', { area, stage: 'races', creates: AT_LIMIT_BUDGET }, async (tools) => {
    if (areLimitsFixed(tools.run.session)) await compareAtLimit(tools);
  }),
);

test(
  'Two identical loan requests, one after the other and at the same time',
  ...scenario('order-race', { area, stage: 'races', creates: { applications: 4 } }, async (tools) => {
    const { loans, bank, run } = tools;
    claimUnused(run, area);
    const terms = await loans.terms();
    const next: NextRound<'requestLoan'> = async () => {
      const values = loans.values(terms);
      return {
        first: (asking) => bank.ask('requestLoan', values, asking),
        second: (asking) => bank.ask('requestLoan', values, { ...asking, probe: true }),
      };
    };
    const races = { refused: once.applicationOnce, same: once.sameApplication } as const;
    await runRace(tools, { ...races, id: 'application_id' }, next);
  }),
);

test(
  'Two identical payment links, one after the other and at the same time',
  ...scenario('link-race', { area: 'payment-links', stage: 'refusals' }, async (tools) => {
    const { links, bank, run } = tools;
    claimUnused(run, 'payment-links');
    const terms = await links.smallWithCommas();
    if (terms === undefined) return;
    const next: NextRound<'createPaymentLink'> = async () => {
      const values = links.values(terms);
      return {
        first: (asking) => bank.ask('createPaymentLink', values, asking),
        second: (asking) => bank.ask('createPaymentLink', values, { ...asking, probe: true }),
      };
    };
    await runRace(tools, { refused: once.linkOnce, same: once.sameLink, id: 'order_id' }, next);
  }),
);

// This scenario runs after the races, because its requests use the rest of the caps.
for (const area of ['loans', 'payment-links'] as const)
  test(
    `Requests that were sometimes refused, again with fresh ids, fast and slowly (${area})`,
    ...scenario(`taken-each-time-${area}`, { area, stage: 'unsteadiness' }, (tools) =>
      loadProbes().askUnsteady(tools, area),
    ),
  );
