/** Takes applications through all steps: contract, disbursement and outcome. Chooses applications that can be compared. */
import type { LoanTerms } from '../../fixtures/bank/arbitraries/loans.ts';
import {
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
import * as disbursements from '../../openapi/bank/behaviours/loans/disbursements.ts';
import { listOfferedAccounts } from '../loans/offered-accounts.ts';
import { listOpened } from '../loans/compared-disbursements.ts';

export const APPLICATIONS_AT_ONCE = 3;
/** The limit of an account must cover this many amounts, so that the limit is no reason for a refusal. */
const MIN_AMOUNTS = APPLICATIONS_AT_ONCE + 1;
const MAX_OPENED_APPLICATIONS = 6;

/** The disbursement of an application. */
export interface PlannedDisbursement {
  readonly application: Application;
  readonly offer: Offer;
  readonly amount: number;
}

/** Returns applications with no request after their loan request. Such a request might be the reason for a refusal. */
function listWithoutLaterRequests({ loans, run }: Tools): readonly Application[] {
  const idsWithLaterRequests = new Set(run.session.requests.map(({ values }) => String(values['application_id'])));
  return loans.listLeft().filter(({ id }) => !idsWithLaterRequests.has(id));
}

type LoanKind = Pick<LoanTerms, 'currency' | 'commercial_disbursement' | 'disbursement_purpose'>;
const pickKind = ({ currency, commercial_disbursement, disbursement_purpose }: LoanTerms): LoanKind => ({
  currency,
  commercial_disbursement,
  disbursement_purpose,
});
/** True if the flags cannot be the reason why only one of two applications is refused. */
const haveSameFlags = (terms: LoanTerms, otherTerms: LoanTerms): boolean =>
  terms.commercial_disbursement === otherTerms.commercial_disbursement &&
  terms.disbursement_purpose === otherTerms.disbursement_purpose;
/** True if neither flags nor currency can be the reason why only one of two applications is refused. */
const haveSameKind = (terms: LoanTerms, otherTerms: LoanTerms): boolean =>
  haveSameFlags(terms, otherTerms) && terms.currency === otherTerms.currency;

/** Gives an application the customer address of the other terms: compared applications have the same address. */
const withCustomerOf = (application: Application, { planned }: LoanTerms): Application =>
  planned === undefined ? application : { ...application, terms: { ...application.terms, planned } };

/** Returns the next terms of the plan, with the flags and the currency that most unused applications have. */
async function chooseTerms(tools: Tools): Promise<LoanTerms> {
  const applicationsByKind = groupBy(listWithoutLaterRequests(tools), ({ terms }) => JSON.stringify(pickKind(terms)));
  const [largestGroup] = [...applicationsByKind.values()].toSorted((a, b) => b.length - a.length);
  const [modelApplication] = largestGroup ?? [];
  return { ...(await tools.loans.nextTerms()), ...(modelApplication && pickKind(modelApplication.terms)) };
}

/** Returns the limit of an account in the last loan answer that offered it. */
function findLastLimit({ run }: Tools, { account, limit }: Offer): number {
  const answer = run.session.requests.findLast(({ opened }) => opened?.accounts.includes(account))?.opened;
  return Number(answer?.limits[answer.accounts.indexOf(account)] ?? limit);
}

type WithAccount = Pick<Offer, 'account'>;

/** Lists unused applications in these currencies, in the order of the currencies; the newest comes first in each currency. */
function listCandidates(tools: Tools, currencies: readonly string[]): Application[] {
  const getCurrencyIndex = ({ terms }: Application): number => currencies.indexOf(terms.currency);
  // An amount below 1 has no whole part to disburse.
  return listWithoutLaterRequests(tools)
    .toReversed()
    .filter((application) => getCurrencyIndex(application) >= 0 && application.terms.amount >= 1)
    .toSorted((a, b) => getCurrencyIndex(a) - getCurrencyIndex(b));
}

/** Lists the offers whose limit is enough for several disbursements from the account. */
function listSufficientOffers(tools: Tools, { offers, terms }: Application): readonly Offer[] {
  // A bank may refuse a contract if the limit of the account is below the amount of the application.
  const minAmounts = tools.loans.disbursesOnlyWhole() ? MIN_AMOUNTS : 1;
  const minLimit = Math.max(2 * MIN_AMOUNTS, minAmounts * terms.amount);
  return offers.filter((offer) => findLastLimit(tools, offer) >= minLimit);
}

/**
 * Returns `count` applications, unused or new, each with an account that no other one has. If one currency has too few accounts,
 * uses several currencies. If `mayShare`, applications that have to share an account follow. The steps in `simultaneous` run at
 * the same time.
 */
export async function chooseSteps(
  tools: Tools,
  count: number,
  {
    simultaneous = [],
    mayShare = false,
  }: { readonly simultaneous?: readonly PlannedDisbursement[]; readonly mayShare?: boolean } = {},
): Promise<readonly PlannedDisbursement[]> {
  const { loans, run } = tools;
  let terms = await chooseTerms(tools);
  const currencyOffers = listOfferedAccounts(run.session, terms.currency);
  const usableCurrencies = currencyOffers
    .filter(({ currency, accounts }) => currency === terms.currency || accounts.length > 0)
    .map(({ currency }) => currency);
  const steps: OpenedLoan[] = [];
  /** Adds the application if one of its offers `fits`. */
  function addIfFitting(application: Application, isFitting: (offer: Offer) => boolean): void {
    const offer = run.session.accounts.sortByUse(listSufficientOffers(tools, application)).find(isFitting);
    const isFirstUse = !run.session.takenOverApplications.has(application.id);
    if (!isFirstUse || offer === undefined || steps.length >= count || !haveSameFlags(application.terms, terms)) return;
    loans.takeOver(application);
    run.session.accounts.choose(offer.account);
    steps.push({ application: withCustomerOf(application, terms), offer });
  }
  const isUnshared = ({ account }: WithAccount): boolean =>
    ![...steps, ...simultaneous].some(({ offer }) => offer.account === account);
  const isUnsharedAndFree = (offer: WithAccount): boolean =>
    isUnshared(offer) && run.session.accounts.isFree(offer.account);
  const getLoad = ({ offers }: Application): number =>
    Math.min(...offers.filter(isUnshared).map(({ account }) => run.session.accounts.countUses(account)));
  const sortByLoad = (applications: readonly Application[]): readonly Application[] =>
    applications.toSorted((a, b) => getLoad(a) - getLoad(b));
  const candidates = listCandidates(tools, usableCurrencies);
  for (const application of candidates) addIfFitting(application, isUnsharedAndFree);
  let previousCount = steps.length;
  for (let openedCount = 0; openedCount < MAX_OPENED_APPLICATIONS && steps.length < count;) {
    const missingCount = Math.min(count - steps.length, MAX_OPENED_APPLICATIONS - openedCount);
    const otherAccounts = run.session.accounts.sortByUse(
      currencyOffers.flatMap(({ accounts }) => accounts).filter(isUnshared),
    );
    const otherCurrencies = otherAccounts.slice(0, missingCount).map(({ currency }) => currency);
    const currencies = [...otherCurrencies, ...Array<string>(missingCount).fill(terms.currency)].slice(0, missingCount);
    openedCount += missingCount;
    const newApplications = await Promise.all(currencies.map((currency) => loans.apply({ ...terms, currency })));
    candidates.push(...newApplications.filter((application) => application !== null));
    // The bank may have refused the flags of the plan.
    const [newApplication] = newApplications;
    if (steps.length === 0 && newApplication != null) terms = { ...newApplication.terms, currency: terms.currency };
    for (const application of candidates) addIfFitting(application, isUnsharedAndFree);
    for (const application of sortByLoad(candidates)) addIfFitting(application, isUnshared);
    // The bank has no further accounts.
    if (newApplications.includes(null) || steps.length === previousCount) break;
    previousCount = steps.length;
  }
  if (mayShare) for (const application of sortByLoad(candidates)) addIfFitting(application, () => true);
  return planAmounts(tools, steps, terms);
}

/**
 * Gives all steps the same amount. This amount is small, because limits may be lower than in the offers. If the bank disburses only
 * whole amounts, each step has the amount of its application.
 */
function planAmounts(tools: Tools, steps: readonly OpenedLoan[], terms: LoanTerms): readonly PlannedDisbursement[] {
  if (tools.loans.disbursesOnlyWhole())
    return steps.map((step) => ({ ...step, amount: step.application.terms.amount }));
  const maxAmounts = steps.map(({ application, offer }) =>
    Math.min(application.terms.amount, findLastLimit(tools, offer) / 2 / MIN_AMOUNTS),
  );
  const maxAmount = Math.min(...maxAmounts);
  // An amount with cents is used only if it is configured or planned: the bank may refuse other cents.
  const amount = terms.planned !== undefined && terms.amount <= maxAmount ? terms.amount : Math.floor(maxAmount);
  return steps.map((step) => ({ ...step, amount }));
}

/**
 * Returns a step of another application with the same flags and currency, for the amount of one of `models`. If `isOlder`, tries older
 * applications first. If several applications offer the account of the model, the step has this account, because the account may be
 * the reason for a refusal. Returns null if no application fits.
 */
export async function chooseSimilarStep(
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
  const listSteps = (candidate: Application): readonly PlannedDisbursement[] =>
    models.flatMap((model) => {
      const minLimit = Math.max(MIN_AMOUNTS * model.amount, candidate.terms.amount);
      const offer = candidate.offers.find(
        (candidateOffer) =>
          findLastLimit(tools, candidateOffer) >= minLimit &&
          (!isShared(model) || candidateOffer.account === model.offer.account),
      );
      const hasSimilarTerms =
        haveSameKind(candidate.terms, model.application.terms) &&
        (loans.disbursesOnlyWhole()
          ? candidate.terms.amount === model.amount
          : candidate.terms.amount >= model.application.terms.amount);
      return offer !== undefined && hasSimilarTerms
        ? [{ application: withCustomerOf(candidate, model.application.terms), offer, amount: model.amount }]
        : [];
    });
  const [firstModel] = models;
  const olderApplications = listWithoutLaterRequests(tools).filter(
    ({ until }) => firstModel !== undefined && until <= firstModel.application.at,
  );
  const [olderStep] = isOlder ? olderApplications.flatMap(listSteps) : [];
  if (olderStep !== undefined) loans.takeOver(olderStep.application);
  if (firstModel === undefined || olderStep !== undefined) return olderStep ?? null;
  for (let openedCount = 0; openedCount < MAX_OPENED_APPLICATIONS; openedCount += 1) {
    const model = models[openedCount % models.length] ?? firstModel;
    const candidate = await loans.apply(model.application.terms);
    if (candidate === null) return null;
    const [step] = listSteps(candidate);
    if (step === undefined) continue;
    // The compared application is not the newest one. This one must not be the newest either: a bank may accept only the newest.
    if (isOlder) await loans.apply(model.application.terms);
    return step;
  }
  return null;
}

export interface CompletedDisbursement {
  readonly reply: Reply;
  readonly step: PlannedDisbursement;
  /** The answer to the request that came too early, if there was such a request. */
  readonly early?: Reply | undefined;
}

const disburse = (loans: Tools['loans'], { application, offer, amount }: PlannedDisbursement) =>
  loans.disburse(application, offer, { amount });

/**
 * Sends a disbursement, twice if the bank refuses it. Returns null after a temporary conflict or two refusals. Then the caller waits
 * and disburses again: another disbursement may lock the account, or the bank may require a pause.
 */
export async function disburseOrWait({ loans }: Tools, step: PlannedDisbursement): Promise<Reply<'disburse'> | null> {
  const reply = await disburse(loans, step);
  return isTemporaryConflict(reply) || (isRefusal(reply) && !(await disburse(loans, step)).accepted) ? null : reply;
}

/** Returns an outcome query of an accepted disbursement whose result is the same as in `reply`. */
const findQueryWithSameOutcome = ({ session }: Tools['run'], { accepted, data, body }: Reply<'queryDisbursement'>) =>
  accepted && !hasErrors(body)
    ? session.requests.find(
        ({ result, values }) =>
          result === data.result && session.disbursedApplications.has(String(values['application_id'])),
      )
    : undefined;

/** Returns the outcome of a disbursement. If `firstReply` is null, disburses first. Returns null if the outcome proves nothing. */
export async function observeStep(
  { loans, run }: Tools,
  step: PlannedDisbursement,
  firstReply: Reply<'disburse'> | null,
): Promise<CompletedDisbursement | null> {
  if (firstReply === null) await run.session.waiting.waitForMinInterval();
  const reply = firstReply ?? (await disburse(loans, step));
  if (!reply.accepted && !isRefusal(reply)) return null;
  const queryUntilFinal = () => loans.queryUntilFinal(step.application.id, { isProbe: !reply.accepted });
  if (!reply.accepted) {
    const outcomeReply = await queryUntilFinal();
    const queryWithSameOutcome = findQueryWithSameOutcome(run, outcomeReply);
    if (queryWithSameOutcome === undefined) return { reply, step };
    const { id: applicationId } = step.application;
    const wasAccepted = run.session.changes.some(
      ({ operation, application }) => operation === 'disburse' && isSameId(application, applicationId),
    );
    const evidence = {
      outcome: outcomeReply,
      made: toSent('queryDisbursement', queryWithSameOutcome),
      opened: listOpened(run.session, applicationId),
    };
    if (!wasAccepted) run.compare(disbursements.refusedNotMade, { refused: reply, ...evidence });
    return { reply: outcomeReply, step };
  }
  await loans.waitForRestInTurn();
  // A cache or data copy may not know the outcome yet.
  const outcomeReply = await run.session.waiting.repeatUntil((reply) => !isRefusal(reply), queryUntilFinal);
  return outcomeReply.accepted || isRefusal(outcomeReply) ? { reply: outcomeReply, step } : null;
}

/** A request that comes before the step that it needs. */
export interface EarlyStep {
  /** The words for the request in a finding. */
  readonly description: string;
  readonly isAfterContract?: boolean;
  readonly send: (tools: Tools, step: PlannedDisbursement) => Promise<Reply>;
}

export const queryOutcome: EarlyStep['send'] = ({ bank }, { application }) =>
  bank.ask('queryDisbursement', { application_id: application.id }, { isProbe: true });

/** Takes one application through all steps, with an early step if there is one. Nothing else uses its account. */
export const completeOnAccount = (
  tools: Tools,
  step: PlannedDisbursement,
  earlyStep?: EarlyStep,
): Promise<CompletedDisbursement | null> =>
  tools.run.session.accounts.use([step.offer.account], () => complete(tools, step, earlyStep));

/** Takes one application through all steps while nothing else uses any account. */
export const completeAlone = (
  tools: Tools,
  step: PlannedDisbursement,
  earlyStep?: EarlyStep,
): Promise<CompletedDisbursement | null> => tools.run.session.accounts.useAll(() => complete(tools, step, earlyStep));

async function complete(
  tools: Tools,
  step: PlannedDisbursement,
  earlyStep?: EarlyStep,
): Promise<CompletedDisbursement | null> {
  const { loans } = tools;
  const earlyReplyBeforeContract = earlyStep?.isAfterContract === true ? undefined : await earlyStep?.send(tools, step);
  const contract = await loans.approve(step.application, step.offer);
  if (!contract.accepted)
    return earlyReplyBeforeContract !== undefined && isRefusal(contract)
      ? { reply: contract, step, early: earlyReplyBeforeContract }
      : null;
  const earlyReply = earlyReplyBeforeContract ?? (await earlyStep?.send(tools, step));
  // If there was no early step, nothing is sent twice and there is no pause: a pause might make the bank accept the disbursement.
  const disbursementReply = earlyReply === undefined ? await disburse(loans, step) : await disburseOrWait(tools, step);
  const completedDisbursement = await observeStep(tools, step, disbursementReply);
  return completedDisbursement && { ...completedDisbursement, early: earlyReply };
}
