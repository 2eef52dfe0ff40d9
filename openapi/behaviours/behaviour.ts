/**
 * Defines behaviours: clauses that only several exchanges can show. A behaviour is one value: its clause, the type of its evidence, and
 * a pure function that judges the evidence. A live run and the commands `judge`, `report` and `verify` call the same function.
 */
import type { Clause } from '../clauses/clause.ts';
import type { FieldClauseId } from '../clauses/index.ts';
import type { OperationId } from '../model/exchange.ts';
import type { FaultWords, Violation } from '../model/finding.ts';
import type { Evidence } from '../model/history.ts';
import type { Question } from '../model/observation.ts';
import type { Run } from '../model/record.ts';
import type { EvidenceOf, Shape } from './evidence.ts';

/** The answer that shows a verdict, and an answer for comparison. `count` is the number of comparisons, if more than one. */
interface Shown {
  readonly answer: Evidence;
  readonly contrast?: Evidence | undefined;
  readonly count?: number;
}

/** An answer that breaks a clause. `concurrent` was in flight at the same time: both together are the fault. */
interface ShownFault extends Shown, FaultWords {
  readonly concurrent?: Evidence;
}

/** What follows from evidence. */
export type Verdict =
  | ({ readonly is: 'kept' } & Shown)
  | ({ readonly is: 'broken' } & ShownFault)
  | { readonly is: 'not tested'; readonly why: string };

export const kept = (answer: Evidence, beside: Omit<Shown, 'answer'> = {}): Verdict => ({
  is: 'kept',
  answer,
  ...beside,
});
export const broken = (answer: Evidence, how: Omit<ShownFault, 'answer'>): Verdict => ({
  is: 'broken',
  answer,
  ...how,
});
/** The evidence proves nothing. The report shows the reason if nothing else tested the clause. */
export const notTested = (why: string): Verdict => ({ is: 'not tested', why });

/**
 * A clause that only this behaviour tests, with its id; or the id of a clause in a folder `clauses`, which single answers or paired
 * comparisons also test.
 */
type ClauseOf<Id> =
  { readonly id: Id; readonly clause: Clause } | { readonly id: Id & FieldClauseId; readonly clause?: undefined };

/** The common members of all behaviours. */
interface BaseBehaviour {
  /** The positive control, in one sentence: what must also be true before the clause is kept. Else nobody could see the fault. */
  readonly control: string;
}

interface Comparing<S extends Shape> extends BaseBehaviour {
  readonly evidence: S;
  /** The variant. Distinguishes the comparisons of behaviours that have one clause and different evidence. */
  readonly way?: string;
  /** The report also lists the answers under this open point. */
  readonly asks?: { readonly point: FieldClauseId; readonly question: Question };
  judge(evidence: EvidenceOf<S>): Verdict;
}

/** A behaviour that judges a comparison: answers that one scenario selected. */
export type ComparedBehaviour<Id extends string = string, S extends Shape = Shape> = ClauseOf<Id> & Comparing<S>;

interface JudgingRun extends BaseBehaviour {
  readonly operation?: OperationId;
  /** The unit of the counts. The default is comparisons. */
  readonly unit?: NonNullable<Violation['unit']> | 'answers';
  judge(run: Run): readonly Verdict[];
}

/** A behaviour that judges all answers of a run. */
export type RunBehaviour<Id extends string = string> = ClauseOf<Id> & JudgingRun;

/** Any behaviour with the evidence of this one. */
export type LikeBehaviour<B extends ComparedBehaviour> = ComparedBehaviour<string, B['evidence']>;

export const compared = <const Id extends string, S extends Shape>(
  behaviour: ComparedBehaviour<Id, S>,
): ComparedBehaviour<Id, S> => behaviour;

export const ofRun = <const Id extends string>(behaviour: RunBehaviour<Id>): RunBehaviour<Id> => behaviour;
