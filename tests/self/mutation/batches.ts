/** The outcomes of one batch of banks, in a file, so that the batches of several workers come together. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Incident } from '../../../fixtures/banks/incidents/index.ts';
import type { Variant } from '../../../fixtures/banks/lib/variant.ts';
import type { Mutant } from '../../../fixtures/banks/lib/mutant.ts';
import type { Outcomes } from '../../../reports/proof/matrix.ts';
import type { Report } from '../../../reports/model/report.ts';
import { runIncident, runVariant, runMutant } from './run-mutant.ts';
import {
  incidentNotExamined,
  notExamined,
  notLeftAlone,
  outcomeOfIncident,
  outcomeOfVariant,
  outcomeOfMutant,
} from './outcomes.ts';
import { recordOf, type BankRecord } from './recordings/recording.ts';

/** Random variants that the proof examines besides the variants, and those of them that `npm test` leaves it at. */
export const [mixtureCount, mixturesInTests] = [200, 60];

export interface Batch {
  readonly name: string;
  readonly mutants?: readonly Mutant[];
  readonly variants?: readonly Variant[];
  readonly randomVariants?: readonly Variant[];
  readonly incidents?: readonly Incident[];
  /** True of more of the same: `npm test` leaves it out. */
  readonly isMore?: true;
}

/** Deals `items` out into so many hands. */
export function sharded<T>(items: readonly T[], hands: number): readonly (readonly T[])[] {
  return Array.from({ length: hands }, (_, hand) => items.filter((_item, index) => index % hands === hand));
}

/** Outcomes with what each bank was judged to be. */
export interface Part extends Outcomes {
  readonly records: readonly BankRecord[];
}

const folder = (outputDir: string): string => join(outputDir, 'proof');

/** Examines the banks of a batch, one after the other, and writes what came of them. */
export async function examineBatch(
  { name, mutants = [], variants = [], randomVariants = [], incidents = [] }: Batch,
  outputDir: string,
): Promise<void> {
  const from = Date.now();
  const records: BankRecord[] = [];
  const kept = (name: string, report: Report): Report => {
    records.push(recordOf(name, report));
    return report;
  };
  const outcomes: {
    mutants: Outcomes['mutants'][number][];
    banks: Outcomes['banks'][number][];
    incidents: Outcomes['incidents'][number][];
  } = { mutants: [], banks: [], incidents: [] };
  for (const mutant of mutants)
    outcomes.mutants.push(
      await runMutant(mutant).then(
        (report) => outcomeOfMutant(mutant, kept(mutant.name, report)),
        (error) => notExamined(mutant, error),
      ),
    );
  for (const [kind, banks] of [
    ['variant', variants],
    ['random', randomVariants],
  ] as const)
    for (const bank of banks)
      outcomes.banks.push(
        await runVariant(bank).then(
          (report) => outcomeOfVariant(bank, kept(bank.name, report), kind),
          (error) => notLeftAlone(bank, kind, error),
        ),
      );
  for (const incident of incidents)
    outcomes.incidents.push(
      await runIncident(incident).then(
        (report) => outcomeOfIncident(incident, kept(`incident-${incident.name}`, report)),
        (error) => incidentNotExamined(incident, error),
      ),
    );
  const part: Part = { ...outcomes, records, from, to: Date.now() };
  mkdirSync(folder(outputDir), { recursive: true });
  writeFileSync(join(folder(outputDir), `${name}.json`), JSON.stringify(part));
}

/** Brings the batches of this run together, in the order of their names. */
export function collectBatches(outputDir: string): Part {
  const parts = readdirSync(folder(outputDir))
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => JSON.parse(readFileSync(join(folder(outputDir), file), 'utf8')) as Part);
  return {
    mutants: parts.flatMap(({ mutants }) => mutants),
    banks: parts.flatMap(({ banks }) => banks),
    incidents: parts.flatMap(({ incidents }) => incidents),
    records: parts.flatMap(({ records }) => records).sort((one, other) => (one.name < other.name ? -1 : 1)),
    from: Math.min(...parts.map(({ from }) => from)),
    to: Math.max(...parts.map(({ to }) => to)),
  };
}
