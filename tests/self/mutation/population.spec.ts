/** Examines mutants, conforming banks, realistic faults and generated banks in batches. `matrix.spec.ts` checks the outcomes. */
import { test } from '@playwright/test';
import { thoroughUnless } from '../support/thorough.ts';
import { drawSizes, examineDrawn } from './drawn/examine-drawn.ts';
import {
  distribute,
  examineBatch,
  examineRealisticFault,
  examineMutant,
  examineConformingBank,
  populations,
  type Batch,
} from './batches.ts';
import { runMutant, runShortly } from './run-mutant.ts';

const nameBatch = (name: string, index: number): string => `${name}-${String(index + 1).padStart(2, '0')}`;

/** Distributes the banks that are not in `others` over a number of batches (`hands`). */
const distributeBanks = <Bank>(
  name: string,
  examine: (bank: Bank) => Batch['examinations'][number],
  banks: readonly Bank[],
  hands: number,
  others: readonly Bank[] = [],
): readonly Batch[] =>
  distribute(
    banks.filter((bank) => !others.includes(bank)),
    hands,
  ).map((part, index) => ({ name: nameBatch(name, index), examinations: part.map(examine) }));

const drawBatches = (
  name: string,
  { seed, hands, count }: (typeof drawSizes)[keyof typeof drawSizes],
): readonly Batch[] =>
  Array.from({ length: hands }, (_, hand) => ({
    name: nameBatch(name, hand),
    examinations: [async () => ({ drawn: await examineDrawn(`${seed}.${hand}`, count) })],
  }));

const { whole, inTests } = populations;

const batches: readonly Batch[] = [
  ...distributeBanks('mutants', examineMutant(runShortly), inTests.mutants, 6),
  ...distributeBanks('conforming-banks', examineConformingBank, inTests.conformingBanks, 4),
  ...distributeBanks('realistic-faults', examineRealisticFault, inTests.realisticFaults, 4),
  ...drawBatches('drawn', drawSizes.inTests),
];

/** Batches that only `npm run prove` examines. They repeat the mutants of `npm test` in all scenarios. */
const proofBatches: readonly Batch[] = [
  ...distributeBanks('whole-mutants', examineMutant(runMutant), whole.mutants, 50),
  ...distributeBanks('more-conforming-banks', examineConformingBank, whole.conformingBanks, 4, inTests.conformingBanks),
  ...distributeBanks('more-realistic-faults', examineRealisticFault, whole.realisticFaults, 4, inTests.realisticFaults),
  ...drawBatches('freshly-drawn', drawSizes.whole),
];

test.describe.configure({ timeout: 0 });

for (const batch of [...batches, ...proofBatches])
  test(`The banks of the batch ${batch.name} are examined`, thoroughUnless(batches.includes(batch)), ({}, info) =>
    examineBatch(batch, info.project.outputDir),
  );
