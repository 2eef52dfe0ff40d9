/** Reads the schemas of any OpenAPI document. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
/** An object whose members were not checked. */
export type JsonObject = Readonly<Record<string, unknown>>;
export type Schema = { readonly [keyword: string]: Json };

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Splits a JSON pointer into names (RFC 6901). */
export const splitPointer = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Returns the node at a JSON pointer; undefined if there is none. */
export function findNode(document: Schema, pointer: string): Schema | undefined {
  let node: Json | undefined = document;
  for (const part of splitPointer(pointer)) node = (node as Schema | null | undefined)?.[part];
  return typeof node === 'object' && node !== null ? (node as Schema) : undefined;
}

export function resolveNode(document: Schema, pointer: string): Schema {
  const node = findNode(document, pointer);
  if (node === undefined) throw new Error(`The contract has no ${pointer}`);
  return node;
}

/** Replaces a schema with a `$ref` by the referenced schema. Keywords beside the `$ref` win. */
export function followSchemaReference(document: Schema, schema: Schema): Schema {
  return typeof schema['$ref'] === 'string'
    ? { ...followSchemaReference(document, resolveNode(document, schema['$ref'])), ...schema }
    : schema;
}

export const getMemberSchemas = (schema: Schema): Readonly<Record<string, Schema>> =>
  (schema['properties'] ?? {}) as Record<string, Schema>;

export const readAllOf = (schema: Schema): readonly Schema[] => (schema['allOf'] ?? []) as readonly Schema[];

/** Returns the clauses of a schema by keyword. A single clause is the clause of `type`. */
export const readClauses = ({ 'x-clause': clauses = {} }: Schema): Readonly<Record<string, string>> =>
  typeof clauses === 'string' ? { type: clauses } : (clauses as Record<string, string>);

export const listOperationNodes = (document: Schema) =>
  Object.entries(
    (document['paths'] ?? {}) as Readonly<Record<string, Readonly<Record<string, Schema | null>>>>,
  ).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, node]) =>
      typeof node === 'object' && node !== null ? [{ path, method, node }] : [],
    ),
  );

export const SUCCESS_STATUS = /^2(?:XX|\d\d)$/;

/** A schema below an answer. `raw` may have a `$ref`, which `schema` has replaced. */
export interface SchemaNode {
  /** A JSON pointer into the value, with `*` for indices; `""` is the root. */
  readonly at: string;
  readonly raw: Schema;
  readonly schema: Schema;
}

/** Yields a schema and all schemas below it, parents first. No schema contains itself: `checkSchemaSize` refuses this. */
export function* walkDocument(document: Schema, unresolvedSchema: Schema, at = ''): Generator<SchemaNode> {
  const schema = followSchemaReference(document, unresolvedSchema);
  yield { at, raw: unresolvedSchema, schema };
  for (const [name, child] of Object.entries(getMemberSchemas(schema)))
    yield* walkDocument(document, child, `${at}/${name}`);
  if (schema['items'] !== undefined) yield* walkDocument(document, schema['items'] as Schema, `${at}/*`);
  for (const part of readAllOf(schema)) yield* walkDocument(document, part, at);
}
