/** Tests runs that are killed, interrupted or out of time: their findings count, and no incomplete run is conformant. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { editMemberAt, setNull } from '../../../fixtures/banks/lib/mutators.ts';
import { readEntry } from '../../../openapi/history/reading.ts';
import type { Violation } from '../../../openapi/model/finding.ts';
import type { ExchangeRecord } from '../../../openapi/model/journal.ts';
import { createBank } from '../../../fixtures/reference-bank/bank.ts';
import type { Handler } from '../../../fixtures/reference-bank/http/serve.ts';
import { reportCommand } from '../../../reports/cli/report.ts';
import {
  runConformance,
  judgeBank,
  listProcessFamily,
  makeSandboxEnv,
  ROOT_FOLDER,
  serveDuring,
  runInProcess,
  readJournalLines,
  readReport,
  type Ran,
} from '../support/command.ts';
import { createFakeClock, examineBank } from '../support/examine.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { thoroughUnless } from '../support/thorough.ts';

const makeFaultyBank = (): Handler => {
  const mutated = editMemberAt('findAtms', '/data', setNull)(createBank());
  return {
    async fetch(request) {
      await setTimeout(20);
      return mutated.fetch(request);
    },
  };
};

const listViolations = (folder: string): readonly Violation[] =>
  readJournalLines(folder).flatMap((line) =>
    line['line'] === 'entry' ? readEntry(line['entry'] as ExchangeRecord).breaks : [],
  );

/** Runs the suite against the faulty bank. Calls `end` with the process after five findings. */
function runFaultyBank(end: (child: ChildProcess) => void, more: readonly string[] = []): Promise<Ran> {
  const folder = makeTempDir();
  const env = { REPORT_DIR: folder, AREAS: 'payment-links,atms', RUNS: '1' };
  return judgeBank(makeFaultyBank(), env, {
    more,
    async meanwhile(child) {
      while (listViolations(folder).length < 5 && child.exitCode === null) await setTimeout(50);
      end(child);
    },
  });
}

const killProcesses = (pids: readonly number[], signal: NodeJS.Signals): void => {
  for (const pid of pids)
    try {
      process.kill(pid, signal);
    } catch {
      // The process had already ended.
    }
};

test('If a run is killed with kill -9, the report command makes its report from the logs, and counts every finding', async () => {
  const ended = await runFaultyBank(({ pid = 0 }) => killProcesses(listProcessFamily(pid), 'SIGKILL'));
  expect(ended.signal).toBe('SIGKILL');
  expect(ended.report).toBeNull();
  const findings = listViolations(ended.folder);
  const requests = readJournalLines(ended.folder).filter(({ line }) => line === 'entry').length;
  expect(await runInProcess(reportCommand, ended.folder)).toMatchObject({ status: 0 });
  const report = readReport(ended.folder);
  expect(report).toMatchObject({
    verdict: 'non-conformant',
    requests,
    errors: [],
    target: { baseUrl: expect.stringContaining('127.0.0.1') },
  });
  expect(report?.interrupted).toMatch(/^it was killed, or ended before it made its report; \d+ of \d+ scenarios/);
  const fails = report?.findings.filter(({ verdict }) => verdict === 'fail') ?? [];
  expect(fails.reduce((sum, { count }) => sum + count, 0)).toBe(
    findings.filter(({ clause }) => fails.some((finding) => finding.clause === clause)).length,
  );
  expect(findings.length).toBeGreaterThanOrEqual(5);
});

for (const isWorker of [true, false])
  test(`If ${isWorker ? 'a worker' : 'a run'} is killed with kill -9, created.csv lists every link that the bank created`, async () => {
    const bank = createBank();
    let created = 0;
    const slow: Handler = {
      async fetch(request) {
        const answer = await bank.fetch(request);
        // The bank has created the link long before it answers.
        if (request.method === 'POST' && (created += 1) > 5) await setTimeout(1500);
        return answer;
      },
    };
    const { links } = bank.state;
    const env = { REPORT_DIR: makeTempDir(), AREAS: 'payment-links', RUNS: '1' };
    const { folder, report } = await judgeBank(slow, env, {
      async meanwhile(child) {
        while (links.length < 15 && child.exitCode === null) await setTimeout(20);
        killProcesses(listProcessFamily(child.pid ?? 0).slice(isWorker ? 1 : 0), 'SIGKILL');
      },
    });
    expect(report !== null).toBe(isWorker);
    if (report === null) expect(await runInProcess(reportCommand, folder)).toMatchObject({ status: 0 });
    const rows = readFileSync(join(folder, 'created.csv'), 'utf8').split('\r\n');
    const count = (state: string): number => rows.filter((row) => row.endsWith(`,${state}`)).length;
    expect(count('perhaps')).toBeGreaterThan(5);
    expect(count('created')).toBeLessThanOrEqual(links.length);
    expect(links.length).toBeLessThanOrEqual(count('created') + count('perhaps'));
  });

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  test(
    `A run that gets ${signal} writes its report, even if nobody reads its output`,
    thoroughUnless(signal === 'SIGTERM'),
    async () => {
      const { report, out } = await runFaultyBank(({ pid = 0, stdout }) => {
        stdout?.destroy();
        killProcesses([pid], signal);
      });
      const interrupted = expect.stringMatching(/^it was interrupted/);
      expect(report, out).toMatchObject({ verdict: 'non-conformant', interrupted, errors: [] });
    },
  );

