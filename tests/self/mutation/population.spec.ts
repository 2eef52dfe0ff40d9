/** Examines every mutated bank, every variant, many random variants and every shipped bug. What came of them is judged in the matrix. */
import { test } from '@playwright/test';
import { incidents } from '../../../fixtures/banks/incidents/index.ts';
import { variants } from '../../../fixtures/banks/variants/index.ts';
import { drawVariants } from '../../../fixtures/banks/variants/random-variants.ts';
import { mutants } from '../../../fixtures/banks/mutants/index.ts';
import { sharded, examineBatch, mixtureCount, type Batch } from './batches.ts';

const named = (name: string, index: number): string => `${name}-${String(index + 1).padStart(2, '0')}`;

const mixtureSeed = 1;

const batches: readonly Batch[] = [
  ...sharded(mutants, 48).map((mutants, index) => ({ name: named('mutants', index), mutants })),
  ...sharded(variants, 8).map((some, index) => ({ name: named('variants', index), variants: some })),
  ...sharded(drawVariants(mixtureSeed, mixtureCount), 10).map((randomVariants, index) => ({
    name: named('random-variants', index),
    randomVariants,
  })),
  ...sharded(incidents, 8).map((some, index) => ({ name: named('incidents', index), incidents: some })),
];

test.describe.configure({ timeout: 0 });

for (const batch of batches) test(batch.name, ({}, info) => examineBatch(batch, info.project.outputDir));
