/** What judging brings forth: violations of clauses, and inferences about open points. */
import type { ClauseId } from '../clauses/index.ts';
import type { OperationId } from './exchange.ts';
import type { ObservedAnswer, Question } from './observation.ts';

/** A clause seen broken. `pointer` is a JSON pointer into the answer with `*` for indices, or `request/…`, `response/…`. */
export interface Violation {
  readonly clause: ClauseId;
  readonly operation: OperationId;
  readonly pointer: string;
  /** The pointer with the real indices of this answer, where it has any. */
  readonly instance?: string;
  /** Distinguishes two ways to break one clause at one place: `missing`, `type`, `format`, … */
  readonly kind: string;
  /** One sentence each; `received` quotes what came, shortened. */
  readonly expected: string;
  readonly received: string;
  /** The exchange that shows it, and where there is one the nearest exchange that was judged fine. */
  readonly exchange: string;
  readonly contrast?: string;
  /** How many values of this answer, or of a rule over the run how many comparisons, showed it; left out where it is one. */
  readonly count?: number;
  /** Set by the rules over the run: what `count`, and the count of the clause, counts in the place of answers. */
  readonly unit?: 'comparisons' | 'requests';
}

/** Names one way to break a clause at a place. */
export const findingKey = ({
  clause,
  operation,
  pointer,
  kind,
}: Pick<Violation, 'clause' | 'operation' | 'pointer' | 'kind'>): string => `${clause} ${operation} ${pointer} ${kind}`;

/** The pointer of the entries of the innermost array that a place is in, with `*` for indices; null outside of arrays. */
export function entriesPointer(pointer: string): string | null {
  const end = pointer.lastIndexOf('/*');
  return end < 0 ? null : pointer.slice(0, end + 2);
}

/** What the exchanges of a run show together about a point that the document leaves open. */
export interface Inference {
  readonly point: ClauseId;
  readonly operation: OperationId;
  readonly answer: ObservedAnswer;
  readonly question?: Question;
  /** On how many exchanges it rests. */
  readonly count: number;
  /** Some of them. */
  readonly exchanges: readonly string[];
  /** Of a probe: its control. */
  readonly control?: string;
}

export interface RunRuleResult {
  readonly exercised: readonly {
    readonly clause: ClauseId;
    readonly operation: OperationId;
    readonly count: number;
    readonly exchange: string;
  }[];
  readonly broken: readonly Violation[];
}

/** A result with what the run shows about open points. */
export interface RunResult extends RunRuleResult {
  readonly observed: readonly Inference[];
}
