/** Tests the verdict, the exit status, the texts and the report of a run, as the README promises them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { editMemberAt, set } from '../../../fixtures/banks/lib/mutators.ts';
import { createBank } from '../../../fixtures/reference-bank/bank.ts';
import type { Handler } from '../../../fixtures/reference-bank/http/serve.ts';
import { checkReportFolder } from '../../../fixtures/runner/preflight/finding.ts';
import type { Report } from '../../../reports/model/report.ts';
import { runConformance, type Ran } from '../support/command.ts';
import { examineBank } from '../support/examine.ts';
import { makeTempDir } from '../support/temp-dir.ts';

const makeBankAnswering = (status: number, body: unknown): Handler => ({
  fetch: () => Response.json(body, { status }),
});

function readVerdict({ status, report }: Ran): readonly [number | null, string | undefined, number | undefined] {
  return [status, report?.verdict, report?.gate.exitStatus];
}

const readGate = ({ verdict, gate }: Report): readonly [string, number] => [verdict, gate.exitStatus];

test('Without BASE_URL, a run judges the embedded reference bank, which is conformant', async () => {
  const embedded = await runConformance({ CI: 'true' });
  expect(readVerdict(embedded), embedded.out).toEqual([0, 'conformant', 0]);
  const lines = embedded.out.trim().split('\n');
  for (const line of [lines[0], lines.at(-1)]) expect(line).toContain('the embedded reference bank, not yours');
  const report = embedded.report as Report;
  expect(report.operations).toHaveLength(11);
  expect(report.operations.filter(({ successes }) => successes === 0)).toEqual([]);
  expect(report.clauses.filter(({ level, verdict }) => level === 'must' && verdict !== 'pass')).toEqual([]);
  expect(report.findings).toEqual([]);
  expect(embedded.out).toContain('Verdict: conformant');
  expect(embedded.out).toContain(`seed ${report.suite.seed}`);
});

for (const [title, bank, gate, named] of [
  [
    'A bank that answers 404 to everything is inconclusive: the reasons name the operations that never succeeded',
    makeBankAnswering(404, { message: 'no such path' }),
    ['inconclusive', 2],
    ['loans', 'pay', 'atm', '404', 'areas'],
  ],
  [
    'A bank that answers {} to everything is not conformant',
    makeBankAnswering(200, {}),
    ['non-conformant', 1],
    ['loans.validation.data', 'loans.application.data', 'links.merchants.data', 'atms.data'],
  ],
] as const)
  test(title, async () => {
    const report = await examineBank(bank, { env: { RUNS: '2' } });
    expect(readGate(report)).toEqual(gate);
    const failed = report.findings.filter(({ verdict }) => verdict === 'fail').map(({ clause }) => clause);
    expect(failed.length > 0).toBe(gate[0] === 'non-conformant');
    const words = [...report.reasons, ...failed].join('\n').toLowerCase();
    for (const word of named) expect(words).toContain(word.toLowerCase());
  });

test('With IN_FLIGHT=1, clauses about concurrent requests are not tested, and the reason names IN_FLIGHT', async () => {
  const { clauses } = await examineBank(createBank(), { env: { AREAS: 'loans', IN_FLIGHT: '1', RUNS: '2' } });
  const why = expect.stringContaining('IN_FLIGHT=1');
  for (const once of ['loans.contract.once', 'loans.disbursement.once'])
    expect(clauses.find(({ id }) => id === once)).toMatchObject({ verdict: 'inconclusive', exercised: 0, why });
});

/** A run of the locator sends more than two hundred requests. */
const MAX_REQUESTS_WITH_BAIL = 50;

test('With BAIL=1, the run ends at the first answer that breaks a clause, and reports the finding', async () => {
  const giveNumbers = editMemberAt('findAtms', '/data/*/atm_no', set(7));
  const report = await examineBank(giveNumbers(createBank()), { env: { AREAS: 'atms', RUNS: '2', BAIL: '1' } });
  expect(readGate(report)).toEqual(['non-conformant', 1]);
  expect(report.reasons.join(' ')).toMatch(/The run ended early: BAIL=1 .* requests? (?:was|were) sent/);
  expect(report.requests).toBeLessThan(MAX_REQUESTS_WITH_BAIL);
});

/** Credentials that appear in no other text by chance. */
const uniqueCredentials = { CLIENT_ID: 'c1-5e7d21', CLIENT_SECRET: 'c2-90ab4f', ACCESS_TOKEN: 'c3-77e310' };

for (const [what, env, words] of [
  [
    'An unreachable host',
    { BASE_URL: 'http://127.0.0.1:9', ...uniqueCredentials },
    ['nothing listens there', 'BASE_URL'],
  ],
  ['A wrong variable', { RUNS: 'many', AREAS: 'cards' }, ['RUNS', 'AREAS']],
] as const)
  test(`${what} ends the run before the first request, with a short explanation and an inconclusive report`, async () => {
    const ran = await runConformance(env);
    expect(readVerdict(ran), ran.out).toEqual([2, 'inconclusive', 2]);
    expect(ran.report?.requests).toBe(0);
    const reasons = ran.report?.reasons.join(' ') ?? '';
    for (const word of words) {
      expect(reasons).toContain(word);
      expect(ran.out).toContain(word);
    }
    for (const secret of Object.values(uniqueCredentials))
      expect(ran.out + JSON.stringify(ran.report)).not.toContain(secret);
    expect(ran.out).not.toMatch(/\n\s+at /);
    expect(ran.out.trim().split('\n').length).toBeLessThanOrEqual(20);
  });

test('A REPORT_DIR that cannot be written is a configuration fault, reported in one sentence', async () => {
  const file = join(makeTempDir(), 'a-file');
  writeFileSync(file, '');
  const { status, report, out } = await runConformance({ REPORT_DIR: file, AREAS: 'atms' });
  expect([status, report]).toEqual([2, null]);
  expect(out.replaceAll(/\s+/g, ' ')).toContain(`REPORT_DIR names ${JSON.stringify(file)}, which cannot`);
  expect(out).not.toContain('The report could not be written');
  // The recursive mkdir of Node.js never returns below /proc.
  for (const folder of [join(file, 'report'), '/proc/report', join(file, '..', 'x'.repeat(300))])
    expect(checkReportFolder(folder)).toMatchObject({ state: 'wrong', says: expect.stringContaining('which cannot') });
});
