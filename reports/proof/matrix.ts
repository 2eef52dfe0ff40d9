/** From the outcomes of banks to the matrix. Pure. */
import { clauseIds, clauses } from '../../openapi/clauses/index.ts';
import {
  proofFormat,
  type ClauseStrength,
  type ConformantOutcome,
  type FaultOutcome,
  type Measure,
  type Proof,
} from './proof.ts';

export interface Outcomes {
  readonly faults: readonly FaultOutcome[];
  readonly banks: readonly ConformantOutcome[];
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
}

export interface Measured {
  readonly suite: Proof['suite'];
  readonly measure: Measure;
}

function groups<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const item of items) found.set(keyOf(item), [...(found.get(keyOf(item)) ?? []), item]);
  return found;
}

const caughtOf = (faults: readonly FaultOutcome[]): number =>
  faults.filter(({ outcome }) => outcome === 'caught').length;

/** The proof that these outcomes make. An open point cannot be broken and has no line. */
export function proofOf({ faults, banks, from, to }: Outcomes, { suite, measure }: Measured): Proof {
  const byClause = groups(faults, ({ clause }) => clause);
  const strengths = clauseIds.flatMap((id): ClauseStrength[] => {
    const { level, area, section, statement } = clauses[id];
    if (level === 'open') return [];
    const mine = byClause.get(id) ?? [];
    return [
      {
        id,
        area,
        level,
        section,
        statement,
        known: mine.length,
        caught: caughtOf(mine),
        escaped: mine.filter(({ outcome }) => outcome !== 'caught').map(({ name }) => name),
        banks: banks.filter(({ areas }) => area === 'service' || areas.includes(area)).length,
        alarms: banks.filter(({ alarms }) => alarms.some(({ clause }) => clause === id)).map(({ name }) => name),
      },
    ];
  });
  const kinds = [...groups(faults, ({ kind }) => kind)].map(([kind, of]) => ({
    kind,
    known: of.length,
    caught: caughtOf(of),
  }));
  return {
    format: proofFormat,
    suite,
    measure,
    startedAt: new Date(from).toISOString(),
    durationMs: to - from,
    conformant: {
      dialects: banks.filter(({ kind }) => kind === 'dialect').length,
      mixtures: banks.filter(({ kind }) => kind === 'mixture').length,
      choices: banks.reduce((sum, { choices }) => sum + choices, 0),
    },
    kinds,
    clauses: strengths,
    faults,
    banks,
  };
}

/** Clauses that could be broken and of which no fault is known: nobody can say that they are looked after. */
export function unproven(proof: Proof): readonly string[] {
  return proof.clauses.filter(({ known }) => known === 0).map(({ id, level }) => `${level} ${id}`);
}
