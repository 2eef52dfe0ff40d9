/** The contract as it stands on disk. A module of its own, so that a judge without a disk can be given the document. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

export const contractFile = fileURLToPath(new URL('./bank-open-api.yaml', import.meta.url));
export const contractText = readFileSync(contractFile, 'utf8');

/** The same document in JSON: it is read a hundred times faster than YAML, in each process of each run. */
export const copyFile = fileURLToPath(new URL('./bank-open-api.json', import.meta.url));

/** The member of the copy that says which text it was made from. */
const madeFrom = 'x-made-from-sha256';

const sha256 = createHash('sha256').update(contractText).digest('hex');

function parsed(): object {
  // Loaded only where it is needed.
  const { parse } = createRequire(import.meta.url)('yaml') as typeof import('yaml');
  return parse(contractText) as object;
}

/** The text that the copy must hold. */
export function freshCopy(): string {
  return `${JSON.stringify({ ...parsed(), [madeFrom]: sha256 }, null, 1)}\n`;
}

/** The document of the copy, or null where the copy is of another text. */
function copied(): object | null {
  try {
    const { [madeFrom]: from, ...document } = JSON.parse(readFileSync(copyFile, 'utf8')) as Record<string, unknown>;
    return from === sha256 ? document : null;
  } catch {
    return null;
  }
}

/** The document as parsed; `contract.ts` gives it its type. */
export const contractDocument: unknown = copied() ?? parsed();
