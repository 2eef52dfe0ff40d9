/** Takes applications through all steps: the contract, the disbursement, and the outcome. */
import type { LoanTerms } from '../../fixtures/arbitraries/loans.ts';
import {
  disbursements,
  groupBy,
  hasErrors,
  isRefusal,
  isSameId,
  isTemporaryConflict,
  toSent,
  type Application,
  type Offer,
  type OpenedLoan,
  type Reply,
  type Tools,
} from '../../fixtures/runner/index.ts';
import { listOfferedAccounts } from '../loans/offered-accounts.ts';
import { listOpened } from '../loans/compared-disbursements.ts';

export const AT_ONCE = 3;
/** The limit of an account must cover this many amounts, so that the limit is no reason for a refusal. */
const MIN_AMOUNTS = AT_ONCE + 1;
const MAX_OPENED_APPLICATIONS = 6;

/** The disbursement of an application. */
export interface PlannedDisbursement {
  readonly application: Application;
  readonly offer: Offer;
  readonly amount: number;
}

/** Returns applications with no request after their loan request: another request may be the reason for a refusal. */
function listUntouched({ loans, run }: Tools): readonly Application[] {
  const touched = new Set(run.session.requests.map(({ values }) => String(values['application_id'])));
  return loans.left().filter(({ id }) => !touched.has(id));
}

type Kind = Pick<LoanTerms, 'currency' | 'commercial_disbursement' | 'disbursement_purpose'>;
const pickKind = ({ currency, commercial_disbursement, disbursement_purpose }: LoanTerms): Kind => ({
  currency,
  commercial_disbursement,
  disbursement_purpose,
});
/** True if no flag can be the reason why one application is refused. */
const haveSameFlags = (a: LoanTerms, b: LoanTerms): boolean =>
  a.commercial_disbursement === b.commercial_disbursement && a.disbursement_purpose === b.disbursement_purpose;
/** True if no flag and no currency can be the reason why one application is refused. */
const haveSameKind = (a: LoanTerms, b: LoanTerms): boolean => haveSameFlags(a, b) && a.currency === b.currency;

/** Compared applications have customers with one address. */
const planAs = (application: Application, { planned }: LoanTerms): Application =>
  planned === undefined ? application : { ...application, terms: { ...application.terms, planned } };

/** Returns the next terms of the plan, with the kind of most untouched applications: compared applications have one kind. */
async function chooseTerms(tools: Tools): Promise<LoanTerms> {
  const kinds = groupBy(listUntouched(tools), ({ terms }) => JSON.stringify(pickKind(terms)));
  const [most] = [...kinds.values()].toSorted((a, b) => b.length - a.length);
  const [model] = most ?? [];
  return { ...(await tools.loans.nextTerms()), ...(model && pickKind(model.terms)) };
}

/** Returns the limit of an account in the last loan answer that offered it. */
function findLastLimit({ run }: Tools, { account, limit }: Offer): number {
  const last = run.session.requests.findLast(({ opened }) => opened?.accounts.includes(account))?.opened;
  return Number(last?.limits[last.accounts.indexOf(account)] ?? limit);
}

/**
 * Returns `count` unused or fresh applications, each with an account of its own, in several currencies if one has too few accounts.
 * If `mayShare`, those without an account of their own follow, for the same accounts. The steps in `taken` run at the same time.
 */
