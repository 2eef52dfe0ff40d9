import { boundaryLoans, loanTerms } from '../../fixtures/arbitraries/loans.ts';
import { eachOf, scenario, test } from '../../fixtures/runner/index.ts';

const area = 'loans';

test(
  'A check states whether a disbursement can be requested',
  ...scenario('check-boundary-values', { area }, async ({ loans, target }) => {
    await eachOf(boundaryLoans(await loans.choices()), target.inFlight, (terms) => loans.validate(terms));
  }),
);

test(
  'Any documented check is answered in the documented form',
  ...scenario('check-any-request', { area }, async ({ loans, forAll }) => {
    await forAll('checks', loanTerms(await loans.choices()), (terms) => loans.validate(terms));
  }),
);

test(
  'A check of an amount of zero or below is not answered true',
  ...scenario('check-zero-amount', { area }, async ({ loans, bank, check, target }) => {
    const terms = await loans.terms();
    await eachOf([0, -1, -1250.5], target.inFlight, async (amount) => {
      const control = await loans.validate(terms);
      if (!control.accepted) return;
      const reply = await bank.validateLoan({ ...loans.values(terms), amount });
      check('loans.amount-positive.validation', reply, !reply.accepted, {
        pointer: '/data/result',
        expected: 'a refusal, or the result false',
        contrast: control,
      });
    });
  }),
);
