/** What hostile banks cost a whole run at most: memory of its processes, disk, and requests. */
import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { passing } from '../../../fixtures/banks/lib/serving.ts';
import { respond } from '../../../fixtures/banks/lib/exchange.ts';
import { malformedHttpBanks } from '../../../fixtures/banks/malformed-http/index.ts';
import { createBank } from '../../../fixtures/reference-bank/bank.ts';
import type { Handler } from '../../../fixtures/reference-bank/http/serve.ts';
import { conformance, conformanceOf, sandbox } from '../support/command.ts';
import { shownIf, thorough } from '../support/thorough.ts';
import { makeTempDir } from '../support/temp-dir.ts';

const named = (name: string) =>
  malformedHttpBanks.find((bank) => bank.name === name) as (typeof malformedHttpBanks)[number];

const MEBIBYTE = 1024 * 1024;

/** Peaks of resident memory (MiB) of a process and those below it, read until it ends. */
async function peaks(child: ChildProcess): Promise<readonly number[]> {
  const { pid = 0 } = child;
  const highest = new Map<number, number>();
  const parentOf = (id: string): number => Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${id}/stat`, 'utf8'))?.[1]);
  while (child.exitCode === null) {
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
  test(`No process of a run needs 512 MiB for ${name}`, shownIf(name === 'gzip-bomb'), async () => {
    test.skip(process.platform !== 'linux', 'memory is read from /proc');
    const opened = await named(name).open();
    let memory: readonly number[] = [];
    const ended = await conformance(
      { ...sandbox(opened.url), AREAS: 'payment-links', RUNS: '3' },
      { meanwhile: async (child) => void (memory = await peaks(child)) },
    );
    await opened.close();
    expect(ended.status, ended.out).toBe(2);
    expect(ended.report).toMatchObject({ verdict: 'inconclusive', errors: [] });
    test.info().annotations.push({ type: 'memory', description: memory.map(Math.round).join(', ') });
    expect(memory.length).toBeGreaterThan(1);
    expect(Math.max(...memory), memory.map(Math.round).join(', ')).toBeLessThan(512);
  });
}

/** The good bank with undocumented members of `length` characters in each answer, others each time, escaped as in HTML. */
const inventive = (length: number): Handler =>
  passing(createBank(), async (response, nth) => {
    const name = `${nth}-${'n'.repeat(length)}`;
    const member = `${JSON.stringify(name)}:${JSON.stringify(`&lt;${name}`)}`;
    const text = await response.text();
    const more = text.replace(/\}\s*$/, `,${member}}`).replace(/"data":\{|"data":\[\{/, (data) => `${data}${member},`);
    return respond(response, more);
  });

const sizeOf = (folder: string): number => statSync(folder).size;

test(
  'Names that a bank invents by the megabyte cost neither memory nor disk without bound, and are counted',
  thorough,
  async () => {
    test.skip(process.platform !== 'linux', 'memory is read from /proc');
    const folder = makeTempDir();
    let memory: readonly number[] = [];
    const ended = await conformanceOf(
      inventive(500_000),
      { REPORT_DIR: folder, RUNS: '2', AREAS: 'payment-links' },
      { meanwhile: async (child) => void (memory = await peaks(child)) },
    );
    expect(Math.max(...memory), memory.map(Math.round).join(', ')).toBeLessThan(512);
    const journal = path.join(folder, 'journal');
    const journals = readdirSync(journal).map((name) => sizeOf(path.join(journal, name)));
    expect(journals.reduce((sum, one) => sum + one, 0)).toBeLessThan(50 * MEBIBYTE);
    const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.filter(({ name }) => sizeOf(path.join(folder, name)) > 10 * MEBIBYTE).map(({ name }) => name)).toEqual(
      [],
    );
    const { report } = ended;
    expect(report?.verdict, ended.out).toBe('conformant');
    // What the document does not name may be HTML; its names are observed, shortened.
    expect(report?.findings).toEqual([]);
    expect(JSON.stringify(report?.observations)).toMatch(/n… \(and \d{6} more characters\)/);
  },
);

test('A bank that never answers is given up after a few requests, with a report', async () => {
  const opened = await named('never-answers').open();
  const ended = await conformance({ ...sandbox(opened.url), TIMEOUT_MS: '500' });
  await opened.close();
  expect(ended.status, ended.out).toBe(2);
  expect(opened.arrived.length).toBeLessThan(40);
  expect(ended.report).toMatchObject({ verdict: 'inconclusive', errors: [], interrupted: null });
  expect(ended.out).toMatch(/all \d+ requests got no answer/);
  expect(ended.out).toContain('no request was sent, because no other was answered');
});
