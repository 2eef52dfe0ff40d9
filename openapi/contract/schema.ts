/** The contract as schemas, and the clauses of its nodes. */
import { isClauseId, type ClauseId } from '../clauses/index.ts';
import { memoizeByText } from '../util/memoize.ts';
import { contractDocument } from './load.ts';
import { derefIn, resolveIn, walkIn, type Json, type Schema, type SchemaNode } from './references.ts';

/** The contract: the OpenAPI document, with the overlay if one is given. */
export const document = contractDocument as Schema;

/** The node at a JSON pointer with a leading `#`. Throws if there is none. */
export const resolve = (pointer: string): Schema => resolveIn(document, pointer);

/** The node of an operation in the contract. */
export const operationNode = ({ method, path }: { readonly method: string; readonly path: string }): Schema =>
  ((document['paths'] as Schema)[path] as Schema)[method.toLowerCase()] as Schema;

/** A schema with its `$ref` followed. */
export const deref = (schema: Schema): Schema => derefIn(document, schema);

/** Every node of a schema, parents first. */
export const walkSchema = (schema: Schema): Generator<SchemaNode> => walkIn(document, schema);

/** The clause of a node of the contract. Throws, with the place, where the catalogue does not have it. */
export function clauseId(value: Json | undefined, where: string): ClauseId {
  if (typeof value === 'string' && isClauseId(value)) return value;
  throw new Error(`The contract names at ${where} a clause that the catalogue does not have: ${JSON.stringify(value)}`);
}

/** The clause of each keyword of a node. The one of `type` is also about presence. */
type ClauseByKeyword = ReadonlyMap<string, ClauseId>;

/** The clauses of one node. Throws if the catalogue does not have an id. */
export function clausesOf(schema: Schema, where: string): ClauseByKeyword {
  const carried = schema['x-clause'];
  if (carried === undefined) return new Map();
  if (typeof carried === 'string') return new Map([['type', clauseId(carried, where)]]);
  return new Map(Object.entries(carried as Schema).map(([keyword, id]) => [keyword, clauseId(id, where)]));
}

/** The clauses at each place of an answer, by JSON pointer with `*` for indices. */
export const locationsIn = memoizeByText((pointer): ReadonlyMap<string, ClauseByKeyword> => {
  const locations = new Map<string, ClauseByKeyword>();
  for (const { at, schema } of walkSchema(resolve(pointer))) {
    const own = clausesOf(schema, `${pointer}${at}`);
    if (own.size > 0) locations.set(at, new Map([...(locations.get(at) ?? []), ...own]));
  }
  return locations;
});

/** An expectation of a node (`x-should`). The document does not state it, so it is no keyword of the published contract. */
export interface Expectation {
  readonly clause: ClauseId;
  readonly schema: Schema;
}

/** The expectations of a node, one or several. */
export function expectationsOf(schema: Schema): readonly Expectation[] {
  const carried = schema['x-should'];
  if (carried === undefined) return [];
  return ([carried].flat() as readonly Schema[]).map((entry) => ({
    clause: clauseId(entry['clause'], 'x-should'),
    schema: entry['schema'] as Schema,
  }));
}
