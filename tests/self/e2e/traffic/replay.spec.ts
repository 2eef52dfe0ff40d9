/** Tests that `npm run replay` repeats exactly the requests of one finding, even if the environment has other settings. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { findByName } from '../../../../fixtures/banks/lib/mutant.ts';
import { crashWhen } from '../../../../fixtures/banks/lib/serving.ts';
import { realisticFaults } from '../../../../fixtures/banks/realistic-faults/index.ts';
import { findMutant } from '../../../../fixtures/banks/mutants/index.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import { operations } from '../../../../openapi/contract/operations.ts';
import { needsOneScenario, replayCommand } from '../../../../reports/cli/replay.ts';
import type { Finding } from '../../../../reports/model/report.ts';
import { formatOperationName } from '../../../../reports/text/phrases.ts';
import { judgeBank, runInProcess, readReport, makeSandboxEnv, runWithEnv, serveDuring } from '../../support/command.ts';
import { examineUrl } from '../../support/examine.ts';
import { makeTempDir, makeTempFile } from '../../support/temp-dir.ts';
import { faultyReport } from '../../support/reports/sample-report.ts';
import { THOROUGH_ONLY } from '../../support/thorough.ts';

test.describe.configure({ mode: 'default' });

const makeBank = (mutant: string) => findMutant(mutant).mutate(createBank());

/** Runs `npm run replay` against the bank at `url`. SEED differs from the seed of the report, which replay has to use. */
const runReplay = (url: string, words: readonly string[], more: Readonly<Record<string, string>> = {}) =>
  runWithEnv(
    replayCommand,
    { ...makeSandboxEnv(url), ...{ SEED: '99', RUNS: '3', MAX_LINKS: '500', ...more } },
    ...words,
  );

const folder = makeTempDir();
const file = join(folder, 'conformance.json');
/** The findings of a run against a bank whose payment links contain another token than `payment_token`. */
let findings: readonly Finding[];

test.beforeAll(async () => {
  const settings = { REPORT_DIR: folder, SEED: '5', AREAS: 'payment-links', RUNS: '3' };
  const ran = await judgeBank(makeBank('link-with-another-token'), settings);
  expect(ran.out).toContain(`npm run replay -- ${file} 1`);
  ({ findings } = ran.report!);
});

test('Replay reproduces a finding at the faulty bank, and not at a bank without the fault', async () => {
  const requests = readReport(folder)!.requests;
  await serveDuring(makeBank('link-with-another-token'), async (url, countRequests) => {
    const replayed = await runReplay(url, [file, '1', '--base-url', url]);
    expect([replayed.status, replayed.out]).toEqual([1, expect.stringMatching(/^Reproduced: expected/m)]);
    expect(replayed.out).not.toContain('The finding did not occur alone');
    const planned = Number(/at most (\d+) payment links/.exec(replayed.out)?.[1] ?? 0);
    const { createdResources, findings: reproduced, suite } = readReport(join(folder, 'replay'))!;
    expect(createdResources.counts.link).toBeLessThanOrEqual(planned);
    expect(countRequests()).toBeLessThan(Math.min(120, requests));
    expect(reproduced.map(({ id }) => id)).toContain(findings[0]?.id);
    expect([suite.seed, suite.runs]).toEqual([5, 3]);
  });
  await serveDuring(createBank(), async (url) => {
    const fixed = await runReplay('http://127.0.0.1:1', [file, String(findings[0]?.id), '--base-url', url]);
    expect([fixed.status, fixed.out]).toEqual([0, expect.stringMatching(/^Not reproduced: fixed\?/m)]);
  });
  expect(readReport(folder)?.findings, 'the report that was given stays').toEqual(findings);
});

const firewallFault = findByName(realisticFaults, 'realistic fault', 'minus-signs-blocked-by-the-firewall');
for (const [what, bank, areas, isSought, says] of [
  [
    'from a paired comparison, and shows both requests',
    firewallFault.mutate(createBank(), Date),
    'atms',
    ({ clause, verdict, pointer }: Finding) =>
      pointer === 'request/query/latitude' && clause === 'atms.refusal-explained' && verdict === 'warning',
    /^Reproduced: expected.*\n {2}sent {4}GET .*: status 403\n {2}beside {2}GET .*: status 200$/m,
    {},
  ],
  // The scenario alone sends nothing, because it needs data from other scenarios of the area.
  [
    'whose scenario needs test data that other scenarios found',
    crashWhen('requestLoan', ({ sent }) => sent['commercial_disbursement'] === false)(createBank()),
    'loans',
    ({ operation }: Finding) => operation === formatOperationName(operations.requestLoan),
    /^Reproduced: expected/m,
  ],
] as const)
  test(`Replay reproduces a finding ${what}`, THOROUGH_ONLY, async () => {
    await serveDuring(bank, async (url) => {
      const settings = { RUNS: '3' };
      const report = await examineUrl(url, { env: { AREAS: areas, ...settings } });
      const file = makeTempFile(
        'conformance.json',
        JSON.stringify({ ...report, suite: { ...report.suite, settings } }),
      );
      const replayed = await runReplay(url, [file, String(report.findings.find(isSought)?.id)]);
      expect([replayed.status, replayed.out]).toEqual([1, expect.stringMatching(says)]);
    });
  });

