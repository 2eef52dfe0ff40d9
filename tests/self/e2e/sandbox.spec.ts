/** Tests `npm run bank`: the list of faults. `package.spec.ts` starts the sandbox with two of them. */
import { expect, test } from '@playwright/test';
import { bankCommand } from '../../../fixtures/runner/cli/bank.ts';
import { runInProcess } from '../support/command.ts';

test('The option --faults lists the faults that contain a word, and --fault refuses an unknown fault in one sentence', async () => {
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
