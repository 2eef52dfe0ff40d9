/** What the fold must know of the contract, as one value, so that a test can fold against a small one of its own. */
import type { Clause } from '../../openapi/clauses/clause.ts';
import { clauses } from '../../openapi/clauses/index.ts';
import { operations, settledPoints } from '../../openapi/contract/operations.ts';
import type { Area, OperationId } from '../../openapi/model/exchange.ts';
import { placesOf } from '../../openapi/clauses/locations.ts';
import { settle } from '../../openapi/run-rules/index.ts';
import type { Fact, Reading } from '../../openapi/run-rules/index.ts';
import type { Break } from '../../openapi/model/journal.ts';

export interface Ledger {
  readonly clauses: Readonly<Record<string, Clause>>;
  readonly operations: Readonly<Record<OperationId, { area: Area; method: string; path: string }>>;
  /** Open points that an overlay has settled: promises of this run. */
  readonly raised?: ReadonlySet<string>;
  placesOf(clause: string): readonly { operation: OperationId | null; pointer: string }[];
  settle(facts: readonly { exchange: string; fact: Fact }[]): {
    exercised: readonly { clause: string; operation: OperationId; count: number; exchange: string }[];
    broken: readonly Break[];
    /** What the whole run shows about open points. */
    observed?: readonly Reading[];
  };
}

/** The ledger of the Bank Open API. */
export const ledger: Ledger = {
  clauses,
  operations,
  raised: settledPoints,
  placesOf: placesOf,
  settle,
};
