/** Examines every mutated bank, every variant, many random variants and every shipped bug. What came of them is judged in the matrix. */
import { test } from '@playwright/test';
import { incidents } from '../../../fixtures/banks/incidents/index.ts';
import { variants } from '../../../fixtures/banks/variants/index.ts';
import { drawVariants } from '../../../fixtures/banks/variants/random-variants.ts';
import { mutants } from '../../../fixtures/banks/mutants/index.ts';
import { shownIf } from '../support/thorough.ts';
import { sharded, examineBatch, mixtureCount, mixturesInTests, type Batch } from './batches.ts';

const named = (name: string, index: number): string => `${name}-${String(index + 1).padStart(2, '0')}`;

const mixtureSeed = 1;
const mixtures = drawVariants(mixtureSeed, mixtureCount);

const batches: readonly Batch[] = [
  ...sharded(mutants, 48).map((mutants, index) => ({ name: named('mutants', index), mutants })),
  ...sharded(variants, 8).map((some, index) => ({ name: named('variants', index), variants: some })),
  ...sharded(mixtures.slice(0, mixturesInTests), 4).map((some, index) => ({
    name: named('random-variants', index),
    randomVariants: some,
  })),
  ...sharded(mixtures.slice(mixturesInTests), 8).map((some, index) => ({
    name: named('more-random-variants', index),
    randomVariants: some,
    isMore: true as const,
  })),
  ...sharded(incidents, 8).map((some, index) => ({ name: named('incidents', index), incidents: some })),
];

test.describe.configure({ timeout: 0 });

for (const batch of batches)
  test(batch.name, shownIf(batch.isMore !== true), ({}, info) => examineBatch(batch, info.project.outputDir));
