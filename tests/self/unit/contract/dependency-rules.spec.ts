/** The rooms stand in a row, and imports go one way: openapi ← fixtures ← tests, openapi ← reports. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from '@playwright/test';

/** Files by pattern, and the files of this repository that they may import; the first pattern that fits counts. */
const arrows: readonly (readonly [of: RegExp, may: RegExp])[] = [
  [/^openapi\//, /^openapi\//],
  [/^fixtures\/reference-bank\//, /^fixtures\/reference-bank\//],
  [/^fixtures\//, /^(?:openapi|fixtures)\//],
  [/^reports\//, /^(?:openapi|reports)\//],
  [/^tests\/self\//, /./],
  [/^tests\/(?:scenarios|conformance\.spec)\.ts$/, /^(?:fixtures\/test\.ts$|tests\/)/],
  [/^tests\//, /^fixtures\/(?:test\.ts$|arbitraries\/)/],
  [/^playwright\.config\.ts$/, /^fixtures\/run\.ts$/],
];

const sources = ['openapi', 'fixtures', 'tests', 'reports']
  .flatMap((room) => readdirSync(room, { recursive: true, encoding: 'utf8' }).map((file) => join(room, file)))
  .filter((file) => file.endsWith('.ts') && !file.startsWith(join('reports', 'out')))
  .concat('playwright.config.ts');

/** What a file imports of this repository, types among it. */
const importsOf = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(/(?:\bfrom|\bimport\(?)\s*'(\.[^']+)'/g)].map(([, path]) =>
    relative('.', join(file, '..', String(path))),
  );

test('Every import goes the way of the arrows', () => {
  const stray = sources.flatMap((file) => {
    const may = arrows.find(([of]) => of.test(file))?.[1];
    return importsOf(file)
      .filter((path) => may?.test(path) !== true)
      .map((path) => `${file} imports ${path}`);
  });
  expect(stray).toEqual([]);
  expect(sources.length).toBeGreaterThan(100);
});

test('Only fixtures/config/target.ts reads the environment of the process', () => {
  const readers = sources.filter(
    (file) => !file.startsWith(join('tests', 'self')) && /\bprocess\.env\b/.test(readFileSync(file, 'utf8')),
  );
  expect(readers).toEqual(['fixtures/config/target.ts']);
});
