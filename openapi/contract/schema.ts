/** Reads the contract as schemas, and the clauses of its nodes. */
import { isClauseId, type ClauseId } from '../clauses/index.ts';
import { memoizeByText } from '../util/memoize.ts';
import { contractDocument } from './load.ts';
import { followReference, resolveIn, walkIn, type Json, type Schema, type SchemaNode } from './references.ts';

/** The contract: the OpenAPI document, with the overlay if one is given. */
export const document = contractDocument as Schema;

/** Returns the node at a JSON pointer with a leading `#`. Throws if there is no such node. */
export const resolve = (pointer: string): Schema => resolveIn(document, pointer);

/** Returns the node of an operation in the contract. */
export const getNode = ({ method, path }: { readonly method: string; readonly path: string }): Schema =>
  ((document['paths'] as Schema)[path] as Schema)[method.toLowerCase()] as Schema;

/** Follows the `$ref` of a schema. */
export const deref = (schema: Schema): Schema => followReference(document, schema);

/** Yields every node of a schema, parents first. */
export const walkSchema = (schema: Schema): Generator<SchemaNode> => walkIn(document, schema);

/** Returns the clause id in `value`. If the catalogue does not have it, throws and names the place `where`. */
export function readClauseId(value: Json | undefined, where: string): ClauseId {
  if (typeof value === 'string' && isClauseId(value)) return value;
  throw new Error(`The contract names at ${where} a clause that the catalogue does not have: ${JSON.stringify(value)}`);
}

/** The clause of each keyword of a node. The clause of `type` is also about presence. */
type ClauseByKeyword = ReadonlyMap<string, ClauseId>;

/** Returns the clauses of one node. Throws if the catalogue does not have an id. */
export function readClausesByKeyword(schema: Schema, where: string): ClauseByKeyword {
  const carried = schema['x-clause'];
  if (carried === undefined) return new Map();
  if (typeof carried === 'string') return new Map([['type', readClauseId(carried, where)]]);
  return new Map(Object.entries(carried as Schema).map(([keyword, id]) => [keyword, readClauseId(id, where)]));
}

/** Returns the clauses at each place of an answer, by JSON pointer with `*` for indices. */
export const findClauseLocations = memoizeByText((pointer): ReadonlyMap<string, ClauseByKeyword> => {
  const locations = new Map<string, ClauseByKeyword>();
  for (const { at, schema } of walkSchema(resolve(pointer))) {
    const own = readClausesByKeyword(schema, `${pointer}${at}`);
    if (own.size > 0) locations.set(at, new Map([...(locations.get(at) ?? []), ...own]));
  }
  return locations;
});

/** An expectation for a node (`x-should`). The document does not state it, so the published contract has no keyword for it. */
export interface Expectation {
  readonly clause: ClauseId;
  readonly schema: Schema;
}

/** Returns the expectations for a node. */
export function readExpectations(schema: Schema): readonly Expectation[] {
  const carried = schema['x-should'];
  if (carried === undefined) return [];
  return ([carried].flat() as readonly Schema[]).map((entry) => ({
    clause: readClauseId(entry['clause'], 'x-should'),
    schema: entry['schema'] as Schema,
  }));
}
