/** Writes the outcomes of each batch of banks to a file, and collects the files of all workers. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { partition } from '../../../openapi/util/group-by.ts';
import { digestText } from '../../../openapi/util/hash.ts';
import { conformingBanks } from '../../../fixtures/banks/conforming/index.ts';
import { envelopeMutants } from '../../../fixtures/banks/mutants/derived/envelopes.ts';
import { expectationMutants } from '../../../fixtures/banks/mutants/derived/fields.ts';
import { fieldMutants } from '../../../fixtures/banks/mutants/derived/fields.ts';
import { mutants } from '../../../fixtures/banks/mutants/index.ts';
import { realisticFaults, type RealisticFault } from '../../../fixtures/banks/realistic-faults/index.ts';
import type { ConformingBank } from '../../../fixtures/banks/lib/conforming-bank.ts';
import type { Mutant } from '../../../fixtures/banks/lib/mutant.ts';
import type { Report } from '../../../reports/model/report.ts';
import type { Outcomes } from '../proof/proof.ts';
import { runRealisticFault, runConformingBank } from './run-mutant.ts';
import {
  decideRealisticFaultOutcome,
  decideMutantOutcome,
  decideConformingOutcome,
  reportOfFault,
} from './outcomes.ts';

/** Mutants that one answer shows. `one-answer.spec.ts` judges all of them without a run. */
export const mutantsOfOneAnswer: readonly Mutant[] = [...fieldMutants, ...envelopeMutants, ...expectationMutants];

/** For each kind of bank: `npm test` examines one bank out of this number of banks. */
const banksPerTest = { oneAnswer: 24, refusal: 6, written: 4, conformingBank: 10, realisticFault: 8 } as const;

/** Returns every `step`th bank, beginning with the first. */
const takeEach = <T>(banks: readonly T[], step: number): readonly T[] => banks.filter((_, index) => index % step === 0);

/**
 * Returns the mutants for `npm test`: a fixed part of all mutants, selected by the digests of their names. A part is enough,
 * because similar mutants use the same code of the suite, and `tests/self/rows` tests the behaviours of the other mutants.
 */
function selectDailySample(allMutants: readonly Mutant[]): readonly Mutant[] {
  const keyed = allMutants.map((mutant) => ({ mutant, key: digestText(mutant.name) }));
  const ordered = keyed.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const onePerClause = [...new Map(ordered.map(({ mutant }) => [mutant.breaks, mutant])).values()];
  const [ofOneAnswer, others] = partition(onePerClause, (mutant) => mutantsOfOneAnswer.includes(mutant));
  const [refusing, written] = partition(others, ({ kind }) => kind === 'rejecting');
  return [
    ...takeEach(ofOneAnswer, banksPerTest.oneAnswer),
    ...takeEach(refusing, banksPerTest.refusal),
    ...takeEach(written, banksPerTest.written),
  ];
}

/** The banks of the whole population, and the banks for `npm test`. */
export const populations = {
  whole: { mutants, conformingBanks, realisticFaults },
  inTests: {
    mutants: selectDailySample(mutants),
    conformingBanks: takeEach(conformingBanks, banksPerTest.conformingBank),
    realisticFaults: takeEach(realisticFaults, banksPerTest.realisticFault),
  },
} as const;

type Examination = () => Promise<Partial<Omit<Outcomes, 'from' | 'to'>>>;

/** A list of banks that one worker examines, one after the other. */
export interface Batch {
  readonly name: string;
  readonly examinations: readonly Examination[];
}

export const examineMutant =
  (run: (mutant: Mutant) => Promise<Report>) =>
  (mutant: Mutant): Examination =>
  async () => {
    const report = await run(mutant).catch(reportOfFault);
    return { mutants: [decideMutantOutcome(mutant, report)] };
  };
export const examineConformingBank =
  (conformingBank: ConformingBank): Examination =>
  async () => {
    const report = await runConformingBank(conformingBank).catch(reportOfFault);
    return { banks: [decideConformingOutcome(conformingBank, report)] };
  };
export const examineRealisticFault =
  (realisticFault: RealisticFault): Examination =>
  async () => {
    const report = await runRealisticFault(realisticFault).catch(reportOfFault);
    return { realisticFaults: [decideRealisticFaultOutcome(realisticFault, report)] };
  };

/** Distributes `items` over `hands` lists of about the same length. */
export function distribute<T>(items: readonly T[], hands: number): readonly (readonly T[])[] {
  return Array.from({ length: hands }, (_, hand) => items.filter((_item, index) => index % hands === hand));
}

const locateProofFolder = (outputDir: string): string => join(outputDir, 'proof');

/** Returns the last outcome for each bank. `npm run prove` examines some banks twice: in a few scenarios, and then in all. */
const takeLast = <T extends { readonly name: string }>(outcomes: readonly T[]): T[] => [
  ...new Map(outcomes.map((outcome) => [outcome.name, outcome])).values(),
];

const joinParts = (parts: readonly Partial<Outcomes>[], seed: string): Omit<Outcomes, 'from' | 'to'> => ({
  mutants: takeLast(parts.flatMap(({ mutants = [] }) => mutants)),
  banks: parts.flatMap(({ banks = [] }) => banks),
  realisticFaults: parts.flatMap(({ realisticFaults = [] }) => realisticFaults),
  drawn: {
    seed,
    bugs: parts.flatMap(({ drawn }) => drawn?.bugs ?? []),
    banks: parts.flatMap(({ drawn }) => drawn?.banks ?? []),
  },
});

/** Examines the banks of a batch, one after the other, and writes the outcomes. */
export async function examineBatch({ name, examinations }: Batch, outputDir: string): Promise<void> {
  const from = Date.now();
  const parts: Partial<Outcomes>[] = [];
  for (const examine of examinations) parts.push(await examine());
  const part: Outcomes = { ...joinParts(parts, ''), from, to: Date.now() };
  mkdirSync(locateProofFolder(outputDir), { recursive: true });
  writeFileSync(join(locateProofFolder(outputDir), `${name}.json`), JSON.stringify(part));
}

/** Collects the outcomes of all batches, in the order of their names. `seed` is the seed of the drawn banks. */
export function collectBatches(outputDir: string, seed: string): Outcomes {
  const parts = readdirSync(locateProofFolder(outputDir))
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => JSON.parse(readFileSync(join(locateProofFolder(outputDir), file), 'utf8')) as Outcomes);
  const { drawn, ...joined } = joinParts(parts, seed);
  const isOf = (entry: { readonly seed: string }): boolean => entry.seed.startsWith(`${seed}.`);
  return {
    ...joined,
    drawn: { seed, bugs: drawn.bugs.filter(isOf), banks: drawn.banks.filter(isOf) },
    from: Math.min(...parts.map(({ from }) => from)),
    to: Math.max(...parts.map(({ to }) => to)),
  };
}
