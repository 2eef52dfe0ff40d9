/** The README says what is so: the variables as they are read, and commands that there are. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { variables } from '../../../fixtures/config/variables.ts';

const readme = readFileSync('README.md', 'utf8');
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Readonly<Record<string, string>> };

/** The cells of the rows of the tables. */
const rows = readme
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('\\|', '|')),
  );

test('The README explains every variable in the words of the suite', () => {
  for (const { name, meaning, default: unset } of variables) {
    const row = rows.find(([first]) => first === `\`${name}\``);
    expect(row?.map((cell) => cell.replaceAll('\\*', '*'))).toEqual([`\`${name}\``, meaning, unset]);
  }
});

test('The README names no variable that nothing reads', () => {
  const known = new Set<string>(variables.map(({ name }) => name));
  const named = [...readme.matchAll(/`([A-Z][A-Z_]{3,})(?:=[^`]*)?`/g)].map(([, name]) => String(name));
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test('Every command of the README is there', () => {
  const named = [...readme.matchAll(/npm run ([a-z:-]+)/g)].map(([, name]) => String(name));
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
  expect(named).toContain('conformance');
});

test('Every folder and file that the README points to is there', () => {
  for (const [, path] of readme.matchAll(/`((?:openapi|fixtures|tests|\.ci)\/[\w./-]+)`/g))
    expect(() => readFileSync(String(path))).not.toThrow(/ENOENT/);
});
