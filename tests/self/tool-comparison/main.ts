/**
 * The suite beside what somebody might use instead, on the same banks: `npm run compare-tools -- [--only name] [--banks n] [--again] [--write]`.
 * Installs the tools into a folder of temporary files, where the results are kept too, and nothing is sent anywhere but to this machine after that.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sandboxCredentials } from '../../../fixtures/reference-bank/bank.ts';
import { between } from '../bench/table.ts';
import { whileServed } from '../support/command.ts';
import { contract30, contract31 } from './contract.ts';
import { knownValues } from './examples.ts';
import { install } from './install.ts';
import { ours, withoutWarnings } from './ours.ts';
import { tools } from './tools.ts';
import { sample, type Sampled } from './sample.ts';
import { figures, comparisonTable, type Result, type Tried } from './table.ts';
import type { ComparedTool } from './tool.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    banks: { type: 'string' },
    again: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const work = join(tmpdir(), 'bank-open-api-tool-comparison');
mkdirSync(work, { recursive: true });
const known = knownValues();
const [file31, file30] = [join(work, 'contract-3.1.json'), join(work, 'contract-3.0.json')];
writeFileSync(file31, JSON.stringify(contract31(known), null, 1));
writeFileSync(file30, JSON.stringify(contract30(known), null, 1));

/** Has one tool judge one bank. */
async function tryOn(tool: Pick<ComparedTool, 'judge'>, home: string, { open, ...bank }: Sampled): Promise<Tried> {
  const folder = mkdtempSync(join(tmpdir(), 'tool-'));
  const started = performance.now();
  const files = { contract31: file31, contract30: file30 };
  try {
    return await whileServed(open(), async (baseUrl, asked) => {
      const failures = await tool.judge({ home, folder, baseUrl, ...files, credentials: sandboxCredentials });
      const wallMs = performance.now() - started;
      return { ...bank, failures: [...new Set(failures)].sort(), requests: asked(), wallMs };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The kept result of a tool on these very banks, or null: a tool may take half an hour. */
function earlierResult(file: string, tool: Pick<ComparedTool, 'packages'>, banks: readonly Sampled[]): Result | null {
  if (values.again || !existsSync(file)) return null;
  const known = JSON.parse(readFileSync(file, 'utf8')) as Result;
  const same =
    known.packages.join() === tool.packages.join() &&
    known.all.map(({ name }) => name).join() === banks.map(({ name }) => name).join();
  return same ? known : null;
}

const today = new Date().toISOString().slice(0, 10);

async function resultOf(
  tool: Pick<ComparedTool, 'name' | 'settings' | 'packages' | 'judge'> & { from: ComparedTool['from'] | 'here' },
): Promise<Result> {
  const { name, settings, packages } = tool;
  const banks = sample(values.banks === undefined ? undefined : Number(values.banks));
  const file = join(work, `${name.toLowerCase().replace(/[^a-z]+/g, '-')}.json`);
  const known = earlierResult(file, tool, banks);
  if (known !== null) return known;
  const { home, why } = await install(tool, work);
  const result = { date: today, name, settings, packages, why, all: [] as Tried[] };
  if (why !== null) return result;
  for (const bank of banks) {
    const one = await tryOn(tool, home, bank);
    result.all.push(one);
    console.log(
      `${name}: ${one.kind} ${one.name}: ${one.failures.length} reported, ${one.requests} requests, ${Math.round(one.wallMs)} ms`,
    );
  }
  writeFileSync(file, JSON.stringify(result, null, 1));
  return result;
}

async function main(): Promise<void> {
  const results: Result[] = [];
  for (const tool of [...tools, ours]) {
    if (values.only !== undefined && !tool.name.toLowerCase().includes(values.only.toLowerCase())) continue;
    results.push(await resultOf(tool));
  }
  mkdirSync('reports/out', { recursive: true });
  writeFileSync('reports/out/tool-comparison.json', `${JSON.stringify(results, null, 1)}\n`);
  const text = comparisonTable(
    results
      .flatMap((result) => (result.name === ours.name ? [withoutWarnings(result), result] : [result]))
      .map(figures),
  );
  if (values.write) await between('tests/self/tool-comparison/README.md', 'results', text);
  console.log(`\n${text}`);
}

void main();
