/** Tests the cache of compiled modules, which makes later processes start faster. */
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { makeTempDir } from '../../support/temp-dir.ts';

const CACHE_MODULE = path.resolve('fixtures/compile-cache.cjs');

const BODY = `
const { basename } = require('node:path');
const { importOs } = require('./importing.cjs');
exports.done = importOs().then(({ EOL }) => {
  try { null.missing; } catch ({ stack }) { return [basename(__filename), require.main === undefined, EOL, stack.split('\\n')[1]]; }
});`;

/** Runs a process that keeps its code in `cache` and loads `file`. Returns what the module returned. */
function loadWithCache(cache: string, file: string): readonly unknown[] {
  const script = `require(${JSON.stringify(CACHE_MODULE)}).keepCompiledModules(${JSON.stringify(cache)});
    require(${JSON.stringify(file)}).done.then((answer) => console.log(JSON.stringify(answer)));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as readonly unknown[];
}

/** Returns the kept files, each with when it was written. */
const listKept = (cache: string): readonly string[] =>
  (readdirSync(cache, { recursive: true }) as string[])
    .map((name) => [name, statSync(path.join(cache, name), { bigint: true })] as const)
    .filter(([, stats]) => stats.isFile())
    .map(([name, { mtimeNs, ino }]) => `${name} ${ino} ${mtimeNs}`)
    .sort();

test('A second process uses the compiled code of the first, and compiles again only after the module has changed', () => {
  const [cache, file] = [makeTempDir(), path.join(makeTempDir(), 'module.cjs')];
  writeFileSync(path.join(path.dirname(file), 'importing.cjs'), "exports.importOs = () => import('node:os');");
  writeFileSync(file, `#!/usr/bin/env node${BODY}`);
  const first = loadWithCache(cache, file);
  expect(first).toEqual(['module.cjs', true, '\n', expect.stringContaining(`${file}:5:`)]);
  const keptFiles = listKept(cache);
  expect(keptFiles).toHaveLength(1);
  expect(loadWithCache(cache, file)).toEqual(first);
  expect(listKept(cache)).toEqual(keptFiles);
  writeFileSync(file, `#!/usr/bin/env node\n${BODY}`);
  expect(loadWithCache(cache, file)[3]).toContain(`${file}:6:`);
  expect(listKept(cache)).toHaveLength(2);
});
