/** What hostile banks cost a whole run at most: memory of its processes, and time with nothing set. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { malformedHttpBanks } from '../../../fixtures/banks/malformed-http/index.ts';
import { conformance, removeFolders, reportFolder, reportIn, sandbox } from '../support/cli-harness.ts';

test.afterAll(removeFolders);

const named = (name: string) =>
  malformedHttpBanks.find((bank) => bank.name === name) as (typeof malformedHttpBanks)[number];

/** Peaks of resident memory (MiB) of the processes below `pid`, read until it ends. */
async function peaks(pid: number, running: () => boolean): Promise<readonly number[]> {
  const highest = new Map<number, number>();
  const parentOf = (id: string): number => Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${id}/stat`, 'utf8'))?.[1]);
  while (running()) {
    for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
      try {
        if (Number(id) !== pid && parentOf(id) !== pid) continue;
        const peak = /VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1];
        if (peak !== undefined) highest.set(Number(id), Number(peak) / 1024);
      } catch {
        // It has just ended.
      }
    await setTimeout(100);
  }
  return [...highest.values()];
}

for (const name of ['two-hundred-megabytes', 'gzip-bomb']) {
  test(`No process of a run needs 512 MiB for ${name}`, async () => {
    test.skip(process.platform !== 'linux', 'memory is read from /proc');
    const opened = await named(name).open();
    const folder = reportFolder();
    let memory: readonly number[] = [];
    const ended = await conformance({ ...sandbox(opened.url), REPORT_DIR: folder, RUNS: '3' }, async (child) => {
      memory = await peaks(child.pid ?? 0, () => child.exitCode === null);
    });
    await opened.close();
    expect(ended.status, ended.out).toBe(2);
    expect(reportIn(folder)).toMatchObject({ verdict: 'inconclusive', errors: [] });
    test.info().annotations.push({ type: 'memory', description: memory.map(Math.round).join(', ') });
    expect(memory.length).toBeGreaterThan(1);
    expect(Math.max(...memory), memory.map(Math.round).join(', ')).toBeLessThan(512);
  });
}

test('A bank that never answers is given up within two minutes, with a report', async () => {
  const opened = await named('never-answers').open();
  const folder = reportFolder();
  const ended = await conformance({ ...sandbox(opened.url), REPORT_DIR: folder });
  await opened.close();
  expect(ended.status, ended.out).toBe(2);
  expect(ended.ms).toBeLessThan(120_000);
  expect(reportIn(folder)).toMatchObject({ verdict: 'inconclusive', errors: [], interrupted: null });
  expect(ended.out).toContain('without an answer');
});

test('A host that cannot be reached is told of in seconds', async () => {
  const folder = reportFolder();
  const ended = await conformance({ ...sandbox('http://127.0.0.1:9'), REPORT_DIR: folder });
  expect(ended.status, ended.out).toBe(2);
  expect(ended.out.replace(/\s+/g, ' ')).toMatch(
    /Nobody answers at 127\.0\.0\.1 port 9 \(ECONNREFUSED\): check BASE_URL, or start the bank\./,
  );
});
