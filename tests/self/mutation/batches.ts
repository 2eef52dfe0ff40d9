/** Writes the outcomes of each batch of banks to a file, and collects the files of all workers. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestText } from '../../../openapi/util/hash.ts';
import { drawVariants } from '../../../fixtures/banks/variants/random-variants.ts';
import { variants } from '../../../fixtures/banks/variants/index.ts';
import { mutants } from '../../../fixtures/banks/mutants/index.ts';
import { incidents, type Incident } from '../../../fixtures/banks/incidents/index.ts';
import type { Variant } from '../../../fixtures/banks/lib/variant.ts';
import type { Mutant } from '../../../fixtures/banks/lib/mutant.ts';
import type { Outcomes } from '../../../reports/proof/matrix.ts';
import type { Report } from '../../../reports/model/report.ts';
import { examineDrawn, type DrawnBatch } from './drawn/examine-drawn.ts';
import { runIncident, runVariant, runMutant } from './run-mutant.ts';
import { decideIncidentOutcome, decideMutantOutcome, decideVariantOutcome, reportOfFault } from './outcomes.ts';
import { recordBank, type BankRecord } from './recordings/recording.ts';

/** The number of random variants in the whole proof, and in the part for `npm test`. */
const [RANDOM_VARIANTS, RANDOM_VARIANTS_IN_TESTS] = [200, 6];
const RANDOM_SEED = 1;
/** `npm test` examines one of every six incidents, and one of every six variants. */
const BANKS_PER_TEST = 6;

const randomVariants = drawVariants(RANDOM_SEED, RANDOM_VARIANTS);

/** Returns the mutants for `npm test`: one per clause, chosen by the digests of their names. Always the same. */
export function selectDailySample(all: readonly Mutant[]): ReadonlySet<Mutant> {
  const keyed = all.map((mutant) => ({ mutant, key: digestText(mutant.name) }));
  const ordered = keyed.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  return new Set(new Map(ordered.map(({ mutant }) => [mutant.breaks, mutant])).values());
}

const dailyBanks = selectDailySample(mutants);

/** The banks of the whole population, and the banks for `npm test`. */
export const populations = {
  whole: { mutants, variants, randomVariants, incidents },
  inTests: {
    mutants: mutants.filter((mutant) => dailyBanks.has(mutant)),
    randomVariants: randomVariants.slice(0, RANDOM_VARIANTS_IN_TESTS),
    variants: variants.filter((_, index) => index % BANKS_PER_TEST === 0),
    incidents: incidents.filter((_, index) => index % BANKS_PER_TEST === 0),
  },
} as const;

export interface Batch {
  readonly name: string;
  readonly mutants?: readonly Mutant[];
  readonly variants?: readonly Variant[];
  readonly randomVariants?: readonly Variant[];
  readonly incidents?: readonly Incident[];
  readonly drawn?: DrawnBatch;
}

/** Distributes `items` over `hands` parts. */
export function distribute<T>(items: readonly T[], hands: number): readonly (readonly T[])[] {
  return Array.from({ length: hands }, (_, hand) => items.filter((_item, index) => index % hands === hand));
}

interface Part extends Outcomes {
  readonly records: readonly BankRecord[];
}

const locateProofFolder = (outputDir: string): string => join(outputDir, 'proof');

/** Examines the banks of a batch, one after the other, and writes the outcomes. */
export async function examineBatch(
  { name, mutants = [], variants = [], randomVariants = [], incidents = [], drawn }: Batch,
  outputDir: string,
): Promise<void> {
  const from = Date.now();
  const records: BankRecord[] = [];
  const kept = (name: string, report: Report): Report => {
    records.push(recordBank(name, report));
    return report;
  };
  const outcomes: {
    mutants: Outcomes['mutants'][number][];
    banks: Outcomes['banks'][number][];
    incidents: Outcomes['incidents'][number][];
  } = { mutants: [], banks: [], incidents: [] };
  for (const mutant of mutants) {
    const report = await runMutant(mutant).catch(reportOfFault);
    outcomes.mutants.push(decideMutantOutcome(mutant, kept(mutant.name, report)));
  }
  for (const [kind, banks] of [
    ['variant', variants],
    ['random', randomVariants],
  ] as const)
    for (const bank of banks) {
      const report = await runVariant(bank).catch(reportOfFault);
      outcomes.banks.push(decideVariantOutcome(bank, kept(bank.name, report), kind));
    }
  for (const incident of incidents) {
    const report = await runIncident(incident).catch(reportOfFault);
    outcomes.incidents.push(decideIncidentOutcome(incident, kept(`incident-${incident.name}`, report)));
  }
  const found = drawn === undefined ? { bugs: [], banks: [] } : await examineDrawn(drawn);
  const part: Part = { ...outcomes, drawn: { seed: '', ...found }, records, from, to: Date.now() };
  mkdirSync(locateProofFolder(outputDir), { recursive: true });
  writeFileSync(join(locateProofFolder(outputDir), `${name}.json`), JSON.stringify(part));
}

/** Collects the batches of this run, in the order of their names. Random banks were drawn from `seed`. */
export function collectBatches(outputDir: string, seed: string): Part {
  const isOf = (entry: { readonly seed: string }): boolean => entry.seed.startsWith(`${seed}.`);
  const parts = readdirSync(locateProofFolder(outputDir))
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => JSON.parse(readFileSync(join(locateProofFolder(outputDir), file), 'utf8')) as Part);
  return {
    mutants: parts.flatMap(({ mutants }) => mutants),
    banks: parts.flatMap(({ banks }) => banks),
    incidents: parts.flatMap(({ incidents }) => incidents),
    drawn: {
      seed,
      bugs: parts.flatMap(({ drawn }) => drawn.bugs.filter(isOf)),
      banks: parts.flatMap(({ drawn }) => drawn.banks.filter(isOf)),
    },
    records: parts.flatMap(({ records }) => records).sort((a, b) => (a.name < b.name ? -1 : 1)),
    from: Math.min(...parts.map(({ from }) => from)),
    to: Math.max(...parts.map(({ to }) => to)),
  };
}
