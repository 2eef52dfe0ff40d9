/**
 * The suite beside what somebody might use instead, on the same banks: `npm run compare-tools -- [--write]` writes
 * reports/out/tool-comparison.json and, with --write, the table of the README beside it. Installs the tools into a folder of
 * temporary files; nothing is sent anywhere but to this machine after that.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { between } from '../bench/table.ts';
import { whileServed } from '../support/command.ts';
import { tempFile } from '../support/temp-dir.ts';
import { contractForOthers } from './contract.ts';
import { sample, type Sampled } from './sample.ts';
import { comparisonTable, type Result, type Tried } from './table.ts';
import { ours, tools, WARNING_PREFIX, type ComparedTool } from './tools.ts';

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
const contract = tempFile('contract.json', JSON.stringify(contractForOthers(), null, 1));

/** Has one tool judge one bank. */
async function tryOn(tool: ComparedTool, home: string, { open, ...bank }: Sampled): Promise<Tried> {
  const started = performance.now();
  return whileServed(open(), async (baseUrl, asked) => {
    const failures = await tool.judge({ home, baseUrl, contract });
    const wallMs = performance.now() - started;
    return { ...bank, failures: [...new Set(failures)].sort(), requests: asked(), wallMs };
  });
}

async function resultOf(tool: ComparedTool): Promise<Result> {
  const { name, version, settings } = tool;
  const home = join(tmpdir(), 'bank-open-api-tool-comparison', name);
  mkdirSync(home, { recursive: true });
  await tool.install(home);
  const all: Tried[] = [];
  for (const bank of sample()) {
    const one = await tryOn(tool, home, bank);
    all.push(one);
    const seconds = (one.wallMs / 1000).toFixed(1);
    console.log(
      `${name}: ${one.kind} ${one.name}: ${one.failures.length} reported, ${one.requests} requests, ${seconds} s`,
    );
  }
  return { name, version, settings, all };
}

/** The same runs of this suite, with what fails them when nothing is set. */
function withoutWarnings(result: Result): Result {
  const all = result.all.map(({ failures, ...bank }) => ({
    ...bank,
    failures: failures.filter((one) => !one.startsWith(WARNING_PREFIX)),
  }));
  return { ...result, name: 'This suite', settings: 'nothing set; what fails the run by default', all };
}

async function main(): Promise<void> {
  const results: Result[] = [];
  for (const tool of tools) {
    const result = await resultOf(tool);
    results.push(...(tool === ours ? [withoutWarnings(result), result] : [result]));
  }
  mkdirSync('reports/out', { recursive: true });
  writeFileSync('reports/out/tool-comparison.json', `${JSON.stringify(results, null, 1)}\n`);
  const text = comparisonTable(results);
  if (values.write) await between('tests/self/tool-comparison/README.md', 'results', text);
  console.log(`\n${text}`);
}

void main();
