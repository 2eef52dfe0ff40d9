/**
 * Measures the speed of the suite, as ratios of measurements that are made in turn. `npm run bench -- [--times n] [--write]`
 * prints a table and, with --write, writes it into the README of this folder.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { countRounds, withLatency } from './far-bank.ts';
import { measureEmptyRun, measureFullRun } from './processes.ts';

const README_FILE = 'tests/self/bench/README.md';
const README_HEAD =
  '# Speed\n\n`npm run bench -- --write` measures and writes this page. Figures are ratios of things measured side by side in one run.';
const LATENCIES_MS = [80, 300];

/** A row of the table: what was measured, and the measured values. */
type Row = readonly [what: string, samples: readonly number[], decimals?: number];

const formatNumber = (value: number, decimals: number): string =>
  decimals === 0 ? Math.round(value).toLocaleString('en') : value.toFixed(decimals);

function computeMedian(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

function formatRow([what, samples, decimals = 2]: Row): string {
  const [usual, least, most] = [computeMedian(samples), Math.min(...samples), Math.max(...samples)].map((value) =>
    formatNumber(value, decimals),
  );
  return `| ${what} | ${usual} | ${least} – ${most} |`;
}

const formatCount = (samples: readonly number[]): string => formatNumber(computeMedian(samples), 0);

/** Runs each measurement `times` times, in turn, so that the load of the machine affects all of them equally. */
async function measureInTurn<T>(times: number, ...measurements: readonly (() => Promise<T>)[]): Promise<T[][]> {
  const results = measurements.map((): T[] => []);
  for (let time = 0; time < times; time += 1)
    for (const [at, measure] of measurements.entries()) results[at]?.push(await measure());
  return results;
}

async function measureWholeRun(times: number): Promise<Row> {
  // The first run of each kind compiles what later runs take from the cache.
  await Promise.all([measureEmptyRun(), measureFullRun()]);
  const [empty = [], full = []] = await measureInTurn(times, measureEmptyRun, () => measureFullRun());
  const what = `A whole run on the embedded bank (${formatCount(full.map(({ requests }) => requests))} judged requests) ÷ a Playwright run of one empty test`;
  return [what, full.map(({ wallMs }, at) => wallMs / (empty[at]?.wallMs ?? Number.NaN))];
}

/** Measures a bank with this latency: the time after the first request, divided by the time of the longest chain of requests. */
async function measureLatency(times: number, latencyMs: number, chain: number): Promise<Row> {
  const [samples = []] = await measureInTurn(times, async () => {
    const started = performance.now();
    const { result, traffic } = await withLatency(latencyMs, measureFullRun);
    return { ...traffic, wallMs: result.wallMs, askingMs: result.wallMs - (traffic.first - started) };
  });
  const of = (name: 'wallMs' | 'requests' | 'most') => samples.map((sample) => sample[name]);
  return [
    `A target ${latencyMs} ms away: time after the first request (wall ${(computeMedian(of('wallMs')) / 1000).toFixed(1)} s, ${formatCount(of('requests'))} requests, at most ${formatCount(of('most'))} in flight) ÷ longest chain × ${latencyMs} ms`,
    samples.map(({ askingMs }) => askingMs / (chain * latencyMs)),
  ];
}

/** Counts requests that wait for each other: with the default number of requests in flight, and with the highest useful number. */
async function measureChain(): Promise<{ readonly longest: number; readonly row: Row }> {
  const longest = await countRounds((env) => measureFullRun({ ...env, IN_FLIGHT: '256' }));
  const usual = await countRounds(measureFullRun);
  const what = `Rounds of requests that wait for one another (${usual}) ÷ the longest chain of them (${longest})`;
  return { longest, row: [what, [usual / longest]] };
}

async function measureStartUp(times: number): Promise<Row> {
  const [samples = []] = await measureInTurn(times, async () => {
    const started = performance.now();
    const { traffic } = await withLatency(0, (env) => measureFullRun({ ...env, AREAS: 'atms' }));
    return traffic.first - started;
  });
  return ['From the command to the first request, milliseconds', samples, 0];
}

async function measureSpeed(times: number): Promise<string> {
  const fewer = Math.ceil(times / 2);
  const whole = await measureWholeRun(times);
  const { longest, row } = await measureChain();
  const rows = [whole, row];
  for (const latencyMs of LATENCIES_MS) rows.push(await measureLatency(fewer, latencyMs, longest));
  rows.push(await measureStartUp(times));
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${process.arch}`;
  const manifest = readFileSync('node_modules/@playwright/test/package.json', 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  return `Measured on ${date}: ${machine}; Node.js ${process.version}, Playwright ${version}. Median and spread of at least ${fewer} turns, both sides of a ratio side by side.\n\n| what | median | spread |\n|---|--:|--:|\n${rows.map(formatRow).join('\n')}`;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { times: { type: 'string', default: '5' }, write: { type: 'boolean' } } });
  const text = await measureSpeed(Math.max(1, Number(values.times) || 5));
  if (values.write) {
    const options = { ...(await resolveConfig(README_FILE)), filepath: README_FILE };
    writeFileSync(README_FILE, await format(`${README_HEAD}\n\n${text}\n`, options));
  }
  console.log(text);
}

void main();
