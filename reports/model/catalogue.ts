/** What the fold must know of the contract, as one value, so that a test can fold with a small one of its own. */
import type { Clause } from '../../openapi/clauses/clause.ts';
import { clauses } from '../../openapi/clauses/index.ts';
import { operations, overlayPoints } from '../../openapi/contract/operations.ts';
import { operationIds, type Area, type OperationId } from '../../openapi/model/exchange.ts';
import { locationsOf } from '../../openapi/contract/locations.ts';
import { evaluateRun } from '../../openapi/evaluate-run.ts';
import { read } from '../../openapi/history/reading.ts';

export interface Catalogue {
  readonly clauses: Readonly<Record<string, Clause>>;
  readonly operations: Readonly<Record<OperationId, { area: Area; method: string; path: string }>>;
  /** Open points that an overlay has settled: promises of this run. */
  readonly promoted?: ReadonlySet<string>;
  /** Clauses outside the requirement set of the run: observed, and never counted. */
  readonly outside?: ReadonlySet<string>;
  placesOf(clause: string): readonly { operation: OperationId | null; pointer: string }[];
  /** What an entry of the history says by itself. */
  readonly read: typeof read;
  /** What several exchanges show together. */
  readonly evaluateRun: typeof evaluateRun;
}

/** The catalogue of the Bank Open API. */
export const catalogue: Catalogue = {
  clauses,
  operations,
  promoted: overlayPoints,
  placesOf: locationsOf,
  read,
  evaluateRun,
};

/** The operation of a name like `POST /path`, or null. */
export function operationNamed(name: string | null): OperationId | null {
  return operationIds.find((id) => `${operations[id].method} ${operations[id].path}` === name) ?? null;
}
