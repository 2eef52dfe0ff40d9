/** Makes disbursements from the accounts that the bank offers, and reads their limits from the next loan answers. */
import type { LoanTerms } from '../../fixtures/bank/arbitraries/loans.ts';
import {
  hasErrors,
  isRefusal,
  listAccepted,
  listOutcomeQueries,
  mapAll,
  readEvidence,
  toSent,
  type Application,
  type Offer,
  type Reply,
  type Tools,
} from '../../fixtures/runner/index.ts';
import * as limits from '../../openapi/bank/behaviours/loans/limit-ledger.ts';
import { compareRefused } from './compared-disbursements.ts';

const MAX_OPENED_APPLICATIONS = 6;
/** If at least this share of all applications offers an account, the account is steady: nearly each application offers it. */
export const STEADY_SHARE = 0.75;
const DISBURSEMENTS_IN_A_TURN = 4;
/** A limit is confirmed if this many loan answers show it. */
const MIN_READINGS = 2;

/** The flags and the currency of an application; its type of order_id and its customer, if they are planned. */
export type ApplicationKind = Pick<LoanTerms, 'commercial_disbursement' | 'disbursement_purpose' | 'currency'> &
  Partial<Pick<LoanTerms, 'order' | 'planned'>>;

/** The address of the customer, and whether the contract is approved. */
export type Customer = Parameters<Tools['loans']['disburse']>[2];

/** A disbursement: its application, the offer whose account pays, and its amount. */
export interface Disbursement {
  readonly application: Application;
  readonly offer: Offer;
  readonly amount: number;
  readonly customer?: Customer;
  /** In cents: the limit after this disbursement is a multiple of this number. */
  readonly leaves?: number;
  /** True if binary arithmetic gives a wrong limit after this disbursement. */
  readonly isMisbooked?: boolean;
  /** True if the application asks for twice this amount. */
  readonly isHalf?: boolean;
}

export type DisbursementPair = readonly [Disbursement, Disbursement];

interface Account {
  limit: number;
  /** The number of loan answers that offered the account. */
  offers: number;
  /** The number of successful disbursements. */
  disbursementCount: number;
  /** The number of loan answers that showed the limit after the last disbursement. */
  readingCount: number;
  /**
   * The last accepted disbursements, the limit before them, and those of them that failed. Null after the next loan answer, because
   * it shows the new limit.
   */
  effect: {
    readonly disbursements: readonly Disbursement[];
    readonly before: number;
    readonly failed: ReadonlySet<Disbursement>;
  } | null;
}

export const toCents = (amount: number | null | undefined): number => Math.round((amount ?? 0) * 100);

/** Keeps the first two digits and replaces the others by zeros: 1278 becomes 1200. A bank may disburse only such round amounts. */
export function roundDown(amount: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, amount))) - 1);
  return Math.floor(amount / unit) * unit;
}

/** Lists the accounts that have a disbursement without a final outcome. */
function listAccountsInProgress({ requests, isPending }: Session): ReadonlySet<string> {
  const queries = requests.filter(({ result }) => result !== undefined);
  const outcomes = new Map(queries.map(({ values, result }) => [String(values['application_id']), result]));
  const inProgress = listAccepted(requests, 'disburse').filter(({ values }) =>
    isPending(outcomes.get(String(values['application_id']))),
  );
  return new Set(inProgress.map(({ values }) => String(values['account_id'])));
}

type Session = Tools['run']['session'];

/** When the outcome of a disbursement is queried: twice at once right after it, or once after the bank has finished it. */
export type QueryTiming = 'twice at once' | 'at rest';

/**
 * Lists what explains the limits of the run: the loan answers from the request number `first` on (they show limits), and all
 * contracts, disbursements and outcome queries.
 */
export function listLimitSeries({ requests, changes }: Session, first = 0) {
  // The changes do not say whether the bank accepted them: the judge reads this from the exchange.
  const listChanges = <O extends 'approveContract' | 'disburse'>(step: O) =>
    changes.flatMap(({ operation, exchange }) =>
      operation === step ? { operation: step, outcome: 'accepted' as const, exchange: { id: exchange } } : [],
    );
  return {
    looks: listAccepted(requests.slice(first), 'requestLoan').flatMap(
      (request) => toSent('requestLoan', request) ?? [],
    ),
    contracts: listChanges('approveContract'),
    disbursed: listChanges('disburse'),
    outcomes: listOutcomeQueries(requests),
  };
}

/**
 * Queries disbursements from these accounts until their outcomes are final. Only then it is clear when they lowered the limit.
 * An empty list means all accounts.
 */
