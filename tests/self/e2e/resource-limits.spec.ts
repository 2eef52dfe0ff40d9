/** Tests how much memory and disk space a malicious bank can make a run use. */
import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { changeResponses } from '../../../fixtures/banks/lib/serving.ts';
import { findByName } from '../../../fixtures/banks/lib/mutant.ts';
import { copyResponse } from '../../../fixtures/banks/lib/exchange.ts';
import { malformedHttpBanks } from '../../../fixtures/banks/malformed-http/index.ts';
import { createBank } from '../../../fixtures/reference-bank/bank.ts';
import { runConformance, listProcessFamily, makeSandboxEnv, serveDuring, type Ran } from '../support/command.ts';
import { THOROUGH_ONLY } from '../support/thorough.ts';

const MEBIBYTE_BYTES = 1024 * 1024;
/** No process may need more mebibytes: the README says this. */
const MAX_MEMORY_MIB = 512;
const PAYMENT_LINKS: Readonly<Record<string, string>> = { AREAS: 'payment-links' };

/** Returns the highest resident memory (MiB) of a process and its descendants until the process ends. */
async function measurePeakMemory(child: ChildProcess): Promise<number> {
  let peak = 0;
  while (child.exitCode === null) {
    for (const id of listProcessFamily(child.pid ?? 0))
      try {
        const [, kibibytes] = /VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8')) ?? [];
        peak = Math.max(peak, Number(kibibytes ?? 0) / 1024);
      } catch {
        // The process has just ended.
      }
    await setTimeout(100);
  }
  return peak;
}

/** Judges the bank at `url`, and checks the memory of every process. */
async function judgeWithinMemory(url: string, env = PAYMENT_LINKS): Promise<Ran> {
  let peak = 0;
  const meanwhile = async (child: ChildProcess) => void (peak = await measurePeakMemory(child));
  const ended = await runConformance({ ...makeSandboxEnv(url), ...env, RUNS: '2' }, { meanwhile });
  expect(peak).toBeGreaterThan(1);
  expect(peak).toBeLessThan(MAX_MEMORY_MIB);
  return ended;
}

test('If an answer is a gzip bomb, no process of the run needs 512 MiB', async () => {
  test.skip(process.platform !== 'linux', 'memory is read from /proc');
  const opened = await findByName(malformedHttpBanks, 'bank', 'gzip-bomb').open();
  const ended = await judgeWithinMemory(opened.url);
  await opened.close();
  expect(ended.status, ended.out).toBe(2);
  expect(ended.report).toMatchObject({ verdict: 'inconclusive', errors: [] });
});

test(
  'If every answer is a list of millions of entries, no process of the run needs 512 MiB',
  THOROUGH_ONLY,
  async () => {
    test.skip(process.platform !== 'linux', 'memory is read from /proc');
    const list = `{"data":[${'{},'.repeat(2_600_000)}{}]}`;
    const ended = await serveDuring(changeResponses((response) => copyResponse(response, list))(createBank()), (url) =>
      judgeWithinMemory(url),
    );
    expect(ended.report).toMatchObject({ verdict: 'non-conformant', errors: [] });
  },
);

test(
  'If every answer has new member names of half a megabyte, memory, logs and report stay small',
  THOROUGH_ONLY,
  async () => {
    test.skip(process.platform !== 'linux', 'memory is read from /proc');
    // Every answer has new undocumented members with half a megabyte of text, escaped as in HTML.
    const inventive = changeResponses(async (response, nth) => {
      const name = `${nth}-${'n'.repeat(500_000)}`;
      const member = `${JSON.stringify(name)}:${JSON.stringify(`&lt;${name}`)}`;
      const text = await response.text();
      return copyResponse(response, text.replace(/\}\s*$/, `,${member}}`).replace(/"data":\[?\{/, `$&${member},`));
    })(createBank());
    const { report, out, folder } = await serveDuring(inventive, (url) => judgeWithinMemory(url));
    const measureFiles = (at: string): readonly number[] =>
      readdirSync(at).map((name) => statSync(path.join(at, name)).size / MEBIBYTE_BYTES);
    const journal = measureFiles(path.join(folder, 'journal'));
    expect(journal.reduce((sum, size) => sum + size, 0)).toBeLessThan(50);
    expect(Math.max(...measureFiles(folder))).toBeLessThan(10);
    // Undocumented members may be HTML. The report keeps their names, shortened.
    expect([report?.verdict, report?.findings], out).toEqual(['conformant', []]);
    expect(JSON.stringify(report?.observations)).toMatch(/n… \(and \d{6} more characters\)/);
  },
);
