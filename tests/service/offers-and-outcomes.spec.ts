/** Compares applications and disbursements of the run that were refused or have no outcome with accepted ones. */
import { areas, loadProbes, scenario, test } from '../../fixtures/runner/index.ts';

/** Reserved to find which kinds of applications fail. */
const BUDGET = { applications: 14, disbursements: 14 } as const;

test(
  'Contracts and disbursements for the kinds of applications that were sometimes refused',
  ...scenario('kinds-taken', { area: 'loans', exclusive: true, creates: BUDGET }, (tools) =>
    loadProbes().learnSteps(tools),
  ),
);

test(
  'The outcome of every disbursement, and new disbursements like those without an outcome',
  ...scenario('outcomes-reached', { area: 'loans', exclusive: true }, (tools) => loadProbes().followOutcomes(tools)),
);

/** Reserved to find what failures have in common; unused if nothing fails. */
const refusalBudgets = { loans: { applications: 6 }, 'payment-links': { links: 18 }, atms: {} } as const;

for (const area of areas)
  test(
    `Refused requests have a reason (${area})`,
    ...scenario(`refusals-${area}`, { area, exclusive: 'refusals', creates: refusalBudgets[area] }, (tools) =>
      loadProbes().learnRequests(tools, area),
    ),
  );
