import { boundaryLoans, loanTerms } from '../../fixtures/arbitraries/loans.ts';
import { eachOf, scenario, test } from '../../fixtures/runner/index.ts';

const area = 'loans';

test(
  'A loan request opens an application with the accounts on offer',
  ...scenario('loan-boundary-values', { area, creates: { applications: 6 } }, async ({ loans, run, target }) => {
    const choices = await loans.choices();
    const most = run.budget.left('applications');
    const boundaryValues = boundaryLoans(choices, most);
    // Where there is one only, it has the form of order_id that the flow from check to outcome does not begin with.
    const asked =
      most === 1 ? boundaryValues.map((terms) => ({ ...terms, order: 'integer' as const })) : boundaryValues;
    await eachOf(asked, target.inFlight, (terms) => loans.apply(terms));
  }),
);

test(
  'Any documented loan request is answered in the documented form',
  ...scenario('loan-any-request', { area, creates: { applications: 4 } }, async ({ loans, forAll }) => {
    await forAll('loan requests', loanTerms(await loans.choices()), (terms) => loans.apply(terms), {
      creates: 'applications',
    });
  }),
);

test(
  'A loan of an amount of zero or below is not granted',
  ...scenario('loan-zero-amount', { area, creates: { applications: 2 } }, async ({ loans, bank, check }) => {
    const terms = await loans.terms();
    const control = await loans.request(loans.values(terms));
    if (!control.accepted) return;
    // One after the other: what is refused gives back what it took of the budget.
    for (const amount of [0, -1250.5]) {
      const reply = await bank.requestLoan({ ...loans.values(terms), amount });
      if (reply.outcome === 'not-sent') continue;
      check('loans.amount-positive.application', reply, !reply.accepted, {
        pointer: '/data/result',
        expected: 'a refusal, or the result false',
        contrast: control,
      });
    }
  }),
);
