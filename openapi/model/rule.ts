/** Defines what a check of one exchange gets and says, and a rule: a check that no schema can express. */
import type { ClauseId } from '../clauses/index.ts';
import type { Exchange } from './exchange.ts';
import type { Fault } from './finding.ts';

/** Takes what the checks of one exchange say: clauses that they tested, clauses without a result, and faults. */
export interface Collector {
  exercise(clauses: Iterable<ClauseId>): void;
  leaveUndecided(...clauses: readonly ClauseId[]): void;
  report(fault: Fault): void;
}

export interface RuleContext {
  readonly exchange: Exchange;
  /** The index of the query form of the request. */
  readonly form: number;
  /** The body of the answer and its `data`, with integers beyond 2^53 as bigint. */
  readonly body: unknown;
  readonly data: unknown;
  readonly succeeded: boolean;
  /** Records that a clause was tested, and a violation if `holds` is false. */
  check(clause: ClauseId, pointer: string, holds: boolean, expected: string, received: () => string): void;
}

export type Rule = (context: RuleContext) => void;
