/** The contract as it stands on disk, with the overlay that is given, if any. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { keep, kept, keyOf } from '../util/cache.ts';
import { applyOverlay, takeOverlay } from './overlay.ts';

/** Path of the OpenAPI document. */
export const contractFile = fileURLToPath(new URL('./bank-open-api.yaml', import.meta.url));

/** Its text, byte for byte: the digest of the contract is taken from it. */
export const contractText = readFileSync(contractFile, 'utf8');

/** JSON is read a hundred times faster than YAML, in each process of each run. */
function parsed(): unknown {
  const key = keyOf('contract', contractText);
  const known = kept(key);
  if (known !== null) return JSON.parse(known);
  // Loaded only where it is needed.
  const { parse } = createRequire(import.meta.url)('yaml') as typeof import('yaml');
  const document: unknown = parse(contractText);
  keep(key, JSON.stringify(document));
  return document;
}

const overlay = takeOverlay();

/** The document as parsed, with the overlay that was given, if any; `schema.ts` gives it its type. */
export let contractDocument: unknown = parsed();

/** Why the overlay was not applied, in one sentence; null where it was, or where there is none. */
export let overlayRefused: string | null = null;

if (overlay !== null)
  try {
    contractDocument = await applyOverlay(contractDocument, overlay.text);
  } catch (error) {
    overlayRefused = `OVERLAY cannot be applied to the contract: ${(error as Error).message}`;
  }
