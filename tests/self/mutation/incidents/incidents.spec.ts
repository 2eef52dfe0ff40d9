/** The shipped bugs of the population: what they say of themselves is so, and none of them does nothing. */
import { expect, test } from '@playwright/test';
import { incidents, type Incident } from '../../../../fixtures/banks/incidents/index.ts';
import { fakeClock } from '../../../../fixtures/http/clock.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import { clauses } from '../../../../openapi/clauses/index.ts';
import { proofOf } from '../../../../reports/proof/matrix.ts';
import { renderProof } from '../../../../reports/proof/html.ts';
import { proofTable } from '../../../../reports/proof/terminal.ts';
import type { Report } from '../../../../reports/model/report.ts';
import { measured } from '../measured.ts';
import { outcomeOfIncident, reportOfFault } from '../outcomes.ts';
import { asking, OtherAnswer } from './asking.ts';
import { converse } from './conversation.ts';

const START = Date.UTC(2026, 9, 20, 10, 0, 12);

/** What the good bank answers. */
async function expectedOf({ area, behaviour = {} }: Incident): Promise<readonly string[]> {
  const clock = fakeClock(START);
  const asked = asking(createBank({ behaviour, now: clock.now }));
  await converse(asked, area, clock);
  return asked.transcript;
}

/** Whether the bank with the bug answers the same all along. */
async function isIdle({ area, behaviour = {}, open }: Incident, expected: readonly string[]): Promise<boolean> {
  const clock = fakeClock(START);
  const asked = asking(open(createBank({ behaviour, now: clock.now }), clock), expected);
  try {
    await converse(asked, area, clock);
    return asked.transcript.length === expected.length;
  } catch (error) {
    if (error instanceof OtherAnswer) return false;
    throw error;
  }
}

test('Each is named once, is described in a line, and breaks a clause of its level', () => {
  expect(incidents.length).toBeGreaterThanOrEqual(90);
  expect(new Set(incidents.map(({ name }) => name)).size).toBe(incidents.length);
  for (const { name, description, shownBy, breaks, clause } of incidents) {
    expect(name).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
    for (const text of [description, shownBy])
      expect([name, text]).toEqual([name, expect.stringMatching(/^\S.{8,150}\.$/)]);
    if (clause !== undefined) expect([name, clauses[clause].level]).toEqual([name, breaks]);
  }
});

for (const area of ['loans', 'payment-links', 'atms', 'service'] as const)
  test(`None of the incidents of ${area} does nothing`, async () => {
    const good = new Map<string, Promise<readonly string[]>>();
    const idle: string[] = [];
    const ofArea = incidents.filter((one) => one.area === area);
    for (const incident of ofArea) {
      const key = JSON.stringify(incident.behaviour ?? {});
      const expected = good.get(key) ?? expectedOf(incident);
      good.set(key, expected);
      if (await isIdle(incident, await expected)) idle.push(incident.name);
    }
    expect(idle).toEqual([]);
    const [first] = ofArea as [Incident];
    expect(await isIdle({ ...first, open: (bank) => bank }, await expectedOf(first))).toBe(true);
  });

test('They are counted apart from the mutants, and those of which nothing is said are named on the page', () => {
  const said = {
    findings: [],
    verdict: 'conformant',
    reasons: ['Nothing was asked.'],
    errors: [],
  } as unknown as Report;
  const [one, two, three] = incidents.filter(({ visible }) => visible === 'run') as [Incident, Incident, Incident];
  const outcomes = [
    outcomeOfIncident(one, said),
    outcomeOfIncident(two, { ...said, verdict: 'inconclusive' }),
    outcomeOfIncident(three, { ...said, verdict: 'non-conformant' }),
    ...incidents
      .filter(({ visible }) => visible === 'soak')
      .map((late) => outcomeOfIncident(late, reportOfFault('no clock'))),
  ];
  expect(outcomes.map(({ outcome }) => outcome).slice(0, 4)).toEqual(['silent', 'inconclusive', 'failed', 'broken']);
  const proof = proofOf({ mutants: [], banks: [], incidents: outcomes, from: 0, to: 1 }, measured());
  expect(proofTable(proof)).toContain('incidents: 1 failed, 0 warned, 1 silent, 1 inconclusive without a finding');
  expect(proofTable(proof)).toMatch(/incidents over time: 0 failed, 0 warned, 0 silent, \d+ broke the suite/);
  const page = renderProof(proof);
  for (const { name } of [one, two]) expect(page).toContain(`<code>${name}</code>`);
  expect(page).not.toContain(`<code>${three.name}</code>`);
});