export async function queryUnknownOutcomes({ loans, run, target }: Tools, accounts: readonly string[]): Promise<void> {
  const { changes, requests, isPending } = run.session;
  const finalApplications = new Set(
    requests.flatMap(({ result, values }) =>
      result === undefined || isPending(result) ? [] : String(values['application_id']),
    ),
  );
  const openApplications = changes.flatMap(({ operation, account, application }) => {
    const isOfAccount = accounts.length === 0 || accounts.includes(account);
    return operation === 'disburse' && isOfAccount && !finalApplications.has(application) ? [application] : [];
  });
  await mapAll([...new Set(openApplications)], target.inFlight, (application) => loans.queryUntilFinal(application));
}

/** Reads the limits of the run so far in the same form in which the judge reads them. */
export function readLimitSeries(session: Session) {
  const answers = Object.fromEntries(
    Object.entries(listLimitSeries(session)).map(([role, sent]) => [
      role,
      sent.flatMap(({ exchange }) => session.loanReplies.get(exchange.id) ?? []),
    ]),
  );
  return readEvidence(limits.limitLedger.evidence, { answers, about: {} });
}

export const OTHER_SHARDS_TEXT = 'other shards disburse from the same accounts';

export class AccountLedger {
  readonly tools: Tools;
  readonly terms: LoanTerms;
  readonly accounts = new Map<string, Account>();
  /** Disbursements that changed the limit in another way than earlier ones of the same kind. */
  readonly unusualDisbursements: Disbursement[] = [];
  /** The last outcome of a successful disbursement. */
  normalOutcome: Reply<'queryDisbursement'> | undefined;
  /** Accounts that have a disbursement without a final outcome. */
  readonly accountsInProgress: ReadonlySet<string>;
  #nextTiming: QueryTiming = 'twice at once';
  /** The numbers of loan requests and disbursements that this ledger sent. */
  readonly usage = { applications: 0, disbursements: 0 };
  readonly #ownAccounts: ReadonlySet<string>;
  /** Ids of applications without a contract at the start, and of those that this ledger opened. */
  readonly #unused: Set<string>;
  /** The number of applications whose offers were read. */
  #applications = 0;
  /** By kind of application: how many cents the limit decreased beyond the amount. */
  readonly #extraCentsByKind = new Map<string, Set<number>>();

  /**
   * `ownAccounts`: the accounts that this ledger may use; an empty list means all accounts. `parent`: the ledger that divides its
   * work among several ledgers (lanes).
   */
  constructor(tools: Tools, terms: LoanTerms, ownAccounts: readonly string[], parent?: AccountLedger) {
    this.tools = tools;
    this.terms = terms;
    this.#ownAccounts = new Set(ownAccounts);
    for (const [name, account] of parent?.accounts ?? [])
      if (this.mayUse(name)) this.accounts.set(name, { ...account });
    this.accountsInProgress = listAccountsInProgress(tools.run.session);
    this.#unused = new Set(tools.loans.listUnused().map(({ id }) => id));
  }

