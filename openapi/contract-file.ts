/** The contract as it stands on disk. A module of its own, so that a judge without a disk can be given the document. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

export const contractFile = fileURLToPath(new URL('./bank-open-api.yaml', import.meta.url));
export const contractText = readFileSync(contractFile, 'utf8');

/** The document as parsed; `contract.ts` gives it its type. */
export const contractDocument: unknown = parse(contractText);
