/** Judges what came of the population, and writes it down. */
import { expect, test } from '@playwright/test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { incidents } from '../../../fixtures/banks/incidents/index.ts';
import { variants } from '../../../fixtures/banks/variants/index.ts';
import { mutants } from '../../../fixtures/banks/mutants/index.ts';
import { proofOf, unproven } from '../../../reports/proof/matrix.ts';
import { renderProof } from '../../../reports/proof/html.ts';
import type { Proof } from '../../../reports/proof/proof.ts';
import { isBlameless, proofTable, describeAlarm, describeMiss } from '../../../reports/proof/terminal.ts';
import { measured } from './measured.ts';
import { collectBatches, mixtureCount, mixturesInTests } from './batches.ts';
import type { BankRecord } from './recordings/recording.ts';

let proof: Proof;
let records: readonly BankRecord[];
let folder: string;

test.describe.configure({ mode: 'default' });

test.beforeAll(({}, info) => {
  const { outputDir } = info.project;
  folder = dirname(outputDir);
  const collected = collectBatches(outputDir);
  records = collected.records;
  proof = proofOf(collected, measured());
});

test('The matrix is written and printed', () => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'proof.json'), JSON.stringify(proof));
  writeFileSync(join(folder, 'proof.html'), renderProof(proof));
  writeFileSync(join(folder, 'recording.json'), JSON.stringify(records, null, 1));
  process.stdout.write(`\n${proofTable(proof)}\n\nThe matrix as a page: ${join(folder, 'proof.html')}\n`);
});

test('Every bank of the population was examined', ({}, info) => {
  expect(proof.mutants.map(({ name }) => name).sort()).toEqual(mutants.map(({ name }) => name).sort());
  const { banks, conformant } = proof;
  expect(
    banks
      .filter(({ kind }) => kind === 'variant')
      .map(({ name }) => name)
      .sort(),
  ).toEqual(variants.map(({ name }) => name).sort());
  const isWhole = info.project.dependencies.length > 1;
  expect(conformant.randomVariants).toBe(isWhole ? mixtureCount : mixturesInTests);
});

test('Every shipped bug was examined, and none of them broke the suite', () => {
  expect(proof.incidents.map(({ name }) => name).sort()).toEqual(incidents.map(({ name }) => name).sort());
  expect(proof.incidents.filter(({ outcome }) => outcome === 'broken')).toEqual([]);
});

test('Every mutant is caught, and the right clause is blamed', () => {
  const misses = proof.mutants.filter(({ outcome }) => outcome !== 'caught');
  expect(misses.length, misses.map(describeMiss).join('\n\n')).toBe(0);
});

test('No bank that conforms raises an alarm', () => {
  const alarmed = proof.banks.filter((bank) => !isBlameless(bank));
  expect(alarmed.length, alarmed.map(describeAlarm).join('\n\n')).toBe(0);
});

test('The card of a bank that conforms tells what the bank was built to do, on many points', () => {
  const compared = proof.banks.map(({ choices }) => choices).filter((choices) => choices > 0);
  expect(compared.length).toBeGreaterThan(100);
  expect(Math.max(...compared)).toBeGreaterThan(100);
});

test('Every clause that can be broken has a mutant that breaks it', () => {
  expect(unproven(proof)).toEqual([]);
});
