/** Finds words of the bank in TypeScript: in identifiers and in texts, not in comments. */
import { areas, createdKinds, operationIds } from '../../../openapi/api.ts';
import { originalDocument } from '../../../openapi/contract/load.ts';

interface Token {
  readonly start: number;
  readonly end: number;
}

// The types of this part of sucrase are not exported.
const { parse } = require('sucrase/dist/parser') as {
  parse(code: string, isJsx: boolean, isTypeScript: boolean, isFlow: boolean): { readonly tokens: readonly Token[] };
};

/** Returns the names of all fields and parameters below a node of the contract. */
const listFieldNames = (node: unknown): readonly string[] =>
  typeof node !== 'object' || node === null
    ? []
    : Object.entries(node).flatMap(([name, child]) => [
        ...(name === 'properties' ? Object.keys(child as object) : []),
        ...(name === 'name' && typeof child === 'string' ? [child] : []),
        ...listFieldNames(child),
      ]);

/** Words that only this bank uses. Fields without an underscore, such as `text` or `name`, are words of everybody. */
export const bankWords: ReadonlySet<string> = new Set([
  ...operationIds,
  ...areas,
  ...createdKinds,
  ...listFieldNames(originalDocument).filter((name) => name.includes('_')),
]);

const isPlainWord = (word: string): boolean => /^[a-z]+$/.test(word);

/** Returns the words of the bank in a file, each once. A word such as `links` counts only where it is the whole token. */
export function findBankWords(text: string): readonly string[] {
  const found = new Set<string>();
  for (const { start, end } of parse(text, false, true, false).tokens) {
    const token = text.slice(start, end).replace(/^['"]|['"]$/g, '');
    const parts = token.split(/[^\w]+/).filter((word) => !isPlainWord(word));
    for (const word of [token, ...parts]) if (bankWords.has(word)) found.add(word);
  }
  return [...found].sort();
}
