/** However a run ends, its exit status, its verdict and its first words say so. */
import { expect, test } from '@playwright/test';
import { shownIf } from '../../support/thorough.ts';
import { gateCases } from './cases.ts';

for (const { name, status, verdict, says, run, isInTests } of gateCases)
  test(name, shownIf(isInTests !== false), async () => {
    const ran = await run();
    expect([ran.status, ran.report?.verdict ?? null], ran.out).toEqual([status, verdict]);
    expect(ran.out.replaceAll(/\n\s*(?=\S)/g, ' ') + ran.out).toMatch(says);
    expect(ran.out).not.toMatch(/\n\s+at /);
  });
