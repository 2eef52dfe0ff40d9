/** Parses texts of files that a user names. Error messages are the end of a sentence about the file. */
import { shortenText } from '../foreign/print.ts';

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    const [, position = 0] = /position (\d+)/.exec(message) ?? [];
    const isCutOff = / end of /.test(message) || Number(position) >= text.trimEnd().length;
    const why = text.trim() === '' ? 'is empty' : isCutOff ? 'is JSON that ends too soon' : 'is not JSON';
    throw new Error(isCutOff ? `${why}: get the whole file again` : why, { cause: error });
  }
}

function describeYamlFault({ message }: Error): string {
  if (/call stack/.test(message)) return 'is nested too deep';
  if (message.startsWith('Alias resolution is disabled')) return 'has an alias (*): write the value itself there';
  return `is neither YAML nor JSON (${message.split('\n', 1)[0]?.replace(/:$/, '')})`;
}

/** Parses YAML, which JSON is too, without aliases: the parser looks for each one among all others. */
export function parseYaml(text: string): unknown {
  // Loads the parser only if a file is YAML.
  const { parseDocument, isScalar, visit }: typeof import('yaml') = require('yaml');
  try {
    // The parser compares each key with all keys before it, and its warnings would print text of the file on the terminal.
    const document = parseDocument(text, { uniqueKeys: false, logLevel: 'error' });
    if (document.errors[0] !== undefined) throw document.errors[0];
    visit(document, {
      Map: (_, { items }) => checkKeys(items.flatMap(({ key }) => (isScalar(key) ? [String(key.value)] : []))),
    });
    return document.toJS({ maxAliasCount: 0 }) as unknown;
  } catch (error) {
    throw new Error(describeYamlFault(error as Error), { cause: error });
  }
}

function checkKeys(keys: readonly string[]): void {
  const before = new Set<string>();
  for (const key of keys) {
    if (before.has(key)) throw new Error(`it has the key ${JSON.stringify(shortenText(key, 80))} twice in one place`);
    before.add(key);
  }
}

/** Returns the first and the last line of each item of a list in a YAML text that can be parsed. */
export function locateItems(text: string, key: string): readonly (readonly [first: number, last: number])[] {
  const { parseDocument, isNode, isSeq, LineCounter }: typeof import('yaml') = require('yaml');
  const lineCounter = new LineCounter();
  const list = parseDocument(text, { lineCounter, uniqueKeys: false, logLevel: 'error' }).get(key);
  const lineAt = (offset: number): number => lineCounter.linePos(offset).line;
  return (isSeq(list) ? list.items : []).map((item) => {
    const [start, end] = (isNode(item) && item.range) || [0, 0];
    return [lineAt(start), lineAt(start + text.slice(start, end).trimEnd().length)];
  });
}
