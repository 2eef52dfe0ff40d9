/** All data about the contract that the report needs, as one value. A test can use a small catalogue of its own. */
import type { Clause } from '../../openapi/clauses/clause.ts';
import { clauses } from '../../openapi/catalogue.ts';
import { operations, decidedOpenPoints } from '../../openapi/contract/operations.ts';
import type { Area, OperationId } from '../../openapi/model/exchange.ts';
import { getLocations } from '../../openapi/contract/locations.ts';
import { evaluateRun } from '../../openapi/evaluate-run.ts';
import { readEntry } from '../../openapi/history/reading.ts';

export interface Catalogue {
  readonly clauses: Readonly<Record<string, Clause>>;
  readonly operations: Readonly<Record<OperationId, { area: Area; method: string; path: string }>>;
  /** Open points that an overlay decided: they are requirements in this run. */
  readonly promoted?: ReadonlySet<string>;
  placesOf(clause: string): readonly { operation: OperationId | null; pointer: string }[];
  readonly read: typeof readEntry;
  readonly evaluateRun: typeof evaluateRun;
}

export const catalogue: Catalogue = {
  clauses,
  operations,
  promoted: decidedOpenPoints,
  placesOf: getLocations,
  read: readEntry,
  evaluateRun,
};
