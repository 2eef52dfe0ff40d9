/** Defines a rule: a function that checks in one exchange what no schema can express. */
import type { ClauseId } from '../clauses/index.ts';
import type { Exchange } from './exchange.ts';

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
