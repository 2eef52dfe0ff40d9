/** Makes the matrix of the proof from the results for all banks. */
import { clauseIds, clauses } from '../../openapi/clauses/index.ts';
import { groupBy } from '../../openapi/util/group-by.ts';
import type { ClauseStrength, MutantOutcome, Proof } from './proof.ts';

export interface Outcomes extends Pick<Proof, 'mutants' | 'banks' | 'incidents' | 'drawn'> {
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
}

export type Measured = Pick<Proof, 'suite' | 'measure' | 'population'>;

const countCaught = (mutants: readonly MutantOutcome[]): number =>
  mutants.filter(({ outcome }) => outcome === 'caught').length;

/** Makes the proof from these results. An open point cannot be broken, so it has no line. */
export function makeProof(
  { mutants, banks, incidents, drawn, from, to }: Outcomes,
  { suite, measure, population }: Measured,
): Proof {
  const byClause = groupBy(mutants, ({ clause }) => clause);
  const strengths = clauseIds.flatMap((id): ClauseStrength[] => {
    const { level, area, source, statement } = clauses[id];
    if (level === 'open') return [];
    const mine = byClause.get(id) ?? [];
    return [
      {
        id,
        area,
        level,
        section: source.section,
        statement,
        known: mine.length,
        caught: countCaught(mine),
        escaped: mine.filter(({ outcome }) => outcome !== 'caught').map(({ name }) => name),
      },
    ];
  });
  return {
    suite,
    measure,
    population,
    startedAt: new Date(from).toISOString(),
    durationMs: to - from,
    clauses: strengths,
    mutants,
    banks,
    incidents,
    drawn,
  };
}

/** Returns the clauses without a mutant: there is no proof that the suite notices a violation. */
export function listUnproven(proof: Proof): readonly string[] {
  return proof.clauses.filter(({ known }) => known === 0).map(({ id, level }) => `${level} ${id}`);
}
