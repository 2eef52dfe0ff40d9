/** Examines mutated banks, variants, random variants and shipped bugs. The matrix judges the outcomes. */
import { test } from '@playwright/test';
import { thoroughUnless } from '../support/thorough.ts';
import { drawSizes } from './drawn/examine-drawn.ts';
import { distribute, examineBatch, populations, type Batch } from './batches.ts';

/** Distributes banks over `hands` batches. */
function distributeBanks<K extends 'mutants' | 'variants' | 'randomVariants' | 'incidents'>(
  name: string,
  kind: K,
  banks: NonNullable<Batch[K]>,
  hands: number,
): readonly Batch[] {
  return distribute<unknown>(banks, hands).map((some, index): Batch => ({
    name: `${name}-${String(index + 1).padStart(2, '0')}`,
    [kind]: some,
  }));
}

/** Makes batches that draw their own banks. */
const drawBatches = (
  name: string,
  { seed, hands, count }: (typeof drawSizes)[keyof typeof drawSizes],
): readonly Batch[] =>
  Array.from({ length: hands }, (_, hand) => ({
    name: `${name}-${String(hand + 1).padStart(2, '0')}`,
    drawn: { seed: `${seed}.${hand}`, count },
  }));

const { whole, inTests } = populations;
const removePart = <T>(all: readonly T[], part: readonly T[]): readonly T[] =>
  all.filter((entry) => !part.includes(entry));

const batches: readonly Batch[] = [
  ...distributeBanks('mutants', 'mutants', inTests.mutants, 8),
  ...distributeBanks('variants', 'variants', inTests.variants, 4),
  ...distributeBanks('random-variants', 'randomVariants', inTests.randomVariants, 1),
  ...distributeBanks('incidents', 'incidents', inTests.incidents, 4),
  ...drawBatches('drawn', drawSizes.inTests),
];

/** Batches that only `npm run prove` examines. */
const proofBatches: readonly Batch[] = [
  ...distributeBanks('more-mutants', 'mutants', removePart(whole.mutants, inTests.mutants), 44),
  ...distributeBanks('more-variants', 'variants', removePart(whole.variants, inTests.variants), 4),
  ...distributeBanks(
    'more-random-variants',
    'randomVariants',
    removePart(whole.randomVariants, inTests.randomVariants),
    10,
  ),
  ...distributeBanks('more-incidents', 'incidents', removePart(whole.incidents, inTests.incidents), 4),
  ...drawBatches('freshly-drawn', drawSizes.whole),
];

test.describe.configure({ timeout: 0 });

for (const batch of [...batches, ...proofBatches])
  test(batch.name, thoroughUnless(batches.includes(batch)), ({}, info) => examineBatch(batch, info.project.outputDir));
