/** The README and .env.example are true: the variables are read, and the commands and files exist. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { renderEnvExample } from '../../../fixtures/config/variables/env-example.ts';
import { variables } from '../../../fixtures/config/variables/index.ts';

const readme = readFileSync('README.md', 'utf8');
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Readonly<Record<string, string>> };

test('.env.example is what the code generates; npm run env-example writes it', () => {
  expect(readFileSync('.env.example', 'utf8')).toBe(renderEnvExample());
});

test('Every variable that the README names is read somewhere', () => {
  const known = new Set<string>(variables.map(({ name }) => name));
  const named = [...readme.matchAll(/`([A-Z][A-Z_]{3,})(?:=[^`]*)?`/g)].map(([, name]) => String(name));
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test('Every command that the README names exists', () => {
  const named = [...readme.matchAll(/npm run ([a-z:-]+)/g)].map(([, name]) => String(name));
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
  expect(named).toContain('conformance');
});

test('Every folder and file that the README points to exists', () => {
  for (const [, path] of readme.matchAll(/`((?:openapi|fixtures|tests|\.ci|\.github)\/[\w./-]+)`/g))
    expect(() => readFileSync(String(path))).not.toThrow(/ENOENT/);
});
