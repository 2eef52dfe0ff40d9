import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { editMemberAt } from '../../../../../fixtures/banks/lib/intercept.ts';
import { remove } from '../../../../../fixtures/banks/lib/mutators.ts';
import { createBank } from '../../../../../fixtures/reference-bank/bank.ts';
import { compareCommand } from '../../../../../reports/cli/compare.ts';
import type { Comparison } from '../../../../../reports/compare/comparison.ts';
import type { Report } from '../../../../../reports/model/report.ts';
import { examineBank } from '../../../support/examine.ts';
import { runInProcess } from '../../../support/command.ts';
import { makeTempDir, makeTempFile } from '../../../support/temp-dir.ts';

const renameReport = (report: Report, name: string): Report => ({ ...report, target: { ...report.target, name } });

test('Implementations are compared clause by clause and dialect by dialect, with the most different questions', async () => {
  const nameless = editMemberAt('findAtms', '/data/*/atm_name', remove);
  const folder = makeTempDir();
  const options = { env: { RUNS: '5' } };
  const reports = [
    renameReport(await examineBank(createBank(), options), 'Plain'),
    renameReport(
      await examineBank(
        createBank({
          behaviour: { atms: { answer: { unit: 'km' } }, answers: { status: { createPaymentLink: 201 } } },
        }),
        options,
      ),
      'Kilometres',
    ),
    renameReport(
      await examineBank(nameless(createBank({ behaviour: { atms: { answer: { unit: 'mi' } } } })), options),
      'Miles <b>',
    ),
  ];
  const files = reports.map((report) => makeTempFile('conformance.json', JSON.stringify(report)));
  expect(await runInProcess(compareCommand, ...files, '--out', folder)).toMatchObject({ status: 0 });

  const comparison = JSON.parse(readFileSync(path.join(folder, 'comparison.json'), 'utf8')) as Comparison;
  expect(comparison.implementations.map(({ name, verdict }) => [name, verdict])).toEqual([
    ['Plain', 'conformant'],
    ['Kilometres', 'conformant'],
    ['Miles <b>', 'non-conformant'],
  ]);
  expect(comparison.clauses[0]).toMatchObject({ clause: 'atms.name', verdicts: ['pass', 'pass', 'fail'] });
  const unit = comparison.dialects.find(({ point, about }) => point === 'atms.distance-unit' && about === null);
  expect(unit?.answers).toEqual([['metres'], ['kilometres'], ['miles']]);
  expect(comparison.dialects[0]?.different).toBe(3);
  const points = comparison.questions.map(({ point }) => point);
  expect(points).toContain('atms.distance-unit');
  expect(points.indexOf('atms.distance-unit')).toBeLessThan(points.indexOf('service.success-status'));
  expect(comparison.questions.find(({ point }) => point === 'atms.distance-unit')?.answers).toContainEqual({
    answer: 'miles',
    implementations: ['Miles <b>'],
  });
  expect(points).not.toContain('links.expiry-period');

  const page = readFileSync(path.join(folder, 'comparison.html'), 'utf8');
  expect(page).toContain('Miles &lt;b&gt;');
  expect(page).not.toContain('<b>');
  expect(page).not.toMatch(/(?:src|href)="https?:/);
  expect(readFileSync(path.join(folder, 'questions.md'), 'utf8')).toContain('# Questions to the owner');
});

test('A comparison of a single report, or of another file, ends in one sentence and exit status 2', async () => {
  for (const words of [['package.json'], ['package.json', 'package.json']])
    expect(await runInProcess(compareCommand, ...words)).toMatchObject({ status: 2 });
});
