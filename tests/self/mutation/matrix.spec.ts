/** Judges what came of the population, and writes it down. */
import { expect, test } from '@playwright/test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { proofOf, unproven } from '../../../reports/proof/matrix.ts';
import { renderProof } from '../../../reports/proof/html.ts';
import type { Proof } from '../../../reports/proof/proof.ts';
import { isBlameless, proofTable, describeAlarm, describeMiss } from '../../../reports/proof/terminal.ts';
import { measured } from './measured.ts';
import { collectBatches, populations } from './batches.ts';
import type { BankRecord } from './recordings/recording.ts';

let proof: Proof;
let records: readonly BankRecord[];
let folder: string;
/** Whether it is the whole proof, and not the part of it that `npm test` takes. */
let isWhole: boolean;

test.describe.configure({ mode: 'default' });

test.beforeAll(({}, info) => {
  const { outputDir, dependencies } = info.project;
  isWhole = dependencies.length > 1;
  folder = dirname(outputDir);
  const collected = collectBatches(outputDir);
  records = collected.records;
  proof = proofOf(collected, measured());
});

test('The matrix is written and printed', () => {
  mkdirSync(folder, { recursive: true });
  // The figures beside clauses of a report come from a whole proof alone.
  const file = (name: string): string => join(folder, isWhole ? name : `part-of-${name}`);
  writeFileSync(file('proof.json'), JSON.stringify(proof));
  writeFileSync(file('proof.html'), renderProof(proof));
  writeFileSync(file('recording.json'), JSON.stringify(records, null, 1));
  process.stdout.write(`\n${proofTable(proof)}\n\nThe matrix as a page: ${file('proof.html')}\n`);
});

const namesOf = (banks: readonly { readonly name: string }[]): readonly string[] =>
  banks.map(({ name }) => name).toSorted();

test('Every bank of the population, or of its part, was examined', () => {
  const expected = isWhole ? populations.whole : populations.inTests;
  expect(namesOf(proof.mutants)).toEqual(namesOf(expected.mutants));
  const of = (kind: string) => namesOf(proof.banks.filter((bank) => bank.kind === kind));
  expect(of('variant')).toEqual(namesOf(expected.variants));
  expect(of('random')).toEqual(namesOf(expected.randomVariants));
});

test('Every shipped bug was examined, and none of them broke the suite', () => {
  expect(namesOf(proof.incidents)).toEqual(namesOf((isWhole ? populations.whole : populations.inTests).incidents));
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

test('The card of a bank that conforms shows what the bank was built to do, on many points', () => {
  const compared = proof.banks.map(({ choices }) => choices).filter((choices) => choices > 0);
  expect(compared.length).toBeGreaterThan(isWhole ? 100 : 20);
  expect(Math.max(...compared)).toBeGreaterThan(100);
});

test('Every clause that can be broken has a mutant that breaks it', () => {
  expect(unproven(proof)).toEqual([]);
});