test('A finding that some answers did not show is replayed with more than its scenario, unless it was classified', () => {
  const finding = { ...faultyReport.findings[0]!, kind: 'value', alone: true, classification: null } as const;
  const classification = { as: 'deterministic', broken: 2, exercised: 3, again: 4, of: 4, why: '' } as const;
  expect(needsOneScenario({ ...finding, answers: 3, exercised: 3 })).toBe(true);
  expect(needsOneScenario({ ...finding, answers: 2, exercised: 3 })).toBe(false);
  expect(needsOneScenario({ ...finding, answers: 2, exercised: 3, classification })).toBe(true);
});

test('A finding that cannot be replayed is refused in one sentence, and the caps hold for all requests of a replay', async () => {
  const report = readReport(folder)!;
  const comesAndGoes = { ...report.findings[0], classification: null, answers: 1, exercised: 3 };
  const changed = makeTempFile('conformance.json', JSON.stringify({ ...report, findings: [comesAndGoes] }));
  const dry = await runWithEnv(replayCommand, { ACCESS_TOKEN_COMMAND: 'no-such-command' }, changed, '1', '--dry-run');
  expect([dry.status, dry.out]).toEqual([0, expect.stringContaining(`, at ${report.target.baseUrl}.`)]);
  const unreachable = await runReplay(report.target.baseUrl, [changed, '1']);
  expect([unreachable.status, unreachable.out]).toEqual([
    2,
    expect.stringMatching(/^Could not be sent: No request can be sent to/m),
  ]);
  const bank = createBank();
  const limited = await serveDuring(bank, (url) =>
    runReplay(url, [changed, '1', '--base-url', url], { MAX_LINKS: '9' }),
  );
  expect(limited.out).toContain('The finding did not occur alone');
  expect(bank.state.links.length).toBeGreaterThan(1);
  expect(bank.state.links.length).toBeLessThanOrEqual(9);
  writeFileSync(join(dirname(changed), 'junit.xml'), '<testsuites/>');
  for (const [words, says] of [
    [[changed, '99'], /has no finding "99": give a number from 1 to \d+, or the id of a finding\.\n$/],
    [[join(dirname(changed), 'no.json'), '1'], /no\.json is not there: correct the path\.\n$/],
    [[join(dirname(changed), 'junit.xml'), '1'], /junit\.xml is not JSON\.\n$/],
    [[changed], /^2 arguments are needed, and 1 is given\.\n\nSends the requests of a finding again/],
  ] as const) {
    const { status, out } = await runInProcess(replayCommand, ...words);
    expect([status, out]).toEqual([2, expect.stringMatching(says)]);
  }
});

test(
  'Replay tries a finding about concurrent requests several times, and the caps hold for all tries together',
  THOROUGH_ONLY,
  async () => {
    const maxDisbursements = 20;
    await serveDuring(makeBank('second-disbursement-at-the-same-time-accepted'), async (url, countRequests) => {
      const report = await examineUrl(url, { env: { AREAS: 'loans', RUNS: '1' } });
      const race = report.findings.find(({ clause }) => clause === 'loans.disbursement.once');
      const shown = [race?.concurrent, race?.exchange].map((id) => report.exchanges[id ?? '']?.response?.status);
      expect(shown).toEqual([200, 200]);
      const raceFile = makeTempFile(
        'conformance.json',
        JSON.stringify({ ...report, suite: { ...report.suite, settings: {} } }),
      );
      const before = countRequests();
      const replayed = await runReplay(url, [raceFile, String(race?.id)], {
        MAX_DISBURSEMENTS: String(maxDisbursements),
      });
      expect([replayed.status, replayed.out]).toEqual([
        1,
        expect.stringMatching(/^Reproduced: in 2 of 2 tries, and the caps allowed no more\./m),
      ]);
      expect(replayed.out).not.toContain('The finding did not occur alone');
      expect(countRequests() - before).toBeLessThan(100);
    });
  },
);
