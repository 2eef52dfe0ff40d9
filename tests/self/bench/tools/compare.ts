/** Compares the suite with other tools on the same banks. The banks are random, so that no tool knows them. */
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drawAdmissible } from '../../../../fixtures/banks/drawn/admissible.ts';
import { drawBugs } from '../../../../fixtures/banks/drawn/bugs.ts';
import type { Handler } from '../../../../fixtures/banks/lib/mutant.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import { serveDuring } from '../../support/command.ts';
import { createInstantClock } from '../../support/examine.ts';
import { makeTempFile } from '../../support/temp-dir.ts';
import { computeMedian, formatMedian } from '../table.ts';
import { makeContractForOthers } from './contract.ts';
import { comparedTools, type ComparedTool } from './tools.ts';

interface SampledBank {
  readonly kind: 'good' | 'admissible' | 'must' | 'should';
  /** Opens a new bank. */
  readonly open: () => Handler;
}

/** One bank and one tool: the kinds of failures that the tool reported, each kind only once. */
interface JudgedBank extends Pick<SampledBank, 'kind'> {
  readonly failures: readonly string[];
  readonly requests: number;
  readonly wallMs: number;
}

/**
 * Makes the reference bank twice (to see what a tool always reports), then random banks with a bug, and random banks that conform.
 */
async function sampleBanks(seed: string, count: number): Promise<readonly SampledBank[]> {
  const good: SampledBank = { kind: 'good', open: () => createBank() };
  const faulty = (await drawBugs(seed, count)).map((bug): SampledBank => ({
    kind: bug.level,
    open: () => bug.open(createInstantClock(bug.from)),
  }));
  const admissible = drawAdmissible(seed, Math.ceil(count / 2)).map((bank): SampledBank => ({
    kind: 'admissible',
    open: () => bank.open(createInstantClock()),
  }));
  return [good, good, ...faulty, ...admissible];
}

async function judgeBanks(
  tool: ComparedTool,
  sample: readonly SampledBank[],
  contract: string,
): Promise<readonly JudgedBank[]> {
  const home = join(tmpdir(), 'bank-open-api-compared-tools', tool.name);
  mkdirSync(home, { recursive: true });
  await tool.install(home);
  const all: JudgedBank[] = [];
  for (const { kind, open } of sample)
    await serveDuring(open(), async (baseUrl, asked) => {
      const started = performance.now();
      const failures = [...new Set(await tool.judge({ home, baseUrl, contract }))];
      all.push({ kind, failures, requests: asked(), wallMs: performance.now() - started });
      console.log(`${tool.name}: bank ${all.length} of ${sample.length} (${kind}), ${failures.length} reported`);
    });
  return all;
}

/** Writes a row of the table. A bank counts as reported if the report of the tool differs from its report on the reference bank. */
function formatToolLine(name: string, all: readonly JudgedBank[]): string {
  const usual = new Set(all.filter(({ kind }) => kind === 'good').flatMap(({ failures }) => failures));
  const share = (kind: SampledBank['kind']): string => {
    const some = all.filter((judgedBank) => judgedBank.kind === kind);
    return `${some.filter(({ failures }) => failures.some((failure) => !usual.has(failure))).length} of ${some.length}`;
  };
  const cost = [
    formatMedian(all.map(({ requests }) => requests)),
    (computeMedian(all.map((judgedBank) => judgedBank.wallMs)) / 1000).toFixed(1),
  ];
  return `| ${[name, share('must'), share('should'), share('admissible'), usual.size, ...cost].join(' | ')} |`;
}

/** Returns the comparison as Markdown. Installs the tools into a temporary folder. After that, no traffic leaves this machine. */
export async function compareTools(seed: string, count: number): Promise<string> {
  const contract = makeTempFile('contract.json', JSON.stringify(makeContractForOthers(), null, 1));
  const sample = await sampleBanks(seed, count);
  const lines: string[] = [];
  for (const tool of comparedTools) lines.push(formatToolLine(tool.name, await judgeBanks(tool, sample, contract)));
  return [
    `Tried on ${new Date().toISOString().slice(0, 10)}, on banks drawn from the seed \`${seed}\`: the same for all, with a time-out of two minutes. A bank counts as reported where a tool says of it what it does not say of the good bank; what it says of that one anyway stands in its own column.`,
    '',
    '| | bugs against a promise | bugs against an expectation | false alarms | reported of the good bank | requests | seconds |',
    '|---|--:|--:|--:|--:|--:|--:|',
    ...lines,
    '',
    ...comparedTools.map(({ name, version, settings }) => `- ${name} (${version}): ${settings}.`),
  ].join('\n');
}
