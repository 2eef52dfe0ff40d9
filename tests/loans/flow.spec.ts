/** Takes loans through all steps: validation, loan request, contract, disbursement and outcome. */
import { listBoundaryAmounts } from '../../fixtures/arbitraries/amounts.ts';
import { listOddAmounts } from '../../fixtures/arbitraries/amount-classes.ts';
import { customerIps, LONGEST_IP, listLoanCases, pickOffer, type LoanTerms } from '../../fixtures/arbitraries/loans.ts';
import {
  coversAmount,
  mapAll,
  isRefusal,
  isRejection,
  scenario,
  test,
  type Reply,
} from '../../fixtures/runner/index.ts';
import { compareRefused } from './compared-disbursements.ts';

const area = 'loans';
/** Outcomes of at most this many refused disbursements are queried. */
const MAX_REFUSED_QUERIES = 3;
/** The customer of this round has an IP address in its longest form. A run with small caps has fewer rounds. */
const LONGEST_ROUND = 12;

test(
  'Loans from the validation to the outcome of the disbursement, for each account on offer',
  ...scenario('loan-flow', { area, early: true, creates: { applications: 14, disbursements: 14 } }, async (tools) => {
    const { loans, bank, run, target } = tools;
    const plain = await loans.terms();
    const currencies = await loans.currencies();
    const ips = customerIps.map((_, nth) => loans.ip(nth === 0 ? customerIps.length : nth));
    const amounts = listBoundaryAmounts(target.caps.amount, target.testData.amounts);
    const less = target.testData.amounts.length > 0 ? [] : listOddAmounts(plain.amount);
    const pickLess = (round: number): number => less[round % less.length] ?? plain.amount;
    /** Opens an application with the terms of the validation, or with the plain terms if the bank refused the validation. */
    const open = async (varied: LoanTerms, round: number) => {
      const values = loans.values(varied);
      const isAccepted = round > 0 && (await bank.validateLoan(values)).accepted;
      // The loan request has the order_id of the validation or a fresh order_id.
      const checked = isAccepted && round % 2 === 0 ? values : undefined;
      const terms = isAccepted ? varied : { ...plain, order: varied.order };
      return (await loans.apply(terms, checked)) ?? loans.apply(plain);
    };
    const refused: [id: string, reply: Reply<'disburse'>][] = [];
    let made: string | undefined;
    const rounds = listLoanCases(amounts, ips, run.budget.left('disbursements'));
    await mapAll(rounds, target.inFlight, async ({ ip: usual, position, ...wish }, round) => {
      const ip = round === LONGEST_ROUND && target.testData.customerIps.length === 0 ? LONGEST_IP : usual;
      const currency = currencies[round % currencies.length] ?? plain.currency;
      const application = await open({ ...wish, currency }, round);
      const offer = pickOffer(application?.offers ?? [], position);
      if (application === null || offer === undefined) return;
      await loans.approve(application, offer);
      // An amount above the limit would leave nothing for later disbursements.
      const amount = coversAmount(offer, wish.amount) ? wish.amount : pickLess(round);
      const first = await loans.disburse(application, offer, { amount: loans.within(offer, amount), ip });
      const plainly = loans.within(offer, plain.amount);
      const disbursed = isRejection(first) ? await loans.disburse(application, offer, { amount: plainly, ip }) : first;
      const isRefusedAgain = isRefusal(disbursed) || disbursed.outcome === 'not-sent';
      if (isRefusal(first) && isRefusedAgain) refused.push([application.id, first]);
      if (!disbursed.accepted) return;
      made = application.id;
      for (let asked = 0; asked < 4; asked += 1) await loans.outcome(application);
    });
    if (made === undefined || refused.length === 0) return;
    await run.session.waiting.visible();
    const usual = await loans.settled(made);
    await mapAll(refused.slice(0, MAX_REFUSED_QUERIES), target.inFlight, ([id, reply]) =>
      compareRefused(tools, id, { refused: reply, made: usual }),
    );
  }),
);
