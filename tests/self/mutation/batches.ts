/** The outcomes of one batch of banks, in a file, so that the batches of several workers come together. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Dialect } from '../../../fixtures/banks/lib/variant.ts';
import type { Fault } from '../../../fixtures/banks/lib/mutant.ts';
import type { Outcomes } from '../../../reports/proof/matrix.ts';
import type { Report } from '../../../reports/model/report.ts';
import { examineDialect, examineFault } from './run-mutant.ts';
import { notExamined, notLeftAlone, outcomeOfDialect, outcomeOfFault } from './outcomes.ts';
import { recordOf, type BankRecord } from './recording.ts';

/** Random mixtures that are examined besides the dialects. */
export const mixtureCount = 200;

export interface Batch {
  readonly name: string;
  readonly faults?: readonly Fault[];
  readonly dialects?: readonly Dialect[];
  readonly mixtures?: readonly Dialect[];
}

/** Deals `items` out into so many hands. */
export function dealt<T>(items: readonly T[], hands: number): readonly (readonly T[])[] {
  return Array.from({ length: hands }, (_, hand) => items.filter((_item, index) => index % hands === hand));
}

/** Outcomes with what each bank was judged to be. */
export interface Part extends Outcomes {
  readonly records: readonly BankRecord[];
}

const folder = (outputDir: string): string => join(outputDir, 'proof');

/** Examines the banks of a batch, one after the other, and writes what came of them. */
export async function examineBatch(
  { name, faults = [], dialects = [], mixtures = [] }: Batch,
  outputDir: string,
): Promise<void> {
  const from = Date.now();
  const records: BankRecord[] = [];
  const kept = (name: string, report: Report): Report => {
    records.push(recordOf(name, report));
    return report;
  };
  const outcomes: { faults: Outcomes['faults'][number][]; banks: Outcomes['banks'][number][] } = {
    faults: [],
    banks: [],
  };
  for (const fault of faults)
    outcomes.faults.push(
      await examineFault(fault).then(
        (report) => outcomeOfFault(fault, kept(fault.name, report)),
        (error) => notExamined(fault, error),
      ),
    );
  for (const [kind, banks] of [
    ['dialect', dialects],
    ['mixture', mixtures],
  ] as const)
    for (const bank of banks)
      outcomes.banks.push(
        await examineDialect(bank).then(
          (report) => outcomeOfDialect(bank, kept(bank.name, report), kind),
          (error) => notLeftAlone(bank, kind, error),
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
    faults: parts.flatMap(({ faults }) => faults),
    banks: parts.flatMap(({ banks }) => banks),
    records: parts.flatMap(({ records }) => records).sort((one, other) => (one.name < other.name ? -1 : 1)),
    from: Math.min(...parts.map(({ from }) => from)),
    to: Math.max(...parts.map(({ to }) => to)),
  };
}
