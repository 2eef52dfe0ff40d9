/** Finds faults of JSON texts that JSON.parse accepts. */
import { shortenName } from '../util/truncate.ts';

const JSON_TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"(?=\s*(:)?)|[{}[\]]/g;

function countKeys(value: unknown): number {
  let count = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const node = open.pop();
    if (Array.isArray(node)) for (const item of node) open.push(item);
    else if (typeof node === 'object' && node !== null)
      for (const key of Object.keys(node)) {
        count += 1;
        open.push((node as Record<string, unknown>)[key]);
      }
  }
  return count;
}

/** Counts the keys in a JSON text. Jumps from quotation mark to quotation mark to be fast: it reads every body. */
function countKeysInText(text: string): number {
  let keys = 0;
  for (let from = text.indexOf('"'); from !== -1; from = text.indexOf('"', from + 1)) {
    for (from = text.indexOf('"', from + 1); text[from - 1] === '\\' && isEscaped(text, from);)
      from = text.indexOf('"', from + 1);
    let after = from + 1;
    while (text.charCodeAt(after) <= 0x20) after += 1;
    if (text[after] === ':') keys += 1;
  }
  return keys;
}

/** True if the number of backslashes before `at` is odd. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text[first - 1] === '\\') first -= 1;
  return (at - first) % 2 === 1;
}

/** Finds a key that is twice in one object of `text`; null if there is none. `value` is the parsed text. */
export function findDuplicateKey(text: string, value: unknown): string | null {
  if (countKeysInText(text) === countKeys(value)) return null;
  const scopes: Set<string>[] = [];
  for (const token of text.matchAll(JSON_TOKEN)) {
    const [word, colon] = token;
    if (word === '{' || word === '[') scopes.push(new Set());
    else if (word === '}' || word === ']') scopes.pop();
    else if (colon === ':') {
      const key = JSON.parse(word) as string;
      const scope = scopes.at(-1);
      if (scope?.has(key) === true) return key;
      scope?.add(key);
    }
  }
  return null;
}

/** True if `text` may have a number that a double cannot hold exactly. Reads every body. */
export function hasUnusualNumbers(text: string): boolean {
  return /\d(?:[eE]|\d{15}|\.\d{15})/.test(text);
}

/**
 * Replaces huge numbers such as 1e400 in `holder.value` with the largest double: JSON.parse makes them infinite, and no schema accepts
 * this. Returns the pointer of one huge number, or null.
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
