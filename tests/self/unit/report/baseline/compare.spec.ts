/** Tests `npm run compare`: several banks side by side, and the runs against one bank over time. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { editMemberAt } from '../../../../../fixtures/banks/lib/intercept.ts';
import { remove } from '../../../../../fixtures/banks/lib/mutators.ts';
import { createBank } from '../../../../../fixtures/reference-bank/bank.ts';
import { compareCommand } from '../../../../../reports/cli/compare.ts';
import { renderHistoryPage } from '../../../../../reports/compare/history-page.ts';
import { makeHistory, type History } from '../../../../../reports/compare/history.ts';
import type { Handler } from '../../../../../fixtures/banks/lib/mutant.ts';
import type { Comparison } from '../../../../../reports/compare/comparison.ts';
import type { Report } from '../../../../../reports/model/report.ts';
import { examineBank } from '../../../support/examine.ts';
import { faultyReport, soundReport } from '../../../support/reports/sample-report.ts';
import { runInProcess } from '../../../support/command.ts';
import { makeTempDir, makeTempFile } from '../../../support/temp-dir.ts';

test('Implementations are compared clause by clause and answer by answer, with the most different questions', async () => {
  const nameless = editMemberAt('findAtms', '/data/*/atm_name', remove);
  const folder = makeTempDir();
  const examine = async (name: string, bank: Handler): Promise<string> => {
    const report = await examineBank(bank, { env: { AREAS: 'payment-links,atms', RUNS: '3' } });
    return makeTempFile('conformance.json', JSON.stringify({ ...report, target: { ...report.target, name } }));
  };
  const behaviour = { atms: { answer: { unit: 'km' } }, answers: { status: { createPaymentLink: 201 } } } as const;
  const files = [
    await examine('Plain', createBank()),
    await examine('Kilometres', createBank({ behaviour })),
    await examine('Miles <b>', nameless(createBank({ behaviour: { atms: { answer: { unit: 'mi' } } } }))),
  ];
  expect(await runInProcess(compareCommand, ...files, '--out', folder)).toMatchObject({ status: 0 });
  const comparison = JSON.parse(readFileSync(path.join(folder, 'comparison.json'), 'utf8')) as Comparison;
  expect(comparison).toMatchObject({
    implementations: [
      { name: 'Plain', verdict: 'conformant' },
      { name: 'Kilometres', verdict: 'conformant' },
      { name: 'Miles <b>', verdict: 'non-conformant' },
    ],
    clauses: expect.arrayContaining([
      expect.objectContaining({ clause: 'atms.name', verdicts: ['pass', 'pass', 'fail'] }),
    ]),
    dialects: expect.arrayContaining([
      expect.objectContaining({
        point: 'atms.distance-unit',
        about: null,
        answers: [['metres'], ['kilometres'], ['miles']],
      }),
    ]),
  });
  expect([comparison.clauses[0]?.clause, comparison.dialects[0]?.different]).toEqual(['atms.name', 3]);
  const points = comparison.questions.map(({ point }) => point);
  expect(points.indexOf('atms.distance-unit')).toBeLessThan(points.indexOf('service.success-status'));
  expect(points).not.toContain('links.expiry-period');
  expect(comparison.questions[points.indexOf('atms.distance-unit')]?.answers).toContainEqual({
    answer: 'miles',
    implementations: ['Miles <b>'],
  });
  const page = readFileSync(path.join(folder, 'comparison.html'), 'utf8');
  expect(page).toContain('Miles &lt;b&gt;');
  expect(page).not.toMatch(/<b>|(?:src|href)="https?:/);
  expect(readFileSync(path.join(folder, 'questions.md'), 'utf8')).toContain('# Questions to the owner');
});

test('Comparing a single report, or a file that is no report, ends with exit status 2', async () => {
  for (const words of [['package.json'], ['package.json', 'package.json']])
    expect(await runInProcess(compareCommand, ...words)).toMatchObject({ status: 2 });
});

/** Returns the report of a run at this time with this median latency. */
const makeReportAt = (report: Report, startedAt: string, p50 = 1, target: object = { name: 'Acme <b>' }): Report => ({
  ...report,
  startedAt,
  target: { ...report.target, build: startedAt.slice(8, 10), ...target },
  operations: report.operations.map((operation) => ({ ...operation, latencyMs: { p50, p95: p50 + 1, max: p50 + 2 } })),
});

test('A clause that broke and was fixed, and a latency that rose, are shown at the run that changed them', async () => {
  const folder = makeTempDir();
  const runs = [
    makeReportAt(soundReport, '2031-01-01T08:00:00.000Z', 30),
    makeReportAt(faultyReport, '2031-01-02T08:00:00.000Z', 40),
    makeReportAt(soundReport, '2031-01-03T08:00:00.000Z', 90),
    makeReportAt(soundReport, '2031-01-04T08:00:00.000Z', 95),
  ];
  const files = [2, 0, 3, 1].map((run) => makeTempFile('conformance.json', JSON.stringify(runs[run])));
  expect(await runInProcess(compareCommand, ...files, '--over-time', '--out', folder)).toEqual({
    status: 0,
    out: expect.stringMatching(/^4 runs: 2 clauses changed, and the latency of 11 operations\.\n/),
  });
  const history = JSON.parse(readFileSync(path.join(folder, 'history.json'), 'utf8')) as History;
  expect(history.runs.map(({ build }) => build)).toEqual(['01', '02', '03', '04']);
  expect(history.clauses.find(({ clause }) => clause === 'loans.rate')).toMatchObject({
    verdicts: ['pass', 'fail', 'pass', 'pass'],
    changes: [
      { run: 1, from: 'pass', to: 'fail' },
      { run: 2, from: 'fail', to: 'pass' },
    ],
  });
  expect(history.latencies[0]).toMatchObject({ p50: [30, 40, 90, 95], changes: [{ run: 2, from: 30, to: 90 }] });
  const page = readFileSync(path.join(folder, 'history.html'), 'utf8');
  for (const shown of ['<strong>90 / 91</strong>', 'Acme &lt;b&gt;', '</a> 2031-01-01 <a'])
    expect(page).toContain(shown);
});

test('Runs of one day are told apart by their time, and runs of two banks are refused in one sentence', () => {
  const times = ['2031-01-01T08:00:00.000Z', '2031-01-01T09:30:00.000Z', '2031-01-01T09:30:07.000Z'] as const;
  const page = renderHistoryPage(
    makeHistory([
      ...times.map((time) => makeReportAt(soundReport, time)),
      makeReportAt(faultyReport, '2031-01-02T08:00:00.000Z'),
    ]),
  );
  for (const shown of ['2031-01-01 08:00 <a', '2031-01-01 09:30:00 <a', '2031-01-01 09:30:07 <a', '2031-01-02 '])
    expect(page).toContain(`</a> ${shown}`);
  const at = (run: number, name: string | null, baseUrl: string): Report =>
    makeReportAt(soundReport, times[run]!, 1, { name, baseUrl });
  const named = at(0, 'Acme', 'https://a');
  expect(() => makeHistory([named, at(1, null, 'https://b'), at(2, null, 'https://c')])).toThrow(
    /^These are runs of several banks \(Acme, https:\/\/b, https:\/\/c\): --over-time shows one bank/,
  );
  expect(makeHistory([named, at(1, null, 'https://a')]).runs).toMatchObject([{ name: 'Acme' }, { name: 'https://a' }]);
});
