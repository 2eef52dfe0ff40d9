/** Runs `npm run conformance` as its user does: a process of its own, in a folder of its own, with its own environment. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { variables } from '../../../fixtures/config/variables/index.ts';
import type { Report } from '../../../reports/model/report.ts';
import { makeTempDir } from './temp-dir.ts';

export interface Ran {
  readonly status: number | null;
  readonly milliseconds: number;
  /** What the terminal showed. */
  readonly said: string;
  readonly folder: string;
  /** The report document, or null where none was written. */
  readonly report: Report | null;
}

/** The environment of this process without what this run, or its user, has said of a target. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const own = new Set<string>(variables.flatMap(({ name }) => [name, name.toLowerCase()]));
  const passed = /^(?:BANK_OPEN_API_|TEST_|PW_|PLAYWRIGHT_|FORCE_COLOR$|GITHUB_)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.has(name) && !passed.test(name)));
}

/** Judges the target that `env` names. */
export function conformance(env: Readonly<Record<string, string>> = {}, ...more: readonly string[]): Promise<Ran> {
  const output = `--output=${join(makeTempDir(), 'output')}`;
  return run(['test', `--config=${resolve('playwright.config.ts')}`, '--project=conformance', output, ...more], env);
}

function run(words: readonly string[], env: Readonly<Record<string, string>>): Promise<Ran> {
  const folder = makeTempDir();
  const reportDir = env['REPORT_DIR'] ?? join(folder, 'report');
  const cli = resolve('node_modules/@playwright/test/cli.js');
  const started = performance.now();
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [cli, ...words], {
      cwd: folder,
      env: { ...cleanEnvironment(), REPORT_DIR: reportDir, ...env },
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
    child.once('error', fail);
    child.once('close', (status) => {
      const file = join(reportDir, 'conformance.json');
      const report = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : null;
      done({ status, milliseconds: performance.now() - started, said, folder, report });
    });
  });
}

/** Merges the blobs of shards into one report. */
export async function merged(blobs: string): Promise<Ran> {
  return run(['merge-reports', `--config=${resolve('playwright.config.ts')}`, blobs], {});
}
