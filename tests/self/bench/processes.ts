/** Runs Playwright as its user does, and says how long it took and what it used. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Report } from '../../../reports/model/report.ts';
import type { InProcess } from './in-process.ts';

export interface Measured {
  /** From command to exit. */
  readonly wallMs: number;
  /** User and system time of all processes of the run. */
  readonly cpuMs: number;
  /** The largest resident set of any of its processes. */
  readonly memoryMiB: number;
  readonly reportKiB: number;
  readonly report: Report | null;
}

const cli = resolve('node_modules/@playwright/test/cli.js');
const usage = join(__dirname, 'usage.cjs');

function sizeOf(folder: string): number {
  if (!existsSync(folder)) return 0;
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0) / 1024;
}

/** Runs the command line of Playwright with `words`. */
async function measure(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const [used, reportDir] = [join(folder, 'usage'), join(folder, 'report')];
  const given = {
    ...process.env,
    ...env,
    BENCH_USAGE: used,
    REPORT_DIR: reportDir,
    NODE_OPTIONS: `--require=${usage}`,
  };
  const started = performance.now();
  try {
    const status = await new Promise<number | null>((done, fail) => {
      const child = spawn(process.execPath, [cli, 'test', ...words], {
        env: given,
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      child.once('error', fail).once('close', done);
    });
    const wallMs = performance.now() - started;
    if (status !== 0) throw new Error(`playwright test ${words.join(' ')} ended with ${status}`);
    const lines = readFileSync(used, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { cpuMs: number; memoryMiB: number });
    const file = join(reportDir, 'conformance.json');
    return {
      wallMs,
      cpuMs: lines.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
      memoryMiB: Math.max(...lines.map(({ memoryMiB }) => memoryMiB)),
      reportKiB: sizeOf(reportDir),
      report: existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : null,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One empty test: what Playwright itself takes. */
export const emptyRun = (): Promise<Measured> => measure(['--config=tests/self/bench/empty/playwright.config.ts']);

/** How fast the client is in a worker of Playwright, where it works. */
export async function clientRun(times: number): Promise<InProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-client-'));
  try {
    const file = join(folder, 'result.json');
    await measure(['--config=tests/self/bench/client/playwright.config.ts'], {
      BENCH_RESULT: file,
      BENCH_TIMES: String(times),
    });
    return JSON.parse(readFileSync(file, 'utf8')) as InProcess;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A whole run, of the embedded bank unless `env` names another. */
export const fullRun = (env: Readonly<Record<string, string>> = {}): Promise<Measured> =>
  measure(['--project=conformance'], { SEED: '1', ...env });
