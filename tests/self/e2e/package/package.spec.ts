/** Tests the package as users get it: packed, installed into an empty project, and started there. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from '@playwright/test';
import { makeCleanEnvironment, readReport, makeSandboxEnv, startBankProcess } from '../../support/command.ts';
import { makeTempDir } from '../../support/temp-dir.ts';

const PACKAGE_NAME = 'bank-open-api-conformance';
const MAX_TARBALL_BYTES = 1_000_000;

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly devOptional?: boolean }>>;
}

/** Makes an empty project in which npm finds the dependencies without a network: the packages installed here. */
function makeEmptyProject(): string {
  const folder = makeTempDir();
  writeFileSync(join(folder, 'package.json'), '{ "name": "stranger", "private": true }');
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock;
  const top = /^node_modules\/(?:@[^/]+\/)?[^/]+$/;
  for (const [path, { dev, devOptional }] of Object.entries(packages)) {
    if (!top.test(path) || dev === true || devOptional === true || !existsSync(path)) continue;
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    cpSync(path, join(folder, path), { recursive: true });
  }
  return folder;
}

/** Clones the repository into a folder whose name must be escaped in a URL. */
function cloneRepository(): string {
  const folder = join(makeTempDir(), 'Bänke #1 %41');
  cpSync('.', folder, { recursive: true, filter: (from) => !/^(?:node_modules|dist|\.git|reports.out)$/.test(from) });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  return folder;
}

test('The tarball installs into an empty project, judges a bank there, and needs no loader of TypeScript', async () => {
  const packed = makeTempDir();
  execFileSync('npm', ['pack', '--silent', '--pack-destination', packed], {
    cwd: cloneRepository(),
    env: makeCleanEnvironment(),
  });
  const tarball = join(packed, String(readdirSync(packed)[0]));
  expect(statSync(tarball).size).toBeLessThan(MAX_TARBALL_BYTES);
  const folder = makeEmptyProject();
  const quiet = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--silent'];
  execFileSync('npm', ['install', ...quiet, tarball], { cwd: folder, env: makeCleanEnvironment() });
  const files = readdirSync(join(folder, 'node_modules', PACKAGE_NAME), { recursive: true, encoding: 'utf8' });
  expect(files.filter((file) => /(?<!\.d)\.ts$|\bself\b|^dist\/tests\/.*\.md$/.test(file))).toEqual([]);

  const program = join(folder, 'node_modules', '.bin', PACKAGE_NAME);
  const start = (command: readonly string[], words: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const [file = '', ...more] = command;
    const { status, stdout, stderr } = spawnSync(file, [...more, ...words], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...makeCleanEnvironment(), npm_config_loglevel: 'silent', ...env },
    });
    return { status, out: `${stdout}${stderr}` };
  };
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(start(['npx', PACKAGE_NAME], ['--version'])).toEqual({ status: 0, out: `${version}\n` });
  expect(start([program], ['--client-secret', 'x'])).toMatchObject({
    status: 2,
    out: expect.stringMatching(/^CLIENT_SECRET is a secret, [^\n]*\n$/),
  });

  expect(start([program], ['merge', 'nowhere'])).toEqual({ status: 2, out: 'There is no file nowhere.\n' });

  const command = [program, 'bank'];
  writeFileSync(join(folder, 'hooks.mjs'), "export default { prepare: () => console.log('prepared') };");
  const bank = await startBankProcess(['--fault', 'find-atms-by-latitude-entry-atm-name-missing'], {
    cwd: folder,
    command,
  });
  try {
    const { CLIENT_ID = '', CLIENT_SECRET = '' } = makeSandboxEnv(bank.url);
    const run = start([program], ['--base-url', bank.url, '--areas', 'atms', '--runs', '1', '--report-dir', 'out'], {
      ...{ CLIENT_ID, CLIENT_SECRET, HOOKS: 'hooks.mjs' },
    });
    expect(run.status, run.out).toBe(1);
    expect(run.out).toContain('prepared');
    const report = readReport(join(folder, 'out'));
    expect([report?.verdict, report?.suite.version]).toEqual(['non-conformant', version]);
    expect(report?.findings.map(({ clause }) => clause)).toEqual(['atms.name']);
    expect(report?.suite.digest).toMatch(/^[0-9a-f]{64}$/);
  } finally {
    bank.end();
  }
  expect(start([program], ['verify', 'out/conformance.json'])).toMatchObject({ status: 0 });
});

test('Every command of a clone is also a command of the package, and --help names it', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Readonly<Record<string, string>> };
  const own = Object.entries(scripts).filter(([, line]) =>
    /typescript\.cjs (?:fixtures\/runner|reports)\/cli\/(?!main)/.test(line),
  );
  const { stdout } = spawnSync(
    process.execPath,
    ['-r', './fixtures/typescript.cjs', 'fixtures/runner/cli/main.ts', '--help'],
    {
      encoding: 'utf8',
    },
  );
  const commands = [...stdout.matchAll(/^ {2}([a-z-]+) /gm)].map(([, command]) => command);
  expect(commands).toEqual(expect.arrayContaining(own.map(([command]) => command)));
  expect(own.length).toBeGreaterThan(7);
  expect(stdout).toMatch(/^ {2}--base-url <value>/m);
  expect(stdout).not.toMatch(/^ {2}--client-secret/m);
});
