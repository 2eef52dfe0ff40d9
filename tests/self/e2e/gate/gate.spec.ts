/** However a run ends, its exit status, its verdict and its first words say so. `npm run gate` shows them as a table. */
import { expect, test } from '@playwright/test';
import { shownIf } from '../../support/thorough.ts';
import type { GateCase } from './case.ts';
import { gateCases } from './cases.ts';
import { mergeCases } from './merges.ts';

const show = ({ name, status, verdict, says, run, isInTests }: GateCase): void =>
  test(name, shownIf(isInTests !== false), async () => {
    const ran = await run();
    expect([ran.status, ran.report?.verdict ?? null], ran.out).toEqual([status, verdict]);
    expect(ran.out.replaceAll(/\n\s*(?=\S)/g, ' ') + ran.out).toMatch(says);
    expect(ran.out).not.toMatch(/\n\s+at /);
  });

test.describe('Merging', () => {
  // In one worker: they share the shards of one run.
  test.describe.configure({ mode: 'default' });
  mergeCases.forEach(show);
});

gateCases.filter((one) => !mergeCases.includes(one)).forEach(show);
