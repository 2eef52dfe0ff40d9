/**
 * Measures the speed of the suite, as ratios of measurements that are made in turn. `npm run bench -- [--times n] [--write]`
 * writes reports/out/bench.json and, with --write, the README of this folder.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { defaultCaps } from '../../../fixtures/config/variables/caps.ts';
import { countRounds, withLatency } from './far-bank.ts';
import { measureEmptyRun, measureFullRun, type Measured } from './processes.ts';

const README_FILE = 'tests/self/bench/README.md';
const README_HEAD =
  '# Speed\n\n`npm run bench -- --write` measures and writes this page. Figures are ratios of things measured side by side in one run.';
const LATENCIES_MS = [80, 300];
const CASES_PER_PROPERTY = 25;

/** A row of the table: what was measured, and the measured values. */
type Row = readonly [what: string, samples: readonly number[], decimals?: number];

const formatNumber = (value: number, decimals: number): string =>
  decimals === 0 ? Math.round(value).toLocaleString('en') : value.toFixed(decimals);

function computeMedian(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

const formatMedian = (samples: readonly number[]): string => formatNumber(computeMedian(samples), 0);

function formatRow([what, samples, decimals = 2]: Row): string {
  const figures = [computeMedian(samples), Math.min(...samples), Math.max(...samples)];
  const [usual, least, most] = figures.map((value) => formatNumber(value, decimals));
  return `| ${what} | ${usual} | ${least} – ${most} |`;
}

const formatTable = (rows: readonly Row[]): string =>
  ['| what | median | spread |', '|---|--:|--:|', ...rows.map(formatRow)].join('\n');

const formatRequestCount = (runs: readonly Measured[]): string => formatMedian(runs.map(({ requests }) => requests));

/** Runs each measurement `times` times, in turn, so that the load of the machine affects all of them equally. */
async function measureInTurn<T>(times: number, ...measurements: readonly (() => Promise<T>)[]): Promise<T[][]> {
  const results = measurements.map((): T[] => []);
  for (let time = 0; time < times; time += 1)
    for (const [at, measure] of measurements.entries()) results[at]?.push(await measure());
  return results;
}

/** Divides the values of some runs by the values of the runs at the same time. */
const computeRatios = (over: readonly Measured[], under: readonly Measured[], of: keyof Measured): readonly number[] =>
  over.map((run, at) => run[of] / (under[at]?.[of] ?? Number.NaN));

async function measureWholeRun(times: number): Promise<Row> {
  // The first run of each kind compiles what later runs take from the cache.
  await Promise.all([measureEmptyRun(), measureFullRun()]);
  const [empty = [], full = []] = await measureInTurn(times, measureEmptyRun, () => measureFullRun());
  const what = `A whole run on the embedded bank (${formatRequestCount(full)} judged requests) ÷ a Playwright run of one empty test`;
  return [what, computeRatios(full, empty, 'wallMs')];
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
    `A target ${latencyMs} ms away: time after the first request (wall ${(computeMedian(of('wallMs')) / 1000).toFixed(1)} s, ${formatMedian(of('requests'))} requests, at most ${formatMedian(of('most'))} in flight) ÷ longest chain × ${latencyMs} ms`,
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

/** Measures the same run with more cases, and with caps that allow them. */
async function measureGrowth(times: number): Promise<readonly Row[]> {
  const factors = [4, 16];
  const measureWith = (factor: number) => () =>
    measureFullRun({
      RUNS: String(CASES_PER_PROPERTY * factor),
      MAX_APPLICATIONS: String(defaultCaps.applications * factor),
      MAX_DISBURSEMENTS: String(defaultCaps.disbursements * factor),
      MAX_LINKS: String(defaultCaps.links * factor),
    });
  const [base = [], ...others] = await measureInTurn(times, ...[1, ...factors].map(measureWith));
  return others.flatMap((runs, at): readonly Row[] => {
    const cases = `${factors[at]} times the cases`;
    return [
      [`${cases} (${formatRequestCount(runs)} requests): time`, computeRatios(runs, base, 'wallMs')],
      [`${cases}: peak memory`, computeRatios(runs, base, 'memoryMiB')],
    ];
  });
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
  rows.push(...(await measureGrowth(fewer)), await measureStartUp(times));
  mkdirSync('reports/out', { recursive: true });
  writeFileSync('reports/out/bench.json', `${JSON.stringify(rows, null, 2)}\n`);
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${process.arch}`;
  const manifest = readFileSync('node_modules/@playwright/test/package.json', 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  return `Measured on ${date}: ${machine}; Node.js ${process.version}, Playwright ${version}. Median and spread of at least ${fewer} turns, both sides of a ratio side by side.\n\n${formatTable(rows)}`;
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
