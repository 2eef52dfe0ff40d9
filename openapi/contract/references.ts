/** Schemas of any OpenAPI document: references, members and parts, and the one walk over a schema. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type Schema = { readonly [keyword: string]: Json };

/** The node that a JSON pointer with a leading `#` leads to; undefined where it leads nowhere. */
export function findIn(document: Schema, pointer: string): Schema | undefined {
  let node: Json | undefined = document;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    node = (node as Schema | null | undefined)?.[key];
  }
  return typeof node === 'object' && node !== null ? (node as Schema) : undefined;
}

/** The same. Throws where the pointer leads nowhere. */
export function resolveIn(document: Schema, pointer: string): Schema {
  const found = findIn(document, pointer);
  if (found === undefined) throw new Error(`The contract has no ${pointer}`);
  return found;
}

/** A schema with its `$ref` followed; what stands beside the `$ref` wins. */
export function derefIn(document: Schema, schema: Schema): Schema {
  return typeof schema['$ref'] === 'string'
    ? { ...derefIn(document, resolveIn(document, schema['$ref'])), ...schema }
    : schema;
}

/** Schemas of the members of an object, by name. */
export const propertiesOf = (schema: Schema): Readonly<Record<string, Schema>> =>
  (schema['properties'] ?? {}) as Record<string, Schema>;

/** The parts of an `allOf`. */
export const partsOf = (schema: Schema): readonly Schema[] => (schema['allOf'] ?? []) as readonly Schema[];

export interface SchemaNode {
  /** JSON pointer into the value, with `*` for indices; `""` is the root. */
  readonly at: string;
  /** The node as it stands. */
  readonly raw: Schema;
  /** The node with its reference followed. */
  readonly schema: Schema;
}

/**
 * Every node of a schema, parents first: members, entries, and the parts of `allOf` at the place of their whole. Throws where
 * one contains itself; `above` are the nodes that it is part of.
 */
export function* walkIn(document: Schema, raw: Schema, at = '', above: readonly Schema[] = []): Generator<SchemaNode> {
  if (above.includes(raw))
    throw new Error(`the schema at ${at} contains itself, and answers of any depth cannot be judged.`);
  const within = [...above, raw];
  const schema = derefIn(document, raw);
  yield { at, raw, schema };
  for (const [name, child] of Object.entries(propertiesOf(schema)))
    yield* walkIn(document, child, `${at}/${name}`, within);
  if (schema['items'] !== undefined) yield* walkIn(document, schema['items'] as Schema, `${at}/*`, within);
  for (const part of partsOf(schema)) yield* walkIn(document, part, at, within);
}
