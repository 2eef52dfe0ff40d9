/** Takes loans through all steps: validation, loan request, contract, disbursement and outcome. */
import { listBoundaryAmounts } from '../../fixtures/arbitraries/amounts.ts';
import { listOddAmounts } from '../../fixtures/arbitraries/amount-classes.ts';
import {
  customerIps,
  LONGEST_IP,
  listLoanCases,
  pickOffer,
  type LoanTerms,
} from '../../fixtures/bank/arbitraries/loans.ts';
import {
  coversAmount,
  mapAll,
  isRefusal,
  isRejection,
  scenario,
  test,
  type Application,
  type Offer,
  type Reply,
} from '../../fixtures/runner/index.ts';
import { compareRefused } from './compared-disbursements.ts';

const area = 'loans';
/** Outcomes of at most this many refused disbursements are queried. */
const MAX_REFUSED_QUERIES = 3;
/** In this round, the customer has the longest form of an IP address. A run with small caps does not reach this round. */
const LONGEST_ROUND = 12;

/** Returns the amount after a refusal: the amount of the application, because a bank may disburse no other, or the plain amount. */
function chooseOtherAmount({ terms }: Application, offer: Offer, refusedAmount: number, plainAmount: number): number {
  const isPossible = refusedAmount !== terms.amount && coversAmount(offer, terms.amount);
  return isPossible ? terms.amount : plainAmount;
}

test(
  'Loans from the validation to the outcome of the disbursement, for each account on offer',
  ...scenario('loan-flow', { area, early: true, creates: { applications: 14, disbursements: 14 } }, async (tools) => {
    const { loans, bank, run, target } = tools;
    const plainTerms = await loans.terms();
    const currencies = await loans.currencies();
    const ips = customerIps.map((_, index) => loans.ip(index === 0 ? customerIps.length : index));
    const amounts = listBoundaryAmounts(target.caps.amount, target.testData.amounts);
    const smallerAmounts = target.testData.amounts.length > 0 ? [] : listOddAmounts(plainTerms.amount);
    const pickSmallerAmount = (round: number): number =>
      smallerAmounts[round % smallerAmounts.length] ?? plainTerms.amount;
    /** Opens an application with the terms of the validation, or with the plain terms if the bank refused the validation. */
    const open = async (variedTerms: LoanTerms, round: number) => {
      const values = loans.values(variedTerms);
      const isAccepted = round > 0 && (await bank.validateLoan(values)).accepted;
      // In even rounds, the loan request has the order_id of its validation. In odd rounds, it has a new one.
      const validatedValues = isAccepted && round % 2 === 0 ? values : undefined;
      const terms = isAccepted ? variedTerms : { ...plainTerms, order: variedTerms.order };
      return (await loans.apply(terms, validatedValues)) ?? loans.apply(plainTerms);
    };
    const refused: [id: string, reply: Reply<'disburse'>][] = [];
    let succeededId: string | undefined;
    const loanCases = listLoanCases(amounts, ips, run.budget.countLeft('disbursements'));
    await mapAll(loanCases, target.inFlight, async ({ ip: usualIp, position, ...terms }, round) => {
      const ip = round === LONGEST_ROUND && target.testData.customerIps.length === 0 ? LONGEST_IP : usualIp;
      const currency = currencies[round % currencies.length] ?? plainTerms.currency;
      const application = await open({ ...terms, currency }, round);
      const offer = pickOffer(application?.offers ?? [], position);
      if (application === null || offer === undefined) return;
      await loans.approveInTurn(application, offer);
      // A disbursement above the limit would use up the limit for later disbursements.
      const amount = coversAmount(offer, terms.amount) ? terms.amount : pickSmallerAmount(round);
      const firstReply = await loans.disburse(application, offer, { amount: loans.limitAmount(offer, amount), ip });
      const otherAmount = loans.limitAmount(offer, chooseOtherAmount(application, offer, amount, plainTerms.amount));
      const reply = isRejection(firstReply)
        ? await loans.disburse(application, offer, { amount: otherAmount, ip })
        : firstReply;
      const isNotAccepted = isRefusal(reply) || reply.outcome === 'not-sent';
      if (isRefusal(firstReply) && isNotAccepted) refused.push([application.id, firstReply]);
      if (!reply.accepted) return;
      succeededId = application.id;
      for (let query = 0; query < 4; query += 1) await loans.outcome(application);
    });
    if (succeededId === undefined || refused.length === 0) return;
    await run.session.waiting.waitUntilDataIsVisible();
    const outcome = await loans.queryUntilFinal(succeededId);
    await mapAll(refused.slice(0, MAX_REFUSED_QUERIES), target.inFlight, ([id, reply]) =>
      compareRefused(tools, id, { refused: reply, made: outcome }),
    );
  }),
);
