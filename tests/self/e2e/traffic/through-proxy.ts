/** Sends traffic through the recording proxy, and judges the recording. */
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { readTarget } from '../../../../fixtures/config/target.ts';
import { openRecordingProxy } from '../../../../fixtures/recording/proxy.ts';
import type { RecordedExchange } from '../../../../fixtures/recording/recording.ts';
import type { Handler } from '../../../../fixtures/reference-bank/http/serve.ts';
import type { Report } from '../../../../reports/model/report.ts';
import { judgeCommand } from '../../../../reports/cli/judge.ts';
import {
  makeScriptWords,
  readReport,
  runConformance,
  runProcess,
  runWithEnv,
  serveDuring,
  type Ran,
} from '../../support/command.ts';
import { makeTempDir } from '../../support/temp-dir.ts';

/** Returns the recording of a proxy before `bank` while `work` runs. */
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

type Environment = Readonly<Record<string, string>>;

/** Runs `npm run judge`, with the report in `folder`. */
export async function judgeHar(har: string, folder: string, env: Readonly<Record<string, string>> = {}) {
  const ended = await runWithEnv(judgeCommand, { REPORT_DIR: folder, ...env }, har);
  const report = readReport(join(folder, 'recorded'));
  if (report === null) throw new Error(`No report was written: ${ended.out}`);
  return { ...ended, report };
}

/**
 * Runs the suite against `bank` through `npm run proxy`. Returns the run, the exchanges as the bank saw them, the folder with all
 * files, and both judgements of the traffic: live, and from the HAR of the proxy.
 */
export async function recordRun(bank: Handler, env: Environment) {
  const folder = makeTempDir();
  const har = join(folder, 'traffic.har');
  const words = ['--port', '0', '--har', har];
  let run: Promise<Ran> | undefined;
  return serveDuring(bank, async (url, asked) => {
    const { got, heard, faults } = await runThroughProxy(url, (wire) =>
      runProcess(
        makeScriptWords('reports/cli/proxy.ts', '--target', wire.origin, ...words),
        { REPORT_DIR: join(folder, 'live') },
        {
          onOutput(out, child) {
            const proxy = / at (http:\/\/[\d.:]+);/.exec(out)?.[1];
            if (proxy === undefined || run !== undefined) return;
            run = runConformance({ ...env, BASE_URL: proxy });
            void run.finally(() => child.kill('SIGINT'));
          },
        },
      ),
    );
    const sent = asked();
    const fromHar = await judgeHar(har, join(folder, 'har'));
    expect(asked(), 'judging sends nothing').toBe(sent);
    const ran = await run;
    if (ran?.report == null) throw new Error(`The run wrote no report: ${got.out}`);
    expect([faults, sent >= ran.report.requests], got.out).toEqual([[], true]);
    const live = { ...got, report: readReport(join(folder, 'live/recorded'))! };
    return { folder, heard, run: ran.report, live, fromHar };
  });
}

/** Returns the findings that single exchanges show, without those from comparisons. */
export const listFindingsInExchanges = ({ findings }: Report): readonly string[] =>
  findings
    .filter(({ kind }) => kind !== 'behaviour' && kind !== 'refused')
    .map(({ id }) => id)
    .toSorted();
