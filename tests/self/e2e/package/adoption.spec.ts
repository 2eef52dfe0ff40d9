/** Tests how a new user adds the suite to a repository: with the workflow, the composite action or the container file. */
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import { RENDERINGS } from '../../../../reports/write-report.ts';
import { makeCleanEnvironment, readReport, ROOT_FOLDER, makeSandboxEnv, serveDuring } from '../../support/command.ts';
import { makeTempDir } from '../../support/temp-dir.ts';
import { THOROUGH_ONLY } from '../../support/thorough.ts';

const ACTION_FILE = '.github/actions/conformance/action.yml';

for (const file of ['.github/workflows/conformance.yml', '.github/workflows/suite.yml', ACTION_FILE])
  test(`${file} pins every action to a commit, and no pull request starts a job with secrets`, () => {
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
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: { readonly steps: readonly { name?: string; run?: string; env?: Readonly<Record<string, string>> }[] };
}

/** Runs the step of the composite action with these inputs. Returns its exit status, and its outputs in order. */
async function runAction(folder: string, inputValues: Readonly<Record<string, string>>) {
  const { inputs, runs } = parse(readFileSync(ACTION_FILE, 'utf8')) as Action;
  const { run = 'exit 9', env = {} } = runs.steps.find(({ name }) => name === 'Judge the bank') ?? {};
  // Only the input for the upload of the report is not given to this step.
  const named = Object.values(env).map((value) => /^\$\{\{ inputs\.([a-z-]+) \}\}$/.exec(value)?.[1] ?? value);
  expect([...named, 'artifact-name'].toSorted()).toEqual(Object.keys(inputs).toSorted());
  const filled = Object.keys(env).map((key, at) => [key, inputValues[named[at]!] ?? inputs[named[at]!]?.default ?? '']);
  const output = join(folder, 'output');
  writeFileSync(output, '');
  const more = {
    RUNS: '2',
    GITHUB_ACTION_PATH: join(ROOT_FOLDER, '.github/actions/conformance'),
    GITHUB_OUTPUT: output,
  };
  const ended = promisify(execFile)('bash', ['-e', '-c', run], {
    cwd: folder,
    env: { ...makeCleanEnvironment(), ...Object.fromEntries(filled), ...more },
  });
  const status = await ended.then(
    () => 0,
    ({ code }: { code: number }) => code,
  );
  return { status, outputs: readFileSync(output, 'utf8').trim().split('\n') };
}

test('The composite action outputs gate, report and verdict of its own run, not of an earlier run', async () => {
  const folder = makeTempDir();
  const { url, ...first } = await serveDuring(createBank(), async (url) => {
    const { CLIENT_ID = '', CLIENT_SECRET = '' } = makeSandboxEnv(url);
    const inputValues = { 'base-url': url, 'client-id': CLIENT_ID, 'client-secret': CLIENT_SECRET, areas: 'atms' };
    return { url, given: inputValues, ...(await runAction(folder, inputValues)) };
  });
  expect([first.status, first.outputs]).toEqual([
    0,
    ['gate=passed', 'report=reports/out/conformance.json', 'verdict=conformant'],
  ]);
  // Nothing listens there any more: the report of the first run stays.
  const second = await runAction(folder, { ...first.given, 'base-url': url });
  const attempt = 'reports/out/last-attempt/conformance.json';
  expect([second.status, second.outputs]).toEqual([2, ['gate=failed', `report=${attempt}`, 'verdict=inconclusive']]);
  expect(readReport(join(folder, 'reports/out'))?.headline).toBe('conformant (ATM locator only)');
});

test('Each CI template names FAIL_ON, KNOWN and BASELINE, on which the gate depends', () => {
  for (const file of ['.github/workflows/conformance.yml', '.gitlab-ci.yml', '.ci/conformance.sh', ACTION_FILE])
    for (const name of ['FAIL_ON', 'KNOWN', 'BASELINE']) expect(readFileSync(file, 'utf8'), file).toContain(name);
});

test('The merge job for GitLab also runs where a shard failed, and keeps the Code Quality report', () => {
  const { conformance } = parse(readFileSync('.gitlab-ci.yml', 'utf8')) as {
    conformance: { when: string; variables: object; artifacts: { reports: object } };
  };
  expect(conformance).toMatchObject({
    when: 'always',
    variables: { RENDER: 'gitlab' },
    artifacts: { when: 'always', reports: { codequality: `reports/out/${RENDERINGS['gitlab']!.file}` } },
  });
});

test('A clone made with core.autocrlf=true has unchanged scripts, without the line ends of Windows', () => {
  const folder = makeTempDir();
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-c', 'core.autocrlf=true', '-c', 'user.name=a', '-c', 'user.email=a@b.example', ...words], {
      cwd: folder,
      stdio: 'ignore',
    });
  const files = ['.gitattributes', '.ci/conformance.sh', '.env.example', 'openapi/bank/bank-open-api.yaml'];
  for (const file of files) cpSync(join(ROOT_FOLDER, file), join(folder, file));
  git('init');
  git('add', '.');
  git('commit', '-m', 'as it is');
  for (const file of files) rmSync(join(folder, file));
  git('checkout', '.');
  for (const file of files)
    expect(readFileSync(join(folder, file), 'utf8')).toBe(readFileSync(join(ROOT_FOLDER, file), 'utf8'));
});

test('Both jobs of the workflow for GitHub have the same bank, secrets and seed', () => {
  const { jobs } = parse(readFileSync('.github/workflows/conformance.yml', 'utf8')) as {
    jobs: Record<string, { env: object }>;
  };
  // The report job looks for the secrets that the shard jobs use.
  expect(jobs['conformance']?.env).toEqual(jobs['shard']?.env);
  expect(jobs['shard']?.env).toHaveProperty('SEED');
});

test(
  'conformance.sh judges the embedded bank in two shards, and refuses to run without BASE_URL',
  THOROUGH_ONLY,
  () => {
    const runScript = (words: readonly string[], env: object) =>
      spawnSync('.ci/conformance.sh', words, { encoding: 'utf8', env: { ...makeCleanEnvironment(), ...env } });
    const withoutBank = runScript([], {});
    expect([withoutBank.status, withoutBank.stderr]).toEqual([2, expect.stringContaining('BASE_URL is not set')]);
    const folder = makeTempDir();
    const { status, stdout } = runScript(['--embedded'], { REPORT_DIR: folder, SHARDS: '2', AREAS: 'atms', RUNS: '1' });
    expect(status, stdout).toBe(0);
    expect(readReport(folder)).toMatchObject({ verdict: 'conformant', target: { areas: ['atms'] } });
  },
);
