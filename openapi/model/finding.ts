/**
 * Defines the results of judging: violations of clauses, and answers to open points. A finding has four forms on its way to the page.
 * Each is made from the one before:
 *
 * 1. `Fault`: what a schema, a rule or a behaviour says is wrong;
 * 2. `Violation`: a fault of an exchange. The exchange log has violations;
 * 3. `FindingTally` (`reports/model/tallies.ts`): the violations of a run that are one finding, with their counts;
 * 4. `Finding` (`reports/model/report.ts`): what the report stores, with its clause, its evidence and its cause.
 */
import type { Created } from '../clauses/areas.ts';
import type { ClauseId } from '../clauses/index.ts';
import type { OperationId } from './exchange.ts';
import type { OpenPointAnswer } from './observation.ts';

/** A text, or a function that writes the text when it is needed: a long list may have a million faults. */
export type Text = string | (() => string);

/** What is wrong. `pointer` is a JSON pointer into the answer with `*` for indices, or `request/…`, `response/…`. */
export interface Fault {
  readonly clause: ClauseId;
  readonly pointer: string;
  /** The same pointer with the real indices. */
  readonly instance?: string;
  /** How the bank breaks the clause: `missing`, `type`, `format`, … */
  readonly kind: string;
  /** What the clause requires and what the bank sent: one sentence each. `received` quotes the answer, shortened. */
  readonly expected: Text;
  readonly received: Text;
}

/** Takes what the checks of one exchange say: clauses that they tested, clauses without a result, and faults. */
export interface Collector {
  exercise(clauses: Iterable<ClauseId>): void;
  leaveUndecided(...clauses: readonly ClauseId[]): void;
  report(fault: Fault): void;
}

/**
 * What a behaviour says of a fault. The default of `pointer` is the status of the answer, and of `received` a quotation of the answer;
 * the clause and the instance come from the behaviour and its evidence.
 */
export type FaultWords = Pick<Violation, 'expected'> & Partial<Pick<Violation, 'pointer' | 'received' | 'kind'>>;

/** A fault of an exchange. */
export interface Violation extends Fault {
  readonly operation: OperationId;
  readonly expected: string;
  readonly received: string;
  /** The id of the exchange with the violation, and of an exchange that keeps the clause, if there is one. */
  readonly exchange: string;
  readonly contrast?: string;
  /** The id of the exchange that was in flight at the same time: both together are the violation. */
  readonly concurrent?: string;
  /** The number of values or comparisons with this violation; left out if there is only one. */
  readonly count?: number;
  /** The unit of `count` and of the count of the clause. The default is answers. */
  readonly unit?: 'comparisons' | 'requests' | Created;
}

type KeyName = 'clause' | 'operation' | 'pointer' | 'kind';

/** Returns the key of a finding: all violations of a run with the same key are one finding. */
export const getFindingKey = ({ clause, operation, pointer, kind }: Pick<Violation, KeyName>): string =>
  `${clause} ${operation} ${pointer} ${kind}`;

/** Returns the pointer to the entries of the innermost array around a pointer; null outside of arrays. */
export function getListPointer(pointer: string): string | null {
  const end = pointer.lastIndexOf('/*');
  return end < 0 ? null : pointer.slice(0, end + 2);
}

/** An answer to an open point that several exchanges of a run show. */
export interface Inference extends OpenPointAnswer {
  readonly operation: OperationId;
  /** How many exchanges show the answer, and some of them. */
  readonly count: number;
  readonly exchanges: readonly string[];
}

const MAX_NAMED_EXCHANGES = 20;

export const makeInference = (
  about: Omit<Inference, 'count' | 'exchanges'>,
  records: readonly { readonly exchange: string }[],
): Inference => ({
  ...about,
  count: Math.max(1, records.length),
  exchanges: records.slice(0, MAX_NAMED_EXCHANGES).map(({ exchange }) => exchange),
});
