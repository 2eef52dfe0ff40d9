/** Tests that this version reads recorded reports of each older format, and says what it cannot do with them. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { readBaselineFiles } from '../../../../../fixtures/config/baseline-files.ts';
import { toReportFormat } from '../../../../../openapi/foreign/report-formats.ts';
import { renderAnswer } from '../../../../../openapi/model/observation.ts';
import { compareCommand } from '../../../../../reports/cli/compare.ts';
import { knownCommand } from '../../../../../reports/cli/known.ts';
import { replayCommand } from '../../../../../reports/cli/replay.ts';
import { reportCommand } from '../../../../../reports/cli/report.ts';
import { verifyCommand } from '../../../../../reports/cli/verify.ts';
import { readReport } from '../../../../../reports/journal/read-report.ts';
import { REPORT_FORMAT, type Report } from '../../../../../reports/model/report.ts';
import { runInProcess } from '../../../support/command.ts';
import { makeTempDir } from '../../../support/temp-dir.ts';

const locateRecordedFile = (number: number): string =>
  path.join(__dirname, `../../../support/reports/format-${number}.json`);

for (const number of [1, 2])
  test(`A report of the format ${number} is read, rendered, compared and taken as a baseline`, async () => {
    const file = locateRecordedFile(number);
    const { findings, clauses, ...report } = readReport(file);
    const written = JSON.parse(readFileSync(file, 'utf8')) as typeof report & { clauses: unknown };
    expect([report.format, clauses, report.verdict]).toEqual([REPORT_FORMAT, written.clauses, written.verdict]);
    expect(findings.map(({ clause }) => clause)).toEqual(['loans.rate', 'service.content-type']);
    const folder = makeTempDir();
    const out = ['--out', folder];
    expect(await runInProcess(reportCommand, file, ...out)).toMatchObject({ status: 0 });
    expect(readFileSync(path.join(folder, 'conformance.html'), 'utf8')).toContain('The statement of loans.rate.');
    expect(await runInProcess(compareCommand, file, locateRecordedFile(3 - number), ...out)).toMatchObject({
      status: 0,
    });
    const known = path.join(folder, 'known.yaml');
    expect(await runInProcess(knownCommand, file, '--out', known)).toMatchObject({ status: 0 });
    const given = { overlay: null, pins: null, known: null, baseline: file, latencyFactor: null };
    expect(readBaselineFiles(given)).toMatchObject({ faults: [], baselineFiles: { baseline: { findings: {} } } });
  });

test('A report in an older format is not verified or replayed: the message names the version for it', async () => {
  for (const [command, ...more] of [[verifyCommand], [replayCommand, '1']] as const) {
    const { status, out } = await runInProcess(command, locateRecordedFile(1), ...more);
    expect(out).toContain('has the format bank-open-api-conformance/1: use version 0.1.0 of the suite for it.\n');
    expect(status).toBe(2);
  }
});

test('Answers to open points and outcomes in older words keep their meaning', () => {
  const words = {
    'accepted, status 200': { reply: 'accepted', status: 200 },
    'answered false, status 200': { reply: 'unsuccessful', status: 200 },
    'answered without data, status 200': { reply: 'no-data', status: 200 },
    'refused, status 401': { reply: 'refused', status: 401 },
    'answered, status 302': { reply: 'other', status: 302 },
    'answered, status 500': { reply: 'other', status: 500 },
  };
  const earlier = { succeeded: 1, unsuccessful: 2, refused: 3, broken: 4, failed: 5, 'no-answer': 6 };
  const read = toReportFormat({
    format: REPORT_FORMAT,
    operations: [{ outcomes: earlier }],
    observations: Object.values(words).map((answer) => ({ answer })),
  }) as Pick<Report, 'operations' | 'observations'>;
  expect(read.observations.map(({ answer }) => answer && renderAnswer(answer))).toEqual(Object.keys(words));
  const outcomes = { accepted: 1, declined: 2, refused: 3, malformed: 4, crashed: 5, lost: 6 };
  expect(read.operations[0]?.outcomes).toEqual(outcomes);
  for (const reply of ['refused', 'conflict', 'forbidden', 'unauthorized', 'throttled'] as const)
    expect(renderAnswer({ reply, status: 418 })).toBe('refused, status 418');
});
