/** The outcomes of one batch of banks, in a file, so that the batches of several workers come together. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Dialect } from '../../../fixtures/banks/dialect.ts';
import type { Fault } from '../../../fixtures/banks/fault.ts';
import type { Outcomes } from '../../../reports/proof/matrix.ts';
import { examineDialect, examineFault } from './examining.ts';
import { notExamined, notLeftAlone, outcomeOfDialect, outcomeOfFault } from './outcomes.ts';

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

const folder = (outputDir: string): string => join(outputDir, 'proof');

/** Examines the banks of a batch, one after the other, and writes what came of them. */
export async function examineBatch(
  { name, faults = [], dialects = [], mixtures = [] }: Batch,
  outputDir: string,
): Promise<void> {
  const from = Date.now();
  const outcomes: { faults: Outcomes['faults'][number][]; banks: Outcomes['banks'][number][] } = {
    faults: [],
    banks: [],
  };
  for (const fault of faults)
    outcomes.faults.push(
      await examineFault(fault).then(
        (report) => outcomeOfFault(fault, report),
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
          (report) => outcomeOfDialect(bank, report, kind),
          (error) => notLeftAlone(bank, kind, error),
        ),
      );
  const part: Outcomes = { ...outcomes, from, to: Date.now() };
  mkdirSync(folder(outputDir), { recursive: true });
  writeFileSync(join(folder(outputDir), `${name}.json`), JSON.stringify(part));
}

/** Brings the batches of this run together, in the order of their names. */
export function collectBatches(outputDir: string): Outcomes {
  const parts = readdirSync(folder(outputDir))
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => JSON.parse(readFileSync(join(folder(outputDir), file), 'utf8')) as Outcomes);
  return {
    faults: parts.flatMap(({ faults }) => faults),
    banks: parts.flatMap(({ banks }) => banks),
    from: Math.min(...parts.map(({ from }) => from)),
    to: Math.max(...parts.map(({ to }) => to)),
  };
}
