/** The contract as it stands on disk, with the overlay that is given, if any. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isClauseId } from '../clauses/index.ts';
import { keep, kept, keyOf } from '../util/cache.ts';
import { nameVendorClauses } from './vendor-clauses.ts';
import type { Schema } from './references.ts';
import { applyOverlay, takeOverlay } from './overlay.ts';

/** Path of the OpenAPI document. */
export const contractFile = join(__dirname, 'bank-open-api.yaml');

/** Its text, byte for byte: the digest of the contract is taken from it. */
export const contractText = readFileSync(contractFile, 'utf8');

/** JSON is read a hundred times faster than YAML, in each process of each run. */
function parsed(): unknown {
  const key = keyOf('contract', contractText);
  const known = kept(key);
  if (known !== null) return JSON.parse(known);
  // Loaded only where it is needed.
  const { parse }: typeof import('yaml') = require('yaml');
  const document: unknown = parse(contractText);
  keep(key, JSON.stringify(document));
  return document;
}

/** Throws where a changed contract cannot be judged by: an unknown clause, or a schema that cannot be compiled. */
function checkUsable(changed: object): void {
  const text = JSON.stringify(changed);
  const key = keyOf('usable', text);
  if (kept(key) !== null) return;
  const named = [...text.matchAll(/"x-clause":("[^"]*"|\{[^}]*\})/g)].flatMap(([, carried = '']): readonly string[] => {
    const value = JSON.parse(carried) as string | Readonly<Record<string, string>>;
    return typeof value === 'string' ? [value] : Object.values(value);
  });
  const unknown = named.find((id) => !isClauseId(id));
  if (unknown !== undefined) throw new Error(`it names the clause ${unknown}, which is not known.`);
  const { ajvOf }: typeof import('./ajv.ts') = require('./ajv.ts');
  const ajv = ajvOf(changed, { logger: false });
  for (const name of Object.keys((changed as { components: { schemas: object } }).components.schemas))
    ajv.compile({ $ref: `bank#/components/schemas/${name}` });
  keep(key, 'yes');
}

const overlay = takeOverlay();

/** The document as parsed, with the overlay that was given, if any; `schema.ts` gives it its type. */
export let contractDocument: unknown = parsed();

/** Why the overlay was not applied, in one sentence; null where it was, or where there is none. */
export let overlayRefused: string | null = null;

if (overlay !== null)
  try {
    const changed = applyOverlay(contractDocument, overlay.text);
    nameVendorClauses(contractDocument as Schema, changed as Schema, overlay.title);
    checkUsable(changed as object);
    contractDocument = changed;
  } catch (error) {
    overlayRefused = `OVERLAY cannot be applied to the contract: ${(error as Error).message}`;
  }
