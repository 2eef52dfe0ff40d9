/** What a rule is given. */
import type { ClauseId } from '../clauses/index.ts';
import type { Operation } from '../contract/operations.ts';
import type { Exchange } from '../model/exchange.ts';

/** What a rule is given: the exchange, its body, and two ways to speak. */
export interface RuleContext {
  readonly exchange: Exchange;
  readonly operation: Operation;
  readonly form: number;
  /** `data` of the answer. */
  readonly data: unknown;
  readonly succeeded: boolean;
  /** Notes that a clause was put to the test, and that it broke where `holds` is false. */
  check(clause: ClauseId, pointer: string, holds: boolean, expected: string, received: () => string): void;
}
