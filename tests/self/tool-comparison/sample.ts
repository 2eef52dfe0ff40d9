/** The banks that all are tried on: a fixed selection of the population, evenly over its kinds. */
import type { Variant } from '../../../fixtures/banks/lib/variant.ts';
import { variants } from '../../../fixtures/banks/variants/index.ts';
import type { MutantKind, Handler } from '../../../fixtures/banks/lib/mutant.ts';
import { mutants } from '../../../fixtures/banks/mutants/index.ts';
import { createBank } from '../../../fixtures/reference-bank/bank.ts';

export interface Sampled {
  readonly name: string;
  readonly kind: 'good' | 'variant' | MutantKind;
  /** A new bank, which has done nothing yet. */
  open(): Handler;
}

const sizes: Readonly<Record<MutantKind, number>> = {
  derived: 8,
  manual: 5,
  conditional: 5,
  rejecting: 4,
  expectation: 3,
};
const VARIANTS_TAKEN = 8;

/** `count` of `all`, at even distances. */
function evenly<T>(all: readonly T[], count: number): readonly T[] {
  return Array.from(
    { length: Math.min(count, all.length) },
    (_, index) => all[Math.floor((index * all.length) / count)] as T,
  );
}

/** With the seed data of the good bank, so that the examples of the contract hold for it too. */
function wrapped({ behaviour = {}, wrap = (bank: Handler) => bank }: Variant): Handler {
  return wrap(createBank({ behaviour }), Date);
}

/** The good bank twice, which shows what a tool reports of it anyway; then banks that conform, then mutants. */
export function sample(): readonly Sampled[] {
  const good = (name: string): Sampled => ({ name, kind: 'good', open: () => createBank() });
  // Those that need test data of their own from their operator, or a prefix, would be no fair question to ask of all.
  const open = variants.filter(
    ({ name, env, prefix }) => name !== 'plain' && env === undefined && prefix === undefined,
  );
  const conformant = evenly(open, VARIANTS_TAKEN).map((variant): Sampled => ({
    name: variant.name,
    kind: 'variant',
    open: () => wrapped(variant),
  }));
  const faulty = Object.entries(sizes).flatMap(([kind, size]) =>
    evenly(
      mutants.filter((mutant) => mutant.kind === kind),
      size,
    ).map((mutant): Sampled => ({ name: mutant.name, kind: mutant.kind, open: () => mutant.mutate(createBank()) })),
  );
  return [good('good'), good('good again'), ...conformant, ...faulty];
}
