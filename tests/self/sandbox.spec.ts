/** `npm run bank`: the sandbox, good or with the faults that are asked for. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { examineUrl } from './examine.ts';
import { root, started } from './whole-run.ts';

const words = [path.join(root, 'node_modules/tsx/dist/cli.mjs'), 'fixtures/bank-main.ts'];

/** The findings of promises on the sandbox with these faults. */
async function brokenBy(...faults: readonly string[]): Promise<readonly string[]> {
  const options = ['--port', '0', ...faults.flatMap((name) => ['--fault', name])];
  const child = spawn(process.execPath, [...words, ...options], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const url = await new Promise<string>((done) => {
      let said = '';
      child.stdout.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        const found = /http:\/\/[\d.]+:\d+/.exec(said)?.[0];
        if (found !== undefined) done(found);
      });
    });
    const { findings } = await examineUrl(url);
    return findings.filter(({ verdict }) => verdict === 'fail').map(({ clause }) => clause);
  } finally {
    child.kill('SIGTERM');
  }
}

test('The sandbox is good unless it is given faults, and then it has those', async () => {
  expect(await brokenBy()).toEqual([]);
  expect(await brokenBy('link-without-token')).toEqual(['links.token-in-link']);
  const both = await brokenBy('link-without-token', 'create-payment-link-payment-token-null');
  expect(both).toEqual(['links.link.payment-token']);
});

test('Faults are listed by a word, and an unknown one is told in one sentence', async () => {
  const { status, out } = await started([...words, '--faults', 'Truncated'], {});
  expect(status, out).toBe(0);
  expect(out).toContain('link-with-truncated-token\n    The last letter of the token is missing in the link.');
  expect(out).not.toContain('link-without-token');
  const wrong = await started([...words, '--fault', 'no-such-fault'], {});
  expect(wrong.status).toBe(2);
  expect(wrong.out.trim().split('\n')).toEqual([
    `--fault names no fault that is known: "no-such-fault". List them with --faults ''.`,
  ]);
});
