/** Tests the package as users get it: packed, installed into an empty project, and started there. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
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
import { makeCleanEnvironment, readReport, makeSandboxEnv } from '../../support/command.ts';
import { makeTempDir } from '../../support/temp-dir.ts';

const PACKAGE_NAME = 'bank-open-api-conformance';
const MAX_TARBALL_BYTES = 1_000_000;

interface Manifest {
  readonly version: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly devOptional?: boolean }>>;
}
const readManifest = (file: string): Manifest => JSON.parse(readFileSync(file, 'utf8')) as Manifest;

/** Makes an empty project in which npm finds the dependencies without a network: the packages installed here. */
function makeEmptyProject(): string {
  const folder = makeTempDir();
  writeFileSync(join(folder, 'package.json'), '{ "name": "stranger", "private": true }');
  for (const [path, { dev, devOptional }] of Object.entries(readManifest('package-lock.json').packages)) {
    const isTop = /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path);
    if (!isTop || dev === true || devOptional === true || !existsSync(path)) continue;
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

/** Starts the sandbox, and waits until it listens. `end` ends the process. */
async function startBank(program: string, cwd: string, options: readonly string[]) {
  const words = [program, 'bank', '--port', '0', ...options];
  const child = spawn(process.execPath, words, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise<string>((done, fail) => {
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const found = /http:\/\/[\d.]+:\d+/.exec(said)?.[0];
      if (found !== undefined) done(found);
    });
    child.once('close', () => fail(new Error(`The bank did not listen: ${said}`)));
  });
  return { url, end: () => void child.kill() };
}

test('The packed suite installs into an empty project and judges a bank there, without TypeScript files', async () => {
  const packed = makeTempDir();
  const env = { ...makeCleanEnvironment(), npm_config_loglevel: 'silent' };
  execFileSync('npm', ['pack', '--pack-destination', packed], { cwd: cloneRepository(), env });
  const tarball = join(packed, String(readdirSync(packed)[0]));
  expect(statSync(tarball).size).toBeLessThan(MAX_TARBALL_BYTES);
  const cwd = makeEmptyProject();
  const words = ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', tarball];
  execFileSync('npm', words, { cwd, env });
  const files = readdirSync(join(cwd, 'node_modules', PACKAGE_NAME), { recursive: true, encoding: 'utf8' });
  expect(files.filter((file) => /(?<!\.d)\.ts$|\bself\b|^dist\/tests\/.*\.md$/.test(file))).toEqual([]);

  const program = join(cwd, 'node_modules', '.bin', PACKAGE_NAME);
  const start = (words: readonly string[], more: Readonly<Record<string, string>> = {}, file = program) => {
    const { status, stdout, stderr } = spawnSync(file, words, { cwd, encoding: 'utf8', env: { ...env, ...more } });
    return { status, out: `${stdout}${stderr}` };
  };
  const { version } = readManifest('package.json');
  expect(start([PACKAGE_NAME, '--version'], {}, 'npx')).toEqual({ status: 0, out: `${version}\n` });
  expect(start(['--client-secret', 'x'])).toEqual({
    status: 2,
    out: expect.stringMatching(/^CLIENT_SECRET is a secret, [^\n]*\n$/),
  });
  expect(start(['merge', 'nowhere'])).toEqual({ status: 2, out: 'There is no file nowhere.\n' });

  writeFileSync(join(cwd, 'hooks.mjs'), "export default { prepare: () => console.log('prepared') };");
  const faults = ['name', 'city'].flatMap((field) => ['--fault', `find-atms-by-latitude-entry-atm-${field}-missing`]);
  const bank = await startBank(program, cwd, faults);
  try {
    const { CLIENT_ID = '', CLIENT_SECRET = '' } = makeSandboxEnv(bank.url);
    const run = start(['--base-url', bank.url, '--areas', 'atms', '--runs', '1', '--report-dir', 'out'], {
      ...{ CLIENT_ID, CLIENT_SECRET, HOOKS: 'hooks.mjs' },
    });
    expect(run).toEqual({ status: 1, out: expect.stringContaining('prepared') });
    const report = readReport(join(cwd, 'out'));
    expect([report?.verdict, report?.suite.version]).toEqual(['non-conformant', version]);
    expect(report?.findings.map(({ clause }) => clause).toSorted()).toEqual(['atms.city', 'atms.name']);
    expect(report?.suite.digest).toMatch(/^[0-9a-f]{64}$/);
  } finally {
    bank.end();
  }
  expect(start(['verify', 'out/conformance.json'])).toMatchObject({ status: 0 });
});

test('Every command of a clone is also a command of the package, and --help names it', () => {
  const scriptNames = Object.entries(readManifest('package.json').scripts).flatMap(([command, line]) =>
    /typescript\.cjs (?:fixtures\/runner|reports)\/cli\/(?!main)/.test(line) ? command : [],
  );
  const words = ['-r', './fixtures/typescript.cjs', 'fixtures/runner/cli/main.ts', '--help'];
  const { stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  const commands = [...stdout.matchAll(/^ {2}([a-z-]+) /gm)].map(([, command]) => command);
  expect(commands).toEqual(expect.arrayContaining(scriptNames));
  expect(scriptNames.length).toBeGreaterThan(7);
  expect(stdout).toMatch(/^ {2}--base-url <value>/m);
  expect(stdout).not.toMatch(/^ {2}--client-secret/m);
});
