/** Whatever ends a run: what it had found is counted, and nobody takes the rest for conformant. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { editBody } from '../../../fixtures/banks/lib/intercept.ts';
import { createBank } from '../../../fixtures/reference-bank/bank.ts';
import { serve, type Handler } from '../../../fixtures/reference-bank/http/serve.ts';
import {
  conformance,
  journalLines,
  removeFolders,
  report,
  reportFolder,
  reportIn,
  sandbox,
} from '../support/cli-harness.ts';
import { shownIf } from '../support/thorough.ts';

test.afterAll(removeFolders);

/** A bank that breaks a promise with every ATM answer, and takes its time. */
const faulty = (): Handler => {
  const mutated = editBody('findAtms', (body) => void (body['data'] = null))(createBank());
  return {
    async fetch(request) {
      await setTimeout(40);
      return mutated.fetch(request);
    },
  };
};

/** The process and those that it started, as far as they live. */
function familyOf(pid: number): readonly number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name): [number, number][] => {
      try {
        return [[Number(name), Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1])]];
      } catch {
        return [];
      }
    });
  const children = (of: number): readonly number[] =>
    parents.filter(([, parent]) => parent === of).flatMap(([child]) => [child, ...children(child)]);
  return [pid, ...children(pid)];
}

async function faultyRun(end: (pid: number, folder: string) => void, env: Record<string, string> = {}) {
  const served = await serve(faulty());
  const folder = reportFolder();
  try {
    const ended = await conformance(
      { ...sandbox(served.url), REPORT_DIR: folder, RUNS: '5', ...env },
      async (child) => {
        while (journalLines(folder).filter(({ line }) => line === 'finding').length < 5 && child.exitCode === null)
          await setTimeout(50);
        if (child.pid !== undefined) end(child.pid, folder);
      },
    );
    return { ...ended, folder, report: reportIn(folder) };
  } finally {
    await served.close();
  }
}

const kill = (pids: readonly number[], signal: NodeJS.Signals): void => {
  for (const pid of pids)
    try {
      process.kill(pid, signal);
    } catch {
      // It had ended already.
    }
};

test('After kill -9 in mid-run the report is made from the journals, and every finding is counted', async () => {
  const ended = await faultyRun((pid) => kill(familyOf(pid), 'SIGKILL'));
  expect(ended.signal).toBe('SIGKILL');
  expect(ended.report).toBeNull();
  const before = journalLines(ended.folder);
  const findings = before.filter(({ line }) => line === 'finding');
  const requests = before.filter(({ line }) => line === 'exchange').length;
  const rebuilt = await report(ended.folder);
  expect(rebuilt.status, rebuilt.out).toBe(0);
  const made = reportIn(ended.folder);
  expect(made).toMatchObject({
    verdict: 'non-conformant',
    requests,
    errors: [],
    target: { baseUrl: expect.stringContaining('127.0.0.1') },
  });
  expect(made?.interrupted).toMatch(/^it was interrupted; \d+ of \d+ scenarios/);
  const fails = made?.findings.filter(({ verdict }) => verdict === 'fail') ?? [];
  expect(fails.reduce((sum, { count }) => sum + count, 0)).toBe(
    findings.filter(({ clause }) => fails.some((one) => one.clause === clause)).length,
  );
  expect(findings.length).toBeGreaterThanOrEqual(5);
  expect(made?.createdResources.items.length).toBe(before.filter(({ line }) => line === 'created').length);
});

test('A bank without a fault is inconclusive after kill -9, never conformant', async () => {
  const served = await serve(createBank());
  const folder = reportFolder();
  const ended = await conformance({ ...sandbox(served.url), REPORT_DIR: folder }, async (child) => {
    while (journalLines(folder).length < 100 && child.exitCode === null) await setTimeout(20);
    if (child.pid !== undefined) kill(familyOf(child.pid), 'SIGKILL');
  });
  await served.close();
  expect(ended.signal).toBe('SIGKILL');
  await report(folder);
  expect(reportIn(folder)).toMatchObject({
    verdict: 'inconclusive',
    findings: [],
    errors: [],
    interrupted: expect.stringMatching(/^it was interrupted/),
  });
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} ends a run with its report`, shownIf(signal === 'SIGTERM'), async () => {
    const ended = await faultyRun((pid) => kill([pid], signal));
    if (ended.report === null) await report(ended.folder);
    expect(reportIn(ended.folder), ended.out).toMatchObject({
      verdict: 'non-conformant',
      interrupted: expect.stringMatching(/^it was interrupted/),
      errors: [],
    });
  });
}

test('A worker that is killed costs nothing that was seen, and nothing is created twice', async () => {
  const ended = await faultyRun((pid) => kill(familyOf(pid).slice(1), 'SIGKILL'));
  expect(ended.status, ended.out).toBe(1);
  expect(ended.report).toMatchObject({ verdict: 'non-conformant' });
  expect(ended.report?.errors.length).toBeGreaterThan(0);
  const told = journalLines(ended.folder)
    .filter(({ line }) => line === 'scenario')
    .map(({ scenario }) => scenario);
  expect(new Set(told).size).toBe(told.length);
  expect(ended.out).not.toMatch(/\n\s+at /);
});

test('MAX_DURATION ends a run in an orderly way', async () => {
  const served = await serve({
    async fetch(request) {
      await setTimeout(100);
      return createBankOnce().fetch(request);
    },
  });
  const folder = reportFolder();
  const ended = await conformance({ ...sandbox(served.url), REPORT_DIR: folder, MAX_DURATION: '3' });
  await served.close();
  expect(ended.status, ended.out).toBe(2);
  // Eight in flight, each a tenth of a second: in three seconds no more than these, however busy the machine is.
  expect(reportIn(folder)?.requests).toBeLessThan(400);
  expect(reportIn(folder)).toMatchObject({
    verdict: 'inconclusive',
    interrupted: expect.stringContaining('MAX_DURATION'),
    errors: [],
  });
  expect(ended.out).toContain('The run ended early: its time was up (MAX_DURATION).');
});

let bank: Handler | undefined;
const createBankOnce = (): Handler => (bank ??= createBank());

test('A report that cannot be written is one sentence', async () => {
  const folder = path.join(reportFolder(), 'taken');
  writeFileSync(folder, 'a file where the folder should be');
  const ended = await conformance({ REPORT_DIR: folder, AREAS: 'atms', RUNS: '1' });
  expect(ended.status).toBeGreaterThan(1);
  expect(ended.out).toContain(folder);
  expect(ended.out).not.toMatch(/\n\s+at /);
});

test('A full disk is told of, and ends the run with exit status 3', async () => {
  const folder = reportFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=200k', 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    test.skip(true, 'no small file system can be made here');
  }
  try {
    const ended = await conformance({ REPORT_DIR: folder });
    expect(ended.status, ended.out).toBe(3);
    expect(ended.out).toMatch(/no space|ENOSPC|could not be written/i);
    expect(ended.out).not.toMatch(/\n\s+at /);
  } finally {
    execFileSync('umount', ['-l', folder]);
  }
});
