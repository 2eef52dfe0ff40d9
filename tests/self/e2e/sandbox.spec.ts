/** Tests `npm run bank`: the sandbox, with and without faults. */
import { expect, test } from '@playwright/test';
import { examineUrl } from '../support/examine.ts';
import { bankCommand } from '../../../fixtures/runner/cli/bank.ts';
import { startBankProcess, runInProcess } from '../support/command.ts';

/** Returns the broken `must` clauses that a run finds at the sandbox with these faults. */
async function listBrokenPromises(...faults: readonly string[]): Promise<readonly string[]> {
  const bank = await startBankProcess(faults.flatMap((name) => ['--fault', name]));
  try {
    const { findings } = await examineUrl(bank.url, { env: { AREAS: 'payment-links', RUNS: '1' } });
    return findings.filter(({ verdict }) => verdict === 'fail').map(({ clause }) => clause);
  } finally {
    bank.end();
  }
}

test('The sandbox has exactly the faults that it is given', async () => {
  expect(await listBrokenPromises('link-with-another-token')).toEqual(['links.token-in-link']);
  const both = await listBrokenPromises('link-with-another-token', 'create-payment-link-payment-token-null');
  expect(both).toEqual(['links.link.payment-token']);
});

test('Faults can be listed by a word, and an unknown fault is reported in one sentence', async () => {
  const { status, out } = await runInProcess(bankCommand, '--faults', 'Truncated');
  expect(status, out).toBe(0);
  expect(out).toContain('list-branches-body-truncated\n    List branches body truncated. (links.branches.json)');
  expect(out).not.toContain('link-with-another-token');
  for (const words of [['--faults'], ['--faults', '--seed', '2'], ['--faults', '']])
    expect((await runInProcess(bankCommand, ...words)).out).toMatch(/^(\d+) of \1 faults$/m);
  for (const [name, cure] of [
    ['no-such-fault', '--faults lists all.'],
    ['link-with-anothre-token', 'did you mean link-with-another-token?'],
  ] as const)
    expect(await runInProcess(bankCommand, '--fault', name)).toEqual({
      status: 2,
      out: `--fault names an unknown fault: "${name}": ${cure}\n`,
    });
});
