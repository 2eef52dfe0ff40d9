/** Tests `.env` files: which values they set, which names, values and encodings are refused, and `.env.example`. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { readTarget } from '../../../../fixtures/run/config/target.ts';
import { variableNames, variables } from '../../../../fixtures/run/config/variables/index.ts';
import { readFlags } from '../../../../fixtures/runner/cli/flags.ts';
import { findMisspeltNames } from '../../../../fixtures/run/config/variables/names.ts';
import { readVariables } from '../../../../fixtures/runner/cli/flags.ts';
import { ROOT_FOLDER, makeScriptWords, runProcess } from '../../support/command.ts';
import { exampleValues, findConfigurationFaults, FOREIGN_BANK_ENV } from '../../support/configuration.ts';

/** Returns the faults of a `.env` with this text or these bytes. */
function findFaultsInEnvFile(dotEnv: string | Buffer): readonly string[] {
  const folder = test.info().outputPath('.');
  writeFileSync(join(folder, '.env'), dotEnv);
  return findConfigurationFaults({}, folder);
}

test('A misspelt variable, in .env or in the environment, is reported with the right name', () => {
  for (const [name, rightName] of [
    ['READ_ONY', 'READ_ONLY'],
    ['CLIENT_SECRETS', 'CLIENT_SECRET'],
    ['raed_only', 'READ_ONLY'],
    ['TIMEOUT', 'TIMEOUT_MS'],
    ['SAOK', 'SOAK'],
  ] as const) {
    const sentence = (where: string) =>
      `${name} is set${where}, but no such variable is read: did you mean ${rightName}?`;
    expect(findFaultsInEnvFile(`${name}=1\n`)).toEqual([sentence(' in .env')]);
    expect(findConfigurationFaults({ [name]: '1' })).toEqual([sentence('')]);
  }
});

test('A retired variable that is set is a fault that says what takes its place', () => {
  for (const name of ['PINS', 'LATENCY_FACTOR', 'TARGET_DIGEST', 'SHOW_PAYMENT_TOKENS']) {
    const faults = [expect.stringMatching(new RegExp(`^${name} no longer exists: .+\\. Remove it( from \\.env)?\\.$`))];
    expect(findConfigurationFaults({ [name]: '1' })).toEqual(faults);
    expect(findFaultsInEnvFile(`${name}=1\n`)).toEqual(faults);
    expect(() => readFlags([`--${name.toLowerCase().replaceAll('_', '-')}=1`])).toThrow(/^[A-Z_]+ no longer exists: /);
    expect(findConfigurationFaults({ [name]: ' ' })).toEqual([]);
  }
});

test('In .env every unknown name is a fault; in the environment, names of other programs are not', () => {
  expect(findFaultsInEnvFile('MAX_DISBURSED=3\n')).toEqual([
    expect.stringMatching(/^MAX_DISBURSED is set in \.env, but no such variable is read: did you mean MAX_\w+\?$/),
  ]);
  expect(findFaultsInEnvFile('NODE_TLS_REJECT_UNAUTHORIZED=0\nRUNS=1\n')).toEqual([
    'NODE_TLS_REJECT_UNAUTHORIZED is set in .env, but no such variable is read: remove it (.env.example has all names).',
  ]);
  expect(findFaultsInEnvFile('CLIENT_SECRET=Zk7vQ9xT2Wm3\nZW5kT2ZUaGVTZWNyZXQ==\n')).toEqual([
    expect.stringMatching(/^ZW5… is set in \.env, but no such variable is read: /),
  ]);
  const namesOfOtherPrograms =
    'PATH HOME CI SHELL PWD LANG LANGUAGE MAIL VENDOR TERM ALL_PROXY FTP_PROXY http_proxy NO_COLOR NODE_ENV MAX_MEMORY SENDER GITHUB_RUNS';
  const environment = Object.fromEntries(namesOfOtherPrograms.split(' ').map((name) => [name, 'x']));
  expect(findMisspeltNames([], environment)).toEqual([
    'SENDER is set, but no such variable is read: did you mean RENDER?',
  ]);
});

test('.env sets only what the environment does not set', () => {
  const folder = test.info().outputPath('.');
  writeFileSync(join(folder, '.env'), 'RUNS=7\nSEED=8 # a comment\nTARGET_NAME="Acme \'A\'"\n');
  expect(readTarget({ ...FOREIGN_BANK_ENV, RUNS: '9' }, folder)).toMatchObject({ runs: 9, seed: 8, name: "Acme 'A'" });
  expect(readTarget(FOREIGN_BANK_ENV, null)).toMatchObject({ runs: 25 });
});

const CURE = 'in the environment, or give the file with --env-file .env.';

