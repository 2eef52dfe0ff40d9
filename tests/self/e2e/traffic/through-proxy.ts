/** Sends traffic through the recording proxy, and judges the recording. */
import { join } from 'node:path';
import { readTarget } from '../../../../fixtures/config/target.ts';
import { openRecordingProxy } from '../../../../fixtures/recording/proxy.ts';
import type { RecordedExchange } from '../../../../fixtures/recording/recording.ts';
import type { Report } from '../../../../reports/model/report.ts';
import { judgeCommand } from '../../../../reports/cli/judge.ts';
import { readReport, runWithEnv } from '../../support/command.ts';

/** Returns the recording that a proxy in front of `bank` makes while `work` runs. */
export async function runThroughProxy<T>(bank: string, work: (proxy: URL) => Promise<T>) {
  const [heard, faults]: [RecordedExchange[], unknown[]] = [[], []];
  const none = { CLIENT_ID: 'none', CLIENT_SECRET: 'none', ACCESS_TOKEN: 'none' };
  const proxy = await openRecordingProxy({
    target: readTarget({ BASE_URL: bank, ...none }, null),
    port: 0,
    heard: (exchange) => heard.push(exchange),
    unheard: () => {},
    failed: (what, error) => faults.push([what, error]),
  });
  const got = await work(new URL(proxy.url));
  await proxy.close();
  return { got, heard, faults };
}

/** Runs `npm run judge`, with the report in `folder`. */
export async function judgeHar(har: string, folder: string, env: Readonly<Record<string, string>> = {}) {
  const ended = await runWithEnv(judgeCommand, { REPORT_DIR: folder, ...env }, har);
  const report = readReport(join(folder, 'recorded'));
  if (report === null) throw new Error(`No report was written: ${ended.out}`);
  return { ...ended, report };
}

/** Returns the findings that single exchanges show, without the conclusions of scenarios. */
export const listFindingsInExchanges = ({ findings }: Report): readonly string[] =>
  findings
    .filter(({ kind }) => kind !== 'behaviour' && kind !== 'refused')
    .map(({ id }) => id)
    .toSorted();
