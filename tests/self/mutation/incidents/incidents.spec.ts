/** The shipped bugs of the population: what they say of themselves is so, and none of them does nothing. */
import { expect, test } from '@playwright/test';
import { incidents, type Incident } from '../../../../fixtures/banks/incidents/index.ts';
import { fakeClock } from '../../../../fixtures/http/clock.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import { clauses } from '../../../../openapi/clauses/index.ts';
import { asking } from './asking.ts';
import { converse } from './conversation.ts';

const START = Date.UTC(2026, 9, 20, 10, 0, 12);

/** What a bank answers: the good one, or the one with the bug. */
async function transcriptOf({ area, behaviour = {}, open }: Incident, good: boolean): Promise<readonly string[]> {
  const clock = fakeClock(START);
  const bank = createBank({ behaviour, now: clock.now });
  const asked = asking(good ? bank : open(bank, clock));
  await converse(asked, area, clock);
  return asked.transcript;
}

test('Each is named once, tells its story in a line, and breaks a clause of its level', () => {
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
    for (const incident of incidents.filter((one) => one.area === area)) {
      const key = JSON.stringify(incident.behaviour ?? {});
      if (!good.has(key)) good.set(key, transcriptOf(incident, true));
      const [expected, answered] = [await good.get(key), await transcriptOf(incident, false)];
      if (JSON.stringify(expected) === JSON.stringify(answered)) idle.push(incident.name);
    }
    expect(idle).toEqual([]);
  });
