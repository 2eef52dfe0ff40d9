import { areas, askUnsteadySteps, learnRequests, scenario, test } from '../../fixtures/runner/index.ts';

/** Reserved for the question what failures have in common; unused where nothing fails. */
const reserved = { loans: { applications: 6 }, 'payment-links': { links: 18 }, atms: {} } as const;

for (const area of areas)
  test(
    `What is refused has a reason (${area})`,
    ...scenario(`refusals-${area}`, { area, exclusive: 'refusals', creates: reserved[area] }, (tools) =>
      learnRequests(tools, area),
    ),
  );

test(
  'Contracts and disbursements that were refused when it was their turn, again with fresh applications',
  ...scenario('disbursed-at-times', { area: 'loans', exclusive: true }, (tools) => askUnsteadySteps(tools)),
);
