/** Runs a command as its user does, and measures the time and the resources of the run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PLAYWRIGHT_CLI, readReport, RUN_COMMAND, runProcess } from '../support/command.ts';
import { makeTempDir } from '../support/temp-dir.ts';

export interface Measured {
  /** Milliseconds from the start of the command to its end. */
  readonly wallMs: number;
  /** The highest memory (resident set) of any process of the run. */
  readonly memoryMiB: number;
  /** The number of judged requests. */
  readonly requests: number;
}

type Environment = Readonly<Record<string, string>>;

const usageScript = join(__dirname, 'usage.cjs');

/** Runs Node.js with `words`. */
async function measureProcess(words: readonly string[], env: Environment = {}): Promise<Measured> {
  const folder = makeTempDir();
  const [used, reportDir] = [join(folder, 'usage'), join(folder, 'report')];
  const given = { ...env, BENCH_USAGE: used, REPORT_DIR: reportDir, NODE_OPTIONS: `--require=${usageScript}` };
  const start = performance.now();
  const { status, out } = await runProcess(words, given);
  const wallMs = performance.now() - start;
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}: ${out}`);
  return {
    wallMs,
    memoryMiB: Math.max(...readFileSync(used, 'utf8').trim().split('\n').map(Number)),
    requests: readReport(reportDir)?.requests ?? 0,
  };
}

/** Runs one empty test, to measure Playwright alone. */
export const measureEmptyRun = (): Promise<Measured> =>
  measureProcess([PLAYWRIGHT_CLI, 'test', `--config=${join(__dirname, 'runs/playwright.config.ts')}`]);

/** Runs the whole suite against the embedded bank, or the bank in `env`. */
export const measureFullRun = (env: Environment = {}): Promise<Measured> =>
  measureProcess(RUN_COMMAND, { SEED: '1', ...env });
