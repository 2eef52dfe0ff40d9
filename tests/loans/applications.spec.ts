/** Sends validations and loan requests with boundary values, random values and invalid amounts, and loan steps in random order. */
import fc from 'fast-check';
import { listInvalidAmounts } from '../../fixtures/arbitraries/amounts.ts';
import { listBoundaryLoans, drawLoanTerms } from '../../fixtures/bank/arbitraries/loans.ts';
import { mapAll, scenario, test } from '../../fixtures/runner/index.ts';
import { refusedLoans } from '../../openapi/bank/behaviours/service/refused.ts';
import { runInAnyOrder } from './loan-commands.ts';
import { probeUnreadable } from './compared-disbursements.ts';

const area = 'loans';

test(
  'Steps of a loan in random order',
  ...scenario(
    'loan-any-order',
    { area, creates: { applications: 3, disbursements: 5 } },
    async ({ loans, run, target }) => {
      // Each order has its own applications and terms.
      await mapAll([0, 1, 2], target.inFlight, async (nth) => {
        const property = runInAnyOrder(loans, run, await loans.nextTerms());
        await fc.check(property, { seed: run.session.seed + nth, numRuns: 1, endOnFailure: true });
      });
    },
  ),
);

test(
  'Loan requests with boundary values',
  ...scenario('loan-boundary-values', { area, creates: { applications: 5 } }, async ({ loans, run, target }) => {
    const choices = await loans.choices();
    const maxApplications = run.budget.countLeft('applications');
    const boundaryValues = listBoundaryLoans(choices, maxApplications);
    // The first flow has one form of order_id. If only one request is allowed, it has the other form.
    const requests =
      maxApplications === 1 ? boundaryValues.map((terms) => ({ ...terms, order: 'integer' as const })) : boundaryValues;
    await mapAll(requests, target.inFlight, (terms) => loans.apply(terms));
  }),
);

test(
  'Loan requests with random documented values',
  ...scenario('loan-any-request', { area, creates: { applications: 3 } }, async ({ loans, forAll }) => {
    await forAll('loan requests', drawLoanTerms(await loans.choices()), (terms) => loans.apply(terms), {
      creates: 'applications',
    });
  }),
);

test(
  'Loan requests for an amount of zero or below, and one with a body that is no JSON',
  ...scenario('loan-zero-amount', { area, creates: { applications: 2 } }, async (tools) => {
    const { loans, bank, run, target } = tools;
    const { terms, reply: control } = await loans.requestNext();
    if (!control.accepted) return;
    // The requests are sent one after the other, because a refused request gives its budget back.
    for (const amount of listInvalidAmounts(1250.5, target.caps.amount)) {
      const reply = await bank.requestLoan({ ...loans.values(terms), amount });
      run.compare(refusedLoans.applicationAmount, { probe: reply, control });
    }
    const reply = await probeUnreadable(tools, control, loans.values(terms));
    run.compare(refusedLoans.body, { probe: reply, control });
  }),
);

test(
  'Validations with boundary values',
  ...scenario('check-boundary-values', { area }, async ({ loans, target }) => {
    await mapAll(listBoundaryLoans(await loans.choices()), target.inFlight, (terms) => loans.validate(terms));
  }),
);

test(
  'Validations with random documented values',
  ...scenario('check-any-request', { area }, async ({ loans, forAll }) => {
    await forAll('checks', drawLoanTerms(await loans.choices()), (terms) => loans.validate(terms));
  }),
);

test(
  'Validations of an amount of zero or below',
  ...scenario('check-zero-amount', { area }, async ({ loans, bank, run, target }) => {
    await mapAll(listInvalidAmounts(1250.5, target.caps.amount), target.inFlight, async (amount) => {
      const { terms, reply: control } = await loans.validateNext();
      if (!control.accepted) return;
      const reply = await bank.validateLoan({ ...loans.values(terms), amount });
      run.compare(refusedLoans.validationAmount, { probe: reply, control });
    });
  }),
);
