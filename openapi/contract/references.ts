/** Reads the schemas of any OpenAPI document. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type Schema = { readonly [keyword: string]: Json };

/** Splits a JSON pointer into names (RFC 6901). */
export const splitPointer = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Returns the node at a JSON pointer with a leading `#`, or undefined. */
export function findNode(document: Schema, pointer: string): Schema | undefined {
  let node: Json | undefined = document;
  for (const part of splitPointer(pointer)) node = (node as Schema | null | undefined)?.[part];
  return typeof node === 'object' && node !== null ? (node as Schema) : undefined;
}

/** Returns the node at a JSON pointer with a leading `#`. Throws if there is none. */
export function resolveNode(document: Schema, pointer: string): Schema {
  const found = findNode(document, pointer);
  if (found === undefined) throw new Error(`The contract has no ${pointer}`);
  return found;
}

/** Replaces a schema with a `$ref` by the referenced schema. Keywords beside the `$ref` win. */
export function followSchemaReference(document: Schema, schema: Schema): Schema {
  return typeof schema['$ref'] === 'string'
    ? { ...followSchemaReference(document, resolveNode(document, schema['$ref'])), ...schema }
    : schema;
}

/** Returns the schemas of the members of an object, by name. */
export const getMemberSchemas = (schema: Schema): Readonly<Record<string, Schema>> =>
  (schema['properties'] ?? {}) as Record<string, Schema>;

/** Returns the schemas in `allOf`. */
export const readAllOf = (schema: Schema): readonly Schema[] => (schema['allOf'] ?? []) as readonly Schema[];

export interface SchemaNode {
  /** A JSON pointer into the value, with `*` for indices; `""` is the root. */
  readonly at: string;
  /** The schema as it is written, possibly a `$ref`. */
  readonly raw: Schema;
  /** The schema with its `$ref` followed. */
  readonly schema: Schema;
}

/** Yields a schema and all schemas below it, parents first. No schema contains itself: `checkSchemaSize` refuses this. */
export function* walkDocument(document: Schema, raw: Schema, at = ''): Generator<SchemaNode> {
  const schema = followSchemaReference(document, raw);
  yield { at, raw, schema };
  for (const [name, child] of Object.entries(getMemberSchemas(schema)))
    yield* walkDocument(document, child, `${at}/${name}`);
  if (schema['items'] !== undefined) yield* walkDocument(document, schema['items'] as Schema, `${at}/*`);
  for (const part of readAllOf(schema)) yield* walkDocument(document, part, at);
}

/** Keywords whose values are data, not schemas. */
const VALUE_KEYWORDS = /^(?:const|enum|default|examples?)$/;
/** Keywords whose members are schemas. */
const SCHEMA_MAP_KEYWORDS = /^(?:properties|patternProperties|dependentSchemas|\$defs)$/;
/** Keywords that refer to other schemas in another way than `$ref`, or change the meaning of `$ref`. */
const REFERENCE_KEYWORDS = /^\$(?!ref$|comment$|defs$)/;

/**
 * Counts the checks of a schema: its keywords, including those of referenced schemas, and the cost of each pattern. Throws if a
 * schema contains itself, or refers to a schema that does not exist.
 */
export function countChecks(document: Schema, schema: Schema, weighPattern: (pattern: string) => number): number {
  const known = new Map<Json, number | null>();
  const weighKeyword = (keyword: string, value: Json): number => {
    if (VALUE_KEYWORDS.test(keyword)) return 1;
    if (REFERENCE_KEYWORDS.test(keyword)) throw new Error(`a schema has ${keyword}, which is not supported.`);
    if (keyword === 'pattern') return weighPattern(String(value));
    if (keyword === '$ref') return weigh(resolveReference(document, String(value)));
    const patterns = keyword === 'patternProperties' ? Object.keys(value as Schema) : [];
    return patterns.reduce(
      (sum, pattern) => sum + weighPattern(pattern),
      weigh(value, SCHEMA_MAP_KEYWORDS.test(keyword)),
    );
  };
  const weigh = (node: Json, isMap = false): number => {
    if (typeof node !== 'object' || node === null) return 1;
    const before = known.get(node);
    if (before === null) throw new Error('a schema contains itself, and answers of any depth cannot be judged.');
    if (before !== undefined) return before;
    known.set(node, null);
    const parts = Object.entries(node as Schema).map(([name, value]) =>
      isMap || Array.isArray(node) ? weigh(value) : weighKeyword(name, value),
    );
    const weight = parts.reduce((sum, part) => sum + part, 1);
    known.set(node, weight);
    return weight;
  };
  return weigh(schema);
}

function resolveReference(document: Schema, reference: string): Schema {
  if (reference.startsWith('#/')) return resolveNode(document, reference);
  throw new Error(`a schema refers to ${JSON.stringify(reference)}, which is not in the contract.`);
}
