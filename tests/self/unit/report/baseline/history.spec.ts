/** `npm run compare -- --over-time`: which run changed which clause and which latency. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { editMemberAt } from '../../../../../fixtures/banks/lib/intercept.ts';
import { remove } from '../../../../../fixtures/banks/lib/mutators.ts';
import { createBank } from '../../../../../fixtures/reference-bank/bank.ts';
import { compareCommand } from '../../../../../reports/cli/compare.ts';
import { renderHistoryPage } from '../../../../../reports/compare/history-page.ts';
import { makeHistory, type History } from '../../../../../reports/compare/history.ts';
import type { Report } from '../../../../../reports/model/report.ts';
import { runInProcess } from '../../../support/command.ts';
import { examineBank } from '../../../support/examine.ts';
import { faultyReport as faulty, soundReport as good } from '../../../support/reports/sample-report.ts';
import { makeTempDir, makeTempFile } from '../../../support/temp-dir.ts';

/** Returns a report of that day with this median latency. */
const reportAt = (report: Report, day: number, p50: number): Report => ({
  ...report,
  startedAt: `2031-01-0${day}T12:00:00.000Z`,
  target: { ...report.target, name: 'Acme <b>', build: String(day) },
  operations: report.operations.map((operation) => ({ ...operation, latencyMs: { p50, p95: p50 + 1, max: p50 + 2 } })),
});

test('A clause that broke and was fixed, and a latency that rose, are shown at the run that changed them', async () => {
  const nameless = editMemberAt('findAtms', '/data/*/atm_name', remove);
  const env = { AREAS: 'atms', RUNS: '1' };
  const [good, broken] = [await examineBank(createBank(), { env }), await examineBank(nameless(createBank()), { env })];
  const runs = [reportAt(good, 1, 30), reportAt(broken, 2, 40), reportAt(good, 3, 90), reportAt(good, 4, 95)];
  const folder = makeTempDir();
  const files = [2, 0, 3, 1].map((run) => makeTempFile('conformance.json', JSON.stringify(runs[run])));
  expect(await runInProcess(compareCommand, ...files, '--over-time', '--out', folder)).toEqual({
    status: 0,
    out: expect.stringMatching(/^4 runs: \d+ clauses? changed, and the latency of 1 operation\.\n/),
  });
  const history = JSON.parse(readFileSync(path.join(folder, 'history.json'), 'utf8')) as History;
  expect(history.runs.map(({ build, verdict }) => [build, verdict])).toEqual([
    ['1', 'conformant'],
    ['2', 'non-conformant'],
    ['3', 'conformant'],
    ['4', 'conformant'],
  ]);
  expect(history.clauses.find(({ clause }) => clause === 'atms.name')).toMatchObject({
    verdicts: ['pass', 'fail', 'pass', 'pass'],
    changes: [
      { run: 1, from: 'pass', to: 'fail' },
      { run: 2, from: 'fail', to: 'pass' },
    ],
  });
  expect(history.latencies).toMatchObject([{ p50: [30, 40, 90, 95], changes: [{ run: 2, from: 30, to: 90 }] }]);
  const page = readFileSync(path.join(folder, 'history.html'), 'utf8');
  expect(page).toContain('<strong>90 / 91</strong>');
  expect(page).toContain('Acme &lt;b&gt;');
  expect(page).toContain('</a> 2031-01-01 <a');
});

test('Runs of one day are told apart by their time, and runs of two banks are refused in one sentence', () => {
  const at = (startedAt: string, target: object): Report => ({
    ...good,
    startedAt,
    target: { ...good.target, ...target },
  });
  const times = [
    '2031-01-01T08:00:00.000Z',
    '2031-01-01T09:30:00.000Z',
    '2031-01-01T09:30:07.000Z',
    '2031-01-02T08:00:00.000Z',
  ];
  const page = renderHistoryPage(
    makeHistory([
      ...times.map((time) => at(time, { name: 'Acme' })),
      { ...faulty, startedAt: '2031-01-03T08:00:00.000Z', target: { ...good.target, name: 'Acme' } },
    ]),
  );
  for (const shown of ['2031-01-01 08:00 <a', '2031-01-01 09:30:00 <a', '2031-01-01 09:30:07 <a', '2031-01-02 <a'])
    expect(page).toContain(`</a> ${shown}`);
  const [named, nameless] = [
    at(times[0]!, { name: 'Acme', baseUrl: 'https://a' }),
    { name: null, baseUrl: 'https://b' },
  ];
  expect(() =>
    makeHistory([named, at(times[1]!, nameless), at(times[2]!, { name: null, baseUrl: 'https://c' })]),
  ).toThrow(/^These are runs of several banks \(Acme, https:\/\/b, https:\/\/c\): --over-time shows one bank/);
  expect(makeHistory([named, at(times[1]!, { name: null, baseUrl: 'https://a' })]).runs).toMatchObject([
    { name: 'Acme' },
    { name: 'https://a' },
  ]);
});
