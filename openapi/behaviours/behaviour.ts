/**
 * Defines behaviours: clauses that only several exchanges show. A behaviour is one value: its clause, the type of its evidence, and
 * a pure function that judges the evidence. A live run, `judge`, `report` and `verify` call the same function.
 */
import type { Clause } from '../clauses/clause.ts';
import type { ClauseId } from '../clauses/index.ts';
import type { OperationId } from '../model/exchange.ts';
import type { Violation } from '../model/finding.ts';
import type { Broken, Evidence } from '../model/history.ts';
import type { Question } from '../model/observation.ts';
import type { Run } from '../model/record.ts';
import type { EvidenceOf, Shape } from './evidence.ts';

/** What follows from evidence. `count` is the number of comparisons, if more than one. */
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

interface Stated<Id> {
  readonly id: Id;
  /** Left out if the clause stands in `clauses/`, because single answers or contrasts test it too. */
  readonly clause?: Clause;
  /** One sentence: what must also be true before the clause is kept. Without the control, nobody would have seen the fault. */
  readonly control: string;
}

export interface ComparedBehaviour<Id extends ClauseId = ClauseId, S extends Shape = Shape> extends Stated<Id> {
  readonly evidence: S;
  /** Distinguishes the comparisons of behaviours that have one clause and different evidence. */
  readonly way?: string;
  /** The report also lists the answers under this open point. */
  readonly asks?: { readonly point: ClauseId; readonly question: Question };
  judge(evidence: EvidenceOf<S>): Verdict;
}

export interface RunBehaviour<Id extends ClauseId = ClauseId> extends Stated<Id> {
  readonly operation?: OperationId;
  /** The unit of the counts. The default is comparisons. */
  readonly unit?: NonNullable<Violation['unit']> | 'answers';
  judge(run: Run): readonly Verdict[];
}

export const compared = <const Id extends ClauseId, S extends Shape>(
  behaviour: ComparedBehaviour<Id, S>,
): ComparedBehaviour<Id, S> => behaviour;

export const ofRun = <const Id extends ClauseId>(behaviour: RunBehaviour<Id>): RunBehaviour<Id> => behaviour;
