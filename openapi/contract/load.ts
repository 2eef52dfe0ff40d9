/** Loads the OpenAPI document and applies the overlay, if the user gave one. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isClauseId } from '../clauses/index.ts';
import { saveCached, loadCached, makeCacheKey } from '../util/cache.ts';
import { getOrSet } from '../util/group-by.ts';
import { addVendorClauses } from './vendor-clauses.ts';
import { buildAutomaton, documentPatterns } from './patterns.ts';
import { followSchemaReference, countChecks, type Schema } from './references.ts';
import { applyOverlay, takeOverlay } from './overlay.ts';

/** The text of the OpenAPI document. */
export const contractText = readFileSync(join(__dirname, 'bank-open-api.yaml'), 'utf8');

/**
 * Reads the document from a JSON cache: parsing JSON is a hundred times faster than parsing YAML, and every process needs the
 * document.
 */
function loadDocument(): unknown {
  const key = makeCacheKey('contract', contractText);
  const known = loadCached(key);
  if (known !== null) return JSON.parse(known);
  // Loads the slow YAML parser only if the cache is empty.
  const { parse }: typeof import('yaml') = require('yaml');
  const document: unknown = parse(contractText);
  saveCached(key, JSON.stringify(document));
  return document;
}

/** The schemas may have at most this many checks (ten times those of the document), and the patterns this many states. */
const [MAX_WEIGHT, MAX_STATES] = [10_000, 50_000];

type Members = Readonly<Record<string, Schema>>;
const listMembers = (node: Schema | undefined, name: string): readonly Schema[] =>
  Object.values((node?.[name] ?? {}) as Members);

/** Returns the schemas of answers: named schemas, and schemas inside a response. */
function findSchemas(document: Schema): readonly Schema[] {
  const inline = listMembers(document, 'paths')
    .flatMap((item) => Object.values(item as Members))
    .flatMap((operation) => listMembers(operation, 'responses'))
    .flatMap((response) => listMembers(followSchemaReference(document, response), 'content'))
    .flatMap(({ schema }) => (schema === undefined ? [] : [schema as Schema]));
  return [...listMembers(document['components'] as Schema | undefined, 'schemas'), ...inline];
}

/** Returns all regular expressions of a document. */
const findPatterns = (document: Schema): readonly string[] =>
  [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(
    ([, pattern = '']) => JSON.parse(pattern) as string,
  );

/** Throws if the schemas have too many checks, if a schema contains itself, or if a new pattern needs backtracking. */
export function checkSchemaSize(changed: Schema, before: Schema): void {
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
  const total = findSchemas(changed).reduce((sum, schema) => sum + countChecks(changed, schema, weighPattern), 0);
  if (total > MAX_WEIGHT) throw new Error(`its schemas ask for ${total} checks, more than ${MAX_WEIGHT}.`);
  if ([...states.values()].reduce((sum, value) => sum + value, 0) > MAX_STATES)
    throw new Error('its patterns are too long in all, with their repetitions written out.');
}

/** Throws if the changed contract has an unknown clause, or a schema that does not compile. */
function checkContract(changed: object): void {
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

const userOverlay = takeOverlay();

/** The OpenAPI document without an overlay. */
export const originalDocument = loadDocument() as Schema;

/** The OpenAPI document with the overlay, if the user gave one. */
export let contractDocument: unknown = originalDocument;

/** The reason why the overlay was not applied, in one sentence; null if it was applied, or if there is none. */
export let overlayRefused: string | null = null;

/** Rejects the overlay for the reason `why`. Throws if there is no overlay. */
export function rejectOverlay(why: string): void {
  if (userOverlay === null) throw new Error(why);
  overlayRefused ??= `OVERLAY cannot be applied to the contract: ${why}`;
}

if (userOverlay !== null)
  try {
    for (const pattern of findPatterns(contractDocument as Schema)) documentPatterns.add(pattern);
    const changed = applyOverlay(contractDocument, userOverlay.text);
    checkSchemaSize(changed as Schema, contractDocument as Schema);
    addVendorClauses(contractDocument as Schema, changed as Schema, userOverlay.title);
    checkContract(changed as object);
    contractDocument = changed;
  } catch (error) {
    rejectOverlay(error instanceof RangeError ? 'it is nested too deep.' : (error as Error).message);
  }
