import { eachOf, lookAtAll, test } from '../../fixtures/runner/index.ts';

test(
  'An outcome that came late is in the documented form as well',
  { area: 'loans', alone: true },
  async ({ bank, run, target }) => {
    await eachOf([...run.session.disbursed], target.inFlight, (application_id) =>
      bank.queryDisbursement({ application_id }),
    );
  },
);

// In any area: it asks again what the other stories found, whichever area that was in.
for (const area of ['loans', 'payment-links', 'atms'] as const)
  test(`What was found is looked at once more (${area})`, { area, alone: true }, (tools) => lookAtAll(tools, area));
