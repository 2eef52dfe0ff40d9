import { expect, test } from '@playwright/test';
import { openDialect, type Dialect } from '../../fixtures/banks/dialect.ts';
import { dialects } from '../../fixtures/banks/dialects.ts';
import { withManners } from '../../fixtures/reference-bank/manners.ts';
import type { Report } from '../../reports/report.ts';
import { agrees, choicesOf, shownOf } from './choices.ts';
import { examine } from './examine.ts';

test.describe.configure({ mode: 'parallel' });

/** Room for every probe to be taken by a bank that takes nearly everything. */
const room = { MAX_APPLICATIONS: '300', MAX_DISBURSEMENTS: '200', MAX_LINKS: '300' };

/** Banks whose every choice stands in their manners. */
const mannered = dialects.filter(({ wrap, because }) => wrap === undefined && because === undefined);

const look = (dialect: Dialect): Promise<Report> =>
  examine(openDialect(dialect), { env: { ...room, ...dialect.env }, ...(dialect.prefix === undefined ? {} : { prefix: dialect.prefix }) });

test('Every open point is observed at the reference bank, and every probe has a control twin that was accepted', async () => {
  const report = await look({ name: 'plain', story: '' });
  expect(report.clauses.filter(({ level, verdict }) => level === 'open' && verdict !== 'observed').map(({ id }) => id)).toEqual([]);
  const open = report.clauses.filter(({ level }) => level === 'open');
  expect(open.length).toBeGreaterThan(35);
  const probed = report.observations.filter(({ exchange }) => report.exchanges[exchange]?.kind === 'probe' && report.judged[exchange] !== undefined);
  const asked = probed.filter(({ point }) => point !== 'service.error-status' && point !== 'service.error-body');
  expect(asked.length).toBeGreaterThan(60);
  for (const { point, about, control, operation } of asked) {
    expect(control, `${point} ${about} at ${operation}`).not.toBeNull();
    expect(report.judged[String(control)]?.outcome, `the control twin of ${point} ${about}`).toBe('succeeded');
    expect(report.exchanges[String(control)]?.kind).toBe('positive');
  }
});

const batches = 4;
for (let batch = 0; batch < batches; batch += 1)
  test(`The dialect of each conformant bank is the one that it was built with (${batch + 1} of ${batches})`, async () => {
    const compared = new Set<string>();
    for (const dialect of mannered.filter((_, index) => index % batches === batch)) {
      const report = await look(dialect);
      for (const choice of choicesOf(withManners(dialect.manners))) {
        const shown = shownOf(report.observations, choice);
        if (shown.length > 0) compared.add(`${choice.point} ${choice.operation} ${choice.about}`);
        expect.soft(agrees(shown, choice), `${dialect.name}: ${choice.point} ${choice.operation} ${choice.about}\n  built ${String(choice.value)}\n  shown ${shown.map(({ value }) => value).join(' | ')}`).toBe(true);
      }
      expect.soft(report.findings.filter(({ clause }) => clause.endsWith('.consistent')), dialect.name).toEqual([]);
    }
    expect(compared.size).toBeGreaterThan(120);
  });
