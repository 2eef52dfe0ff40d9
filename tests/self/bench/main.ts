/**
 * Measures the speed of the suite as ratios of measurements made side by side. `npm run bench -- [--times n] [--write]` writes
 * reports/out/bench.json and, with --write, the table of the README beside it. `--tools [--count n] [--seed text]` compares
 * the suite with other tools instead.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { defaultCaps } from '../../../fixtures/config/variables/caps.ts';
import { countRounds, withLatency } from './far-bank.ts';
import { measureClientRun, measureEmptyRun, measureFullRun, type Measured } from './processes.ts';
import { compareTools } from './tools/compare.ts';
import { replaceBetweenMarks, computeMedian, formatMedian, formatTable, type Row } from './table.ts';

const latenciesMs = [80, 300];

/** Divides the values of runs by the values of the runs made at the same time. */
const computeRatios = (over: readonly Measured[], under: readonly Measured[], of: keyof Measured): readonly number[] =>
  over.map((run, index) => run[of] / (under[index] as Measured)[of]);

const formatRequestCount = (runs: readonly Measured[]): string => formatMedian(runs.map(({ requests }) => requests));

async function repeatWork<T>(times: number, work: () => Promise<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for (let time = 0; time < times; time += 1) found.push(await work());
  return found;
}

/** Measures in turn: the load of the machine then affects all measurements equally. */
async function measureInTurn(
  times: number,
  ...each: readonly (() => Promise<Measured>)[]
): Promise<readonly (readonly Measured[])[]> {
  const turns = await repeatWork(times, async () => {
    const turn: Measured[] = [];
    for (const entry of each) turn.push(await entry());
    return turn;
  });
  return each.map((_, index) => turns.map((turn) => turn[index] as Measured));
}

async function measureWholeRun(times: number): Promise<readonly Row[]> {
  // The first run of each kind compiles what later runs take from the cache.
  await Promise.all([measureEmptyRun(), measureFullRun()]);
  const [empty = [], full = []] = await measureInTurn(times, measureEmptyRun, () => measureFullRun());
  const what = `A whole run on the embedded bank (${formatRequestCount(full)} judged requests) ÷ a Playwright run of one empty test`;
  return [
    [`${what}, wall`, computeRatios(full, empty, 'wallMs')],
    ['The same, processor time', computeRatios(full, empty, 'cpuMs')],
  ];
}

async function measureClient(times: number): Promise<readonly Row[]> {
  const { judgedPerSecond, barePerSecond, judging } = await measureClientRun(times);
  return [
    [
      `Judged exchanges per second (${formatMedian(judgedPerSecond)}) ÷ bare undici requests per second (${formatMedian(barePerSecond)}), same number in flight`,
      judgedPerSecond.map((value, index) => value / (barePerSecond[index] ?? Number.NaN)),
    ],
    ['Judging ÷ `JSON.parse` of the same bytes', judging],
  ];
}

/** Measures a target `latencyMs` away: the time after the first request, divided by the time of the longest chain. */
async function measureLatency(times: number, latencyMs: number, chain: number): Promise<Row> {
  const samples = await repeatWork(times, async () => {
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

/** Measures the same run with more cases, and with caps that allow them. */
async function measureGrowth(times: number): Promise<readonly Row[]> {
  const factors = [1, 4, 16];
  const grown = factors.map(
    (factor) => () =>
      measureFullRun({
        RUNS: String(25 * factor),
        MAX_APPLICATIONS: String(defaultCaps.applications * factor),
        MAX_DISBURSEMENTS: String(defaultCaps.disbursements * factor),
        MAX_LINKS: String(defaultCaps.links * factor),
      }),
  );
  const [base = [], ...others] = await measureInTurn(times, ...grown);
  return others.flatMap((runs, index): readonly Row[] => {
    const cases = `${factors[index + 1]} times the cases`;
    return [
      [`${cases} (${formatRequestCount(runs)} requests): time`, computeRatios(runs, base, 'wallMs')],
      [`${cases}: peak memory`, computeRatios(runs, base, 'memoryMiB')],
      [`${cases}: size of what is written`, computeRatios(runs, base, 'reportKiB')],
    ];
  });
}

async function measureStartUp(times: number): Promise<Row> {
  const samples = await repeatWork(times, async () => {
    const started = performance.now();
    const { traffic } = await withLatency(0, (env) => measureFullRun({ ...env, AREAS: 'atms' }));
    return traffic.first - started;
  });
  return ['From the command to the first request, milliseconds', samples, 0];
}

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '5' },
    write: { type: 'boolean' },
    tools: { type: 'boolean' },
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: randomBytes(4).toString('hex') },
  },
});

/** Prints a text and, with --write, puts it between the marks `name` in the README. */
async function writeFigures(name: string, text: string): Promise<void> {
  if (values.write) await replaceBetweenMarks('tests/self/bench/README.md', name, text);
  console.log(text);
}

async function measureSpeed(): Promise<void> {
  const times = Math.max(1, Number(values.times) || 5);
  const fewer = Math.ceil(times / 2);
  const rows: Row[] = [...(await measureWholeRun(times)), ...(await measureClient(Math.max(15, times)))];
  // Counts requests that wait for each other: with the highest useful number in flight, and with the default.
  const longest = await countRounds((env) => measureFullRun({ ...env, IN_FLIGHT: '256' }));
  const usual = await countRounds(measureFullRun);
  rows.push([
    `Rounds of requests that wait for one another (${usual}) ÷ the longest chain of them (${longest})`,
    [usual / longest],
  ]);
  for (const latencyMs of latenciesMs) rows.push(await measureLatency(fewer, latencyMs, longest));
  rows.push(...(await measureGrowth(fewer)), await measureStartUp(times));
  mkdirSync('reports/out', { recursive: true });
  writeFileSync('reports/out/bench.json', `${JSON.stringify(rows, null, 2)}\n`);
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${process.arch}`;
  const manifest = readFileSync('node_modules/@playwright/test/package.json', 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const text = `Measured on ${date}: ${machine}; Node.js ${process.version}, Playwright ${version}. Median and spread of at least ${fewer} turns, both sides of a ratio side by side.\n\n${formatTable(rows)}`;
  await writeFigures('bench', text);
}

void (values.tools
  ? compareTools(values.seed, Number(values.count)).then((text) => writeFigures('tools', text))
  : measureSpeed());
