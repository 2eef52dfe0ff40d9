import { eachOf, classifyFindings, test } from '../../fixtures/runner/index.ts';

test(
  'An outcome that came late is in the documented form as well',
  { area: 'loans', exclusive: true },
  async ({ bank, run, target }) => {
    await eachOf([...run.session.disbursed], target.inFlight, (application_id) =>
      bank.queryDisbursement({ application_id }),
    );
  },
);

// In any area: it asks again what the other scenarios found, whichever area that was in.
for (const area of ['loans', 'payment-links', 'atms'] as const)
  test(`What was found is looked at once more (${area})`, { area, exclusive: true }, (tools) =>
    classifyFindings(tools, area),
  );
