/** Loads the contract and applies the overlay, if one is given. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isClauseId } from '../clauses/index.ts';
import { saveCached, loadCached, makeCacheKey } from '../util/cache.ts';
import { getOrSet } from '../util/group-by.ts';
import { nameVendorClauses } from './vendor-clauses.ts';
import { buildAutomaton, ownPatterns } from './patterns.ts';
import { followReference, weighSchema, type Schema } from './references.ts';
import { applyOverlay, takeOverlay } from './overlay.ts';

/** The text of the OpenAPI document, also for the digest of the contract. */
export const contractText = readFileSync(join(__dirname, 'bank-open-api.yaml'), 'utf8');

/** Reads the document from a JSON cache: JSON is a hundred times faster than YAML, and every process needs the document. */
function loadDocument(): unknown {
  const key = makeCacheKey('contract', contractText);
  const known = loadCached(key);
  if (known !== null) return JSON.parse(known);
  // Loads the slow parser only if the cache is empty.
  const { parse }: typeof import('yaml') = require('yaml');
  const document: unknown = parse(contractText);
  saveCached(key, JSON.stringify(document));
  return document;
}

/** At most this many checks in all schemas (ten times those of the document), and states in all patterns, are allowed. */
const [MAX_WEIGHT, MAX_STATES] = [10_000, 50_000];

type Members = Readonly<Record<string, Schema>>;
const listMembers = (node: Schema | undefined, name: string): readonly Schema[] =>
  Object.values((node?.[name] ?? {}) as Members);

/** Returns the schemas of answers: named schemas, and schemas inside a response. */
function findSchemas(document: Schema): readonly Schema[] {
  const inline = listMembers(document, 'paths')
    .flatMap((item) => Object.values(item as Members))
    .flatMap((operation) => listMembers(operation, 'responses'))
    .flatMap((response) => listMembers(followReference(document, response), 'content'))
    .flatMap(({ schema }) => (schema === undefined ? [] : [schema as Schema]));
  return [...listMembers(document['components'] as Schema | undefined, 'schemas'), ...inline];
}

/** Returns all patterns of a document. */
const findPatterns = (document: Schema): readonly string[] =>
  [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(
    ([, pattern = '']) => JSON.parse(pattern) as string,
  );

/** Throws if the schemas have too many checks, if a schema contains itself, or if a new pattern needs backtracking. */
export function checkWeight(changed: Schema, before: Schema): void {
  const own = new Set(findPatterns(before));
  const states = new Map<string, number>();
  const countStates = (pattern: string): number => {
    if (own.has(pattern)) return 0;
    try {
      return buildAutomaton(pattern).states.length;
    } catch (error) {
      const why = (error as Error).message;
      throw new Error(`no answer can be judged by the pattern ${JSON.stringify(pattern)}: ${why}.`, { cause: error });
    }
  };
  const weighPattern = (pattern: string): number => {
    getOrSet(states, pattern, () => countStates(pattern));
    return 1;
  };
  const total = findSchemas(changed).reduce((sum, schema) => sum + weighSchema(changed, schema, weighPattern), 0);
  if (total > MAX_WEIGHT) throw new Error(`its schemas ask for ${total} checks, more than ${MAX_WEIGHT}.`);
  if ([...states.values()].reduce((sum, value) => sum + value, 0) > MAX_STATES)
    throw new Error('its patterns are too long in all, with their repetitions written out.');
}

/** Throws if a changed contract cannot be used: it has an unknown clause, or a schema that does not compile. */
function checkUsable(changed: object): void {
  const text = JSON.stringify(changed);
  const named = [...text.matchAll(/"x-clause":("(?:[^"\\]|\\.)*"|\{[^}]*\})/g)].flatMap(
    ([, carried = '']): readonly string[] => {
      const value = JSON.parse(carried) as string | Readonly<Record<string, string>>;
      return typeof value === 'string' ? [value] : Object.values(value);
    },
  );
  const unknown = named.find((id) => !isClauseId(id));
  if (unknown !== undefined) throw new Error(`it names the clause ${unknown}, which is not known.`);
  const { createAjv }: typeof import('./ajv.ts') = require('./ajv.ts');
  const ajv = createAjv(changed, { logger: false });
  for (const name of Object.keys((changed as { components: { schemas: object } }).components.schemas))
    ajv.compile({ $ref: `bank#/components/schemas/${name}` });
}

const givenOverlay = takeOverlay();

/** The document without an overlay. */
export const ownDocument = loadDocument() as Schema;

/** The document with the overlay, if one was given. `schema.ts` gives it its type. */
export let contractDocument: unknown = ownDocument;

/** Why the overlay was not applied, in one sentence; null if the overlay was applied or not given. */
export let overlayRefused: string | null = null;

/** Refuses the overlay for the reason `why`. Throws if no overlay was given. */
export function refuseOverlay(why: string): void {
  if (givenOverlay === null) throw new Error(why);
  overlayRefused ??= `OVERLAY cannot be applied to the contract: ${why}`;
}

if (givenOverlay !== null)
  try {
    for (const pattern of findPatterns(contractDocument as Schema)) ownPatterns.add(pattern);
    const changed = applyOverlay(contractDocument, givenOverlay.text);
    checkWeight(changed as Schema, contractDocument as Schema);
    nameVendorClauses(contractDocument as Schema, changed as Schema, givenOverlay.title);
    checkUsable(changed as object);
    contractDocument = changed;
  } catch (error) {
    refuseOverlay(error instanceof RangeError ? 'it is nested too deep.' : (error as Error).message);
  }
