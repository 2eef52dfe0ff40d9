/** Makes disbursements from the accounts on offer. Each loan answer shows the limits of its accounts. */
import type { LoanTerms } from '../../fixtures/arbitraries/loans.ts';
import {
  groupBy,
  hasErrors,
  isRefusal,
  limits,
  listTaken,
  listTold,
  mapAll,
  readEvidence,
  toSent,
  type Application,
  type Offer,
  type Reply,
  type Tools,
} from '../../fixtures/runner/index.ts';
import { compareRefused } from './compared-disbursements.ts';

const MAX_OPENED_APPLICATIONS = 6;
/** An account that this share of all applications offers is on offer nearly each time. */
export const STEADY_SHARE = 0.75;
const DRAWS_IN_A_TURN = 4;

/** The flags and the currency of an application; its type of order_id and its customer, if they are planned. */
export type ApplicationKind = Pick<LoanTerms, 'commercial_disbursement' | 'disbursement_purpose' | 'currency'> &
  Partial<Pick<LoanTerms, 'order' | 'planned'>>;

/** The address of the customer, and whether the contract is approved. */
export type Customer = Parameters<Tools['loans']['disburse']>[2];

/** An application and the offer from which it disburses its amount. */
export interface Draw {
  readonly application: Application;
  readonly offer: Offer;
  readonly amount: number;
  readonly customer?: Customer;
  /** The amount leaves a multiple of so many cents of the limit. */
  readonly leaves?: number;
  /** Binary arithmetic books the amount wrongly. */
  readonly isMisbooked?: boolean;
  /** The amount is half of the amount of the application. */
  readonly isHalf?: boolean;
}

export type DrawPair = readonly [Draw, Draw];

interface Account {
  limit: number;
  /** The number of loan answers that offered the account. */
  offers: number;
  /** The number of disbursements. */
  draws: number;
  /** Accepted disbursements, and the limit before them. The next loan answer, which shows the limit after them, ends the list. */
  effect: { readonly draws: readonly Draw[]; readonly before: number; readonly failed: ReadonlySet<Draw> } | null;
}

export const toCents = (amount: number | null | undefined): number => Math.round((amount ?? 0) * 100);

/** Rounds down to two digits and zeros: a bank may disburse only multiples of an amount. */
export function roundDown(amount: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, amount))) - 1);
  return Math.floor(amount / unit) * unit;
}

/** Lists accounts with a disbursement of the run whose outcome is not final. */
function listAwaited({ requests, isPending }: Session): ReadonlySet<string> {
  const answered = requests.filter(({ result }) => result !== undefined);
  const outcomes = new Map(answered.map(({ values, result }) => [String(values['application_id']), result]));
  const awaited = listTaken(requests, 'disburse').filter(({ values }) =>
    isPending(outcomes.get(String(values['application_id']))),
  );
  return new Set(awaited.map(({ values }) => String(values['account_id'])));
}

type Session = Tools['run']['session'];

/** How a scenario asks for the outcome of a disbursement. */
export type Asking = 'twice at once' | 'at rest';
type AskedCounts = Record<Asking, number>;
/** A rule needs at least so many disbursements whose outcomes are queried only at rest. */
const MIN_AT_REST = 3;

/** An outcome is probably at rest after so many times the longest time that the run saw, but the run waits no longer than this. */
const REST_FACTOR = 1.25;
const MAX_REST_MS = 3000;
/** If the first final answer came more than so many times later than the last answer before it, only the earlier time is known. */
const MAX_GAP_FACTOR = 2;

/**
 * Returns the longest time, in milliseconds, from an accepted disbursement until its outcome was final. The outcome of a disbursement
 * became final between two queries. An example: it was not final after 1400 ms, and final after 1900 ms; this counts as 1650 ms.
 */
function measureRest({ isPending, requests }: Session): number {
  const queries = groupBy(
    requests.filter(({ result }) => result !== undefined),
    ({ values }) => String(values['application_id']),
  );
  const times = listTaken(requests, 'disburse').map(({ values, until }) => {
    const own = queries.get(String(values['application_id'])) ?? [];
    const final = own.findIndex(({ result }) => !isPending(result));
    const [before, after] = [own[final - 1], own[final]].map((query) => (query?.until ?? until) - until);
    if (before === undefined || after === undefined) return 0;
    return after > MAX_GAP_FACTOR * before ? before : (before + after) / 2;
  });
  return Math.max(0, ...times);
}

