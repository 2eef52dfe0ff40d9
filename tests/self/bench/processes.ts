/** Runs a command as its user does, and measures the time and the resources of the run. */
import { join } from 'node:path';
import { PLAYWRIGHT_CLI, readReport, RUN_COMMAND, runProcess } from '../support/command.ts';
import { makeTempDir } from '../support/temp-dir.ts';

export interface Measured {
  /** Milliseconds from the start of the command to its end. */
  readonly wallMs: number;
  /** The number of judged requests. */
  readonly requests: number;
}

type Environment = Readonly<Record<string, string>>;

/** Runs Node.js with `words`. */
async function measureProcess(words: readonly string[], env: Environment = {}): Promise<Measured> {
  const reportDir = makeTempDir();
  const start = performance.now();
  const { status, out } = await runProcess(words, { ...env, REPORT_DIR: reportDir });
  const wallMs = performance.now() - start;
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}: ${out}`);
  return { wallMs, requests: readReport(reportDir)?.requests ?? 0 };
}

/** Runs one empty test, to measure Playwright alone. */
export const measureEmptyRun = (): Promise<Measured> =>
  measureProcess([PLAYWRIGHT_CLI, 'test', `--config=${join(__dirname, 'runs/playwright.config.ts')}`]);

/** Runs the whole suite against the embedded bank, or the bank in `env`. */
export const measureFullRun = (env: Environment = {}): Promise<Measured> =>
  measureProcess(RUN_COMMAND, { SEED: '1', ...env });
