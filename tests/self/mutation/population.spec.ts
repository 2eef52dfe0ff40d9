/** Examines every faulty bank, every dialect and many mixtures. What came of them is judged in the matrix. */
import { test } from '@playwright/test';
import { dialects } from '../../../fixtures/banks/variants/index.ts';
import { drawMixtures } from '../../../fixtures/banks/variants/random-variants.ts';
import { population } from '../../../fixtures/banks/mutants/index.ts';
import { dealt, examineBatch, mixtureCount, type Batch } from './batches.ts';

const named = (name: string, index: number): string => `${name}-${String(index + 1).padStart(2, '0')}`;

const mixtureSeed = 1;

const batches: readonly Batch[] = [
  ...dealt(population, 48).map((faults, index) => ({ name: named('faults', index), faults })),
  ...dealt(dialects, 8).map((some, index) => ({ name: named('dialects', index), dialects: some })),
  ...dealt(drawMixtures(mixtureSeed, mixtureCount), 10).map((mixtures, index) => ({
    name: named('mixtures', index),
    mixtures,
  })),
];

test.describe.configure({ timeout: 0 });

for (const batch of batches) test(batch.name, ({}, info) => examineBatch(batch, info.project.outputDir));
