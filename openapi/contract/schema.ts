/** The contract as schemas: references, the one walk over a schema, and the clauses that its nodes carry. */
import { isClauseId, type ClauseId } from '../clauses/index.ts';
import { contractDocument } from './load.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type Schema = { readonly [keyword: string]: Json };

/** The contract: the OpenAPI document with its overlay, where one is given. */
export const document = contractDocument as Schema;

/** The value that a JSON pointer with a leading `#` leads to. Throws where it leads nowhere. */
export function resolve(pointer: string): Schema {
  let node: Json | undefined = document;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    node = (node as Schema | undefined)?.[key];
  }
  if (typeof node !== 'object' || node === null) throw new Error(`The contract has no ${pointer}`);
  return node as Schema;
}

/** A schema with its `$ref` followed; what stands beside the `$ref` wins. */
export function deref(schema: Schema): Schema {
  return typeof schema['$ref'] === 'string' ? { ...deref(resolve(schema['$ref'])), ...schema } : schema;
}

/** One node of a schema. */
export interface SchemaNode {
  /** JSON pointer into the value, with `*` for indices; `""` is the root. */
  readonly at: string;
  /** The node with its reference followed. */
  readonly schema: Schema;
}

/** Schemas of the members of an object, by name. */
export const propertiesOf = (schema: Schema): Readonly<Record<string, Schema>> =>
  (schema['properties'] ?? {}) as Record<string, Schema>;

/** The parts of an `allOf`. */
export const partsOf = (schema: Schema): readonly Schema[] => (schema['allOf'] ?? []) as readonly Schema[];

/** Every node of a schema, parents first: members, entries, and the parts of `allOf` at the place of their whole. */
export function* walkSchema(raw: Schema, at = ''): Generator<SchemaNode> {
  const schema = deref(raw);
  yield { at, schema };
  for (const [name, child] of Object.entries(propertiesOf(schema))) yield* walkSchema(child, `${at}/${name}`);
  if (schema['items'] !== undefined) yield* walkSchema(schema['items'] as Schema, `${at}/*`);
  for (const part of partsOf(schema)) yield* walkSchema(part, at);
}

/** The clause that a node of the contract names. Throws, with the place, where the catalogue does not have it. */
export function clauseId(value: Json | undefined, where: string): ClauseId {
  if (typeof value === 'string' && isClauseId(value)) return value;
  throw new Error(`The contract names at ${where} a clause that the catalogue does not have: ${JSON.stringify(value)}`);
}

/** The keyword of a node and the clause that it carries; `type` stands for presence too. */
export type ClauseByKeyword = ReadonlyMap<string, ClauseId>;

/** The clauses of one node. Throws where the catalogue does not have an id. */
export function clausesOf(schema: Schema, where: string): ClauseByKeyword {
  const carried = schema['x-clause'];
  if (carried === undefined) return new Map();
  if (typeof carried === 'string') return new Map([['type', clauseId(carried, where)]]);
  return new Map(Object.entries(carried as Schema).map(([keyword, id]) => [keyword, clauseId(id, where)]));
}

/** Every place of an answer, as a JSON pointer with `*` for indices, and the clauses that hold there. */
export function locationsIn(pointer: string): ReadonlyMap<string, ClauseByKeyword> {
  const locations = new Map<string, ClauseByKeyword>();
  for (const { at, schema } of walkSchema(resolve(pointer))) {
    const own = clausesOf(schema, `${pointer}${at}`);
    if (own.size > 0) locations.set(at, own);
  }
  return locations;
}

/** An expectation of a node (`x-should`): not stated by the document, and so no keyword of the published contract. */
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
