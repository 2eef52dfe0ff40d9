/** Tests how a new user adds the suite to a repository: with the workflow, the composite action or the container file. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import { makeCleanEnvironment, readReport, ROOT_FOLDER, makeSandboxEnv, serveDuring } from '../../support/command.ts';
import { makeTempDir } from '../../support/temp-dir.ts';

const { name } = JSON.parse(readFileSync('package.json', 'utf8')) as { name: string };

test('Every action is pinned to a commit, and no pull request starts a workflow that has secrets', async () => {
  const own = ['workflows/conformance.yml', 'workflows/suite.yml', 'actions/conformance/action.yml'];
  const files = own.map((file) => join('.github', file));
  const pinned = new Map<string, Set<string>>();
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    for (const [, action = '', at = ''] of text.matchAll(/uses: ([\w./-]+)@(.*)/g)) {
      expect([file, at]).toEqual([file, expect.stringMatching(/^[0-9a-f]{40} # v\d+\.\d+\.\d+$/)]);
      pinned.set(action, (pinned.get(action) ?? new Set()).add(at));
    }
    const { on = {}, permissions } = parse(text) as { on?: object; permissions?: object };
    expect([file, text.includes('secrets.') && /pull_request/.test(JSON.stringify(on))]).toEqual([file, false]);
    if (file.includes('workflows')) expect([file, permissions]).toEqual([file, { contents: 'read' }]);
    if (text.includes('actions/checkout@')) expect(text).toContain('persist-credentials: false');
  }
  // Every action has the same version everywhere.
  expect([...pinned.values()].every((versions) => versions.size === 1)).toBe(true);
  expect(pinned.size).toBe(4);
});

test('The image is built from a list of files; none of them holds credentials', () => {
  const lines = readFileSync('.dockerignore', 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(lines[0]).toBe('*');
  const allowed = lines.flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
  expect(allowed.filter((name) => !existsSync(name))).toEqual([]);
  expect(allowed.filter((name) => /^(?:\.env|\.git|node_modules|dist)/.test(name))).toEqual([]);
  expect(lines.slice(-3)).toEqual(['reports/out', '**/.env', '**/node_modules']);
});

interface Action {
  readonly inputs: Readonly<Record<string, object>>;
  readonly runs: {
    readonly steps: readonly {
      readonly name?: string;
      readonly run?: string;
      readonly env?: Readonly<Record<string, string>>;
    }[];
  };
}

test('The step of the composite action judges a bank by its inputs', async () => {
  const action = parse(readFileSync('.github/actions/conformance/action.yml', 'utf8')) as Action;
  const step = action.runs.steps.find((entry) => entry.name === 'Judge the bank');
  const folder = makeTempDir();
  await serveDuring(createBank(), async (url) => {
    const given = makeSandboxEnv(url);
    const inputs: Readonly<Record<string, string | undefined>> = {
      'base-url': url,
      'client-id': given['CLIENT_ID'],
      'client-secret': given['CLIENT_SECRET'],
      'access-token': '',
      areas: 'atms',
      strict: '0',
      'report-dir': join(folder, 'report'),
    };
    expect(Object.keys(action.inputs)).toEqual(Object.keys(inputs));
    const env = Object.entries(step?.env ?? {}).map(([key, value]) => [
      key,
      inputs[/^\$\{\{ inputs\.([a-z-]+) \}\}$/.exec(value)?.[1] ?? ''],
    ]);
    const more = { RUNS: '2', GITHUB_ACTION_PATH: join(ROOT_FOLDER, '.github/actions/conformance') };
    // Rejects if the step fails.
    await promisify(execFile)('bash', ['-e', '-c', step?.run ?? 'exit 9'], {
      cwd: folder,
      env: { ...makeCleanEnvironment(), ...Object.fromEntries(env), ...more },
    });
  });
  expect(readReport(join(folder, 'report'))?.headline).toBe('conformant (ATM locator only)');
});

test('The container installs the tarball and starts its command', () => {
  const text = readFileSync('.container/Containerfile', 'utf8');
  expect(text).toContain(`/tmp/${name}-*.tgz`);
  expect(text.trimEnd().endsWith(`ENTRYPOINT ["${name}"]`)).toBe(true);
  expect(text).toMatch(/^USER node$/m);
});
