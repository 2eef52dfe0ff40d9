/** `.env` beside the environment: what it fills in, names that nobody reads, and its example. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from '@playwright/test';
import { readTarget } from '../../../../fixtures/config/target.ts';
import { variables } from '../../../../fixtures/config/variables/index.ts';
import { root } from '../../support/command.ts';
import { faultsOf, foreign } from '../../support/configuration.ts';

/** What is wrong with the text of a `.env`. */
function faultsOfFile(dotEnv: string): readonly string[] {
  const folder = test.info().outputPath('.');
  writeFileSync(join(folder, '.env'), dotEnv);
  return faultsOf({}, folder);
}

for (const [name, meant] of [
  ['READ_ONY', 'READ_ONLY'],
  ['MAX_LINK', 'MAX_LINKS'],
  ['CLIENT_SECRETS', 'CLIENT_SECRET'],
  ['ACESS_TOKEN', 'ACCESS_TOKEN'],
] as const)
  test(`${name} is reported as a misspelt ${meant}, in .env and in the environment`, () => {
    const sentence = (where: string) => `${name} is set${where}, but no such variable is read: did you mean ${meant}?`;
    expect(faultsOfFile(`${name}=1\n`)).toEqual([sentence(' in .env')]);
    expect(faultsOf({ [name]: '1' })).toEqual([sentence('')]);
  });

test('In .env a name that begins as ours do is a fault, and in the environment names of others are none', () => {
  expect(faultsOfFile('MAX_DISBURSED=3\n')).toEqual([
    expect.stringMatching(/^MAX_DISBURSED is set in \.env, but no such variable is read: did you mean MAX_\w+\?$/),
  ]);
  expect(faultsOfFile('STRIKT=1\n')).toHaveLength(1);
  expect(faultsOfFile('NO_COLOR=1\nSOMETHING=else\n')).toEqual([]);
  const others = 'PATH HOME CI SHELL PWD LANG TERM ALL_PROXY FTP_PROXY NO_COLOR NODE_ENV MAX_MEMORY SEEDS RUN';
  expect(faultsOf(Object.fromEntries(others.split(' ').map((name) => [name, 'x'])))).toEqual([]);
});

test('.env fills in what the environment does not set', () => {
  const folder = test.info().outputPath('.');
  writeFileSync(join(folder, '.env'), 'RUNS=7\nSEED=8 # a comment\nTARGET_NAME="Acme \'A\'"\n');
  expect(readTarget({ ...foreign, RUNS: '9' }, folder)).toMatchObject({ runs: 9, seed: 8, name: "Acme 'A'" });
  expect(readTarget(foreign, null)).toMatchObject({ runs: 25 });
});

test('.env.example names every variable, each with a good value', () => {
  const text = readFileSync(join(root, '.env.example'), 'utf8');
  const named = [...text.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name);
  expect(named).toEqual(variables.map(({ name }) => name));
  for (const { meaning } of variables) {
    expect(text.replaceAll(/\n# /g, ' ')).toContain(meaning);
  }
  const values = parseEnv(text.replaceAll(/^#(?=[A-Z_]+=)/gm, ''));
  for (const { name, example } of variables) {
    expect(values[name]).toBe(example);
    if (!/^(TLS_|ATTESTATION_KEY|HOOKS|ACCESS_TOKEN_COMMAND|ALLOWED_HOSTS|OVERLAY|PINS|KNOWN|BASELINE)/.test(name))
      expect(faultsOf({ [name]: example })).toEqual([]);
  }
});
