/** Tests what replay takes from the report of a stranger: the scenarios to run, and no setting or address. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { variableNames } from '../../../../fixtures/run/config/variables/index.ts';
import { makeOverlay } from '../../support/configuration.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import { replayCommand } from '../../../../reports/cli/replay.ts';
import { hashText } from '../../../../openapi/util/hash.ts';
import type { Report } from '../../../../reports/model/report.ts';
import {
  makeSandboxEnv,
  makeScriptWords,
  ROOT_FOLDER,
  runProcess,
  runWithEnv,
  serveDuring,
} from '../../support/command.ts';
import { expect, test } from '../../support/reports/samples.ts';
import { makeTempDir, makeTempFile } from '../../support/temp-dir.ts';

test.describe.configure({ mode: 'parallel' });

/** Variables that control a process, its package manager, its test runner or its network access. */
const foreignVariables =
  'NODE_OPTIONS NODE_EXTRA_CA_CERTS npm_config_script_shell npm_config_node_options PLAYWRIGHT_BLOB_OUTPUT_FILE PW_TEST_REPORTER TEST_WORKER_INDEX BANK_OPEN_API_RUN http_proxy ALL_PROXY no_proxy SSLKEYLOGFILE PATH LD_PRELOAD BASH_ENV SHELL HOME TMPDIR GITHUB_ENV CI __proto__ constructor'.split(
    ' ',
  );

const writeReportFile = (report: Report): string => makeTempFile('conformance.json', JSON.stringify(report));

const runReplay = (env: Readonly<Record<string, string>>, report: Report, ...words: readonly string[]) =>
  runWithEnv(replayCommand, env, writeReportFile(report), '1', ...words);

const withBaseUrl = (report: Report, baseUrl: string): Report => ({ ...report, target: { ...report.target, baseUrl } });

test('Replay uses no setting of the report, and its plan names the settings that differ', async ({ faulty }) => {
  const env = { ...makeSandboxEnv('https://bank.example'), MAX_LINKS: '3', LANGUAGES: 'EN' };
  const replay = (settings: Readonly<Record<string, string>>) =>
    runReplay(
      env,
      withBaseUrl({ ...faulty, suite: { ...faulty.suite, settings } }, 'https://bank.example'),
      '--dry-run',
    );
  const names = [...variableNames, ...foreignVariables];
  const stated = Object.fromEntries(names.map((name) => [name, 'http://127.0.0.1:9/$(touch x)']));
  const [plain, stating] = [await replay({ MAX_LINKS: '3' }), await replay({ ...stated, LANGUAGES: 'EN' })];
  expect([plain.status, stating.status]).toEqual([0, 0]);
  const note = /^ {2}- ([A-Z_, ]+ and [A-Z_]+) were different in the run: .*\n/m;
  expect(stating.out.replace(note, '')).toBe(plain.out);
  const named = note.exec(stating.out)?.[1] ?? '';
  for (const name of ['MAX_LINKS', 'AMOUNTS', 'RUNS', 'HOOKS']) expect(named).toContain(name);
  for (const name of ['LANGUAGES', 'BASE_URL', 'CLIENT_SECRET', 'NODE_OPTIONS', 'PATH'])
    expect(named.split(/, | and /)).not.toContain(name);
});

test('Replay refuses a report whose bank has another address than BASE_URL of the user', async ({ faulty }) => {
  const { BASE_URL: _, ...credentials } = makeSandboxEnv('');
  const ownUrl = 'https://bank.example';
  const asks =
    /^Sending again: .*\nPlan:\n {2}- “.*”.*, at https:\/\/bank\.example\/gateway\.\n[^]*^ {2}- (?:at most .*|nothing is created) on bank\.example\.$/m;
  const refuses = /^The report is on [^\n]*: give the bank to ask with --base-url, [^\n]*\.\n$/;
  for (const [reportUrl, userUrl, status, said] of [
    ['https://bank.example.evil.example', ownUrl, 2, refuses],
    ['https://bank.example@evil.example', ownUrl, 2, refuses],
    ['https://bank.example\\@evil.example', ownUrl, 2, refuses],
    ['https://bank.example:444', ownUrl, 2, refuses],
    ['http://bank.example', ownUrl, 2, refuses],
    ['https://bank.example/a/../b', `${ownUrl}/b`, 2, refuses],
    ['https://bank.example/Gateway', `${ownUrl}/gateway`, 2, refuses],
    ['file:///etc/passwd', ownUrl, 2, refuses],
    ['', ownUrl, 2, refuses],
    ['https://bank.example', undefined, 2, refuses],
    ['HTTPS://BANK.example:443/gateway/', `${ownUrl}/gateway`, 0, asks],
    ['https://bank.example/gateway', `${ownUrl}/gateway`, 0, asks],
  ] as const) {
    const caps = { MAX_LINKS: '3', MAX_APPLICATIONS: '4', MAX_DISBURSEMENTS: '2' };
    const env = userUrl === undefined ? {} : { ...credentials, ...caps, BASE_URL: userUrl };
    // If the user gives no address, only a dry run takes the address of the report.
    const dry = userUrl === undefined ? [] : ['--dry-run'];
    const ran = await runReplay(env, withBaseUrl(faulty, reportUrl), ...dry);
    expect([reportUrl, ran.status, ran.out]).toEqual([reportUrl, status, expect.stringMatching(said)]);
  }
});

