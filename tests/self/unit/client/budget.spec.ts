import { expect, test } from '@playwright/test';
import { budgetOf, type Created } from '../../../../fixtures/session/budget.ts';
import { loadScenarios } from '../../../index.ts';

const kinds: readonly Created[] = ['applications', 'disbursements', 'links'];

test('The shares of all scenarios stay within the caps, whatever the caps are', async () => {
  const scenarios = await loadScenarios();
  for (const kind of kinds) {
    const shares = scenarios.map(({ details }) => details.spends?.[kind] ?? 0);
    expect(
      shares.reduce((sum, share) => sum + share, 0),
      kind,
    ).toBeLessThanOrEqual(1 + 1e-9);
    for (const cap of [0, 1, 7, 60, 400]) {
      const caps = { applications: cap, disbursements: cap, links: cap, amount: 1 };
      const allotted = scenarios.map(({ details }) => budgetOf(details.spends ?? {}, caps).left(kind));
      expect(
        allotted.reduce((sum, one) => sum + one, 0),
        `${kind} of ${cap}`,
      ).toBeLessThanOrEqual(cap);
    }
  }
});

test('What is taken is gone until it is given back', () => {
  const budget = budgetOf({ links: 0.5 }, { applications: 9, disbursements: 9, links: 4, amount: 1 });
  expect([budget.take('links'), budget.take('links'), budget.take('links')]).toEqual([true, true, false]);
  budget.giveBack('links');
  expect([budget.take('links'), budget.take('links'), budget.take('applications')]).toEqual([true, false, false]);
});
