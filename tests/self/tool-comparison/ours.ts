/** This suite as its user runs it. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Report } from '../../../reports/model/report.ts';
import type { ToolContext } from './tool.ts';
import { run } from './processes.ts';
import type { Result } from './table.ts';

const WARNING_PREFIX = 'warning ';
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

/** With everything that it reports: what fails the run under STRICT. */
export const ours = {
  name: 'This suite, strict',
  from: 'here',
  packages: [`version ${version}`],
  settings: '`STRICT=1`: warnings fail as well',
  async judge({ folder, baseUrl, credentials }: ToolContext): Promise<readonly string[]> {
    const { clientId, clientSecret, accessToken } = credentials;
    const target = { BASE_URL: baseUrl, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, ACCESS_TOKEN: accessToken };
    const words = ['test', '--project=conformance', `--output=${join(folder, 'output')}`];
    await run(process.execPath, [resolve('node_modules/@playwright/test/cli.js'), ...words], {
      env: { ...process.env, ...target, SEED: '1', REPORT_DIR: folder },
    });
    const { findings } = JSON.parse(readFileSync(join(folder, 'conformance.json'), 'utf8')) as Report;
    return findings.map(({ verdict, id }) => `${verdict === 'warning' ? WARNING_PREFIX : ''}${id}`);
  },
} as const;

/** The same runs, with what fails them when nothing is set. */
export function withoutWarnings({ all, ...result }: Result): Result {
  const failures = (some: readonly string[]): readonly string[] =>
    some.filter((one) => !one.startsWith(WARNING_PREFIX));
  return {
    ...result,
    name: 'This suite',
    settings: 'nothing set; what fails the run by default',
    all: all.map((one) => ({ ...one, failures: failures(one.failures) })),
  };
}
