/** Tests what reports say of open points: what a bank does where the document is silent. */
import { readEntry } from '../../../openapi/history/reading.ts';
import { withStatus } from '../../../fixtures/banks/lib/exchange.ts';
import { replaceAnswers } from '../../../fixtures/banks/lib/serving.ts';
import { createBank } from '../../../fixtures/reference-bank/bank.ts';
import { getOperationName } from '../../../openapi/contract/operations.ts';
import { examineBank } from '../support/examine.ts';
import { expect, test } from '../support/reports/samples.ts';
import { runConformingBank } from './run-mutant.ts';

test.describe.configure({ mode: 'parallel' });

test('At the reference bank every open point is observed, and beside each invalid request stands an accepted request', ({
  good: report,
}) => {
  expect(
    report.clauses.filter(({ level, verdict }) => level === 'open' && verdict !== 'observed').map(({ id }) => id),
    // This point is observed only with SOAK.
  ).toEqual(['service.over-time']);
  const open = report.clauses.filter(({ level }) => level === 'open');
  expect(open.length).toBeGreaterThan(35);
  const probed = report.observations.filter(({ exchange }) => report.exchanges[exchange]?.kind === 'probe');
  const asked = probed.filter(({ point }) => point !== 'service.error-status' && point !== 'service.error-body');
  expect(asked.length).toBeGreaterThan(60);
  for (const { point, about, control, operation } of asked) {
    expect(control, `${point} ${about} at ${operation}`).not.toBeNull();
    const beside = report.exchanges[String(control)];
    expect(beside?.kind, `the control of ${point} ${about}`).toBe('positive');
    expect(beside && readEntry(beside).outcome).toBe('accepted');
  }
});

test('If loan requests get status 200 or 201 by their currency, the report says that the status varies by currency', async () => {
  const byCurrency = replaceAnswers('requestLoan', (answer, { sent }) =>
    sent['currency'] === 'EUR' ? undefined : withStatus(answer, 201),
  );
  const report = await examineBank(byCurrency(createBank()), { env: { AREAS: 'loans', RUNS: '5' } });
  expect(report.findings).toEqual([]);
  const seen = report.observations.filter(
    ({ point, operation }) => point === 'service.success-status' && operation === getOperationName('requestLoan'),
  );
  expect(
    seen
      .filter(({ about }) => about === null)
      .map(({ value, consistent }) => [value, consistent])
      .toSorted(),
  ).toEqual([
    ['200', false],
    ['201', false],
  ]);
  expect(seen.filter(({ about }) => about !== null).map(({ about, value }) => [about, value])).toEqual([
    ['what it varies by', 'currency'],
  ]);
});

test('If all amounts below 1000 are refused, the report names this rule and has no finding', async () => {
  const { observations, findings } = await runConformingBank({
    name: 'loans-from-1000',
    description: 'Loans begin at 1000.',
    area: 'loans',
    behaviour: { loans: { rules: { minimum: '1000' } } },
  });
  const explained = observations.filter(({ point }) => point === 'loans.refusals');
  const below = explained.find(({ about }) => about === 'amounts below 1000');
  expect(findings).toEqual([]);
  const [, met, all] = /^refused: (\d+) of (\d+)$/.exec(below?.value ?? '') ?? [];
  expect([Number(met) > 0, met]).toEqual([true, all]);
  expect(explained.map(({ about }) => about)).not.toContain('no explanation found');
});
