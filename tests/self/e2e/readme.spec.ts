/** Tests that the README is true: the suite reads the variables, and the commands and files exist. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { writeScores, type Score } from '../proof/proof.ts';
import { variableNames } from '../../../fixtures/run/config/variables/index.ts';

const readme = readFileSync('README.md', 'utf8');
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Readonly<Record<string, string>> };

test('The suite reads every variable that the README names', () => {
  const readVariables = new Set<string>(variableNames);
  const named = [...readme.matchAll(/`([A-Z][A-Z_]{3,})(?:=[^`]*)?`/g)].map(([, name]) => String(name));
  expect(named.filter((name) => !readVariables.has(name))).toEqual([]);
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

test('The README links to proof.md, which shows the scores of scores.json', () => {
  expect(readme).toContain('(tests/self/proof/proof.md)');
  const page = readFileSync('tests/self/proof/proof.md', 'utf8');
  const scores = JSON.parse(readFileSync('tests/self/proof/scores.json', 'utf8')) as readonly Score[];
  expect(scores.length).toBeGreaterThan(0);
  expect(page).toContain(`\n\n${writeScores(scores)}\n\n`);
  // The date and the digest of the matrix are those of one proof in the table.
  const [, date, digest] = /^Measured on (\S+) in .*, digest `(\w+)`/m.exec(page) ?? [];
  expect(scores.map((score) => [score.date, score.digest])).toContainEqual([date, digest]);
});
