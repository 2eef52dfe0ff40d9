/** `npm run replay` repeats exactly the requests of one finding, even if the environment has other settings. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { operations } from '../../../../openapi/contract/operations.ts';
import { incidents } from '../../../../fixtures/banks/incidents/index.ts';
import { findMutant } from '../../../../fixtures/banks/mutants/index.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import type { Handler } from '../../../../fixtures/reference-bank/http/serve.ts';
import { isOfOneScenario, replayCommand, listSides } from '../../../../reports/cli/replay.ts';
import { nameOperation } from '../../../../reports/text/phrases.ts';
import {
  runConformance,
  runInProcess,
  readReport,
  makeSandboxEnv,
  runWithEnv,
  serveDuring,
  type Ran,
} from '../../support/command.ts';
import { createInstantClock, examineBank, examineUrl } from '../../support/examine.ts';
import { makeTempDir } from '../../support/temp-dir.ts';
import { faultyReport, makeRecord } from '../../support/reports/sample-report.ts';
import { THOROUGH_ONLY } from '../../support/thorough.ts';

test.describe.configure({ mode: 'default' });

/** Runs the command as its user types it: with a bank at `url`, and with settings for other runs. */
const runReplay = (url: string, ...words: readonly string[]) =>
  runWithEnv(replayCommand, { ...makeSandboxEnv(url), SEED: '99', AMOUNTS: '1', MAX_LINKS: '500' }, ...words);

const makeFaultyBank = (name: string): Handler => findMutant(name).mutate(createBank());

test('A finding is reproduced, and is not reproduced after its fix', async () => {
  const folder = makeTempDir();
  const file = join(folder, 'conformance.json');
  const ran: Ran = await serveDuring(makeFaultyBank('link-with-another-token'), async (url, asked) => {
    const first = await runConformance({
      ...makeSandboxEnv(url),
      AREAS: 'payment-links',
      REPORT_DIR: folder,
      SEED: '5',
      RUNS: '2',
    });
    expect(first.out).toContain(`npm run replay -- ${file} 1`);
    const before = asked();
    const again = await runReplay(url, file, '1');
    expect([again.status, again.out]).toEqual([1, expect.stringMatching(/^Reproduced: expected/m)]);
    expect(again.out).not.toContain('It did not show alone');
    const planned = Number(/at most (\d+) payment links/.exec(again.out)?.[1] ?? 0);
    expect(readReport(join(folder, 'replay'))?.createdResources.counts.link).toBeLessThanOrEqual(planned);
    expect(asked() - before).toBeLessThan(Math.min(120, before));
    return first;
  });
  const finding = ran.report?.findings[0];
  const replayed = readReport(join(folder, 'replay'))!;
  expect(replayed.findings.map(({ id }) => id)).toContain(finding?.id);
  expect([replayed.suite.seed, replayed.suite.runs]).toEqual([5, 2]);
  await serveDuring(createBank(), async (url) => {
    const fixed = await runReplay('http://127.0.0.1:1', file, String(finding?.id), '--base-url', url);
    expect([fixed.status, fixed.out]).toEqual([0, expect.stringMatching(/^Not reproduced: fixed\?/m)]);
  });
  expect(readReport(folder), 'the report that was given stays').toEqual(ran.report);
});

test('A replay of a warning from a contrast sends both sides, and names them', THOROUGH_ONLY, async () => {
  const folder = makeTempDir();
  const file = join(folder, 'conformance.json');
  const bank = incidents.find(({ name }) => name === 'minus-signs-blocked-by-the-firewall')!.mutate(createBank(), Date);
  await serveDuring(bank, async (url) => {
    const report = await examineUrl(url, { env: { AREAS: 'atms' }, clock: createInstantClock(), seed: 5 });
    writeFileSync(file, JSON.stringify(report));
    const finding = report.findings.find(({ pointer }) => pointer === 'request/query/latitude');
    expect(finding).toMatchObject({ clause: 'atms.refusal-explained', verdict: 'warning' });
    const again = await runReplay(url, file, String(finding?.id));
    expect([again.status, again.out]).toEqual([
      1,
      expect.stringMatching(
        /^Reproduced: expected.*\n {2}sent {4}GET .*: status 403\n {2}beside {2}GET .*: status 200$/m,
      ),
    ]);
  });
});

