/** Disburses amounts above the available limit, and compares their outcomes with a disbursement within the limit. */
import { isInteger } from '../../fixtures/bank/arbitraries/order-ids.ts';
import { customerIps, keepOfferOrder, type LoanTerms } from '../../fixtures/bank/arbitraries/loans.ts';
import {
  coversAmount,
  toObservedAnswer,
  mapAll,
  isRefusal,
  scenario,
  listAccepted,
  test,
  type Application,
  type Offer,
  type Reply,
  type Tools,
} from '../../fixtures/runner/index.ts';
import * as disbursements from '../../openapi/bank/behaviours/loans/disbursements.ts';
import { compareRefused, findIpOfOtherFamily, needsHigherCap, openFor } from './compared-disbursements.ts';

type Outcome = Reply<'queryDisbursement'>;

interface TestedLoan {
  readonly application: Application;
  readonly disbursed: Reply<'disburse'>;
}
/** An application with a contract, its offer, and the answer to a query before its disbursement. */
interface ApprovedApplication {
  readonly application: Application;
  readonly offer: Offer;
  readonly before: Outcome;
}
/** A disbursement above the limit. */
interface DisbursedAbove extends TestedLoan {
  readonly before: Outcome;
  /** The last outcome; null if the disbursement was not accepted. */
  readonly outcome: Outcome | null;
}

/**
 * An amount above a limit may block later disbursements. So the first one is sent only after this many final outcomes. Waiting for
 * these outcomes ends after MAX_OUTCOME_QUERIES queries.
 */
const MIN_FINAL_OUTCOMES = 3;
const MAX_OUTCOME_QUERIES = 8;

const countFinalOutcomes = ({ requests, isPending }: Tools['run']['session']): number =>
  new Set(
    requests.flatMap(({ result, values }) =>
      result !== undefined && !isPending(result) ? [String(values['application_id'])] : [],
    ),
  ).size;

const queryOutcome = ({ bank }: Tools, { id }: Application): Promise<Outcome> =>
  bank.ask('queryDisbursement', { application_id: id }, { isProbe: true });

/** Queries the outcome of an accepted disbursement until it is final. Returns null if the disbursement was not accepted. */
async function queryUntilFinal(
  { loans, run }: Tools,
  application: Application,
  disbursed: Reply,
): Promise<Outcome | null> {
  if (!disbursed.accepted) return null;
  const query = () => loans.outcome(application);
  for (let count = 0; count < 3; count += 1) await query();
  const { isPending, waiting } = run.session;
  return waiting.untilFinal(({ data }) => !isPending(data.result), query);
}

const sortByLimit = (offers: readonly Offer[] = []): readonly Offer[] =>
  offers.filter(({ limit }) => limit !== null && limit > 0).toSorted((a, b) => Number(a.limit) - Number(b.limit));

async function disburseWithin(tools: Tools, terms: LoanTerms): Promise<TestedLoan | null> {
  const { loans } = tools;
  const application = await loans.apply(terms);
  const offers = sortByLimit(application?.offers);
  if (application === null || offers[0] === undefined) return null;
  // A bank may disburse only the whole amount of the application.
  const offer = offers.find((candidate) => coversAmount(candidate, application.terms.amount)) ?? offers[0];
  await loans.approveInTurn(application, offer);
  const disbursed = await loans.disburse(application, offer);
  return { application, disbursed };
}

/** Chooses the offer whose limit disbursement number `nth` exceeds. If possible, its limit is below MAX_AMOUNT. */
function pickOfferToExceed({ target }: Tools, { offers }: Application, nth: number): Offer | undefined {
  const offersByLimit = sortByLimit(offers);
  // One disbursement exceeds the first offer: a bank may check only the first limit. One exceeds the lowest other offer: its limit is
  // lower than the first, if the bank checks the limit of the wrong account.
  const [first, ...otherOffers] = offers.filter(
    (offer) => offersByLimit.includes(offer) && Number(offer.limit) < target.caps.amount,
  );
  const lowestOther = offersByLimit.find((offer) => otherOffers.includes(offer)) ?? first;
  return [lowestOther, first][nth] ?? offersByLimit[0];
}

