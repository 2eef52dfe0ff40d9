/** Runs Playwright as its user does, and measures the time and the resources of the run. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PLAYWRIGHT_CLI, readReport, runProcess } from '../support/command.ts';
import { makeTempDir } from '../support/temp-dir.ts';

export interface Measured {
  /** Milliseconds from command to exit. */
  readonly wallMs: number;
  /** User and system time of all processes of the run, in milliseconds. */
  readonly cpuMs: number;
  /** The largest resident set of any process of the run. */
  readonly memoryMiB: number;
  readonly reportKiB: number;
  /** The number of judged requests. */
  readonly requests: number;
}

type Environment = Readonly<Record<string, string>>;

const usageScript = join(__dirname, 'usage.cjs');

function measureFolderSize(folder: string): number {
  if (!existsSync(folder)) return 0;
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0) / 1024;
}

/** Runs the command line of Playwright with `words`. */
async function measureProcess(words: readonly string[], env: Environment = {}): Promise<Measured> {
  const folder = makeTempDir();
  const [used, reportDir] = [join(folder, 'usage'), join(folder, 'report')];
  const given = { ...env, BENCH_USAGE: used, REPORT_DIR: reportDir, NODE_OPTIONS: `--require=${usageScript}` };
  const start = performance.now();
  const { status, out } = await runProcess([PLAYWRIGHT_CLI, 'test', ...words], given);
  const wallMs = performance.now() - start;
  if (status !== 0) throw new Error(`playwright test ${words.join(' ')} ended with ${status}: ${out}`);
  const processes = readFileSync(used, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Pick<Measured, 'cpuMs' | 'memoryMiB'>);
  return {
    wallMs,
    cpuMs: processes.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    memoryMiB: Math.max(...processes.map(({ memoryMiB }) => memoryMiB)),
    reportKiB: measureFolderSize(reportDir),
    requests: readReport(reportDir)?.requests ?? 0,
  };
}

/** Runs one empty test, to measure Playwright itself. */
export const measureEmptyRun = (): Promise<Measured> =>
  measureProcess([`--config=${join(__dirname, 'runs/playwright.config.ts')}`]);

/** Runs the whole suite against the embedded bank, unless `env` names another. */
export const measureFullRun = (env: Environment = {}): Promise<Measured> =>
  measureProcess(['--project=conformance'], { SEED: '1', ...env });
