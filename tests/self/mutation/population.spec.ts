/** Examines mutated banks, variants, random variants and shipped bugs. The matrix judges the outcomes. */
import { test } from '@playwright/test';
import { shownIf } from '../support/thorough.ts';
import { draws } from './drawn/examine-drawn.ts';
import { sharded, examineBatch, populations, type Batch } from './batches.ts';

/** Distributes banks over `hands` batches. */
function dealt<K extends 'mutants' | 'variants' | 'randomVariants' | 'incidents'>(
  name: string,
  kind: K,
  banks: NonNullable<Batch[K]>,
  hands: number,
): readonly Batch[] {
  return sharded<unknown>(banks, hands).map((some, index): Batch => ({
    name: `${name}-${String(index + 1).padStart(2, '0')}`,
    [kind]: some,
  }));
}

/** Makes batches that draw their own banks. */
const drawnIn = (name: string, { seed, hands, count }: (typeof draws)[keyof typeof draws]): readonly Batch[] =>
  Array.from({ length: hands }, (_, hand) => ({
    name: `${name}-${String(hand + 1).padStart(2, '0')}`,
    drawn: { seed: `${seed}.${hand}`, count },
  }));

const { whole, inTests } = populations;
const more = <T>(all: readonly T[], part: readonly T[]): readonly T[] => all.filter((one) => !part.includes(one));

const batches: readonly Batch[] = [
  ...dealt('mutants', 'mutants', inTests.mutants, 8),
  ...dealt('variants', 'variants', inTests.variants, 4),
  ...dealt('random-variants', 'randomVariants', inTests.randomVariants, 1),
  ...dealt('incidents', 'incidents', inTests.incidents, 4),
  ...drawnIn('drawn', draws.inTests),
];

/** Batches that only `npm run prove` examines. */
const others: readonly Batch[] = [
  ...dealt('more-mutants', 'mutants', more(whole.mutants, inTests.mutants), 44),
  ...dealt('more-variants', 'variants', more(whole.variants, inTests.variants), 4),
  ...dealt('more-random-variants', 'randomVariants', more(whole.randomVariants, inTests.randomVariants), 10),
  ...dealt('more-incidents', 'incidents', more(whole.incidents, inTests.incidents), 4),
  ...drawnIn('freshly-drawn', draws.whole),
];

test.describe.configure({ timeout: 0 });

for (const batch of [...batches, ...others])
  test(batch.name, shownIf(batches.includes(batch)), ({}, info) => examineBatch(batch, info.project.outputDir));
