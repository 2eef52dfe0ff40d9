import fc from 'fast-check';
import { anyOrder } from './loan-commands.ts';
import { eachOf, scenario, test } from '../../fixtures/runner/index.ts';

test(
  'Steps of a loan in any order are answered in the documented form or refused',
  ...scenario(
    'loan-any-order',
    { area: 'loans', creates: { applications: 3, disbursements: 5 } },
    async ({ loans, run, target }) => {
      const terms = await loans.terms();
      // Each order has applications of its own.
      await eachOf([0, 1, 2], target.inFlight, (nth) =>
        fc.check(anyOrder(loans, run, terms), { seed: run.session.seed + nth, numRuns: 1, endOnFailure: true }),
      );
    },
  ),
);
