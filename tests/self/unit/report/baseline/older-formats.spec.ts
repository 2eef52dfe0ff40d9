/** Reports of each format, recorded when they were written, are read by this version; what cannot be done with an older one is said. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { readBaselineFiles } from '../../../../../fixtures/config/baseline-files.ts';
import { compareCommand } from '../../../../../reports/cli/compare.ts';
import { knownCommand } from '../../../../../reports/cli/known.ts';
import { replayCommand } from '../../../../../reports/cli/replay.ts';
import { reportCommand } from '../../../../../reports/cli/report.ts';
import { verifyCommand } from '../../../../../reports/cli/verify.ts';
import { readReport } from '../../../../../reports/journal/read-report.ts';
import { format } from '../../../../../reports/model/report.ts';
import { inProcess } from '../../../support/command.ts';
import { makeTempDir } from '../../../support/temp-dir.ts';

const recorded = (number: number): string => path.join(__dirname, `../../../support/reports/format-${number}.json`);

for (const number of [1, 2])
  test(`A report of the format ${number} is read, rendered, compared and taken as a baseline`, async () => {
    const file = recorded(number);
    const { findings, clauses, ...report } = readReport(file);
    const written = JSON.parse(readFileSync(file, 'utf8')) as typeof report & { clauses: unknown };
    expect([report.format, clauses, report.verdict]).toEqual([format, written.clauses, written.verdict]);
    expect(findings.map(({ clause }) => clause)).toEqual(['loans.rate', 'service.content-type']);
    const folder = makeTempDir();
    const out = ['--out', folder];
    expect(await inProcess(reportCommand, file, ...out)).toMatchObject({ status: 0 });
    expect(readFileSync(path.join(folder, 'conformance.html'), 'utf8')).toContain('The statement of loans.rate.');
    expect(await inProcess(compareCommand, file, recorded(3 - number), ...out)).toMatchObject({ status: 0 });
    const known = path.join(folder, 'known.yaml');
    expect(await inProcess(knownCommand, file, '--out', known)).toMatchObject({ status: 0 });
    const given = { overlay: null, pins: null, known: null, baseline: file, latencyFactor: null };
    expect(readBaselineFiles(given)).toMatchObject({ faults: [], baselineFiles: { baseline: { findings: {} } } });
  });

test('A report of an older format is not verified and not asked again: the version for it is named', async () => {
  for (const [command, ...more] of [[verifyCommand], [replayCommand, '1']] as const) {
    const { status, out } = await inProcess(command, recorded(1), ...more);
    expect(out).toContain('has the format bank-open-api-conformance/1: use version 0.1.0 of the suite for it.\n');
    expect(status).toBe(2);
  }
});