test('Replay does not read the .env of the current folder, but reads a file given with --env-file', async ({
  faulty,
}) => {
  const file = writeReportFile(withBaseUrl(faulty, 'https://bank.example'));
  const cwd = makeTempDir();
  const values = 'BASE_URL=https://bank.example\nCLIENT_ID=a\nCLIENT_SECRET=b\nACCESS_TOKEN=c\nMAX_LINKS=3\n';
  writeFileSync(join(cwd, '.env'), values);
  const replay = (...words: readonly string[]) =>
    runProcess(makeScriptWords(join(ROOT_FOLDER, 'reports/cli/replay.ts'), file, '1', ...words), {}, { cwd });
  const unread = await replay();
  expect([unread.status, unread.out]).toEqual([2, expect.stringContaining('BASE_URL is not set')]);
  const dry = await replay('--dry-run');
  expect(dry.out).toContain('the .env of this folder is not read: if it is yours, give it with --env-file .env.');
  const given = await replay('--dry-run', '--env-file', '.env');
  expect(given.out).toContain('\n  - the bank is https://bank.example, from .env.\n');
  // A file that cannot be read, or sets what no variable is, harms nobody who did not give it.
  writeFileSync(join(cwd, '.env'), 'OVERLAY=nowhere.yaml\nNONSENSE=1\n');
  const harmless = await replay('--dry-run');
  expect([harmless.status, harmless.out]).toEqual([0, expect.not.stringContaining('nowhere')]);
});

test('A dry run and a refused replay send no request, and start no module that the report names', async ({
  faulty,
}) => {
  const folder = makeTempDir();
  const mark = join(folder, 'mark');
  const writes = `data:text/javascript,import('node:fs').then((fs)=>fs.writeFileSync(${JSON.stringify(mark)},''))`;
  await serveDuring(createBank(), async (url, countRequests) => {
    const settings = {
      NODE_OPTIONS: `--import=${writes}`,
      HOOKS: `${mark}.mjs`,
      OVERLAY: '/etc/passwd',
      BASE_URL: url,
    };
    const report = withBaseUrl({ ...faulty, suite: { ...faulty.suite, settings } }, url);
    const dry = await runReplay(makeSandboxEnv(url), report, '--dry-run');
    expect([dry.status, dry.out]).toEqual([0, expect.stringContaining('OVERLAY and HOOKS were different in the run')]);
    expect(countRequests()).toBe(0);
    const [first, ...others] = report.findings;
    // With these paths, fast-check would generate values for very long before it reaches the chosen case.
    const [scenario] = first!.replay.split(/[,#]/);
    const endlessPaths = [`${scenario}#a#2000000000`, `${scenario}#a#0:99999`, `${scenario}#a#0${':0'.repeat(5000)}`];
    const wrongNames = ['no-such-scenario', '--config=x', '../../x', 'a,,b', 'a#b#c', `${first!.replay}\n--help`, ''];
    for (const replay of [...wrongNames, ...endlessPaths]) {
      const findings = [{ ...first!, replay }, ...others];
      const { status, out } = await runReplay(makeSandboxEnv(url), { ...report, findings });
      expect([status, out]).toEqual([
        2,
        expect.stringMatching(/^The finding names .*, which is no scenario of this version[^\n]*\n$/),
      ]);
    }
    expect(countRequests()).toBe(0);
    // The same settings, in a real replay, which one scenario settles.
    const settled = { ...report, findings: [{ ...first!, kind: 'behaviour' as const }] };
    const asking = await runReplay(makeSandboxEnv(url), settled);
    expect([0, 1, 2]).toContain(asking.status);
    expect(countRequests()).toBeGreaterThan(0);
  });
  expect(existsSync(mark)).toBe(false);
});

test('Replay of a run with OVERLAY needs the same overlay from the user', async ({ faulty }) => {
  const [text, other] = [1, 2].map((length) =>
    makeOverlay({ target: '$.components.schemas.Atm.properties.atm_name', update: { minLength: length } }),
  ) as [string, string];
  const same = makeTempFile('same.json', text);
  const own = withBaseUrl(faulty, 'https://bank.example');
  const overlay = { title: 'Acme', digest: hashText(text), contractDigest: '', actions: 1 };
  const changed = { ...own, suite: { ...own.suite, overlay, settings: { OVERLAY: same } } };
  for (const [report, named, says] of [
    [changed, null, /^The run was judged with the overlay “Acme”: name its file with --overlay\.\n$/],
    [changed, makeTempFile('other.json', other), /is not the overlay that the run was judged with\.\n$/],
    [own, same, /^The run had no overlay: leave out --overlay or OVERLAY\.\n$/],
    [changed, same, /^Sending again: /],
    // A run also skips the byte order mark.
    [changed, makeTempFile('marked.json', `\ufeff${text}`), /^Sending again: /],
  ] as const) {
    const words = named === null ? ['--dry-run'] : ['--dry-run', '--overlay', named];
    expect((await runReplay(makeSandboxEnv('https://bank.example'), report, ...words)).out).toMatch(says);
  }
});

test('Verify with an overlay that cannot be applied ends with exit status 2', async ({ good }) => {
  const text = makeOverlay({ target: '$.components.schemas.Atm', update: { maxProperties: 'many' } });
  const overlay = { title: 'Acme', digest: hashText(text), contractDigest: '', actions: 1 };
  const file = writeReportFile({ ...good, suite: { ...good.suite, overlay } });
  const words = makeScriptWords('reports/cli/verify.ts', file, '--overlay', makeTempFile('overlay.json', text));
  const { status, out } = await runProcess(words, makeSandboxEnv('https://bank.example'));
  expect([status, out]).toEqual([2, expect.stringMatching(/^OVERLAY cannot be applied to the contract: [^\n]+\n$/)]);
});