  /** Lists the applications of this ledger without a contract. Other ledgers need the applications that they opened themselves. */
  readonly listUnused = (): readonly Application[] =>
    this.tools.loans.listUnused().filter(({ id }) => this.#unused.has(id));

  readonly mayUse = (account: string): boolean => this.#ownAccounts.size === 0 || this.#ownAccounts.has(account);

  /** Returns the limits of the accounts that this ledger may use, the highest first. */
  readonly listLimits = (): readonly number[] =>
    [...this.accounts.values()].map(({ limit }) => limit).toSorted((a, b) => b - a);

  /** Returns the limit, in cents, that the next loan answer will probably show. */
  expectLimit(name: string): number {
    const { limit = 0, effect = null } = this.accounts.get(name) ?? {};
    const succeeded = effect?.disbursements.filter((disbursement) => !effect.failed.has(disbursement)) ?? [];
    return succeeded.reduce((rest, { amount }) => rest - toCents(amount), toCents(limit));
  }

  /**
   * Orders accounts for the next disbursement: steady accounts first. Steady accounts take turns of four disbursements, so that each
   * shows its rule. Of the others, the account with the most disbursements comes first, and then the one with the highest limit.
   */
  readonly compareAccounts = (a: string, b: string): number => {
    const [first, second] = [this.accounts.get(a), this.accounts.get(b)];
    const isSteady = (account: Account | undefined): boolean =>
      (account?.offers ?? 0) >= STEADY_SHARE * this.#applications;
    const countTurns = (account: Account | undefined): number =>
      Math.floor((account?.disbursementCount ?? 0) / DISBURSEMENTS_IN_A_TURN);
    return (
      Number(isSteady(second)) - Number(isSteady(first)) ||
      (isSteady(first) ? countTurns(first) - countTurns(second) : 0) ||
      (second?.disbursementCount ?? 0) - (first?.disbursementCount ?? 0) ||
      (second?.limit ?? 0) - (first?.limit ?? 0)
    );
  };

  /** Opens an application, and reads the limits of its accounts. */
  async open(amount: number, kind: ApplicationKind = this.terms): Promise<Application | null> {
    this.usage.applications += 1;
    const application = await this.tools.loans.apply({ ...this.terms, ...kind, amount });
    if (application === null) return null;
    this.#unused.add(application.id);
    this.#applications += 1;
    for (const { account, limit } of application.offers)
      if (limit !== null && this.mayUse(account)) this.#read(account, limit);
    return application;
  }

  /** True if no loan answer has shown the limit of an account since its last disbursement. */
  readonly hasUnreadLimit = (): boolean => [...this.accounts.values()].some(({ effect }) => effect !== null);

  /** Notes the limit that a loan answer shows, and whether the last disbursements changed the limit in an unusual way. */
  #read(name: string, limit: number): void {
    const account = this.accounts.get(name) ?? {
      ...{ limit, offers: 0, disbursementCount: 0, readingCount: 0 },
      effect: null,
    };
    this.accounts.set(
      name,
      Object.assign(account, { limit, offers: account.offers + 1, readingCount: account.readingCount + 1 }),
    );
    const { effect } = account;
    account.effect = null;
    if (effect === null) return;
    const decrease = toCents(effect.before) - toCents(limit);
    const succeeded = effect.disbursements.filter((disbursement) => !effect.failed.has(disbursement));
    const amounts = succeeded.map(({ amount }) => toCents(amount));
    const extra = decrease - amounts.reduce((sum, cents) => sum + cents, 0);
    if (effect.failed.size > 0) {
      if (extra !== 0) this.unusualDisbursements.push(...effect.disbursements);
      return;
    }
    const extraCents = extra / amounts.length;
    if (this.#recordAndCheckChange(extraCents, amounts, effect.disbursements[0]?.application.terms))
      this.unusualDisbursements.push(...effect.disbursements);
  }

  /**
   * Records how much the limit decreased beyond the amount. True if the limit decreased by less than the amount, by twice the amount, or
   * not as after the earlier disbursements of this kind of application. `extraCents`: how many cents the limit decreased beyond the amount.
   */
  #recordAndCheckChange(extraCents: number, amounts: readonly number[], terms: ApplicationKind = this.terms): boolean {
    const kind = [terms.commercial_disbursement, terms.disbursement_purpose, terms.currency].join(' ');
    const knownExtras = this.#extraCentsByKind.get(kind) ?? new Set();
    const isExpected = knownExtras.size === 0 || knownExtras.has(extraCents);
    this.#extraCentsByKind.set(kind, knownExtras.add(extraCents));
    return !isExpected || extraCents < 0 || amounts.includes(extraCents);
  }

