/** Examines every faulty bank, every dialect and a first sample of mixtures. What came of them is judged in the matrix. */
import { test } from '@playwright/test';
import { dialects } from '../../../fixtures/banks/dialects.ts';
import { drawMixtures } from '../../../fixtures/banks/mixture.ts';
import { population } from '../../../fixtures/banks/population.ts';
import { mixtureSeed, sampled } from './extent.ts';
import { dealt, examineBatch, type Batch } from './parts.ts';

const named = (name: string, index: number): string => `${name}-${String(index + 1).padStart(2, '0')}`;

const batches: readonly Batch[] = [
  ...dealt(population, 24).map((faults, index) => ({ name: named('faults', index), faults })),
  ...dealt(dialects, 6).map((some, index) => ({ name: named('dialects', index), dialects: some })),
  { name: 'mixtures-00', mixtures: drawMixtures(mixtureSeed, sampled) },
];

test.describe.configure({ timeout: 0 });

for (const batch of batches) test(batch.name, ({}, info) => examineBatch(batch, info.project.outputDir));
