/** However a run ends, its exit status, its verdict and its first words say so. `npm run gate` shows them as a table. */
import { expect, test } from '@playwright/test';
import { gateCases } from './cases.ts';
import { shownIf } from '../../support/thorough.ts';

for (const { name, status, verdict, says, run, isInTests = true } of gateCases)
  test(name, shownIf(isInTests), async () => {
    const ran = await run();
    expect([ran.status, ran.report?.verdict ?? null], ran.said).toEqual([status, verdict]);
    expect(ran.said.replaceAll(/\n(?=\S)/g, ' ') + ran.said).toMatch(says);
    expect(ran.said).not.toMatch(/\n\s+at /);
  });