for (const [what, dotEnv, env, expectedWords] of [
  ['hooks', 'HOOKS=package.json', {}, 'sets HOOKS, while CLIENT_ID, CLIENT_SECRET, ACCESS_TOKEN come'],
  ['a command', 'ACCESS_TOKEN_COMMAND=id', { ACCESS_TOKEN: undefined }, 'sets ACCESS_TOKEN_COMMAND, while CLIENT_ID,'],
  ['a proxy', 'https_proxy=http://p.example', { HTTPS_PROXY: 'http://q.example' }, 'sets https_proxy, while'],
  ['no proxy', 'no_proxy=*', { CLIENT_ID: 'none' }, 'sets no_proxy, while CLIENT_SECRET, ACCESS_TOKEN come'],
  ['a certificate authority', 'TLS_CA=package.json', {}, 'sets TLS_CA, while'],
] as const)
  test(`If credentials come from the environment, ${what} in a .env that was found is refused`, () => {
    const folder = test.info().outputPath('.');
    writeFileSync(join(folder, '.env'), `${dotEnv}\n`);
    const faults = findConfigurationFaults(env, folder).filter((fault) => fault.includes('--env-file'));
    expect(faults).toEqual([expect.stringContaining(`The file .env of this folder ${expectedWords}`)]);
    expect(faults[0]).toContain(CURE);
    // The credentials are in the same file, or the environment sets the same variable: the file decides nothing.
    const unsetCredentials = Object.fromEntries(Object.keys(FOREIGN_BANK_ENV).map((name) => [name, undefined]));
    for (const otherEnv of [unsetCredentials, { [dotEnv.split('=')[0] ?? '']: 'x' }])
      expect(findConfigurationFaults(otherEnv, folder).filter((fault) => fault.includes('--env-file'))).toEqual([]);
  });

test('BASE_URL in a .env that was found is refused for credentials of the environment, unless ALLOWED_HOSTS there names the host', () => {
  const folder = test.info().outputPath('.');
  const noCredentials = { BASE_URL: undefined, CLIENT_ID: 'none', CLIENT_SECRET: 'none', ACCESS_TOKEN: 'none' };
  const find = (env: object, more = '') => {
    writeFileSync(join(folder, '.env'), `BASE_URL=https://stranger.example:8443/gateway\n${more}`);
    return findConfigurationFaults({ ...noCredentials, ...env }, folder);
  };
  const secret = { CLIENT_SECRET: 'S3cret-value' };
  const cure = 'If stranger.example:8443 is your bank, set ALLOWED_HOSTS=stranger.example:8443 in the environment.';
  for (const [env, expectedWords] of [
    [secret, 'CLIENT_SECRET comes'],
    [{ ...secret, ACCESS_TOKEN: 'T0ken-value' }, 'CLIENT_SECRET, ACCESS_TOKEN come'],
    [{ ACCESS_TOKEN: undefined, ACCESS_TOKEN_COMMAND: 'id' }, 'ACCESS_TOKEN_COMMAND comes'],
    [{ EXTRA_HEADERS: 'X-Key: 1' }, 'EXTRA_HEADERS comes'],
  ] as const) {
    const fault = `The file .env of this folder sets BASE_URL, while ${expectedWords} from the environment: `;
    expect(find(env)).toEqual([expect.stringContaining(fault)]);
    expect(find(env)[0]).toContain(cure);
    // What the file itself allows is no word of the user.
    expect(find(env, 'ALLOWED_HOSTS=stranger.example\n')).toEqual([expect.stringContaining(fault)]);
    for (const ALLOWED_HOSTS of ['stranger.example:8443', 'stranger.example', '*.example'])
      expect(find({ ...env, ALLOWED_HOSTS })).toEqual([]);
    expect(find({ ...env, ALLOWED_HOSTS: 'bank.example' })).toContainEqual(expect.stringContaining(fault));
    expect(find({ ...env, BASE_URL: 'https://bank.example' })).toEqual([]);
  }
  expect(find({ CLIENT_ID: 'an-id-of-1-client' })).toEqual([]);
  const own = { ...noCredentials, CLIENT_SECRET: undefined };
  expect(find(own, 'CLIENT_SECRET=S3cret-value\n')).toEqual([]);
});

/** Runs `doctor` in `cwd` against an address where nothing listens. */
const runDoctor = (cwd: string, ...words: readonly string[]) =>
  runProcess(makeScriptWords(join(ROOT_FOLDER, 'fixtures/runner/cli/doctor.ts'), ...words), {}, { cwd });

