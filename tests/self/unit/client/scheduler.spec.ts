/** Tests which scenarios run at the same time, and which wait for others. */
import { expect, test } from '@playwright/test';
import type { Scenario, ScenarioDetails } from '../../../../fixtures/runner/run-scenario.ts';
import { runInOrder } from '../../../../fixtures/runner/scheduler.ts';

const makeScenario = (id: string, details: ScenarioDetails): Scenario => ({
  ...{ id, title: id, details },
  body: () => Promise.resolve(),
});

/** Runs scenarios. Returns their ids in the order in which they began; scenarios that began together are in one text. */
async function listOrder(planned: readonly Scenario[], from = 0): Promise<readonly string[]> {
  const turns: string[][] = [];
  let current: string[] | null = null;
  const run = runInOrder(planned, async ({ id }) => {
    if (current === null) turns.push((current = []));
    current.push(id);
    await new Promise((resolve) => setTimeout(resolve, 5));
    current = null;
  });
  await Promise.all(planned.slice(from).map((scenario) => run(scenario)));
  return turns.map((ids) => ids.join(' '));
}

test('Scenarios of one stage run at the same time, those with the mark “early” start first, and the next stage waits for all of them', async () => {
  const scenarios = [
    makeScenario('accounts', { area: 'loans', stage: 'accounts' }),
    makeScenario('first', { area: 'loans' }),
    makeScenario('early', { area: 'loans', early: true }),
    makeScenario('outcomes', { area: 'loans', stage: 'outcomes' }),
  ];
  expect(await listOrder(scenarios)).toEqual(['early first', 'outcomes', 'accounts']);
});

test('Scenarios of the stage “refused forms” run one after the other', async () => {
  const scenarios = ['check', 'contract', 'outcome'].map((id) =>
    makeScenario(id, { area: 'loans', stage: 'refused forms' }),
  );
  expect(await listOrder(scenarios)).toEqual(['check', 'contract', 'outcome']);
});

test('Areas run at the same time, but scenarios of the stage “credentials” wait for all stages of all areas', async () => {
  const scenarios = [
    makeScenario('credentials-atms', { area: 'atms', stage: 'credentials' }),
    makeScenario('atms', { area: 'atms' }),
    makeScenario('loans', { area: 'loans' }),
    makeScenario('limits', { area: 'loans', stage: 'end' }),
    makeScenario('credentials-loans', { area: 'loans', stage: 'credentials' }),
  ];
  expect(await listOrder(scenarios)).toEqual(['loans atms', 'limits', 'credentials-atms credentials-loans']);
});

test('A worker that begins with the second scenario does not wait for the first scenario', async () => {
  const scenarios = ['ran-before', 'next', 'last'].map((id) => makeScenario(id, { area: 'loans' }));
  expect(await listOrder(scenarios, 1)).toEqual(['next last']);
});