/**
 * Lists the loan answers from the request number `first` on, and the contracts, disbursements and outcomes of the run that may
 * explain their limits.
 */
export function listLimitSeries({ requests, changes }: Session, first = 0) {
  // The judge reads from the exchange whether the bank accepted it.
  const listChanges = <O extends 'approveContract' | 'disburse'>(wanted: O) =>
    changes.flatMap(({ operation, exchange }) =>
      operation === wanted ? { operation: wanted, outcome: 'accepted' as const, exchange: { id: exchange } } : [],
    );
  return {
    looks: listTaken(requests.slice(first), 'requestLoan').flatMap((one) => toSent('requestLoan', one) ?? []),
    contracts: listChanges('approveContract'),
    disbursed: listChanges('disburse'),
    outcomes: listTold(requests),
  };
}

/**
 * Awaits the outcomes of disbursements from these accounts that are not final: only then it is known when they lowered their limit.
 * Without accounts, of all disbursements.
 */
export async function queryUnknownOutcomes({ loans, run, target }: Tools, accounts: readonly string[]): Promise<void> {
  const { changes, requests, isPending } = run.session;
  const known = new Set(
    requests.flatMap(({ result, values }) =>
      result === undefined || isPending(result) ? [] : String(values['application_id']),
    ),
  );
  const unknown = changes.flatMap(({ operation, account, application }) => {
    const isOfAccount = accounts.length === 0 || accounts.includes(account);
    return operation === 'disburse' && isOfAccount && !known.has(application) ? [application] : [];
  });
  await mapAll([...new Set(unknown)], target.inFlight, (application) => loans.settled(application));
}

/** Reads the limit series of the run so far as the judge reads it. */
export function readLimitSeries(session: Session) {
  const answers = Object.fromEntries(
    Object.entries(listLimitSeries(session)).map(([role, sent]) => [
      role,
      sent.flatMap(({ exchange }) => session.loanReplies.get(exchange.id) ?? []),
    ]),
  );
  return readEvidence(limits.limitLedger.evidence, { answers, about: {} });
}

export const OTHER_SHARDS_TEXT = 'other shards draw from the same accounts';

export class AccountLedger {
  readonly tools: Tools;
  readonly terms: LoanTerms;
  readonly accounts = new Map<string, Account>();
  /** Disbursements that changed the limit in another way than others of the same kind. */
  readonly unusual: Draw[] = [];
  /** The last outcome without errors. */
  usual: Reply<'queryDisbursement'> | undefined;
  /** Accounts with a disbursement of the run whose outcome is not final. */
  readonly awaited: ReadonlySet<string>;
  readonly #asked: AskedCounts;
  /** How many applications and disbursements this ledger asked for. */
  readonly used = { applications: 0, disbursements: 0 };
  readonly #held: ReadonlySet<string>;
  /** Ids of the applications that were not used before, and of those that this ledger opened. */
  readonly #unused: Set<string>;
  /** The number of applications whose offers were read. */
  #applications = 0;
  readonly #beyondByKind = new Map<string, Set<number>>();

  /**
   * `held`: the accounts that only this ledger uses. None if the bank offers new accounts to each application. `beside`: the ledger
   * whose lane this one is. All its lanes together ask for outcomes as often in one way as in the other.
   */
  constructor(tools: Tools, terms: LoanTerms, held: readonly string[], beside?: AccountLedger) {
    this.tools = tools;
    this.terms = terms;
    this.#held = new Set(held);
    for (const [name, account] of beside?.accounts ?? [])
      if (this.isHeld(name)) this.accounts.set(name, { ...account });
    this.#asked = beside === undefined ? { 'twice at once': 0, 'at rest': 0 } : beside.#asked;
    this.awaited = listAwaited(tools.run.session);
    this.#unused = new Set(tools.loans.unused().map(({ id }) => id));
  }

