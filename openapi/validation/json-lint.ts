/** Finds faults of JSON texts that JSON.parse accepts. */
import { shortenName } from '../util/truncate.ts';

const JSON_TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"(?=\s*(:)?)|[{}[\]]/g;

/** Finds a key that is twice in one object of a JSON text; null if there is none. */
export function findDuplicateKey(text: string): string | null {
  const scopes: Set<string>[] = [];
  for (const token of text.matchAll(JSON_TOKEN)) {
    const [word, colon] = token;
    if (word === '{' || word === '[') scopes.push(new Set());
    else if (word === '}' || word === ']') scopes.pop();
    else if (colon === ':') {
      const key = word.includes('\\') ? (JSON.parse(word) as string) : word.slice(1, -1);
      const scope = scopes.at(-1);
      if (scope?.has(key) === true) return key;
      scope?.add(key);
    }
  }
  return null;
}

/** True if `text` may have a number that a double cannot hold exactly. Called for every body. */
export function mayHaveInexactNumbers(text: string): boolean {
  return /\d(?:[eE]|\d{15}|\.\d{15})/.test(text);
}

/**
 * Replaces huge numbers such as 1e400 in `holder.value` by the largest double: JSON.parse makes them infinite, and no schema
 * accepts this. Returns the pointer to one huge number, or null.
 */
export function replaceHugeNumbers(text: string, holder: { value: unknown }): string | null {
  if (!/[eE]\+?\d{3}|\d{200}/.test(text)) return null;
  let found: string | null = null;
  const open: [node: object, at: string][] = [[holder, '']];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, at] = next;
    for (const [key, child] of Object.entries(node)) {
      const here = node === holder ? '' : `${at}/${Array.isArray(node) ? '*' : shortenName(key)}`;
      if (typeof child === 'object' && child !== null) open.push([child, here]);
      else if (child === Infinity || child === -Infinity) {
        (node as Record<string, unknown>)[key] = Math.sign(child) * Number.MAX_VALUE;
        found = here;
      }
    }
  }
  return found;
}
