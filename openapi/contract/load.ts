/** Loads the contract and applies the overlay, if one is given. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isClauseId } from '../clauses/index.ts';
import { keep, kept, keyOf } from '../util/cache.ts';
import { getOrSet } from '../util/group-by.ts';
import { nameVendorClauses } from './vendor-clauses.ts';
import { automatonOf, ownPatterns } from './patterns.ts';
import { derefIn, weightIn, type Schema } from './references.ts';
import { applyOverlay, takeOverlay } from './overlay.ts';

/** The text of the OpenAPI document, also for the digest of the contract. */
export const contractText = readFileSync(join(__dirname, 'bank-open-api.yaml'), 'utf8');

/** Reads the document from a JSON cache: JSON is a hundred times faster than YAML, and every process needs the document. */
function loadDocument(): unknown {
  const key = keyOf('contract', contractText);
  const known = kept(key);
  if (known !== null) return JSON.parse(known);
  // Loads the slow parser only if the cache is empty.
  const { parse }: typeof import('yaml') = require('yaml');
  const document: unknown = parse(contractText);
  keep(key, JSON.stringify(document));
  return document;
}

/** At most this many checks in all schemas (ten times those of the document), and states in all patterns, are allowed. */
const [MAX_WEIGHT, MAX_STATES] = [10_000, 50_000];

type Members = Readonly<Record<string, Schema>>;
const membersOf = (node: Schema | undefined, name: string): readonly Schema[] =>
  Object.values((node?.[name] ?? {}) as Members);

/** Returns the schemas of answers: named schemas, and schemas inside a response. */
function schemasIn(document: Schema): { readonly named: readonly Schema[]; readonly inline: readonly Schema[] } {
  const inline = membersOf(document, 'paths')
    .flatMap((item) => Object.values(item as Members))
    .flatMap((operation) => membersOf(operation, 'responses'))
    .flatMap((response) => membersOf(derefIn(document, response), 'content'))
    .flatMap(({ schema }) => (schema === undefined ? [] : [schema as Schema]));
  return { named: membersOf(document['components'] as Schema | undefined, 'schemas'), inline };
}

/** Returns all patterns of a document. */
const patternsIn = (document: Schema): readonly string[] =>
  [...JSON.stringify(document).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(
    ([, pattern = '']) => JSON.parse(pattern) as string,
  );

/**
 * Returns how many times more checks the heaviest schema has in the changed contract than in the document. Throws if all
 * schemas have too many checks, if a schema contains itself, or if a pattern needs backtracking.
 */
export function heavinessOf(changed: Schema, before: Schema): number {
  const own = new Set(patternsIn(before));
  const states = new Map<string, number>();
  const statesOf = (pattern: string): number => {
    if (own.has(pattern)) return 0;
    try {
      return automatonOf(pattern).states.length;
    } catch (error) {
      const why = (error as Error).message;
      throw new Error(`no answer can be judged by the pattern ${JSON.stringify(pattern)}: ${why}.`, { cause: error });
    }
  };
  const costOf = (pattern: string): number => {
    getOrSet(states, pattern, () => statesOf(pattern));
    return 1;
  };
  const { named, inline } = schemasIn(changed);
  const total = [...named, ...inline].reduce((sum, schema) => sum + weightIn(changed, schema, costOf), 0);
  if (total > MAX_WEIGHT) throw new Error(`its schemas ask for ${total} checks, more than ${MAX_WEIGHT}.`);
  if ([...states.values()].reduce((sum, one) => sum + one, 0) > MAX_STATES)
    throw new Error('its patterns are too long in all, with their repetitions written out.');
  const heaviest = (document: Schema): number =>
    Math.max(...schemasIn(document).named.map((schema) => weightIn(document, schema, () => 1)));
  return Math.max(1, heaviest(changed) / heaviest(before));
}

/** Throws if a changed contract cannot be used: it has an unknown clause, or a schema that does not compile. */
function checkUsable(changed: object): void {
  const text = JSON.stringify(changed);
  const key = keyOf('usable', text);
  if (kept(key) !== null) return;
  const named = [...text.matchAll(/"x-clause":("(?:[^"\\]|\\.)*"|\{[^}]*\})/g)].flatMap(
    ([, carried = '']): readonly string[] => {
      const value = JSON.parse(carried) as string | Readonly<Record<string, string>>;
      return typeof value === 'string' ? [value] : Object.values(value);
    },
  );
  const unknown = named.find((id) => !isClauseId(id));
  if (unknown !== undefined) throw new Error(`it names the clause ${unknown}, which is not known.`);
  const { ajvOf }: typeof import('./ajv.ts') = require('./ajv.ts');
  const ajv = ajvOf(changed, { logger: false });
  for (const name of Object.keys((changed as { components: { schemas: object } }).components.schemas))
    ajv.compile({ $ref: `bank#/components/schemas/${name}` });
  keep(key, 'yes');
}

const overlay = takeOverlay();

/** The overlay multiplies the checks of the heaviest schema by this factor. */
export let heaviness = 1;

/** The document without an overlay. */
export const ownDocument = loadDocument() as Schema;

/** The document with the overlay, if one was given. `schema.ts` gives it its type. */
export let contractDocument: unknown = ownDocument;

/** Why the overlay was not applied, in one sentence; null if the overlay was applied or not given. */
export let overlayRefused: string | null = null;

/** Refuses the overlay for the reason `why`. Throws if no overlay was given. */
export function refuseOverlay(why: string): void {
  if (overlay === null) throw new Error(why);
  overlayRefused ??= `OVERLAY cannot be applied to the contract: ${why}`;
}

if (overlay !== null)
  try {
    for (const pattern of patternsIn(contractDocument as Schema)) ownPatterns.add(pattern);
    const changed = applyOverlay(contractDocument, overlay.text);
    heaviness = heavinessOf(changed as Schema, contractDocument as Schema);
    nameVendorClauses(contractDocument as Schema, changed as Schema, overlay.title);
    checkUsable(changed as object);
    contractDocument = changed;
  } catch (error) {
    refuseOverlay(error instanceof RangeError ? 'it is nested too deep.' : (error as Error).message);
  }
