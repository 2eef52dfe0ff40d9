import fc from 'fast-check';
import { test } from '../../fixtures/test.ts';
import { anyOrder } from '../../fixtures/loan-commands.ts';

test(
  'Steps of a loan in any order are answered in the documented form or refused',
  { area: 'loans', spends: { applications: 0.05, disbursements: 0.125 } },
  async ({ loans, run }) => {
    const terms = await loans.terms();
    await fc.check(anyOrder(loans, run, terms), { seed: run.session.seed, numRuns: 3, endOnFailure: true });
  },
);
