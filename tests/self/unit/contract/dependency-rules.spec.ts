/** Tests the layers: imports go in one direction between and inside the top folders. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from '@playwright/test';
import { importsBankByPath, isBankFile } from '../../boundary/files.ts';

/** Files by pattern, and the files of the repository that they may import. The first pattern that matches counts. */
const layerRules: readonly (readonly [files: RegExp, may: RegExp])[] = [
  [/^openapi\//, /^openapi\//],
  [/^fixtures\/reference-bank\//, /^fixtures\/reference-bank\//],
  [/^fixtures\//, /^(?:openapi|fixtures)\//],
  // Commands that judge or replay connect the layers, as the configuration of Playwright does.
  [/^reports\/cli\/(?:judge|recorded-run|replay)\.ts$/, /^(?:openapi|reports|fixtures\/(?:recording|run|runner))\//],
  [/^reports\//, /^(?:openapi|reports)\//],
  [/^tests\/self\//, /./],
  [
    /^tests\//,
    /^(?:fixtures\/(?:runner\/index\.ts$|(?:bank\/)?arbitraries\/)|openapi\/(?:bank\/)?behaviours\/|tests\/)/,
  ],
  [
    /^playwright\.config\.ts$/,
    /^(?:fixtures\/(?:typescript\.cjs|run\/config\/process-env\.ts|runner\/(?:run-identity|scope)\.ts)|reports\/(?:reporter|model\/description)\.ts)$/,
  ],
];

const sourceFiles = ['openapi', 'fixtures', 'tests', 'reports']
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
  .filter((file) => file.endsWith('.ts') && !file.startsWith(join('reports', 'out')))
  .concat('playwright.config.ts');

/** The names by which the engine imports the bank, as package.json maps them. */
const folderByName = { '#bank': 'openapi/bank', '#client': 'fixtures/bank' } as const;

const resolveImport = (file: string, name: string): string =>
  name.startsWith('#')
    ? `${name.replace(/^#\w+/, (start) => folderByName[start as keyof typeof folderByName])}.ts`
    : relative('.', join(file, '..', name));

const readImports = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(/(?:\bfrom|\bimport\(?)\s*'([.#][^']+)'/g)].map(([, name]) => String(name));

/** The files of the repository that each file imports, including types. */
const importsByFile: ReadonlyMap<string, readonly string[]> = new Map(
  sourceFiles.map((file) => [file, readImports(file).map((name) => resolveImport(file, name))]),
);

/** Returns the members of every cycle in a graph, by depth-first search. */
function findCycles(graph: ReadonlyMap<string, Iterable<string>>): readonly string[] {
  const done = new Set<string>();
  const path: string[] = [];
  const cycles: string[] = [];
  const visit = (node: string): void => {
    if (path.includes(node)) return void cycles.push([...path.slice(path.indexOf(node)), node].join(' → '));
    if (done.has(node)) return;
    path.push(node);
    for (const next of graph.get(node) ?? []) visit(next);
    path.pop();
    done.add(node);
  };
  for (const node of graph.keys()) visit(node);
  return cycles;
}

/**
 * Returns the dependencies between the folders directly below `top`. Files in `top` itself may import from all of them. The bank
 * stands beside all folders of the engine.
 */
function listFolderDependencies(top: string): ReadonlyMap<string, ReadonlySet<string>> {
  const findFolder = (file: string): string | null => {
    const [folder = '', ...rest] = file.startsWith(`${top}/`) ? file.slice(top.length + 1).split('/') : [];
    return rest.length > 0 ? join(top, folder) : null;
  };
  const graph = new Map<string, Set<string>>();
  for (const [file, targets] of importsByFile) {
    const from = findFolder(file);
    if (from === null || isBankFile(file)) continue;
    const to = graph.get(from) ?? new Set();
    graph.set(from, to);
    for (const folder of targets.filter((target) => !isBankFile(target)).map(findFolder))
      if (folder !== null && folder !== from) to.add(folder);
  }
  return graph;
}

test('Files of openapi, fixtures, tests and reports import only the folders that the layers allow', () => {
  const stray = [...importsByFile].flatMap(([file, targets]) => {
    const may = layerRules.find(([files]) => files.test(file))?.[1];
    return targets.filter((target) => may?.test(target) !== true).map((target) => `${file} imports ${target}`);
  });
  expect(stray).toEqual([]);
  expect(sourceFiles.length).toBeGreaterThan(100);
});

for (const top of ['openapi', 'fixtures', 'fixtures/run', 'reports'])
  test(`The folders of ${top} do not import each other in a circle`, () => {
    expect(findCycles(listFolderDependencies(top))).toEqual([]);
  });

test('Files outside the folders of the bank import its files by names in package.json, not by relative paths', () => {
  const isOpen = (file: string): boolean => !file.startsWith('tests/') && !isBankFile(file) && !importsBankByPath(file);
  const stray = sourceFiles.filter(isOpen).flatMap((file) =>
    readImports(file)
      .filter((name) => name.startsWith('.') && isBankFile(resolveImport(file, name)))
      .map((name) => `${file} imports ${name}`),
  );
  expect(stray).toEqual([]);
});

test('No files import each other in a circle, type imports included', () => {
  expect(findCycles(importsByFile)).toEqual([]);
});

test('The types of hooks, which are part of the package, import nothing', () => {
  expect(importsByFile.get(join('fixtures', 'runner', 'hooks', 'hooks.ts'))).toEqual([]);
});

test('Only fixtures/run/config/process-env.ts reads the environment of the process', () => {
  const readers = sourceFiles.filter(
    (file) => !file.startsWith(join('tests', 'self')) && /\bprocess\.env\b/.test(readFileSync(file, 'utf8')),
  );
  expect(readers).toEqual(['fixtures/run/config/process-env.ts']);
});