  /** Lists applications without a contract. Another ledger beside this one may have opened more, and needs them itself. */
  readonly listUnused = (): readonly Application[] =>
    this.tools.loans.unused().filter(({ id }) => this.#unused.has(id));

  readonly isHeld = (account: string): boolean => this.#held.size === 0 || this.#held.has(account);

  /** Returns the limits of the held accounts, the highest first. */
  readonly listLimits = (): readonly number[] =>
    [...this.accounts.values()].map(({ limit }) => limit).toSorted((a, b) => b - a);

  /** Returns the limit, in cents, that the next loan answer will probably show. */
  expectLimit(name: string): number {
    const { limit = 0, effect = null } = this.accounts.get(name) ?? {};
    const made = effect?.draws.filter((draw) => !effect.failed.has(draw)) ?? [];
    return made.reduce((rest, { amount }) => rest - toCents(amount), toCents(limit));
  }

  /**
   * Orders accounts for the next disbursement. Accounts that nearly each application offers come first. They take turns of a few
   * disbursements each, which show the rule of the account; of others, those with the most disbursements come first.
   */
  readonly compareAccounts = (a: string, b: string): number => {
    const [one, two] = [this.accounts.get(a), this.accounts.get(b)];
    const isSteady = (account: Account | undefined): boolean =>
      (account?.offers ?? 0) >= STEADY_SHARE * this.#applications;
    const countTurns = (account: Account | undefined): number => Math.floor((account?.draws ?? 0) / DRAWS_IN_A_TURN);
    return (
      Number(isSteady(two)) - Number(isSteady(one)) ||
      (isSteady(one) ? countTurns(one) - countTurns(two) : 0) ||
      (two?.draws ?? 0) - (one?.draws ?? 0) ||
      (two?.limit ?? 0) - (one?.limit ?? 0)
    );
  };

  /** Opens an application, and reads the limits of its accounts. */
  async open(amount: number, kind: ApplicationKind = this.terms): Promise<Application | null> {
    this.used.applications += 1;
    const application = await this.tools.loans.apply({ ...this.terms, ...kind, amount });
    if (application === null) return null;
    this.#unused.add(application.id);
    this.#applications += 1;
    for (const { account, limit } of application.offers)
      if (limit !== null && this.isHeld(account)) this.#read(account, limit);
    return application;
  }

  /** True if a limit was not read after its last disbursement. */
  readonly hasEffect = (): boolean => [...this.accounts.values()].some(({ effect }) => effect !== null);

  #read(name: string, limit: number): void {
    const account = this.accounts.get(name) ?? { limit, offers: 0, draws: 0, effect: null };
    this.accounts.set(name, Object.assign(account, { limit, offers: account.offers + 1 }));
    const { effect } = account;
    account.effect = null;
    if (effect === null) return;
    const fall = toCents(effect.before) - toCents(limit);
    const made = effect.draws.filter((draw) => !effect.failed.has(draw));
    const amounts = made.map(({ amount }) => toCents(amount));
    const rest = fall - amounts.reduce((sum, one) => sum + one, 0);
    if (effect.failed.size > 0) {
      if (rest !== 0) this.unusual.push(...effect.draws);
      return;
    }
    const beyond = rest / amounts.length;
    if (this.#isUnusual(beyond, amounts, effect.draws[0]?.application.terms)) this.unusual.push(...effect.draws);
  }

  /** True if the limit fell by less than the amount, or twice by the amount, or in another way than before. */
  #isUnusual(beyond: number, amounts: readonly number[], kind: ApplicationKind = this.terms): boolean {
    const name = [kind.commercial_disbursement, kind.disbursement_purpose, kind.currency].join(' ');
    const known = this.#beyondByKind.get(name) ?? new Set();
    const isKnown = known.size === 0 || known.has(beyond);
    this.#beyondByKind.set(name, known.add(beyond));
    return !isKnown || beyond < 0 || amounts.includes(beyond);
  }