test('A run that gets SIGTERM before its scenarios are loaded is inconclusive, and reports no fault of the suite', async () => {
  const folder = makeTempDir();
  const ended = await runConformance(
    { REPORT_DIR: folder },
    {
      async meanwhile(child) {
        while (!existsSync(join(folder, '.lock')) && child.exitCode === null) await setTimeout(5);
        child.kill('SIGTERM');
      },
    },
  );
  expect([ended.status, ended.report?.verdict, ended.report?.errors], ended.out).toEqual([2, 'inconclusive', []]);
});

test('If a worker is killed in a run with another reporter, no finding is lost, and no scenario is written twice', async () => {
  const kill = ({ pid = 0 }: ChildProcess): void => killProcesses(listProcessFamily(pid).slice(1), 'SIGKILL');
  const { status, out, report, folder } = await runFaultyBank(kill, ['--reporter=line']);
  expect([status, report?.verdict, report?.gate.exitStatus], out).toEqual([1, 'non-conformant', 1]);
  expect(report?.errors[0]?.message).toBe('1 worker broke, or ended before its scenarios did.');
  expect(out).toMatch(/Verdict: non-conformant[^]*requests in (?!0\.[0-3] s)/);
  expect(out).not.toMatch(/\n\s+at /);
  const scenarioIds = readJournalLines(folder)
    .filter(({ line }) => line === 'scenario')
    .map(({ scenario }) => scenario);
  expect(new Set(scenarioIds).size).toBe(scenarioIds.length);
});

/** The bank answers this many requests and no more. At this moment many requests of several operations are in flight. */
const REQUESTS_BEFORE_SILENCE = 90;

const isRunning = (pid: number): boolean => {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

for (const signal of ['SIGTERM', 'SIGKILL'] as const)
  test(
    `If npm gets ${signal}, the run that it started writes its report and ends`,
    thoroughUnless(signal === 'SIGTERM'),
    async () => {
      test.skip(!existsSync('/proc/self/stat'), 'the system does not tell which process started another');
      const bank = createBank();
      const silencing: Handler = {
        fetch: (request) => (requests() <= REQUESTS_BEFORE_SILENCE ? bank.fetch(request) : new Promise(() => {})),
      };
      let requests = (): number => 0;
      const folder = makeTempDir();
      await serveDuring(silencing, async (url, countRequests) => {
        requests = countRequests;
        const env = { PATH: process.env['PATH'], HOME: tmpdir(), REPORT_DIR: folder, ...makeSandboxEnv(url) };
        const npm = spawn('npm', ['run', 'conformance'], { cwd: ROOT_FOLDER, env, stdio: 'ignore' });
        const ended = once(npm, 'exit');
        while (requests() <= REQUESTS_BEFORE_SILENCE && npm.exitCode === null) await setTimeout(50);
        const started = listProcessFamily(npm.pid ?? 0);
        expect(started.length).toBeGreaterThan(2);
        npm.kill(signal);
        await ended;
        while (started.some(isRunning)) await setTimeout(50);
      });
      expect(readReport(folder)?.interrupted).toMatch(/^it was interrupted/);
    },
  );

test('If the bank stops answering, the run ends at MAX_DURATION with an inconclusive report', async () => {
  const bank = createBank();
  let requests = 0;
  const silencing: Handler = {
    fetch: (request) =>
      (requests += 1) <= REQUESTS_BEFORE_SILENCE ? bank.fetch(request) : new Promise<Response>(() => {}),
  };
  const { status, out, report } = await judgeBank(silencing, { TIMEOUT_MS: '3000', MAX_DURATION: '2' });
  expect([status, report?.interrupted], out).toEqual([2, expect.stringMatching(/MAX_DURATION/)]);
  expect(report?.requests).toBeLessThanOrEqual(requests);
  expect(report).toMatchObject({ verdict: 'inconclusive', errors: [] });
  expect(out).toContain('The run ended early: ');
});

test('If RATE_LIMIT delays requests beyond MAX_DURATION, the run ends without waiting for them', async () => {
  const clock = createFakeClock();
  const from = clock.now();
  const env = { AREAS: 'atms', RATE_LIMIT: '0.01', MAX_DURATION: '2' };
  const { interrupted } = await examineBank(createBank(), { env, clock });
  expect([interrupted, clock.now() - from < 60_000]).toEqual([expect.stringContaining('MAX_DURATION'), true]);
});

test('If the disk is full, the run says so, prints created.csv, and ends with exit status 3', async () => {
  const folder = makeTempDir();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=500k', 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    test.skip(true, 'no small file system can be made here');
  }
  try {
    const ended = await runConformance({ REPORT_DIR: folder, AREAS: 'payment-links' });
    expect(ended.status, ended.out).toBe(3);
    expect(ended.out).toMatch(/no space|ENOSPC|could not be written/i);
    // Without a report, the gate passes for no bank.
    expect(ended.out).toMatch(/The report could not be written to/);
    expect(ended.out).toMatch(/Gate failed: [^\n]*the suite itself broke/);
    expect(ended.out).toMatch(
      /created\.csv could not be written\. [^\n]*\n\nwhat,id,amount,[^]*\nlink,[^\n]*,(?:created|perhaps)\n/,
    );
    expect(ended.out).not.toMatch(/\n\s+at /);
  } finally {
    execFileSync('umount', ['-l', folder]);
  }
});
