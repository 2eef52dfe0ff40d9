/** A conformance run as its user starts it, in a folder of its own, with what it left there. */
import { join, resolve } from 'node:path';
import { variables } from '../../../fixtures/config/variables/index.ts';
import type { Report } from '../../../reports/model/report.ts';
import { playwright, reportIn, started } from './cli-harness.ts';
import { makeTempDir } from './temp-dir.ts';

export interface Ran {
  readonly status: number | null;
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

const config = `--config=${resolve('playwright.config.ts')}`;

/** Judges the target that `env` names. */
export function conformance(env: Readonly<Record<string, string>> = {}, ...more: readonly string[]): Promise<Ran> {
  const output = `--output=${join(makeTempDir(), 'output')}`;
  return run(['test', config, '--project=conformance', output, ...more], env);
}

async function run(words: readonly string[], env: Readonly<Record<string, string>>): Promise<Ran> {
  const folder = makeTempDir();
  const reportDir = env['REPORT_DIR'] ?? join(folder, 'report');
  const { status, out } = await started([playwright, ...words], { REPORT_DIR: reportDir, ...env }, undefined, folder);
  return { status, said: out, folder, report: reportIn(reportDir) };
}

/** Merges the blobs of shards into one report. */
export async function merged(blobs: string): Promise<Ran> {
  return run(['merge-reports', config, blobs], {});
}