export async function takeSteps(
  tools: Tools,
  count: number,
  {
    taken = [],
    mayShare = false,
  }: { readonly taken?: readonly PlannedDisbursement[]; readonly mayShare?: boolean } = {},
): Promise<readonly PlannedDisbursement[]> {
  const { loans, run } = tools;
  let terms = await chooseTerms(tools);
  const offered = listOfferedAccounts(run.session, terms.currency);
  const hasAccounts = offered.filter(({ currency, accounts }) => currency === terms.currency || accounts.length > 0);
  const steps: OpenedLoan[] = [];
  /** Adds an application with an offer that `fits`, if it has one. */
  function add(application: Application, fits: (offer: Offer) => boolean): void {
    // A bank may refuse a contract over an account whose limit does not cover the application.
    const least = Math.max(2 * MIN_AMOUNTS, application.terms.amount);
    const offers = application.offers.filter((offer) => findLastLimit(tools, offer) >= least);
    const offer = run.session.accounts.freeFirst(offers).find(fits);
    const isOther = !run.session.takenOver.has(application.id);
    if (!isOther || offer === undefined || steps.length >= count || !haveSameFlags(application.terms, terms)) return;
    loans.takeOver(application);
    run.session.accounts.choose(offer.account);
    steps.push({ application: planAs(application, terms), offer });
  }
  type Named = Pick<Offer, 'account'>;
  const isOwn = ({ account }: Named): boolean => ![...steps, ...taken].some(({ offer }) => offer.account === account);
  const isOwnAndFree = (offer: Named): boolean => isOwn(offer) && run.session.accounts.isFree(offer.account);
  const getLoad = ({ offers }: Application): number =>
    Math.min(...offers.filter(isOwn).map(({ account }) => run.session.accounts.load(account)));
  const sortByLoad = (all: readonly Application[]): readonly Application[] =>
    all.toSorted((a, b) => getLoad(a) - getLoad(b));
  const rankCurrency = (application: Application): number =>
    hasAccounts.findIndex(({ currency }) => currency === application.terms.currency);
  const open = listUntouched(tools)
    .toReversed()
    // Whole amounts are disbursed.
    .filter((application) => rankCurrency(application) >= 0 && application.terms.amount >= 1)
    .toSorted((a, b) => rankCurrency(a) - rankCurrency(b));
  for (const application of open) add(application, isOwnAndFree);
  let found = steps.length;
  for (let opened = 0; opened < MAX_OPENED_APPLICATIONS && steps.length < count;) {
    const missing = Math.min(count - steps.length, MAX_OPENED_APPLICATIONS - opened);
    const others = run.session.accounts.freeFirst(offered.flatMap(({ accounts }) => accounts).filter(isOwn));
    const wishes = Array.from({ length: missing }, (_, nth) => others[nth]?.currency ?? terms.currency);
    opened += missing;
    const fresh = await Promise.all(wishes.map((currency) => loans.apply({ ...terms, currency })));
    open.push(...fresh.filter((application) => application !== null));
    // The bank may have refused the flags of the plan.
    const [first] = fresh;
    if (steps.length === 0 && first != null) terms = { ...first.terms, currency: terms.currency };
    for (const application of open) add(application, isOwnAndFree);
    for (const application of sortByLoad(open)) add(application, isOwn);
    // The bank has no further accounts.
    if (fresh.includes(null) || steps.length === found) break;
    found = steps.length;
  }
  if (mayShare) for (const application of sortByLoad(open)) add(application, () => true);
  return planAmounts(tools, steps, terms);
}

/** Gives all steps one amount. It is small, because the limits may be lower now. */
function planAmounts(tools: Tools, steps: readonly OpenedLoan[], terms: LoanTerms): readonly PlannedDisbursement[] {
  const highest = steps.map(({ application, offer }) =>
    Math.min(application.terms.amount, findLastLimit(tools, offer) / 2 / MIN_AMOUNTS),
  );
  const most = Math.min(...highest);
  // Only cents of the plan: the bank may refuse others.
  const amount = terms.planned !== undefined && terms.amount <= most ? terms.amount : Math.floor(most);
  return steps.map((step) => ({ ...step, amount }));
}

/**
 * Returns a step of another application for the amount of one of `models`: an older one on request, else a fresh one. If several
 * applications were offered the account, it has the same account, which may be the reason to refuse. Null if there is none.
 */
export async function takeAlike(
  tools: Tools,
  models: readonly PlannedDisbursement[],
  isOlder: boolean,
): Promise<PlannedDisbursement | null> {
  const { loans, run } = tools;
  const isShared = ({ offer: { account }, application }: PlannedDisbursement): boolean =>
    run.session.requests.some(
      ({ opened }) => opened !== undefined && opened.id !== application.id && opened.accounts.includes(account),
    );
  // The limit still covers several amounts, so it is no reason for a refusal. A bank may approve or disburse at most the amount
  // of the application.
  const listSteps = (other: Application): readonly PlannedDisbursement[] =>
    models.flatMap((model) => {
      const least = Math.max(MIN_AMOUNTS * model.amount, other.terms.amount);
      const offer = other.offers.find(
        (one) => findLastLimit(tools, one) >= least && (!isShared(model) || one.account === model.offer.account),
      );
      const isAlike =
        haveSameKind(other.terms, model.application.terms) && other.terms.amount >= model.application.terms.amount;
      return offer !== undefined && isAlike
        ? [{ application: planAs(other, model.application.terms), offer, amount: model.amount }]
        : [];
    });
  const [last] = models;
  const older = listUntouched(tools).filter(({ until }) => last !== undefined && until <= last.application.at);
  const [found] = isOlder ? older.flatMap(listSteps) : [];
  if (found !== undefined) loans.takeOver(found.application);
  if (last === undefined || found !== undefined) return found ?? null;
  for (let opened = 0; opened < MAX_OPENED_APPLICATIONS; opened += 1) {
    const model = models[opened % models.length] ?? last;
    const other = await loans.apply(model.application.terms);
    if (other === null) return null;
    const [step] = listSteps(other);
    if (step === undefined) continue;
    // A bank may accept only the newest application. So a newer application is opened after this one, as after the compared
    // application.
    if (isOlder) await loans.apply(model.application.terms);
    return step;
  }
  return null;
}

