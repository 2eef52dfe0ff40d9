/** Limits the actions, the schemas and the patterns of an overlay. `files/user-file.ts` limits the length of its text. */
import { countStates } from './patterns.ts';
import { followSchemaReference, listOperationNodes, resolveNode, type Json, type Schema } from './references.ts';

export const OVERLAY_LIMITS = {
  actions: 1000,
  values: 100_000,
  /** The maximum number of checks in all schemas: ten times the number that the API document needs. */
  checks: 10_000,
  patterns: 100,
  /** The states of all patterns, with repetitions written out. */
  states: 20_000,
} as const;

/** Counts the values in a JSON document, with arrays and objects. Stops counting above the limit. */
export function countValues(value: unknown): number {
  let size = 0;
  const countPart = (part: unknown): void => {
    size += 1;
    if (typeof part === 'object' && part !== null && size <= OVERLAY_LIMITS.values)
      Object.values(part).forEach(countPart);
  };
  countPart(value);
  return size;
}

const listMembers = (node: Schema | undefined, name: string): readonly Schema[] =>
  Object.values((node?.[name] ?? {}) as Readonly<Record<string, Schema>>);

function findSchemas(document: Schema): readonly Schema[] {
  const inlineSchemas = listOperationNodes(document)
    .flatMap(({ node }) => listMembers(node, 'responses'))
    .flatMap((response) => listMembers(followSchemaReference(document, response), 'content'))
    .flatMap(({ schema }) => (schema === undefined ? [] : [schema as Schema]));
  return [...listMembers(document['components'] as Schema | undefined, 'schemas'), ...inlineSchemas];
}

export const findPatterns = (document: Schema): readonly string[] =>
  [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(
    ([, pattern = '']) => JSON.parse(pattern) as string,
  );

const VALUE_KEYWORDS = /^(?:const|enum|default|examples?)$/;
const SCHEMA_MAP_KEYWORDS = /^(?:properties|patternProperties|dependentSchemas|\$defs)$/;
/** Keywords that refer to other schemas in another way than `$ref`, or change the meaning of `$ref`. */
const REFERENCE_KEYWORDS = /^\$(?!ref$|comment$|defs$)/;

/**
 * Counts the checks of all schemas: their keywords and values, including those of referenced schemas. Calls `addPattern` with each
 * pattern. Throws if a schema contains itself, or refers to a schema that does not exist.
 */
function countChecks(document: Schema, addPattern: (pattern: string) => void): number {
  /** The checks of each counted schema; null while the schema is being counted. */
  const countByNode = new Map<Json, number | null>();
  const countInKeyword = (keyword: string, value: Json): number => {
    if (VALUE_KEYWORDS.test(keyword)) return countValues(value);
    if (REFERENCE_KEYWORDS.test(keyword)) throw new Error(`a schema has ${keyword}, which is not supported.`);
    if (keyword === '$ref') return countNode(resolveReference(document, String(value)));
    if (keyword === 'pattern') addPattern(String(value));
    if (keyword === 'patternProperties') Object.keys(value as Schema).forEach(addPattern);
    return countNode(value, SCHEMA_MAP_KEYWORDS.test(keyword));
  };
  const countNode = (node: Json, isMap = false): number => {
    if (typeof node !== 'object' || node === null) return 1;
    const earlierCount = countByNode.get(node);
    if (earlierCount === null) throw new Error('a schema contains itself, and answers of any depth cannot be judged.');
    if (earlierCount !== undefined) return earlierCount;
    countByNode.set(node, null);
    const hasKeywords = !isMap && !Array.isArray(node);
    let checks = 1;
    for (const [name, value] of Object.entries(node as Schema))
      checks += hasKeywords ? countInKeyword(name, value) : countNode(value);
    countByNode.set(node, checks);
    return checks;
  };
  return findSchemas(document).reduce((sum, schema) => sum + countNode(schema), 0);
}

function resolveReference(document: Schema, reference: string): Schema {
  if (reference.startsWith('#/')) return resolveNode(document, reference);
  throw new Error(`a schema refers to ${JSON.stringify(reference)}, which is not in the contract.`);
}

/** Throws if the schemas have too many checks, if a schema contains itself, or if RE2 does not support a new pattern. */
export function checkSchemaSize(changedDocument: Schema, originalDocument: Schema): void {
  const documentPatterns = new Set(findPatterns(originalDocument));
  const addedPatterns = new Set<string>();
  const checks = countChecks(changedDocument, (pattern) => {
    if (!documentPatterns.has(pattern)) addedPatterns.add(pattern);
  });
  if (checks > OVERLAY_LIMITS.checks)
    throw new Error(`its schemas ask for ${checks} checks, more than ${OVERLAY_LIMITS.checks}.`);
  if (addedPatterns.size > OVERLAY_LIMITS.patterns)
    throw new Error(`it has ${addedPatterns.size} patterns, more than ${OVERLAY_LIMITS.patterns}.`);
  let states = 0;
  for (const pattern of addedPatterns)
    try {
      states += countStates(pattern);
    } catch (error) {
      const why = (error as Error).message;
      throw new Error(`no answer can be judged by the pattern ${JSON.stringify(pattern)}: ${why}.`, { cause: error });
    }
  if (states > OVERLAY_LIMITS.states)
    throw new Error('its patterns are too long in all, with their repetitions written out.');
}
