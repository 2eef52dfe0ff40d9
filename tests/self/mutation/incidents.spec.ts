/** Examines every bank with a shipped bug. What came of them is counted in the matrix. */
import { test } from '@playwright/test';
import { incidents } from '../../../fixtures/banks/incidents/index.ts';
import { examineBatch, sharded } from './batches.ts';

test.describe.configure({ timeout: 0 });

for (const [index, some] of sharded(incidents, 8).entries()) {
  const name = `incidents-${index + 1}`;
  test(name, ({}, info) => examineBatch({ name, incidents: some }, info.project.outputDir));
}