export interface CompletedDisbursement {
  readonly reply: Reply;
  readonly step: PlannedDisbursement;
  /** The answer to the request that came too early, if there was one. */
  readonly early?: Reply | undefined;
}

const disburse = (loans: Tools['loans'], { application, offer, amount }: PlannedDisbursement) =>
  loans.disburse(application, offer, { amount });

/**
 * Sends a disbursement. Returns null after a temporary conflict or two refusals: the caller must wait and repeat the
 * disbursement, because another disbursement may lock the account, or the bank may require a pause between two.
 */
export async function disburseOrWait({ loans }: Tools, step: PlannedDisbursement): Promise<Reply<'disburse'> | null> {
  const reply = await disburse(loans, step);
  return isTemporaryConflict(reply) || (isRefusal(reply) && !(await disburse(loans, step)).accepted) ? null : reply;
}

/** Returns the query of an accepted disbursement with the same outcome as `reply`. */
const findSameOutcome = ({ session }: Tools['run'], { accepted, data, body }: Reply<'queryDisbursement'>) =>
  accepted && !hasErrors(body)
    ? session.requests.find(
        ({ result, values }) => result === data.result && session.disbursed.has(String(values['application_id'])),
      )
    : undefined;

/** Returns the outcome of a disbursement, which is repeated if `first` is null. Returns null if the outcome proves nothing. */
export async function observeStep(
  { loans, run }: Tools,
  step: PlannedDisbursement,
  first: Reply<'disburse'> | null,
): Promise<CompletedDisbursement | null> {
  if (first === null) await run.session.waiting.apart();
  const reply = first ?? (await disburse(loans, step));
  if (!reply.accepted && !isRefusal(reply)) return null;
  const ask = () => loans.settled(step.application.id, { probe: !reply.accepted });
  if (!reply.accepted) {
    const outcome = await ask();
    const made = findSameOutcome(run, outcome);
    if (made === undefined) return { reply, step };
    const { id } = step.application;
    const wasAccepted = run.session.changes.some(
      ({ operation, application }) => operation === 'disburse' && isSameId(application, id),
    );
    const evidence = { outcome, made: toSent('queryDisbursement', made), opened: listOpened(run.session, id) };
    if (!wasAccepted) run.compare(disbursements.refusedNotMade, { refused: reply, ...evidence });
    return { reply: outcome, step };
  }
  // A cache or data copy may not know the outcome yet.
  const outcome = await run.session.waiting.askUntil((one) => !isRefusal(one), ask);
  return outcome.accepted || isRefusal(outcome) ? { reply: outcome, step } : null;
}

/** Sends a request that comes too early. */
export interface EarlyStep {
  /** The words for the request in a finding. */
  readonly what: string;
  readonly isAfterContract?: boolean;
  readonly send: (tools: Tools, step: PlannedDisbursement) => Promise<Reply>;
}

export const queryOutcome: EarlyStep['send'] = ({ bank }, { application }) =>
  bank.ask('queryDisbursement', { application_id: application.id }, { probe: true });

/** Takes one application through all steps, with an early step if there is one. Nobody else uses its account. */
export const completeOnAccount = (
  tools: Tools,
  step: PlannedDisbursement,
  extra?: EarlyStep,
): Promise<CompletedDisbursement | null> =>
  tools.run.session.accounts.use([step.offer.account], () => complete(tools, step, extra));

/** Takes one application through all steps while nobody uses any account. */
export const completeAlone = (
  tools: Tools,
  step: PlannedDisbursement,
  extra?: EarlyStep,
): Promise<CompletedDisbursement | null> => tools.run.session.accounts.useAll(() => complete(tools, step, extra));

async function complete(
  tools: Tools,
  step: PlannedDisbursement,
  extra?: EarlyStep,
): Promise<CompletedDisbursement | null> {
  const { loans } = tools;
  const before = extra?.isAfterContract === true ? undefined : await extra?.send(tools, step);
  const contract = await loans.approve(step.application, step.offer);
  if (!contract.accepted)
    return before !== undefined && isRefusal(contract) ? { reply: contract, step, early: before } : null;
  const early = before ?? (await extra?.send(tools, step));
  // Otherwise there is no pause, because a pause might be the reason why the bank accepts the request.
  const first = early === undefined ? await disburse(loans, step) : await disburseOrWait(tools, step);
  const seen = await observeStep(tools, step, first);
  return seen && { ...seen, early };
}
