/** Sends the same step twice, one after the other and at the same time. Sends disbursements of exactly the limit. */
import {
  claimUnused,
  coversAmount,
  findOpenings,
  isCrash,
  listAccepted,
  loadProbes,
  scenario,
  test,
  toSent,
  type Application,
  type RequestOptions,
  type Offer,
  type OpenedLoan,
  type OperationId,
  type Reply,
  type Tools,
  type Values,
} from '../../fixtures/runner/index.ts';
import * as once from '../../openapi/bank/behaviours/races/once.ts';
import * as probes from '../../openapi/behaviours/service/probes.ts';
import type { LoanTerms } from '../../fixtures/bank/arbitraries/loans.ts';
import { AT_LIMIT_BUDGET, compareAtLimit } from '../loans/at-limit.ts';
import { areLimitsFixed } from '../loans/limit-ledger.ts';
import { chooseTerms } from '../loans/offered-accounts.ts';

const { classifySecond, CONCURRENT_PAIRS, SEQUENTIAL_PAIRS } = once;

const area = 'loans';

interface RequestPair<O extends OperationId> {
  /** The accounts that nothing else uses during this round. */
  readonly accounts?: readonly string[];
  /** Sends the steps before the two requests. Returns false if the bank refuses one. */
  readonly prepare?: () => Promise<boolean>;
  readonly first: (options?: RequestOptions) => Promise<Reply<O>>;
  readonly second: (options?: RequestOptions) => Promise<Reply<O>>;
}

/** By the behaviour that was not seen: why its race is not possible. */
const REASON_NO_RACE = {
  refused: 'the bank does not refuse the second of two such requests in a row',
  same: 'the bank does not answer the second of two such requests in a row with the id of the first',
} as const;

/** The rounds of a race. Each round has an application or other values of its own. */
interface Rounds<O extends OperationId, Opened> {
  /** Prepares the next round; null if the bank refuses this. */
  readonly open: () => Promise<Opened | null>;
  /**
   * Plans the two requests of a round when it begins: only now it is clear which accounts are free. If `isSwapped`, the requests change
   * their order. Returns null if such a pair is not possible.
   */
  readonly plan: (opened: Opened, isSwapped: boolean) => RequestPair<O> | null;
}

/** Behaviours of the second of two requests, one after the other: it is refused, or both answers have the same id. */
interface Races<O extends OperationId> {
  readonly refused: once.Race<O>;
  readonly same?: once.Race<O>;
  readonly idField?: once.IdField;
}

/** The index of the round whose two requests change their order. */
const SWAPPED_ROUND = 1;

interface Pair<O extends OperationId> {
  readonly first: Reply<O>;
  readonly second: Reply<O>;
}
interface SequentialResult<O extends OperationId> {
  /** The result of the second request; null if it was neither refused nor answered with the same id. */
  readonly secondResult: once.SecondResult | null;
  readonly pair: Pair<O>;
}

/** Sends pairs of requests, one request after the other. It never has two requests in flight. */
class Sequence<O extends OperationId, Opened> {
  readonly pairs: Pair<O>[] = [];
  readonly swappedPairs: Pair<O>[] = [];
  /** Second requests that the bank answered with a crash, and their repetitions: one crash may be an accident. */
  readonly repeatedAfterCrash: Reply<O>[] = [];
  readonly #tools: Tools;
  readonly #id: once.IdField;
  readonly #rounds: Rounds<O, Opened>;
  #lastSent: Promise<unknown> = Promise.resolve();

  constructor(tools: Tools, idField: once.IdField, rounds: Rounds<O, Opened>) {
    this.#tools = tools;
    this.#id = idField;
    this.#rounds = rounds;
  }

