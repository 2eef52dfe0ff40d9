import { eachOf, classifyFindings, scenario, test } from '../../fixtures/runner/index.ts';

test(
  'Outcomes conform at the end of the run as well',
  ...scenario('late-outcomes', { area: 'loans', exclusive: true }, async ({ bank, run, target }) => {
    await eachOf([...run.session.disbursed], target.inFlight, (application_id) =>
      bank.queryDisbursement({ application_id }),
    );
  }),
);

// In any area: it asks again what the other scenarios found, whichever area that was in.
for (const area of ['loans', 'payment-links', 'atms'] as const)
  test(
    `Findings are asked again to say how they behave (${area})`,
    ...scenario(`reproduce-${area}`, { area, exclusive: true }, (tools) => classifyFindings(tools, area)),
  );
