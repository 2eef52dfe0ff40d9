/** Examines the mixtures that the sample leaves out. */
import { test } from '@playwright/test';
import { drawMixtures } from '../../../fixtures/banks/mixture.ts';
import { allMixtures, mixtureSeed, sampled } from './extent.ts';
import { dealt, examineBatch } from './parts.ts';

test.describe.configure({ timeout: 0 });

for (const [index, mixtures] of dealt(drawMixtures(mixtureSeed, allMixtures).slice(sampled), 6).entries())
  test(`mixtures-${String(index + 1).padStart(2, '0')}`, ({}, info) =>
    examineBatch({ name: `mixtures-${String(index + 1).padStart(2, '0')}`, mixtures }, info.project.outputDir));
