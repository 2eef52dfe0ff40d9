/** `npm run bank`: the sandbox, good or with chosen faults. */
import { expect, test } from '@playwright/test';
import { examineUrl } from '../support/examine.ts';
import { BANK_COMMAND, startBankProcess, runProcess } from '../support/command.ts';

/** Returns the broken promises that a run finds on the sandbox with these faults. */
async function listBrokenPromises(...faults: readonly string[]): Promise<readonly string[]> {
  const bank = await startBankProcess(faults.flatMap((name) => ['--fault', name]));
  try {
    const { findings } = await examineUrl(bank.url, { env: { AREAS: 'payment-links', RUNS: '3' } });
    return findings.filter(({ verdict }) => verdict === 'fail').map(({ clause }) => clause);
  } finally {
    bank.end();
  }
}

test('The sandbox is good by default, and has exactly the faults that it is given', async () => {
  expect(await listBrokenPromises()).toEqual([]);
  expect(await listBrokenPromises('link-without-token')).toEqual(['links.token-in-link']);
  const both = await listBrokenPromises('link-without-token', 'create-payment-link-payment-token-null');
  expect(both).toEqual(['links.link.payment-token']);
});

test('Faults can be listed by a word, and an unknown fault is reported in one sentence', async () => {
  const { status, out } = await runProcess([...BANK_COMMAND, '--faults', 'Truncated'], {});
  expect(status, out).toBe(0);
  expect(out).toContain('list-branches-body-truncated\n    The body ends in the middle. (links.branches.json)');
  expect(out).not.toContain('link-without-token');
  for (const words of [['--faults'], ['--faults', '--seed', '2'], ['--faults', '']])
    expect((await runProcess([...BANK_COMMAND, ...words], {})).out).toMatch(/^(\d+) of \1 faults$/m);
  const wrong = await runProcess([...BANK_COMMAND, '--fault', 'no-such-fault'], {});
  expect(wrong.status).toBe(2);
  expect(wrong.out.trim().split('\n')).toEqual([
    `--fault names an unknown fault: "no-such-fault". List all with --faults.`,
  ]);
  expect((await runProcess([...BANK_COMMAND, '--fault', 'link-witout-token'], {})).out).toBe(
    '--fault names an unknown fault: "link-witout-token". Did you mean link-without-token? List all with --faults.\n',
  );
});
