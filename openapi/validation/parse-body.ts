/** Reads the bytes of an answer as UTF-8 and JSON, and records unusual details. */
import { parse } from 'lossless-json';
import { parseLongLists, skipString } from './long-lists.ts';
import { getHeader, decodeText, type Answer } from '../model/exchange.ts';
import type { Fault } from '../model/finding.ts';
import type { Reading } from '../model/journal.ts';
import { memoizeByText } from '../util/memoize.ts';
import { shortenName } from '../util/truncate.ts';

export interface Content {
  /** The parsed value; undefined if the body cannot be read. Very long arrays are cut, and very deep levels are emptied. */
  readonly value: unknown;
  /** The parsed value with integers beyond 2^53 as bigint, so that ids keep all digits. */
  readonly exact: unknown;
  readonly text: string;
  /** Why the body cannot be read, as a part of a sentence; null if it can be read. */
  readonly unreadable: string | null;
  readonly warnings: readonly Fault[];
  /** The number of kept entries, and of all entries, of the cut arrays; null if no array was cut. */
  readonly share: Reading['share'];
}

export interface ParsedBody {
  readonly content: Content;
  readonly warnings: readonly Fault[];
}

const strictUtf8Decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const makeUnreadableContent = (text: string, why: string): Content => ({
  value: undefined,
  exact: undefined,
  text,
  unreadable: why,
  warnings: [],
  share: null,
});

/** Reads the body of an answer. Equal answers share their content. */
export function parseBody(answer: Answer): ParsedBody {
  const content = readContent(answer.bytes);
  return {
    content,
    warnings: content.unreadable === null ? [...content.warnings, ...findContentTypeWarnings(answer)] : [],
  };
}

function readContent(bytes: Uint8Array): Content {
  if (bytes.length === 0) return makeUnreadableContent('', 'the body is empty');
  try {
    return readText(strictUtf8Decoder.decode(bytes));
  } catch {
    return makeUnreadableContent(decodeText(bytes), 'the bytes are not UTF-8');
  }
}

/** Parses the text of a body. A byte order mark, a duplicate key and a huge number are only warnings. */
const readText = memoizeByText((bodyText: string): Content => {
  let text = bodyText;
  const warnings: Fault[] = [];
  if (text.charCodeAt(0) === 0xfeff) {
    text = text.slice(1);
    warnings.push({
      clause: 'service.no-byte-order-mark',
      pointer: 'response/body',
      kind: 'form',
      expected: 'JSON from the first byte on',
      received: 'a byte order mark before the JSON',
    });
  }
  let parsed: ReturnType<typeof parseLongLists>;
  try {
    parsed = parseLongLists(text, MAX_JUDGED_ENTRIES);
  } catch (error) {
    return makeUnreadableContent(text, `the body is not JSON (${(error as Error).message.slice(0, 120)})`);
  }
  const duplicateKey = findDuplicateKey(text);
  if (duplicateKey !== null)
    warnings.push({
      clause: 'service.no-duplicate-keys',
      pointer: 'response/body',
      kind: 'form',
      expected: 'each key once in an object',
      received: `the key ${JSON.stringify(shortenName(duplicateKey))} twice in one object`,
    });
  const wrapper = { value: parsed.value };
  const mayBeInexact = mayHaveInexactNumbers(text);
  const hugeNumberPointer = mayBeInexact ? replaceHugeNumbers(text, wrapper) : null;
  if (hugeNumberPointer !== null)
    warnings.push({
      clause: 'service.numbers-within-double',
      pointer: hugeNumberPointer,
      kind: 'form',
      expected: 'a number within the range of a double',
      received: 'a number beyond this range',
    });
  const exactValue = mayBeInexact ? parseWithAllDigits(parsed.kept, wrapper.value) : wrapper.value;
  const isExact = exactValue === wrapper.value;
  const value = makeConvertibleToText(limitDepth(wrapper.value, text), text);
  const exact = isExact ? value : makeConvertibleToText(limitDepth(exactValue, text), text);
  return { value, exact, text, unreadable: null, warnings, share: parsed.share };
});

/** Returns the first key that an object has twice; null if there is none. */
export function findDuplicateKey(text: string): string | null {
  /** The keys of each open object or array; undefined until an object has a key. */
  const keysByDepth: (Set<string> | undefined)[] = [];
  for (let position = 0; position < text.length; position += 1) {
    const character = text[position];
    if (character === '{' || character === '[') keysByDepth.push(undefined);
    else if (character === '}' || character === ']') keysByDepth.pop();
    else if (character === '"') {
      const start = position;
      position = skipString(text, start);
      let nextPosition = position + 1;
      while (/\s/.test(text[nextPosition] ?? '')) nextPosition += 1;
      // Only a key has a colon behind it.
      if (text[nextPosition] !== ':') continue;
      const escapedKey = text.slice(start + 1, position);
      const key = escapedKey.includes('\\') ? (JSON.parse(`"${escapedKey}"`) as string) : escapedKey;
      const keys = (keysByDepth[keysByDepth.length - 1] ??= new Set());
      if (keys.has(key)) return key;
      keys.add(key);
    }
  }
  return null;
}

/** True if `text` may have a number that a double cannot hold exactly. The check must be fast: every body is checked. */
function mayHaveInexactNumbers(text: string): boolean {
  return /\d(?:[eE]|\d{15}|\.\d{15})/.test(text);
}

/**
 * Replaces huge numbers such as 1e400 in `wrapper.value` with the largest double: JSON.parse makes them infinite, and no schema
 * accepts an infinite number. Returns the pointer to one huge number; null if there is none.
 */
