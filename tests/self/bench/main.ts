/**
 * Figures of speed: ratios of things measured side by side. `npm run bench -- [--times n] [--write]` writes
 * reports/out/bench.json and, with --write, the table of the README beside it.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { countRounds, whileFar } from './far-bank.ts';
import { clientRun, emptyRun, fullRun, type Measured } from './processes.ts';
import { figure, inTurn, type Figure } from './statistics.ts';
import { between, table } from './table.ts';

const latenciesMs = [80, 300];

const ratios = (over: readonly Measured[], under: readonly Measured[], of: (one: Measured) => number): Figure =>
  figure(over.map((one, index) => of(one) / of(under[index] as Measured)));

async function startUp(times: number): Promise<Figure> {
  const samples: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const started = performance.now();
    const { traffic } = await whileFar(0, (env) => fullRun({ ...env, AREAS: 'atms' }));
    samples.push(traffic.first - started);
  }
  return figure(samples);
}

/** Requests that wait for one another, with as many in flight as any scenario can use and with the default. */
async function chains() {
  const rounds = (env: Readonly<Record<string, string>>) => countRounds((given) => fullRun({ ...given, ...env }));
  return { longest: await rounds({ IN_FLIGHT: '256' }), usual: await rounds({}) };
}

/** A target `latencyMs` away: the time after the first request, over that of the longest chain. */
async function far(times: number, latencyMs: number, chain: number) {
  const samples = [];
  for (let time = 0; time < times; time += 1) {
    const started = performance.now();
    const { result, traffic } = await whileFar(latencyMs, (env) => fullRun(env));
    const { wallMs } = result;
    samples.push({ wallMs, ...traffic, ratio: (wallMs - (traffic.first - started)) / (chain * latencyMs) });
  }
  return {
    latencyMs,
    wallMs: figure(samples.map(({ wallMs }) => wallMs)),
    requests: figure(samples.map(({ requests }) => requests)),
    inFlight: figure(samples.map(({ most }) => most)),
    ratio: figure(samples.map(({ ratio }) => ratio)),
  };
}

/** The same run with more cases, and with caps that let them be asked. */
async function growth(times: number) {
  const grown = (factor: number) => () =>
    fullRun({
      RUNS: String(25 * factor),
      MAX_APPLICATIONS: String(61 * factor),
      MAX_DISBURSEMENTS: String(40 * factor),
      MAX_LINKS: String(64 * factor),
    });
  const factors = [1, 4, 16];
  const [base = [], ...others] = await inTurn(times, ...factors.map(grown));
  return [base, ...others].map((runs, index) => ({
    factor: factors[index],
    requests: figure(runs.map(({ report }) => report?.requests ?? 0)),
    time: ratios(runs, base, ({ wallMs }) => wallMs),
    memory: ratios(runs, base, ({ memoryMiB }) => memoryMiB),
    memoryMiB: figure(runs.map(({ memoryMiB }) => memoryMiB)),
    report: ratios(runs, base, ({ reportKiB }) => reportKiB),
  }));
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { times: { type: 'string', default: '5' }, write: { type: 'boolean', default: false } },
  });
  const times = Math.max(1, Number(values.times) || 5);
  // The first run of each compiles what is then cached.
  await Promise.all([emptyRun(), fullRun()]);
  const [empty = [], full = []] = await inTurn(times, emptyRun, () => fullRun());
  const fewer = Math.max(1, Math.ceil(times / 2));
  const chain = await chains();
  const distances = [];
  for (const latencyMs of latenciesMs) distances.push(await far(fewer, latencyMs, chain.longest));
  const bench = {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${process.arch}`,
    node: process.version,
    playwright: (JSON.parse(readFileSync('node_modules/@playwright/test/package.json', 'utf8')) as { version: string })
      .version,
    full: {
      wall: ratios(full, empty, ({ wallMs }) => wallMs),
      cpu: ratios(full, empty, ({ cpuMs }) => cpuMs),
      requests: figure(full.map(({ report }) => report?.requests ?? 0)),
      wallMs: figure(full.map(({ wallMs }) => wallMs)),
      emptyMs: figure(empty.map(({ wallMs }) => wallMs)),
    },
    ...(await clientRun(Math.max(15, times))),
    chain,
    far: distances,
    growth: await growth(fewer),
    startUpMs: await startUp(times),
  };
  mkdirSync('reports/out', { recursive: true });
  writeFileSync('reports/out/bench.json', `${JSON.stringify(bench, null, 2)}\n`);
  const text = table(bench);
  if (values.write) await between('tests/self/bench/README.md', 'bench', text);
  console.log(text);
}

void main();
