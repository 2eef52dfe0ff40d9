/** Limits the size of texts that other people wrote, and the time for reading them. Reads YAML; JSON is YAML, too. */
import { Script } from 'node:vm';
import { shortenText } from './print.ts';

const MAX_CHARACTERS = 1_000_000;
/** The time limit for reading a text and for applying an overlay: thirty times what the largest overlay needs. */
const MAX_MS = 3000;

export const TOO_LONG = `takes longer than ${MAX_MS / 1000} seconds`;

const RUNNING_FUNCTION = '__limited';

/** Returns the result of `run`. Throws an error with this message if `run` takes too long. */
export function runWithTimeout<T>(run: () => T, message = TOO_LONG): T {
  const shared = globalThis as unknown as Record<string, unknown>;
  shared[RUNNING_FUNCTION] = run;
  try {
    return new Script(`${RUNNING_FUNCTION}()`).runInThisContext({ timeout: MAX_MS }) as T;
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new Error(message, { cause: error });
  } finally {
    delete shared[RUNNING_FUNCTION];
  }
}

function describeFault({ message }: Error): string {
  if (/call stack/.test(message)) return 'is nested too deep';
  if (/Excessive alias/.test(message)) return 'has too many aliases';
  return `is neither YAML nor JSON (${message.split('\n', 1)[0]?.replace(/:$/, '')})`;
}

/** Returns a text unchanged. Throws if it is too long; the message is the end of a sentence. */
export function limitLength(text: string): string {
  if (text.length > MAX_CHARACTERS) throw new Error(`has more than ${MAX_CHARACTERS} characters`);
  return text;
}

/** Returns the first and the last line of each item of a list in a YAML text that can be parsed. */
export function locateItems(text: string, key: string): readonly (readonly [first: number, last: number])[] {
  const { parseDocument, isNode, isSeq, LineCounter }: typeof import('yaml') = require('yaml');
  return runWithTimeout(() => {
    const lineCounter = new LineCounter();
    const list = parseDocument(text, { lineCounter, uniqueKeys: false, logLevel: 'error' }).get(key);
    const lineAt = (offset: number): number => lineCounter.linePos(offset).line;
    return (isSeq(list) ? list.items : []).map((item) => {
      const [start, end] = (isNode(item) && item.range) || [0, 0];
      return [lineAt(start), lineAt(start + text.slice(start, end).trimEnd().length)] as const;
    });
  });
}

/** Parses a YAML text. Error messages are the end of a sentence about the text. */
export function parseForeignYaml(text: string): unknown {
  limitLength(text);
  // Loads the parser only if a text is not JSON.
  const { parseDocument, isScalar, visit }: typeof import('yaml') = require('yaml');
  return runWithTimeout(() => {
    // The parser compares each key with all keys before it, and its warnings would print foreign text on the terminal.
    const document = parseDocument(text, { uniqueKeys: false, logLevel: 'error' });
    if (document.errors[0] !== undefined) throw new Error(describeFault(document.errors[0]));
    visit(document, {
      Map(_, { items }) {
        const keys = new Set<string>();
        for (const { key } of items) {
          const name = isScalar(key) ? String(key.value) : null;
          if (name === null || !keys.has(name)) keys.add(name ?? '');
          else throw new Error(`has the key ${JSON.stringify(shortenText(name, 80))} twice in one place`);
        }
      },
    });
    try {
      return document.toJS() as unknown;
    } catch (error) {
      throw new Error(describeFault(error as Error), { cause: error });
    }
  });
}