/** Calculate amounts above a limit: one cent more, and about twice the limit. `maxAmount` is MAX_AMOUNT. */
const amountsAbove: readonly ((limit: number, maxAmount: number) => number)[] = [
  (limit) => Number((limit + 0.01).toFixed(2)),
  (limit, maxAmount) => Math.min(Math.floor(limit) * 2 + 1, Math.floor(maxAmount)),
];

/**
 * Chooses the customer address of disbursement number `nth` above the limit: an IPv4 address, and then an address of the other family
 * for which the bank made a disbursement. At some banks, disbursements for IPv6 addresses fail for another reason.
 */
function chooseIp({ loans, run }: Tools, nth: number, usualResult: unknown): string {
  const ip =
    Array.from(customerIps, (_, index) => loans.ip(index)).find((address) => !address.includes(':')) ?? loans.ip(0);
  return nth === 0 ? ip : findIpOfOtherFamily(run.session, ip, usualResult);
}

/** Opens an application and approves its contract, for disbursement number `nth` above a limit. */
async function approveNew(tools: Tools, terms: LoanTerms, nth: number): Promise<ApprovedApplication | null> {
  const { loans, target } = tools;
  const newApplication = await loans.apply(terms);
  const hasLowLimit = ({ offers }: Application): boolean =>
    sortByLimit(offers).some((offer) => Number(offer.limit) < target.caps.amount);
  // If this application has only high limits, another application of the run may have a lower limit.
  const chosen =
    newApplication === null || hasLowLimit(newApplication)
      ? newApplication
      : (loans.listUnused().find(hasLowLimit) ?? newApplication);
  const chosenOffer = chosen === null ? undefined : pickOfferToExceed(tools, chosen, nth);
  if (chosen === null || chosenOffer === undefined) return null;
  const amount = amountsAbove[nth]?.(Number(chosenOffer.limit), target.caps.amount) ?? 0;
  const isAllowed = amount > Number(chosenOffer.limit) && amount <= target.caps.amount;
  const opened = { application: chosen, offer: chosenOffer };
  const { application, offer } = isAllowed ? await openFor(loans, opened, amount) : opened;
  await loans.approveInTurn(application, offer);
  return { application, offer, before: await queryOutcome(tools, application) };
}

async function disburseAbove(
  tools: Tools,
  { application, offer, before }: ApprovedApplication,
  amountAbove: (limit: number, maxAmount: number) => number,
  ip: string,
): Promise<DisbursedAbove | null> {
  const { loans, run, target } = tools;
  const amount = amountAbove(Number(offer.limit), target.caps.amount);
  // For a very large limit, a number of JavaScript cannot hold one cent more.
  if (amount <= Number(offer.limit)) return null;
  if (amount > target.caps.amount) {
    run.unexercised(disbursements.overLimit, needsHigherCap(amount));
    return null;
  }
  const disbursed = await loans.withNewestContract(application, offer, () =>
    loans.disburse(application, offer, { amount, ip }, { overLimit: true }),
  );
  return { application, before, disbursed, outcome: await queryUntilFinal(tools, application, disbursed) };
}

/**
 * Disburses more than the amount of the application. The document allows the bank to pay, to refuse, or to fail. A failure shows the
 * error texts of a bank whose limits are all above MAX_AMOUNT, or that refuses every amount above a limit.
 */
async function disburseMoreThanApplied(
  tools: Tools,
  { application, offer }: Pick<ApprovedApplication, 'application' | 'offer'>,
): Promise<void> {
  const { loans } = tools;
  const amount = loans.limitAmount(offer, application.terms.amount * 2);
  if (amount <= application.terms.amount) return;
  await queryUntilFinal(tools, application, await loans.disburse(application, offer, { amount }, { overLimit: true }));
}