  /** Opens applications until two offer an account that `fits`. Returns the applications with their offers of this account. */
  async openTogether(amount: number, fits: (limit: number, account: string) => boolean): Promise<DrawPair | null> {
    const [older, newer] = (await this.#openSeveral(2, amount, fits)) ?? [];
    return older === undefined || newer === undefined ? null : [older, newer];
  }

  /** Opens applications until one offers the account. */
  async openWith(name: string, amount: number): Promise<Draw | null> {
    const [draw] = (await this.#openSeveral(1, amount, (_, account) => account === name)) ?? [];
    return draw ?? null;
  }

  async #openSeveral(
    count: number,
    amount: number,
    fits: (limit: number, account: string) => boolean,
  ): Promise<readonly Draw[] | null> {
    const opened: Application[] = [];
    while (opened.length < MAX_OPENED_APPLICATIONS) {
      const missing = Math.max(1, count - opened.length);
      const applications = await Promise.all(Array.from({ length: missing }, () => this.open(amount)));
      for (const application of applications) {
        if (application === null) return null;
        opened.push(application);
      }
      for (const [name, { limit }] of this.accounts) {
        const draws = opened.flatMap((one): Draw[] => {
          const offer = one.offers.find(({ account }) => account === name);
          return offer === undefined ? [] : [{ application: one, offer, amount: one.terms.amount }];
        });
        if (draws.length >= count && fits(limit, name)) return draws.slice(-count);
      }
    }
    return null;
  }

  /** Reads the limit of an account `count` times; null if the bank does not offer the account so often. */
  async look(name: string, amount: number, count = 1): Promise<number | null> {
    const found = await this.#openSeveral(count, amount, (_, account) => account === name);
    return found === null ? null : (this.accounts.get(name)?.limit ?? null);
  }

  /** Sends simultaneous disbursements. Returns the accepted disbursements; null if an outcome is not final. */
  async disburse(
    draws: readonly Draw[],
    {
      isSentAgain = false,
      overLimit = false,
      asking,
    }: { isSentAgain?: boolean; overLimit?: boolean; asking?: Asking } = {},
  ) {
    const { loans, run } = this.tools;
    this.used.disbursements += draws.length;
    const send = ({ application, offer, amount, customer }: Draw, probe = false) =>
      loans.disburse(application, offer, { amount, ...customer }, { atOnce: draws.length > 1, probe, overLimit });
    const sent = await Promise.all(draws.map((one) => send(one)));
    const accepted = draws.filter((_, nth) => sent[nth]?.accepted === true);
    if (isSentAgain) for (const one of accepted) await send(one, true);
    for (const [nth, { application }] of draws.entries()) {
      const refused = sent[nth];
      if (refused !== undefined && isRefusal(refused) && this.usual !== undefined)
        await compareRefused(this.tools, application.id, { refused, made: this.usual });
    }
    await this.#ask(accepted, asking);
    const last = await Promise.all(accepted.map(({ application }) => loans.settled(application.id)));
    const isOver = last.every(({ accepted: isKnown, data }) => isKnown && !run.session.isPending(data.result));
    const failed = new Set(accepted.filter((_, nth) => hasErrors(last[nth]?.body)));
    const hasFailed = failed.size > 0;
    if (!isOver) return null;
    if (!hasFailed) this.usual = last.at(-1);
    this.#noteEffect(accepted, failed);
    return { accepted, hasFailed, sent, last };
  }

  /**
   * Chooses how to ask for the outcome of a disbursement, as often in one way as in the other. A limit does not fall below zero, so
   * it must cover the amount twice if the outcome is queried twice.
   */
  chooseAsking({ amount, offer: { limit } }: Draw): Asking {
    const counts = this.#asked;
    const isCoveredTwice = limit !== null && 2 * toCents(amount) <= toCents(limit);
    const asking = isCoveredTwice && counts['twice at once'] < counts['at rest'] ? 'twice at once' : 'at rest';
    counts[asking] += 1;
    return asking;
  }

  /** Chooses to ask at rest if too few disbursements were queried so. */
  chooseRest(): { readonly asking?: Asking } {
    if (this.#asked['at rest'] >= MIN_AT_REST) return {};
    this.#asked['at rest'] += 1;
    return { asking: 'at rest' };
  }

  /** Queries each outcome twice at once, or waits until it is probably at rest. */
  async #ask(draws: readonly Draw[], asking?: Asking): Promise<void> {
    const { bank, run } = this.tools;
    const { clock, waiting } = run.session;
    const query = (application_id: string) => bank.ask('queryDisbursement', { application_id }, { atOnce: true });
    if (asking === 'twice at once')
      await Promise.all(draws.flatMap(({ application: { id } }) => [query(id), query(id)]));
    if (asking === 'at rest')
      await waiting.until(clock.now() + Math.min(MAX_REST_MS, REST_FACTOR * measureRest(run.session)));
  }

  #noteEffect(accepted: readonly Draw[], failed: ReadonlySet<Draw>): void {
    const account = this.accounts.get(accepted[0]?.offer.account ?? '');
    if (account === undefined) return;
    account.effect = { draws: accepted, before: account.limit, failed };
    if (failed.size === 0) account.draws += accepted.length;
  }
}