function replaceHugeNumbers(text: string, wrapper: { value: unknown }): string | null {
  if (!/[eE]\+?\d{3}|\d{200}/.test(text)) return null;
  let hugeNumberPointer: string | null = null;
  const stack: [node: object, nodePointer: string][] = [[wrapper, '']];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const [node, nodePointer] = top;
    for (const [key, child] of Object.entries(node)) {
      const pointer = node === wrapper ? '' : `${nodePointer}/${Array.isArray(node) ? '*' : shortenName(key)}`;
      if (typeof child === 'object' && child !== null) stack.push([child, pointer]);
      else if (child === Infinity || child === -Infinity) {
        (node as Record<string, unknown>)[key] = Math.sign(child) * Number.MAX_VALUE;
        hugeNumberPointer = pointer;
      }
    }
  }
  return hugeNumberPointer;
}

/** Of each array, at most this many entries are judged. An answer of 8 MB cannot have more ATMs: the shortest ATM has 128 bytes. */
const MAX_JUDGED_ENTRIES = 65_536;
/** At most this many levels of a body are judged. The document has five levels. */
const MAX_JUDGED_DEPTH = 64;
/** The depth of a shorter text is not limited. */
const SHORT_TEXT_LENGTH = 4096;

const isObjectOrArray = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Makes objects and arrays below `MAX_JUDGED_DEPTH` empty, in `value` itself. `value` was parsed from `text`. */
function limitDepth(value: unknown, text: string): unknown {
  if (text.length <= SHORT_TEXT_LENGTH || !isObjectOrArray(value)) return value;
  let nodes = [value];
  for (let depth = 1; nodes.length > 0; depth += 1) {
    const children = nodes.flatMap((node) =>
      Object.entries(node).flatMap(([key, child]: [string, unknown]) =>
        isObjectOrArray(child) ? { node, key, child } : [],
      ),
    );
    if (depth >= MAX_JUDGED_DEPTH)
      // An assignment to `__proto__` would change the prototype.
      for (const { node, key, child } of children)
        Object.defineProperty(node, key, { value: Array.isArray(child) ? [] : {}, enumerable: true });
    nodes = depth >= MAX_JUDGED_DEPTH ? [] : children.map(({ child }) => child);
  }
  return value;
}

/** Matches a member `toString`, also with escapes. JavaScript would call this member to convert the object to text. */
const MAY_HAVE_TO_STRING = /toString|\\u00[4-7]/i;

/** Makes sure that every part of `value` can be converted to text, also objects with a member `toString`. */
function makeConvertibleToText(value: unknown, text: string): unknown {
  const walk = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    if (Object.hasOwn(part, 'toString'))
      Object.defineProperty(part, Symbol.toPrimitive, { value: () => '[object Object]' });
    Object.values(part).forEach(walk);
  };
  if (MAY_HAVE_TO_STRING.test(text)) walk(value);
  return value;
}

/** Reads a JSON integer with all digits, also 5.0 or 5e0; null if the number is no integer, or too large for a double. */
function parseInteger(text: string): bigint | null {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  let decimalsEnd = fraction.length;
  while (fraction[decimalsEnd - 1] === '0') decimalsEnd -= 1;
  const decimals = fraction.slice(0, decimalsEnd);
  const zeroCount = Number(power) - decimals.length;
  return whole === '' || zeroCount < 0 || zeroCount > 308
    ? null
    : BigInt(`${sign}${whole}${decimals}${'0'.repeat(zeroCount)}`);
}

/** Parses `text` with all digits if a double may not hold one of its integers; in all other cases returns `value`. */
function parseWithAllDigits(text: string, value: unknown): unknown {
  if (!/[[,:]\s*-?(?:\d{16}|\d\.\d{15,}[eE])/.test(text)) return value;
  const parseNumber = (digits: string): number | bigint => {
    const double = Number(digits);
    return Number.isInteger(double) && !Number.isSafeInteger(double) ? (parseInteger(digits) ?? double) : double;
  };
  try {
    return parse(text, undefined, { parseNumber, onDuplicateKey: ({ newValue }) => newValue });
  } catch {
    return value;
  }
}

/** Reads a Content-Type: its faults, and its charset in lower case. */
const parseContentType = memoizeByText(
  (label: string): { readonly faults: readonly Fault[]; readonly charset: string | undefined } => {
    const type = label.split(';')[0]?.trim().toLowerCase() ?? '';
    const isJson = /^application\/(?:[\w.!#$&^-]+\+)?json$/.test(type);
    return {
      faults: isJson ? [] : [makeContentTypeWarning(`Content-Type: ${label}`)],
      charset: label.match(/;\s*charset\s*=\s*"?([^\s;"]+)/i)?.[1]?.toLowerCase(),
    };
  },
);

const makeContentTypeWarning = (received: string): Fault => ({
  clause: 'service.content-type',
  pointer: 'response/header/Content-Type',
  kind: 'form',
  expected: 'application/json or a type that ends in +json',
  received,
});

function findContentTypeWarnings(answer: Answer): readonly Fault[] {
  const label = getHeader(answer, 'content-type');
  if (label === undefined) return [makeContentTypeWarning('no Content-Type')];
  const { faults, charset } = parseContentType(label);
  const isTrueCharset = (name: string): boolean =>
    /^utf-?8$/.test(name) ||
    (/^(?:us-ascii|ascii|iso-8859-\d+|latin-?\d|windows-125\d)$/.test(name) &&
      answer.bytes.every((byte) => byte < 0x80));
  if (charset === undefined || isTrueCharset(charset)) return faults;
  return [
    ...faults,
    {
      clause: 'service.charset',
      pointer: 'response/header/Content-Type',
      kind: 'form',
      expected: 'the charset of the bytes, UTF-8',
      received: `Content-Type: ${label}`,
    },
  ];
}
