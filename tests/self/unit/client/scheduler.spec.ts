/** Tests that scenarios run at the same time, each once, and that a failing one fails no other. */
import { expect, test } from '@playwright/test';
import { runInOrder } from '../../../../fixtures/runner/scheduler.ts';
import type { Scenario } from '../../../../fixtures/runner/scenario.ts';

const makeScenario = (id: string, alone: boolean | string = false): Scenario => ({
  id,
  title: id,
  details: { area: 'atms', exclusive: alone },
  body: async () => {},
});

/** Runs `scenarios` one test after the other, as Playwright does. Records the index of each. */
async function runScheduled(scenarios: readonly Scenario[], failing = '') {
  const underWay = new Set<string>();
  /** The scenarios that run at the end of each scenario. */
  const company: string[] = [];
  const [begun, failed]: [string[], string[]] = [[], []];
  const run = runInOrder(scenarios, async ({ id, details }) => {
    begun.push(id);
    underWay.add(id);
    await new Promise((resolve) => setTimeout(resolve, 5));
    company.push([...underWay].sort().join(''));
    if (details.exclusive === true) expect(company.at(-1)).toBe(id);
    underWay.delete(id);
    if (id === failing) throw new Error('at fault');
  });
  for (const scenario of scenarios)
    try {
      await run(scenario);
    } catch {
      failed.push(scenario.id);
    }
  return { begun, company, failed };
}

test('Scenarios overlap, each runs once and in order, and some run alone', async () => {
  const scenarios = [...'abcdefghijklmnopqrst'].map((id, index) => makeScenario(id, index === 6 || index > 17));
  const seen = await runScheduled(scenarios);
  expect(seen.begun).toEqual(scenarios.map(({ id }) => id));
  expect(Math.max(...seen.company.map((ids) => ids.length))).toBeGreaterThan(3);
});

test('A failing scenario fails its own test and no other', async () => {
  const scenarios = [...'abcde'].map((id) => makeScenario(id));
  const seen = await runScheduled(scenarios, 'd');
  expect([seen.begun.length, seen.failed]).toEqual([5, ['d']]);
});

test('A new worker in the middle of a run runs the rest of its scenarios, and scenarios that were not planned', async () => {
  const ran: string[] = [];
  const planned = [...'abcd'].map((id) => makeScenario(id, true));
  const run = runInOrder(planned, async ({ id }) => void ran.push(id));
  for (const id of 'bcde') await run(makeScenario(id));
  expect(ran).toEqual(['b', 'c', 'd', 'e']);
});
