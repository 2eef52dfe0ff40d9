/** Tests that scenarios run at the same time, and that modules for running load only in the process that runs. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

test('Scenarios that run alone under one name overlap with each other only', async () => {
  const scenarios = ['a', 'b', 'c', 'd', 'e'].map((id) => makeScenario(id, /[bcd]/.test(id) && 'credentials'));
  expect((await runScheduled(scenarios)).company).toEqual(['a', 'bcd', 'cd', 'd', 'e']);
});

test('Areas run side by side, and the last scenarios run when all areas have ended', async () => {
  const areas = { a: 'atms', b: 'atms', c: 'loans', d: 'loans', e: 'loans', f: 'atms', g: 'loans' } as const;
  const scenarios = Object.entries(areas).map(([id, area]): Scenario => {
    const one = makeScenario(id, true);
    return { ...one, details: { ...one.details, area, ...(/[fg]/.test(id) ? { last: true } : {}) } };
  });
  const steps: string[] = [];
  const run = runInOrder(scenarios, async ({ id }) => {
    steps.push(`+${id}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
    steps.push(`-${id}`);
  });
  for (const scenario of scenarios) await run(scenario);
  const place = (step: string): number => steps.indexOf(step);
  // The area with the most groups begins. Scenarios of one area never overlap.
  expect(steps.slice(0, 2)).toEqual(['+c', '+a']);
  for (const [before, behind] of ['ab', 'cd', 'de', 'fg'])
    expect(place(`-${before}`)).toBeLessThan(place(`+${behind}`));
  for (const id of 'abcde') expect(place(`-${id}`)).toBeLessThan(place('+f'));
});

test('When an early scenario begins, the scenarios that may overlap with it begin too', async () => {
  const plain = [...'abcdef'].map((id) => makeScenario(id, /[ef]/.test(id) && 'forms'));
  const scenarios = plain.map((scenario) =>
    /[cf]/.test(scenario.id) ? { ...scenario, details: { ...scenario.details, early: true as const } } : scenario,
  );
  expect((await runScheduled(scenarios)).begun).toEqual([...'cabdfe']);
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

/** Returns the files of the repository that a file loads at once, without types and lazy imports. */
function listLoadedFiles(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found;
  found.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, path = ''] of text.matchAll(/^(?:import|export)\s(?!type\b)[^;]*?from '(\.[^']+)'/gm))
    listLoadedFiles(join(dirname(file), path), found);
  return found;
}

test('A process that only lists the scenarios loads neither the judge, nor the client, nor the bank', () => {
  const areas = readdirSync('tests', { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && entry.name !== 'self',
  );
  const scenarioFiles = areas.flatMap(({ name }) =>
    readdirSync(join('tests', name)).map((file) => join('tests', name, file)),
  );
  const entries = ['playwright.config.ts', 'fixtures/runner/global-setup.ts', 'reports/reporter.ts', ...scenarioFiles];
  const loaded = new Set(entries.flatMap((file) => [...listLoadedFiles(file)]));
  const heavy = [
    'openapi/judge.ts',
    'openapi/validation/compiled.ts',
    'fixtures/session/session.ts',
    'fixtures/http/connection.ts',
    'fixtures/redaction/redactor.ts',
    'fixtures/reference-bank/bank.ts',
    'reports/reporter/conclude.ts',
    'reports/formats/html/index.ts',
  ];
  expect(heavy.filter((file) => loaded.has(file))).toEqual([]);
});
