/** Tests `npm run compare`: several banks side by side. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { editMemberAt, remove } from '../../../../../fixtures/banks/lib/mutators.ts';
import { createBank } from '../../../../../fixtures/reference-bank/bank.ts';
import { compareCommand } from '../../../../../reports/cli/compare.ts';
import type { Handler } from '../../../../../fixtures/banks/lib/mutant.ts';
import type { BankComparison } from '../../../../../reports/compare/comparison.ts';
import { examineBank } from '../../../support/examine.ts';
import { runInProcess } from '../../../support/command.ts';
import { makeTempDir, makeTempFile } from '../../../support/temp-dir.ts';

test('The compare command shows three banks clause by clause, and lists first the open points with the most answers', async () => {
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
  const comparison = JSON.parse(readFileSync(path.join(folder, 'comparison.json'), 'utf8')) as BankComparison;
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
