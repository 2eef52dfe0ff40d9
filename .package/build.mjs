/** Compiles the suite into `dist`, from which the package runs without a loader of TypeScript. `npm pack` calls it. */
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const node = (...words) => execFileSync(process.execPath, words, { cwd: root, encoding: 'utf8' });

rmSync(dist, { recursive: true, force: true });
node('node_modules/typescript/bin/tsc', '-p', '.package/tsconfig.json');

// The type of hooks, for modules of users.
node(
  'node_modules/typescript/bin/tsc',
  '--declaration',
  '--emitDeclarationOnly',
  '--ignoreConfig',
  '--module',
  'nodenext',
  '--target',
  'es2023',
  '--types',
  'node',
  '--outDir',
  'dist/fixtures/runner/hooks',
  'fixtures/runner/hooks/hooks.ts',
);

// Names of files that stand in texts: the compiler changes only those of imports.
for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' }))
  if (file.endsWith('.js')) {
    const text = readFileSync(join(dist, file), 'utf8');
    const changed = text.replaceAll(/(['"][\w./*{},-]*)\.ts(?=['"])/g, '$1.js');
    if (changed !== text) writeFileSync(join(dist, file), changed);
  }

for (const name of ['openapi', 'reports'])
  cpSync(join(root, name), join(dist, name), {
    recursive: true,
    filter: (from) => !/reports.out|\.(?:tsx?|md|png)$/.test(from),
  });
// The help reads it.
cpSync(join(root, '.env.example'), join(dist, '.env.example'));
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const imports = { '#bank/*': './openapi/bank/*.js', '#client/*': './fixtures/bank/*.js' };
writeFileSync(
  join(dist, 'package.json'),
  `${JSON.stringify({ name, version, type: 'commonjs', private: true, imports }, null, 2)}\n`,
);

// A report names the sources that judged, wherever they run from.
const digest = "process.stdout.write(require('./fixtures/runner/run-identity.ts').digestOfSuite())";
writeFileSync(join(dist, 'sources.sha256'), node('-r', './fixtures/typescript.cjs', '-e', digest));

// What is slow to make and always the same goes along: the contract as JSON and its validators.
node('-e', "require('./dist/openapi/validation/validators.js').loadAllValidators()");
renameSync(join(dist, 'node_modules/.cache/bank-open-api'), join(dist, 'prebuilt'));
rmSync(join(dist, 'node_modules'), { recursive: true });
