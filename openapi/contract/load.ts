/** Loads the OpenAPI document and applies the overlay, if the user gave one. */
import { readFileSync } from 'node:fs';
import { contractFile } from '#bank/contract';
import { isFieldClauseId } from '../clauses/index.ts';
import { runWithTimeout } from '../util/timeout.ts';
import { saveCached, loadCached, makeCacheKey } from '../util/cache.ts';
import { addVendorClauses } from './vendor-clauses.ts';
import { documentPatterns } from './patterns.ts';
import { readClauses, type Json, type Schema } from './references.ts';
import { applyOverlay, takeOverlay } from './overlay.ts';
import { checkSchemaSize, findPatterns } from './overlay-limits.ts';

export const contractText = readFileSync(contractFile, 'utf8');

/** Loads the document from the cache. Every process needs the document, and JSON is parsed a hundred times faster than YAML. */
function loadDocument(): Schema {
  const key = makeCacheKey('contract', contractText);
  const cachedText = loadCached(key);
  if (cachedText !== null) return JSON.parse(cachedText) as Schema;
  // Loads the slow YAML parser only if the cache is empty.
  const { parse }: typeof import('yaml') = require('yaml');
  const document = parse(contractText) as Schema;
  saveCached(key, JSON.stringify(document));
  return document;
}

/** Throws if a changed contract names an unknown clause, or has a schema that cannot be compiled. */
function checkContract(changedDocument: Schema): void {
  JSON.stringify(changedDocument, (name, value: Json) => {
    const ids = name === 'x-clause' ? Object.values(readClauses({ [name]: value })) : [];
    const unknownId = ids.find((id) => !isFieldClauseId(id));
    if (unknownId !== undefined) throw new Error(`it names the clause ${unknownId}, which is not known.`);
    return value;
  });
  const { createAjv }: typeof import('./ajv.ts') = require('./ajv.ts');
  const ajv = createAjv(changedDocument, { logger: false });
  for (const name of Object.keys((changedDocument['components'] as Schema)['schemas'] as Schema))
    ajv.compile({ $ref: `bank#/components/schemas/${name}` });
}

const userOverlay = takeOverlay();

/** The document without the overlay. */
export const originalDocument = loadDocument();

/** The document with the overlay applied. */
export let contractDocument = originalDocument;

/** The reason why the overlay was not applied, in one sentence; null if it was applied, or if there is none. */
export let overlayRefused: string | null = null;

/** Rejects the overlay for the reason `why`. Throws if there is no overlay. */
export function rejectOverlay(why: string): void {
  if (userOverlay === null) throw new Error(why);
  overlayRefused ??= `OVERLAY cannot be applied to the contract: ${why}`;
}

if (userOverlay !== null)
  try {
    const { text, title } = userOverlay;
    for (const pattern of findPatterns(originalDocument)) documentPatterns.add(pattern);
    const changedDocument = runWithTimeout(() => applyOverlay(originalDocument, text));
    runWithTimeout(() => checkSchemaSize(changedDocument, originalDocument));
    addVendorClauses(originalDocument, changedDocument, title);
    checkContract(changedDocument);
    contractDocument = changedDocument;
  } catch (error) {
    rejectOverlay(error instanceof RangeError ? 'it is nested too deep.' : (error as Error).message);
  }
