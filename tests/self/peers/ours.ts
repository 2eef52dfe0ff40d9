/** This suite as its user runs it, with what fails the run by default and with what fails it under STRICT. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Report } from '../../../reports/report.ts';
import type { Room } from './peer.ts';
import { run } from './processes.ts';

async function findings({ folder, baseUrl, credentials }: Room, strict: boolean): Promise<readonly string[]> {
  const { clientId, clientSecret, accessToken } = credentials;
  const env = {
    ...process.env,
    BASE_URL: baseUrl,
    CLIENT_ID: clientId,
    CLIENT_SECRET: clientSecret,
    ACCESS_TOKEN: accessToken,
    SEED: '1',
    REPORT_DIR: folder,
  };
  await run(
    process.execPath,
    [
      resolve('node_modules/@playwright/test/cli.js'),
      'test',
      '--project=conformance',
      `--output=${join(folder, 'output')}`,
    ],
    { env },
  );
  const report = JSON.parse(readFileSync(join(folder, 'conformance.json'), 'utf8')) as Report;
  return report.findings.filter(({ verdict }) => strict || verdict === 'fail').map(({ id }) => id);
}

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const common = { from: 'here', packages: [`version ${version}`] } as const;

export const ours = [
  {
    ...common,
    name: 'This suite',
    settings: 'nothing set; what fails the run by default',
    judge: (room: Room) => findings(room, false),
  },
  {
    ...common,
    name: 'This suite, strict',
    settings: '`STRICT=1`: warnings fail as well',
    judge: (room: Room) => findings(room, true),
  },
];
