import { areas, learnRequests, scenario, test } from '../../fixtures/runner/index.ts';

/** Reserved to find what failures have in common; unused if nothing fails. */
const budgetByArea = { loans: { applications: 6 }, 'payment-links': { links: 18 }, atms: {} } as const;

for (const area of areas)
  test(
    `Refused requests have a reason (${area})`,
    ...scenario(`refusals-${area}`, { area, exclusive: 'refusals', creates: budgetByArea[area] }, (tools) =>
      learnRequests(tools, area),
    ),
  );
