/** What judging finds: violations of clauses, and inferences about open points. */
import type { ClauseId } from '../clauses/index.ts';
import type { OperationId } from './exchange.ts';
import type { ObservedAnswer, Question } from './observation.ts';

/** A broken clause. `pointer` is a JSON pointer into the answer with `*` for indices, or `request/…`, `response/…`. */
export interface Violation {
  readonly clause: ClauseId;
  readonly operation: OperationId;
  readonly pointer: string;
  /** The pointer with the indices of this answer, where it has any. */
  readonly instance?: string;
  /** How the clause is broken: `missing`, `type`, `format`, … */
  readonly kind: string;
  /** One sentence each; `received` quotes what came, shortened. */
  readonly expected: string;
  readonly received: string;
  /** The exchange that shows it, and one that keeps the clause, where there is one. */
  readonly exchange: string;
  readonly contrast?: string;
  /** How many values of this answer show it, or how many comparisons of a check; left out if it is one. */
  readonly count?: number;
  /** What `count`, and the count of the clause, counts, if not answers. */
  readonly unit?: 'comparisons' | 'requests';
}

type Finding = Pick<Violation, 'clause' | 'operation' | 'pointer' | 'kind'>;

/** The same for all violations that are one finding. */
export const findingKey = ({ clause, operation, pointer, kind }: Finding): string =>
  `${clause} ${operation} ${pointer} ${kind}`;

/** The pointer of the entries of the innermost array around a place, with `*` for indices; null outside of arrays. */
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
  /** How many exchanges show it. */
  readonly count: number;
  /** Some of them. */
  readonly exchanges: readonly string[];
  /** The control of a probe. */
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