  #sendRequest(sendOnce: () => Promise<Reply<O>>): Promise<Reply<O>> {
    const pendingReply = this.#lastSent.then(() => sendOnce());
    this.#lastSent = pendingReply.catch(() => undefined);
    return pendingReply;
  }

  /** Sends a round. Returns its pair and how the second request ended; undefined if the bank did not accept the first. */
  async run(
    roundIndex = 0,
    openedRound: Promise<Opened | null> = this.#rounds.open(),
  ): Promise<SequentialResult<O> | undefined> {
    const opened = await openedRound;
    const round = opened && this.#rounds.plan(opened, roundIndex === SWAPPED_ROUND);
    if (round === null) return undefined;
    return this.#tools.run.session.accounts.use(round.accounts ?? [], () => this.#sendRound(round, roundIndex));
  }

  async #sendRound(round: RequestPair<O>, roundIndex: number): Promise<SequentialResult<O> | undefined> {
    const { prepare } = round;
    if ((await prepare?.()) === false) return undefined;
    const firstReply = await this.#sendRequest(round.first);
    if (!firstReply.accepted) return undefined;
    const secondReply = await this.#sendRequest(round.second);
    if (isCrash(secondReply)) this.repeatedAfterCrash.push(secondReply, await this.#sendRequest(round.second));
    const pair = { first: firstReply, second: secondReply };
    (roundIndex === SWAPPED_ROUND ? this.swappedPairs : this.pairs).push(pair);
    return { secondResult: classifySecond(firstReply, secondReply, this.#id), pair };
  }

  /** Compares a simultaneous pair with the earlier pairs. Returns true if the bank accepted both simultaneous requests. */
  async compare(race: once.Race<O>, atOnce: Pair<O>, isRefused: boolean): Promise<boolean> {
    const { run } = this.#tools;
    const { first, second } = atOnce;
    const inSequence = this.pairs.slice(0, SEQUENTIAL_PAIRS);
    const areBothAccepted = first.accepted && second.accepted && classifySecond(first, second, this.#id) === null;
    if (areBothAccepted && isRefused) await run.session.waiting.waitForMinInterval();
    const repeatedPair = areBothAccepted && isRefused ? (await this.run())?.pair : undefined;
    run.compare(race, { inSequence, swapped: this.swappedPairs, atOnce, again: repeatedPair });
    return areBothAccepted;
  }
}

/** Reports the behaviours that the pairs leave untested. Returns the behaviour to test, or undefined. */
function pickRace<O extends OperationId>(
  { run, target }: Tools,
  races: Races<O>,
  results: readonly (SequentialResult<O> | undefined)[],
): once.Race<O> | undefined {
  const [firstResult, ...otherResults] = results;
  const race = firstResult?.secondResult == null ? undefined : races[firstResult.secondResult];
  for (const result of ['refused', 'same'] as const)
    if (races[result] !== undefined && races[result] !== race) run.unexercised(races[result], REASON_NO_RACE[result]);
  if (race === undefined || otherResults.some((result) => result?.secondResult !== firstResult?.secondResult))
    return undefined;
  if (target.inFlight >= 2) return race;
  run.unexercised(race, 'IN_FLIGHT=1 sends no two requests at the same time');
  return undefined;
}

const sendAtOnce = <O extends OperationId>(tools: Tools, round: RequestPair<O>): Promise<Pair<O> | null> =>
  tools.run.session.accounts.use(round.accounts ?? [], () => sendPair(tools, round));

async function sendPair<O extends OperationId>({ run }: Tools, round: RequestPair<O>): Promise<Pair<O> | null> {
  if ((await round.prepare?.()) === false) return null;
  await run.session.concurrency.waitForRoom(2);
  // The bank may process either request first.
  const sent = round.first({ isConcurrent: true, isProbe: true });
  const [firstReply, secondReply] = await Promise.all([sent, round.second({ isConcurrent: true })]);
  return firstReply.outcome === 'not-sent' || secondReply.outcome === 'not-sent'
    ? null
    : { first: firstReply, second: secondReply };
}

/**
 * Sends pairs of requests, one request after the other. If the second request is refused each time, or has the same id each time,
 * sends simultaneous pairs. Returns false if the bank does not even accept the second request when it is sent first.
 */
async function runRace<O extends OperationId, Opened>(
  tools: Tools,
  races: Races<O>,
  rounds: Rounds<O, Opened>,
): Promise<boolean> {
  const { run, target } = tools;
  // All applications are opened now, so that applications have about the same age in each round.
  const openedRounds = Array.from(
    { length: target.inFlight > 1 ? SEQUENTIAL_PAIRS + CONCURRENT_PAIRS : SEQUENTIAL_PAIRS },
    () => rounds.open(),
  );
  const sequence = new Sequence<O, Opened>(tools, races.idField, rounds);
  const resultsByRound = await Promise.all(
    openedRounds.splice(0, SEQUENTIAL_PAIRS).map((openedRound, index) => sequence.run(index, openedRound)),
  );
  // A request of the other pair may be the reason for a refusal. Such a pair is sent again, with nothing in between.
  for (const index of resultsByRound.keys()) resultsByRound[index] ??= await sequence.run(index);
  const { pairs, swappedPairs, repeatedAfterCrash } = sequence;
  const sentAgain = repeatedAfterCrash.filter(({ outcome }) => outcome !== 'not-sent');
  run.compare(probes.repeatedWithoutCrash, { repeated: sentAgain, first: (pairs[0] ?? swappedPairs[0])?.first });
  const race = pickRace(tools, races, resultsByRound);
  // All rounds must be complete before the scenario ends: later answers would be lost.
  const concurrentRounds = await Promise.all(openedRounds);
  if (race !== undefined) {
    const pairs = await Promise.all(
      concurrentRounds.flatMap((opened) => {
        const round = opened && rounds.plan(opened, false);
        return round === null ? [] : sendAtOnce(tools, round);
      }),
    );
    for (const atOnce of pairs)
      if (atOnce === null || (await sequence.compare(race, atOnce, resultsByRound[0]?.secondResult === 'refused')))
        break;
  }
  return resultsByRound[0] === undefined || resultsByRound[SWAPPED_ROUND] !== undefined;
}

/** A race of contracts needs two accounts. */
const MIN_FREE_ACCOUNTS = 2;

/** Opens an application, if possible in a currency with free accounts. */
const openApplication = ({ loans, run }: Tools, plannedTerms: LoanTerms): Promise<Application | null> =>
  loans.apply(chooseTerms(run.session, plannedTerms, MIN_FREE_ACCOUNTS));

/**
 * Sorts the offers of an application: those that cover its amount first; of these, free accounts, then accounts that are not in
 * `usedAccounts`, then the highest limit.
 */
function sortOffers(
  { run }: Tools,
  { offers, terms }: Application,
  usedAccounts = new Set<string>(),
): readonly Offer[] {
  const byLimit = offers
    .toSorted((a, b) => Number(b.limit) - Number(a.limit))
    .toSorted((a, b) => Number(usedAccounts.has(a.account)) - Number(usedAccounts.has(b.account)));
  return run.session.accounts
    .sortByUse(byLimit)
    .toSorted((a, b) => Number(coversAmount(b, terms.amount)) - Number(coversAmount(a, terms.amount)));
}

/** In a race of two amounts, the larger amount is this share of the usual amount. */
const RACED_SHARE = 0.1;
const MAX_OPENED_APPLICATIONS = 6;
/** Says for each pair whether it is simultaneous: two pairs that are not, and then one that is. */
const IS_SIMULTANEOUS = [false, false, true];

/**
 * Sends pairs of identical disbursements of one application: first one after the other, and then at the same time. Reads the limit
 * between pairs. Nothing else disburses meanwhile, because several accounts may share a limit.
 */
async function compareIdenticalDisbursements(tools: Tools): Promise<void> {
  const { run } = tools;
  const application = await openApplication(tools, await tools.loans.nextTerms());
  const [offer] = application === null ? [] : sortOffers(tools, application);
  if (application !== null && offer !== undefined)
    await run.session.accounts.useAll(() => sendIdenticalDisbursements(tools, { application, offer }));
}

async function sendIdenticalDisbursements(
  tools: Tools,
  { application: { terms }, offer: { account } }: OpenedLoan,
): Promise<void> {
  const { loans, run } = tools;
  async function openNext(): Promise<OpenedLoan | null> {
    for (let openedCount = 0; openedCount < MAX_OPENED_APPLICATIONS; openedCount += 1) {
      const application = await loans.apply(terms);
      const offer = application?.offers.find((offered) => offered.account === account);
      if (application !== null && offer !== undefined) return { application, offer };
    }
    return null;
  }
  let currentLoan = await openNext();
  const rounds = [];
  for (const isSimultaneous of IS_SIMULTANEOUS) {
    if (currentLoan === null || !(await loans.approve(currentLoan.application, currentLoan.offer)).accepted) return;
    const { application, offer } = currentLoan;
    const firstReply = loans.disburse(application, offer, {}, { isConcurrent: isSimultaneous });
    if (!isSimultaneous) await firstReply;
    const [first, second] = await Promise.all([
      firstReply,
      loans.disburse(application, offer, {}, { isConcurrent: isSimultaneous, isProbe: true }),
    ]);
    await loans.queryUntilFinal(application.id);
    currentLoan = await openNext();
    const openings = findOpenings(run.session.requests);
    const [answerBefore, answerAfter] = [application.id, currentLoan?.application.id ?? ''].map((id) =>
      toSent('requestLoan', openings.get(id)),
    );
    if (answerBefore == null || answerAfter == null) return;
    rounds.push({ before: answerBefore, first, second, after: answerAfter });
  }
  const [concurrentPair] = rounds.splice(-1);
  if (concurrentPair !== undefined)
    run.compare(once.disbursementEffectOnce, { inSequence: rounds, atOnce: concurrentPair });
}

test(
  'Two contracts of one application, one after the other and at the same time',
  ...scenario('contract-race', { area, stage: 'races' }, async (tools) => {
    claimUnused(tools.run, area);
    // The two contracts are for different accounts: the bank may count two identical contracts as one contract.
    const terms = await tools.loans.nextTerms();
    const usedAccounts = new Set<string>();
    await runRace(
      tools,
      { refused: once.contractOnce },
      {
        open: () => openApplication(tools, terms),
        plan(application, isSwapped) {
          const [offer, otherOffer] = sortOffers(tools, application, usedAccounts);
          // A limit below the requested amount is a reason to refuse.
          if (offer === undefined || otherOffer === undefined || !coversAmount(otherOffer, application.terms.amount))
            return null;
          const accounts = [offer.account, otherOffer.account];
          accounts.forEach((account) => usedAccounts.add(account));
          const [firstOffer, secondOffer] = isSwapped ? [otherOffer, offer] : [offer, otherOffer];
          return {
            accounts,
            first: (options) => tools.loans.approve(application, firstOffer, options),
            second: (options) => tools.loans.approve(application, secondOffer, { ...options, isProbe: true }),
          };
        },
      },
    );
  }),
);

test(
  'Two disbursements of one application, one after the other and at the same time',
  ...scenario('disbursement-race', { area, stage: 'races' }, async (tools) => {
    const { loans, run } = tools;
    claimUnused(run, area);
    // The bank refuses one of two different amounts, whatever is sent first.
    if (loans.disbursesOnlyWhole()) return compareIdenticalDisbursements(tools);
    // The bank accepted this amount, so it is not too small.
    const disbursements = listAccepted(run.session.requests, 'disburse');
    const minAmount = Math.min(...disbursements.map(({ values }) => Number(values['amount'])));
    const terms = await loans.nextTerms(RACED_SHARE);
    const usedAccounts = new Set<string>();
    const rounds: Rounds<'disburse', Application> = {
      open: () => openApplication(tools, terms),
      plan(application, isSwapped) {
        const [offer] = sortOffers(tools, application, usedAccounts);
        if (offer === undefined) return null;
        usedAccounts.add(offer.account);
        const { amount } = application.terms;
        const smallerAmount = { amount: Math.min(minAmount, Math.max(1, Math.floor(amount / 2))) };
        // All rounds with one request after the other may use this account.
        const maxLarger = Math.floor((offer.limit ?? Infinity) / SEQUENTIAL_PAIRS - smallerAmount.amount);
        const largerAmount = { amount: Math.min(loans.limitAmount(offer, amount), maxLarger) };
        // The bank may count two equal simultaneous requests as one request.
        if (largerAmount.amount <= smallerAmount.amount) return null;
        const [firstAmount, secondAmount] = isSwapped ? [smallerAmount, largerAmount] : [largerAmount, smallerAmount];
        return {
          accounts: [offer.account],
          prepare: async () => (await loans.approve(application, offer)).accepted,
          first: (options) => loans.disburse(application, offer, firstAmount, options),
          second: (options) => loans.disburse(application, offer, secondAmount, { ...options, isProbe: true }),
        };
      },
    };
    const isRaced = await runRace(tools, { refused: once.disbursementOnce }, rounds);
    if (!isRaced) await compareIdenticalDisbursements(tools);
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
    const rounds: Rounds<'requestLoan', Values> = {
      open: async () => loans.values(terms),
      plan: (values) => ({
        first: (options) => bank.ask('requestLoan', values, options),
        second: (options) => bank.ask('requestLoan', values, { ...options, isProbe: true }),
      }),
    };
    const races = { refused: once.applicationOnce, same: once.sameApplication } as const;
    await runRace(tools, { ...races, idField: 'application_id' }, rounds);
  }),
);

test(
  'Two identical payment links, one after the other and at the same time',
  ...scenario('link-race', { area: 'payment-links', stage: 'refusals' }, async (tools) => {
    const { links, bank, run } = tools;
    claimUnused(run, 'payment-links');
    const terms = await links.smallWithCommas();
    if (terms === undefined) return;
    const rounds: Rounds<'createPaymentLink', Values> = {
      open: async () => links.values(terms),
      plan: (values) => ({
        first: (options) => bank.ask('createPaymentLink', values, options),
        second: (options) => bank.ask('createPaymentLink', values, { ...options, isProbe: true }),
      }),
    };
    await runRace(tools, { refused: once.linkOnce, same: once.sameLink, idField: 'order_id' }, rounds);
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
