/**
 * Defines behaviours: clauses that only several exchanges can show. A behaviour is one value: its clause, the type of its evidence, and
 * a pure function that judges the evidence. A live run and the commands `judge`, `report` and `verify` call the same function.
 */
import type { Clause } from '../clauses/clause.ts';
import type { ClauseId } from '../clauses/index.ts';
import type { OperationId } from '../model/exchange.ts';
import type { Violation } from '../model/finding.ts';
import type { Broken, Evidence } from '../model/history.ts';
import type { Question } from '../model/observation.ts';
import type { Run } from '../model/record.ts';
import type { EvidenceOf, Shape } from './evidence.ts';

/**
 * What follows from evidence. `by` is the answer that shows the verdict, `contrast` an answer for comparison. `count` is the number of
 * comparisons, if more than one.
 */
export type Verdict =
  | { readonly is: 'kept'; readonly by: Evidence; readonly contrast?: Evidence | undefined; readonly count?: number }
  | ({ readonly is: 'broken' } & Broken)
  | { readonly is: 'not tested'; readonly why: string };

type Kept = Extract<Verdict, { is: 'kept' }>;
export const kept = (by: Evidence, beside: Pick<Kept, 'contrast' | 'count'> = {}): Kept => ({
  is: 'kept',
  by,
  ...beside,
});
export const broken = (by: Evidence, how: Omit<Broken, 'by'>): Verdict => ({ is: 'broken', by, ...how });
/** The evidence proves nothing. The report shows the reason if nothing else tested the clause. */
export const notTested = (why: string): Verdict => ({ is: 'not tested', why });

/** The common members of all behaviours. */
interface BaseBehaviour<Id> {
  readonly id: Id;
  /** Left out if the clause stands in a folder `clauses`, because single answers or contrasts test it too. */
  readonly clause?: Clause;
  /** The positive control, in one sentence: what must also be true before the clause is kept. Else nobody could see the fault. */
  readonly control: string;
}

/** A behaviour that judges a comparison: answers that one scenario selected. */
export interface ComparedBehaviour<Id extends ClauseId = ClauseId, S extends Shape = Shape> extends BaseBehaviour<Id> {
  readonly evidence: S;
  /** The variant. Distinguishes the comparisons of behaviours that have one clause and different evidence. */
  readonly way?: string;
  /** The report also lists the answers under this open point. */
  readonly asks?: { readonly point: ClauseId; readonly question: Question };
  judge(evidence: EvidenceOf<S>): Verdict;
}

/** A behaviour that judges all answers of a run. */
export interface RunBehaviour<Id extends ClauseId = ClauseId> extends BaseBehaviour<Id> {
  readonly operation?: OperationId;
  /** The unit of the counts. The default is comparisons. */
  readonly unit?: NonNullable<Violation['unit']> | 'answers';
  judge(run: Run): readonly Verdict[];
}

export const compared = <const Id extends ClauseId, S extends Shape>(
  behaviour: ComparedBehaviour<Id, S>,
): ComparedBehaviour<Id, S> => behaviour;

export const ofRun = <const Id extends ClauseId>(behaviour: RunBehaviour<Id>): RunBehaviour<Id> => behaviour;