test('With --env-file, only the named files are read, the last file wins, and the doctor says which bank and proxy come from them', async () => {
  const cwd = test.info().outputPath('.');
  const credentials = 'CLIENT_ID=none\nCLIENT_SECRET=none\nAREAS=atms\n';
  writeFileSync(join(cwd, '.env'), 'AREAS=loans\nBASE_URL=http://127.0.0.1:7\n');
  writeFileSync(
    join(cwd, 'one.env'),
    `${credentials}BASE_URL=http://127.0.0.1:8\nHTTP_PROXY=http://user:pass-w0rd@127.0.0.1:6\n`,
  );
  writeFileSync(join(cwd, 'two.env'), 'BASE_URL=http://127.0.0.1:9/gateway/\n');
  const { status, out } = await runDoctor(cwd, '--env-file', 'one.env', '--env-file=two.env');
  expect(status).toBe(2);
  expect(out).toContain('the bank is http://127.0.0.1:9/gateway, from two.env, through the proxy 127.0.0.1:6.');
  expect(out).toContain('variables are read from one.env, two.env (--env-file).');
  expect(out).not.toMatch(/pass-w0rd|loans/);
  const found = await runDoctor(cwd);
  expect(found.out).toContain('CLIENT_ID is not set');
  writeFileSync(join(cwd, '.env'), `${credentials}BASE_URL=http://127.0.0.1:7\nMAX_LINKS=500\nMAX_AMOUNT=9\n`);
  expect((await runDoctor(cwd)).out).toContain('route: MAX_LINKS=500, above the default, from .env.\n');
  // Node.js itself reads the option too, and reports a missing file first, except after `--`.
  for (const [option, says] of [
    ['--env-file', '--env-file names no file'],
    ['--env-file=nowhere.env', 'The file nowhere.env is not there'],
  ] as const) {
    const words = makeScriptWords(join(ROOT_FOLDER, 'fixtures/runner/cli/main.ts'), '--', 'run', option);
    const missing = await runProcess(words, {}, { cwd });
    expect([missing.status, missing.out]).toEqual([2, expect.stringContaining(says)]);
  }
});

const encodeAsUtf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');

for (const [what, text] of [
  ['a byte order mark and line ends of Windows', '\ufeffRUNS=7\r\n\r\nSEED=8'],
  ['export, quotation marks and blanks', 'export RUNS="7"\n  SEED = \'8\' # a seed\n'],
  ['a value of several lines', 'EXTRA_HEADERS="X-A: 1\nRUNS=5\n"\nRUNS=7\nSEED=8\n'],
] as const)
  test(`.env is read with ${what}`, () => {
    const folder = test.info().outputPath('.');
    writeFileSync(join(folder, '.env'), text.replace('\nRUNS=5', '\nX-B: 5'));
    expect(readTarget(FOREIGN_BANK_ENV, folder)).toMatchObject({ runs: 7, seed: 8 });
  });

for (const [what, content, says] of [
  ['in UTF-16, little end first', encodeAsUtf16('RUNS=7\r\n'), 'is in UTF-16: save it in UTF-8.'],
  ['in UTF-16, big end first', encodeAsUtf16('RUNS=7\r\n').swap16(), 'is in UTF-16: save it in UTF-8.'],
  ['in UTF-16 without a mark', encodeAsUtf16('RUNS=7\n').subarray(2), 'is no text in UTF-8: save it in UTF-8.'],
  ['in Latin-1', Buffer.from('TARGET_NAME=Société\n', 'latin1'), 'is no text in UTF-8: save it in UTF-8.'],
  ['with a NUL', 'RUNS=7\0\n', 'is no text in UTF-8: save it in UTF-8.'],
  ['in the form of YAML', '# a\nRUNS: 7\nSEED=8\n', 'sets nothing in line 2: write NAME=value, or # before a comment.'],
  ['with a name twice', 'RUNS=7\nSEED=8\nexport RUNS=9\n', 'sets RUNS twice, in lines 1 and 3: remove one.'],
  ['with an open quotation mark', 'SEED=1\nTARGET_NAME="Acme\nRUNS=7\n', 'has a quotation mark in line 2 that is'],
  ['with text behind a quoted value', "SEED='1'2\nRUNS='7'\n", 'has a quotation mark in line 1 that is not closed'],
  ['with a # in a value', 'SEED=1 # a seed\nTARGET_NAME=Bank#1\n', 'has a # in line 2 that cuts the value off'],
  ['without a line', '', 'sets no variable: set one'],
] as const)
  test(`A .env ${what} is refused in one sentence`, () => {
    expect(findFaultsInEnvFile(content as string | Buffer)).toEqual([expect.stringContaining(`The file .env ${says}`)]);
  });

test('A .env that is a folder, or a link that leads nowhere, is refused in one sentence', () => {
  const [withFolder, withLink] = [test.info().outputPath('folder'), test.info().outputPath('link')];
  mkdirSync(join(withFolder, '.env'), { recursive: true });
  expect(findConfigurationFaults({}, withFolder)).toEqual(['The file .env is a folder: name a file in it.']);
  mkdirSync(withLink);
  symlinkSync('nowhere', join(withLink, '.env'));
  expect(findConfigurationFaults({}, withLink)).toEqual(['The file .env is not there: correct the path.']);
});

test('.env.example names every variable, each with its meaning, its default and a valid value', () => {
  expect(readVariables().map(({ name }) => name)).toEqual(variableNames);
  expect(readVariables().filter(({ meaning, unset }) => !meaning.endsWith('.') || unset === '')).toEqual([]);
  for (const { name, unset } of readVariables()) {
    const row = variables[name] as { readonly unset?: number | boolean };
    if (row.unset !== undefined) expect([name, unset]).toEqual([name, String(Number(row.unset))]);
  }
  for (const [name, value] of Object.entries(exampleValues))
    if (!/^(TLS_|ATTESTATION_KEY|HOOKS|ACCESS_TOKEN_COMMAND|ALLOWED_HOSTS|OVERLAY|KNOWN|BASELINE)/.test(name))
      expect(findConfigurationFaults({ [name]: value })).toEqual([]);
});