  /** Opens applications until two of them offer the same account, and `fits` accepts it. Returns a disbursement for each application. */
  async openPair(amount: number, fits: (limit: number, account: string) => boolean): Promise<DisbursementPair | null> {
    const [older, newer] = (await this.#openSeveral(2, amount, fits)) ?? [];
    return older === undefined || newer === undefined ? null : [older, newer];
  }

  /** Opens applications until one offers the account. Returns its disbursement. */
  async openForAccount(name: string, amount: number, kind?: ApplicationKind): Promise<Disbursement | null> {
    const [disbursement] = (await this.#openSeveral(1, amount, (_, account) => account === name, kind)) ?? [];
    return disbursement ?? null;
  }

  async #openSeveral(
    count: number,
    amount: number,
    fits: (limit: number, account: string) => boolean,
    kind?: ApplicationKind,
  ): Promise<readonly Disbursement[] | null> {
    const opened: Application[] = [];
    while (opened.length < MAX_OPENED_APPLICATIONS) {
      const missing = Math.max(1, count - opened.length);
      const applications = await Promise.all(Array.from({ length: missing }, () => this.open(amount, kind)));
      for (const application of applications) {
        if (application === null) return null;
        opened.push(application);
      }
      for (const [name, { limit }] of this.accounts) {
        const disbursements = opened.flatMap((application): Disbursement[] => {
          const offer = application.offers.find(({ account }) => account === name);
          return offer === undefined ? [] : [{ application, offer, amount: application.terms.amount }];
        });
        if (disbursements.length >= count && fits(limit, name)) return disbursements.slice(-count);
      }
    }
    return null;
  }

  /** Opens `count` applications that offer the account. Returns the limit in the last one; null if the bank offers it less often. */
  async readLimit(name: string, amount: number, count = 1): Promise<number | null> {
    const disbursements = await this.#openSeveral(count, amount, (_, account) => account === name);
    return disbursements === null ? null : (this.accounts.get(name)?.limit ?? null);
  }

  /** Reads the limit until two loan answers have shown it after the last disbursement: a limit counts only if it is confirmed. */
  async confirmLimit(name: string, amount: number): Promise<void> {
    const missingCount = MIN_READINGS - (this.accounts.get(name)?.readingCount ?? 0);
    if (missingCount > 0) await this.readLimit(name, amount, missingCount);
  }

  /** Sends the disbursements at the same time. Returns the accepted ones and their outcomes; null if an outcome is not final. */
  async disburse(
    disbursements: readonly Disbursement[],
    {
      isRepeated = false,
      overLimit = false,
      queryTiming,
    }: { isRepeated?: boolean; overLimit?: boolean; queryTiming?: QueryTiming | 'in turn' } = {},
  ) {
    const { loans, run } = this.tools;
    this.usage.disbursements += disbursements.length;
    const send = ({ application, offer, amount, customer }: Disbursement, isProbe = false) =>
      loans.disburse(
        application,
        offer,
        { amount, ...customer },
        { isConcurrent: disbursements.length > 1, isProbe, overLimit },
      );
    const sent = await Promise.all(disbursements.map((disbursement) => send(disbursement)));
    const accepted = disbursements.filter((_, index) => sent[index]?.accepted === true);
    if (isRepeated) for (const disbursement of accepted) await send(disbursement, true);
    for (const [index, { application }] of disbursements.entries()) {
      const reply = sent[index];
      if (reply !== undefined && isRefusal(reply) && this.normalOutcome !== undefined)
        await compareRefused(this.tools, application.id, { refused: reply, made: this.normalOutcome });
    }
    // The two disbursements of a repeated request are not compared with single ones.
    const isCompared = accepted.length > 0 && !isRepeated;
    await this.#queryAt(accepted, isCompared ? this.#chooseQueryTiming(accepted, queryTiming) : undefined);
    const outcomes = await Promise.all(accepted.map(({ application }) => loans.queryUntilFinal(application.id)));
    const areFinal = outcomes.every(
      ({ accepted: isAccepted, data }) => isAccepted && !run.session.isPending(data.result),
    );
    const failed = new Set(accepted.filter((_, index) => hasErrors(outcomes[index]?.body)));
    const hasFailed = failed.size > 0;
    if (!areFinal) return null;
    if (!hasFailed) this.normalOutcome = outcomes.at(-1);
    this.#noteDisbursements(accepted, failed);
    return { accepted, hasFailed, sent, outcomes };
  }

  /**
   * Chooses when to query the outcomes. `in turn`: twice at once, and then only at rest. A bank may count a disbursement at each query.
   * Its limit does not fall below zero, so two queries show this only if the limit is at least twice the amount.
   */
  #chooseQueryTiming(
    disbursements: readonly Disbursement[],
    timing?: QueryTiming | 'in turn',
  ): QueryTiming | undefined {
    if (timing !== 'in turn') return timing;
    const areCoveredTwice = disbursements.every(
      ({ amount, offer: { limit } }) => limit !== null && 2 * toCents(amount) <= toCents(limit),
    );
    const queryTiming = areCoveredTwice ? this.#nextTiming : 'at rest';
    this.#nextTiming = queryTiming === 'at rest' ? 'twice at once' : 'at rest';
    return queryTiming;
  }

  /** Queries each outcome twice at once, or waits until the bank has probably finished the disbursements. */
  async #queryAt(disbursements: readonly Disbursement[], queryTiming?: QueryTiming): Promise<void> {
    const { bank, loans } = this.tools;
    const query = (application_id: string) => bank.ask('queryDisbursement', { application_id }, { isConcurrent: true });
    if (queryTiming === 'twice at once')
      await Promise.all(disbursements.flatMap(({ application: { id } }) => [query(id), query(id)]));
    if (queryTiming === 'at rest') await loans.waitForRest();
  }

  #noteDisbursements(accepted: readonly Disbursement[], failed: ReadonlySet<Disbursement>): void {
    const account = this.accounts.get(accepted[0]?.offer.account ?? '');
    if (account === undefined) return;
    account.effect = { disbursements: accepted, before: account.limit, failed };
    account.readingCount = 0;
    if (failed.size === 0) account.disbursementCount += accepted.length;
  }
}