/** Compares a disbursement above the limit with one within the limit. `control` is the last outcome of the one within the limit. */
async function compareDisbursements(
  { loans, run }: Tools,
  above: DisbursedAbove,
  within: TestedLoan,
  control: Outcome,
): Promise<void> {
  // The two outcomes may have the same text until a disbursement is final.
  const [outcome, outcomeWithin] = await run.session.waiting.repeatUntil<readonly [Outcome | null, Outcome]>(
    ([aboveReply, withinReply]) => aboveReply?.data.result !== withinReply.data.result,
    async () => {
      const withinReply = await loans.outcome(within.application);
      return [await loans.outcome(above.application), withinReply];
    },
    [above.outcome, control],
  );
  run.compare(disbursements.overLimit, { above: above.disbursed, outcome: outcome ?? undefined, usual: outcomeWithin });
  if ([outcome, outcomeWithin].some((query) => run.session.isPending(query?.data.result))) return;
  const lastReply = outcome ?? above.disbursed;
  const observation =
    outcome === null
      ? toObservedAnswer(above.disbursed)
      : `accepted, with the outcome “${String(outcome.data.result)}”`;
  run.observe('loans.amount-above-limit', lastReply.operation, observation, lastReply.exchange.id, {
    control: outcomeWithin.exchange.id,
  });
}

/**
 * Returns `terms` with the other type of order_id and the other flag for commercial disbursements. If an accepted request had this
 * flag, takes its flags.
 */
function changeTerms({ run }: Tools, terms: LoanTerms): LoanTerms {
  const pickFlags = ({ commercial_disbursement, disbursement_purpose }: LoanTerms) => ({
    commercial_disbursement,
    disbursement_purpose,
  });
  const acceptedTerms = listAccepted(run.session.requests, 'requestLoan').flatMap(({ values, opened }) =>
    (opened?.accounts.length ?? 0) > 0 ? [values as unknown as LoanTerms] : [],
  );
  const termsWithOtherFlag = acceptedTerms.find(
    (accepted) => accepted.commercial_disbursement !== terms.commercial_disbursement,
  );
  return {
    ...terms,
    order: isInteger(terms.order) ? 'text' : 'integer',
    ...(termsWithOtherFlag === undefined
      ? { commercial_disbursement: !terms.commercial_disbursement }
      : pickFlags(termsWithOtherFlag)),
  };
}

test(
  'Disbursements above the available limit, and one within the limit',
  ...scenario(
    'loan-over-limit',
    { area: 'loans', early: true, creates: { applications: 5, disbursements: 4 } },
    async (tools) => {
      const { loans, run, target } = tools;
      if (!target.overLimit) return run.unexercised(disbursements.overLimit, 'OVER_LIMIT=0');
      const terms = keepOfferOrder(await loans.nextTerms());
      /** Makes a disbursement within the limit and queries its outcome. The disbursements above the limit are compared with it. */
      const disburseControl = async () => {
        const within = await disburseWithin(tools, terms);
        const control = within && (await queryUntilFinal(tools, within.application, within.disbursed));
        return within !== null && control?.accepted === true ? { within, control } : null;
      };
      const [controlled, ...opened] = await Promise.all([
        disburseControl(),
        approveNew(tools, terms, 0),
        approveNew(tools, changeTerms(tools, terms), 1).then((approved) => approved ?? approveNew(tools, terms, 1)),
      ]);
      if (controlled === null) return;
      const { within, control } = controlled;
      for (
        let query = 0;
        query < MAX_OUTCOME_QUERIES && countFinalOutcomes(run.session) < MIN_FINAL_OUTCOMES;
        query += 1
      )
        await loans.outcome(within.application);
      await mapAll(amountsAbove, target.inFlight, async (getAmount, index) => {
        const approved = opened[index];
        if (approved == null) return;
        const above = await disburseAbove(tools, approved, getAmount, chooseIp(tools, index, control.data.result));
        if (above === null) return disburseMoreThanApplied(tools, approved);
        if (above.disbursed.outcome === 'not-sent') return;
        if (isRefusal(above.disbursed)) {
          await run.session.waiting.waitForWorkAfterAnswer();
          const madeOutcome = await loans.outcome(within.application);
          await compareRefused(tools, above.application.id, {
            refused: above.disbursed,
            made: madeOutcome,
            before: above.before,
          });
        }
        await compareDisbursements(tools, above, within, control);
        if (isRefusal(above.disbursed)) await disburseMoreThanApplied(tools, approved);
      });
    },
  ),
);
