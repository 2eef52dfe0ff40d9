/** Results of judging: violations of clauses, and inferences about open points. */
import type { ClauseId } from '../clauses/index.ts';
import type { OperationId } from './exchange.ts';
import type { ObservedAnswer, Question } from './observation.ts';

/** A broken clause. `pointer` is a JSON pointer into the answer with `*` for indices, or `request/…`, `response/…`. */
export interface Violation {
  readonly clause: ClauseId;
  readonly operation: OperationId;
  readonly pointer: string;
  /** The pointer with the indices of this answer, if it has indices. */
  readonly instance?: string;
  /** How the clause is broken: `missing`, `type`, `format`, … */
  readonly kind: string;
  /** `expected` and `received` are one sentence each; `received` quotes the answer, shortened. */
  readonly expected: string;
  readonly received: string;
  /** The exchange that shows the violation, and an exchange that keeps the clause, if there is one. */
  readonly exchange: string;
  readonly contrast?: string;
  /** How many values of this answer, or comparisons of a check, show the violation; left out for one. */
  readonly count?: number;
  /** The unit of `count` and of the count of the clause, if not answers. */
  readonly unit?: 'comparisons' | 'requests';
}

type Finding = Pick<Violation, 'clause' | 'operation' | 'pointer' | 'kind'>;

/** Returns a key that is equal for all violations of one finding. */
export const getFindingKey = ({ clause, operation, pointer, kind }: Finding): string =>
  `${clause} ${operation} ${pointer} ${kind}`;

/** Returns the pointer of the entries of the innermost array around a place, with `*` for indices; null outside of arrays. */
export function getListPointer(pointer: string): string | null {
  const end = pointer.lastIndexOf('/*');
  return end < 0 ? null : pointer.slice(0, end + 2);
}

/** A result about an open point from several exchanges of a run. */
export interface Inference {
  readonly point: ClauseId;
  readonly operation: OperationId;
  readonly answer: ObservedAnswer;
  readonly question?: Question;
  /** How many exchanges show the answer. */
  readonly count: number;
  /** Some of these exchanges. */
  readonly exchanges: readonly string[];
  /** The control of a probe. */
  readonly control?: string;
}

/** What the exchanges of a run show together: tested and broken clauses, and inferences about open points. */
export interface RunResult {
  readonly exercised: readonly {
    readonly clause: ClauseId;
    readonly operation: OperationId;
    readonly count: number;
    readonly exchange: string;
  }[];
  readonly broken: readonly Violation[];
  readonly observed: readonly Inference[];
}
