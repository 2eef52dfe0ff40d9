/** Parses the texts of files that a user names. An error message is the end of a sentence that begins with the file name. */
import { shortenText } from '../foreign/print.ts';

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    const [, position = 0] = /position (\d+)/.exec(message) ?? [];
    const isCutOff = / end of /.test(message) || Number(position) >= text.trimEnd().length;
    throw new Error(describeJsonFault(text, isCutOff), { cause: error });
  }
}

function describeJsonFault(text: string, isCutOff: boolean): string {
  const advice = isCutOff ? ': get the whole file again' : '';
  if (text.trim() === '') return `is empty${advice}`;
  return isCutOff ? `is JSON that ends too soon${advice}` : 'is not JSON';
}

function describeYamlFault({ message }: Error): string {
  if (/call stack/.test(message)) return 'is nested too deep';
  if (message.startsWith('Alias resolution is disabled')) return 'has an alias (*): write the value itself there';
  return `is neither YAML nor JSON (${message.split('\n', 1)[0]?.replace(/:$/, '')})`;
}

/** Parses YAML or JSON. Refuses YAML aliases: many of them take very long to resolve. */
export function parseYaml(text: string): unknown {
  // Loads the parser only if a file is YAML.
  const { parseDocument, isScalar, visit }: typeof import('yaml') = require('yaml');
  try {
    // Keys are checked below: the parser would compare each key with all earlier keys. Its warnings would print text of the file.
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

/** Throws an error if an object has the same key twice. */
function checkKeys(keys: readonly string[]): void {
  const earlierKeys = new Set<string>();
  for (const key of keys) {
    if (earlierKeys.has(key))
      throw new Error(`it has the key ${JSON.stringify(shortenText(key, 80))} twice in one place`);
    earlierKeys.add(key);
  }
}

/** Returns the first and the last line of each item of the list `key`. The YAML text must be valid. */
export function locateItems(text: string, key: string): readonly (readonly [first: number, last: number])[] {
  const { parseDocument, isNode, isSeq, LineCounter }: typeof import('yaml') = require('yaml');
  const lineCounter = new LineCounter();
  const list = parseDocument(text, { lineCounter, uniqueKeys: false, logLevel: 'error' }).get(key);
  const getLineNumber = (offset: number): number => lineCounter.linePos(offset).line;
  return (isSeq(list) ? list.items : []).map((item) => {
    const [start, end] = (isNode(item) && item.range) || [0, 0];
    return [getLineNumber(start), getLineNumber(start + text.slice(start, end).trimEnd().length)];
  });
}
