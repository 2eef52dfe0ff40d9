/** The input of a rule. */
import type { ClauseId } from '../clauses/index.ts';
import type { Operation } from '../contract/operations.ts';
import type { Exchange } from '../model/exchange.ts';

/** A readable 2xx answer under judgement. */
export interface RuleContext {
  readonly exchange: Exchange;
  readonly operation: Operation;
  /** Index of the query form in `operation.forms`. */
  readonly form: number;
  /** The body of the answer and its `data`, with integers beyond 2^53 as bigint. */
  readonly body: unknown;
  readonly data: unknown;
  /** False if the answer reports a failure. */
  readonly succeeded: boolean;
  /** Records that a clause was exercised, and a violation if `holds` is false. */
  check(clause: ClauseId, pointer: string, holds: boolean, expected: string, received: () => string): void;
}

/** Judges promises about one exchange that no schema can express. */
export type Rule = (context: RuleContext) => void;
