/** Tests how a new user adds the suite to a repository: with the workflow, the composite action or the container file. */
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import { makeCleanEnvironment, readReport, ROOT_FOLDER, makeSandboxEnv, serveDuring } from '../../support/command.ts';
import { makeTempDir } from '../../support/temp-dir.ts';
import { THOROUGH_ONLY } from '../../support/thorough.ts';

const ACTION_FILE = '.github/actions/conformance/action.yml';

for (const file of ['.github/workflows/conformance.yml', '.github/workflows/suite.yml', ACTION_FILE])
  test(`Every action is pinned to a commit, and no pull request starts what has secrets: ${file}`, () => {
    const text = readFileSync(file, 'utf8');
    const used = [...text.matchAll(/uses: [\w./-]+@(.*)/g)].map(([, at]) => at);
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((at) => !/^[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(String(at)))).toEqual([]);
    const { on = {}, permissions } = parse(text) as { on?: object; permissions?: object };
    expect(text.includes('secrets.') && JSON.stringify(on).includes('pull_request')).toBe(false);
    if (file !== ACTION_FILE) expect(permissions).toEqual({ contents: 'read' });
    if (text.includes('actions/checkout@')) expect(text).toContain('persist-credentials: false');
  });

test('The image is built from a list of files without credentials, and its user is not root', () => {
  const lines = readFileSync('.dockerignore', 'utf8').split('\n');
  expect(lines).toEqual(expect.arrayContaining(['*', 'reports/out', '**/.env']));
  expect(lines.filter((line) => /^!(?:\.env|\.git|node_modules|dist)/.test(line))).toEqual([]);
  expect(readFileSync('.container/Containerfile', 'utf8')).toMatch(/^USER node$/m);
});

interface Action {
  readonly inputs: object;
  readonly runs: { readonly steps: readonly { name?: string; run?: string; env?: Readonly<Record<string, string>> }[] };
}

test('The step of the composite action judges a bank by its inputs', async () => {
  const { inputs, runs } = parse(readFileSync(ACTION_FILE, 'utf8')) as Action;
  const { run = 'exit 9', env = {} } = runs.steps.find(({ name }) => name === 'Judge the bank') ?? {};
  const folder = makeTempDir();
  await serveDuring(createBank(), async (url) => {
    const { CLIENT_ID, CLIENT_SECRET } = makeSandboxEnv(url);
    const given: Readonly<Record<string, string | undefined>> = {
      ...{ 'base-url': url, 'client-id': CLIENT_ID, 'client-secret': CLIENT_SECRET, 'access-token': '' },
      ...{ 'target-name': 'A bank', areas: 'atms', strict: '0', 'report-dir': join(folder, 'report') },
      'artifact-name': 'report',
    };
    expect(Object.keys(inputs)).toEqual(Object.keys(given));
    const filled = Object.entries(env).map(([key, value]) => [
      key,
      given[/^\$\{\{ inputs\.([a-z-]+) \}\}$/.exec(value)?.[1] ?? ''],
    ]);
    const more = {
      RUNS: '2',
      GITHUB_ACTION_PATH: join(ROOT_FOLDER, '.github/actions/conformance'),
      GITHUB_OUTPUT: join(folder, 'output'),
    };
    // Rejects if the step fails.
    await promisify(execFile)('bash', ['-e', '-c', run], {
      cwd: folder,
      env: { ...makeCleanEnvironment(), ...Object.fromEntries(filled), ...more },
    });
  });
  expect(readReport(join(folder, 'report'))?.headline).toBe('conformant (ATM locator only)');
  expect(readFileSync(join(folder, 'output'), 'utf8')).toContain('verdict=conformant\n');
});

test('Both jobs of the workflow for GitHub have the same bank, secrets and seed', () => {
  const { jobs } = parse(readFileSync('.github/workflows/conformance.yml', 'utf8')) as {
    jobs: Record<string, { env: object }>;
  };
  // The report job looks for the secrets that the shard jobs use.
  expect(jobs['conformance']?.env).toEqual(jobs['shard']?.env);
  expect(jobs['shard']?.env).toHaveProperty('SEED');
});

test('The plain script judges in shards, and judges nothing if no bank is named', THOROUGH_ONLY, () => {
  const started = (words: readonly string[], env: object) =>
    spawnSync('.ci/conformance.sh', words, { encoding: 'utf8', env: { ...makeCleanEnvironment(), ...env } });
  const nobody = started([], {});
  expect([nobody.status, nobody.stderr]).toEqual([2, expect.stringContaining('BASE_URL is not set')]);
  const folder = makeTempDir();
  const { status, stdout } = started(['--embedded'], { REPORT_DIR: folder, SHARDS: '2', AREAS: 'atms', RUNS: '1' });
  expect(status, stdout).toBe(0);
  expect(readReport(folder)).toMatchObject({ verdict: 'conformant', target: { areas: ['atms'] } });
});