test('Both sides of a contrast have one line, with the body', () => {
  const exchanges = { x: makeRecord('x', 'requestLoan'), y: makeRecord('y', 'requestLoan', { status: 400 }) };
  const sides = listSides(
    { ...faultyReport.findings[0]!, exchange: 'x', contrast: 'y' },
    { ...faultyReport, exchanges },
  );
  expect(sides).toEqual([
    '  sent    POST /api/bank/revolving-loans/v1/loans {"amount":100}: status 200',
    '  beside  POST /api/bank/revolving-loans/v1/loans {"amount":100}: status 400',
  ]);
});

/** This scenario alone sends nothing: other scenarios of its area find what it needs. */
test('A finding is reproduced whose scenario needs test data that other scenarios found', THOROUGH_ONLY, async () => {
  const folder = makeTempDir();
  const file = join(folder, 'conformance.json');
  await serveDuring(makeFaultyBank('crash-on-false-flag'), async (url) => {
    const { report } = await runConformance({ ...makeSandboxEnv(url), AREAS: 'loans', REPORT_DIR: folder, SEED: '5' });
    const finding = report?.findings.find((entry) => entry.operation === nameOperation(operations.requestLoan));
    const again = await runReplay(url, file, String(finding?.id));
    expect([again.status, again.out]).toEqual([1, expect.stringMatching(/^Reproduced: expected/m)]);
  });
});

test('Findings that cannot be replayed are reported in one sentence', async () => {
  const folder = makeTempDir();
  const file = join(folder, 'conformance.json');
  const env = { OPERATIONS: 'createPaymentLink', RUNS: '1', MAX_LINKS: '3' };
  const report = await examineBank(makeFaultyBank('link-with-another-token'), { env });
  writeFileSync(file, JSON.stringify(report));
  const dry = await runWithEnv(replayCommand, { ACCESS_TOKEN_COMMAND: 'no-such-command' }, file, '1', '--dry-run');
  expect([dry.status, dry.out]).toEqual([0, expect.stringContaining(`, at ${report.target.baseUrl}.`)]);
  writeFileSync(join(folder, 'junit.xml'), '<testsuites/>');
  const nobody = await runReplay(report.target.baseUrl, file, '1');
  expect([nobody.status, nobody.out]).toEqual([
    2,
    expect.stringMatching(/^Could not be asked: No request can be sent to/m),
  ]);
  for (const [words, says] of [
    [[file, '99'], /has no finding "99": give a number from 1 to \d+, or the id of a finding\.\n$/],
    [[join(folder, 'no.json'), '1'], /^There is no file .*no\.json\.\n$/],
    [[join(folder, 'junit.xml'), '1'], /junit\.xml is not a report: /],
    [[file], /^2 arguments are needed, and 1 is given\.\n\nSends the requests of a finding again/],
  ] as const) {
    const { status, out } = await runInProcess(replayCommand, ...words);
    expect([status, out]).toEqual([2, expect.stringMatching(says)]);
  }
});

test('A replay of one scenario does not settle a finding that comes and goes', async () => {
  const report = await examineBank(makeFaultyBank('link-with-another-token'), {
    env: { AREAS: 'payment-links', RUNS: '1' },
  });
  const [finding] = report.findings;
  expect(finding).toBeDefined();
  const always = { ...finding!, classification: null, answers: 3, exercised: 3 };
  expect(isOfOneScenario(always)).toBe(true);
  expect(isOfOneScenario({ ...always, answers: 2 })).toBe(false);
  const classification = { as: 'deterministic', broken: 2, exercised: 3, again: 4, of: 4, why: '' } as const;
  expect(isOfOneScenario({ ...always, answers: 2, classification })).toBe(true);
});

test('The caps limit all requests of a replay, even if all scenarios of the area run', async () => {
  const report = await examineBank(makeFaultyBank('link-with-another-token'), {
    env: { AREAS: 'payment-links', RUNS: '3' },
  });
  const file = join(makeTempDir(), 'conformance.json');
  const comesAndGoes = { ...report.findings[0], classification: null, answers: 1, exercised: 3 };
  writeFileSync(file, JSON.stringify({ ...report, findings: [comesAndGoes] }));
  const bank = createBank();
  const { out } = await serveDuring(bank, (url) =>
    runWithEnv(replayCommand, { ...makeSandboxEnv(url), MAX_LINKS: '9' }, file, '1', '--base-url', url),
  );
  expect(out).toContain('It did not show alone');
  expect(bank.state.links.length).toBeGreaterThan(1);
  expect(bank.state.links.length).toBeLessThanOrEqual(9);
});
