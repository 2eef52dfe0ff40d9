/** Parses JSON and cuts very long arrays, and divides long arrays into parts, so that a body with millions of entries needs little memory. */
import type { JsonObject } from '../contract/references.ts';
import type { Reading } from '../model/journal.ts';

/** Returns the index of the quotation mark that ends the JSON string from `start`. */
export function skipString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end > 0; end = text.indexOf('"', end + 1)) {
    let firstBackslash = end;
    while (text[firstBackslash - 1] === '\\') firstBackslash -= 1;
    if ((end - firstBackslash) % 2 === 0) return end;
  }
  return text.length;
}

/**
 * An array with more than `maxEntries` entries. Each range of the text has at most `maxEntries` of the entries beyond the limit.
 * Example: `[1,2,3,4,5]` with the limit 2 has the ranges of `3,4` and `5`, and `entryCount` 5.
 */
interface LongArray {
  readonly ranges: { readonly from: number; readonly to: number }[];
  readonly entryCount: number;
}

/** A long array whose end was not read yet. Its last range begins at `from`. */
interface OpenLongArray {
  readonly depth: number;
  readonly ranges: LongArray['ranges'];
  readonly from: number;
}

/** Finds the arrays with more than `maxEntries` entries. Ignores arrays inside entries beyond the limit. */
function findLongArrays(text: string, maxEntries: number): readonly LongArray[] {
  const longArrays: LongArray[] = [];
  /** The number of commas of each open array; null for an open object. */
  const commaCounts: (number | null)[] = [];
  let openLongArray = null as OpenLongArray | null;
  function countComma(position: number): void {
    const commas = commaCounts.at(-1);
    if (commas == null || (openLongArray !== null && openLongArray.depth !== commaCounts.length)) return;
    commaCounts[commaCounts.length - 1] = commas + 1;
    if ((commas + 1) % maxEntries !== 0) return;
    openLongArray?.ranges.push({ from: openLongArray.from, to: position });
    openLongArray = { depth: commaCounts.length, ranges: openLongArray?.ranges ?? [], from: position + 1 };
  }
  function closeArray(position: number): void {
    const commas = commaCounts.pop();
    if (openLongArray === null || commas == null || commaCounts.length + 1 !== openLongArray.depth) return;
    const ranges = [...openLongArray.ranges, { from: openLongArray.from, to: position }];
    longArrays.push({ ranges, entryCount: commas + 1 });
    openLongArray = null;
  }
  for (let position = 0; position < text.length; position += 1) {
    const character = text[position];
    if (character === '"') position = skipString(text, position);
    else if (character === '[') commaCounts.push(0);
    else if (character === '{') commaCounts.push(null);
    else if (character === ',') countComma(position);
    else if (character === ']' || character === '}') closeArray(position);
  }
  return longArrays;
}

/**
 * Parses JSON. `value` has only the first `maxEntries` entries of each array; `kept` is its text. The entries beyond the limit
 * are parsed too, in parts, to find errors. `share` has the numbers of entries of the cut arrays; null if no array was cut.
 * Throws a SyntaxError, as JSON.parse does for the whole text.
 */
export function parseLongLists(
  text: string,
  maxEntries: number,
): { readonly value: unknown; readonly kept: string; readonly share: Reading['share'] } {
  // Each entry needs at least two characters.
  const longArrays = text.length <= 2 * maxEntries ? [] : findLongArrays(text, maxEntries);
  const ranges = longArrays.flatMap((longArray) => longArray.ranges);
  if (ranges.length === 0) return { value: JSON.parse(text), kept: text, share: null };
  const starts = [0, ...ranges.map(({ to }) => to)];
  // The comma before a removed range is removed too.
  const kept = starts.map((start, index) => text.slice(start, (ranges[index]?.from ?? Infinity) - 1)).join('');
  try {
    for (const { from, to } of ranges)
      if ((JSON.parse(`[${text.slice(from, to)}]`) as unknown[]).length === 0)
        throw new SyntaxError('an entry is missing');
    const entryCount = longArrays.reduce((sum, longArray) => sum + longArray.entryCount, 0);
    return { value: JSON.parse(kept), kept, share: { judged: maxEntries * longArrays.length, of: entryCount } };
  } catch {
    // Parses the whole text, so that the error names its place in this text.
    return { value: JSON.parse(text), kept: text, share: null };
  }
}

/** After this many entries of a list, `isOver` is called again, which may end the judgement. */
export const ENTRIES_PER_PART = 2048;

/** A body as JSON, and with integers beyond 2^53 as bigint. `share`: the numbers of judged and of all entries, if it was cut. */
interface Body {
  readonly value: unknown;
  readonly exact: unknown;
  readonly share: Reading['share'];
}

/** A part of a long list, in a body that has only the entries of this part. */
export interface LongListPart<Content extends Body> {
  readonly content: Content;
  /** Converts a JSON pointer in this part to the pointer in the whole body: entry 3 of the second part is entry 2051. */
  readonly locate: (at: string) => string;
  /** Set if the judgement ends with this part, before the end of the list: everything that was judged. Otherwise null. */
  readonly stopped: Pick<Body, 'share' | 'exact'> | null;
}

const readList = (body: unknown, path: readonly string[]): readonly unknown[] => {
  const list = path.reduce<unknown>((node, name) => (node as JsonObject | null | undefined)?.[name], body);
  return Array.isArray(list) ? list : [];
};

/** Returns a copy of the body with another list. Copies non-enumerable members too, because they convert objects to text. */
function replaceList(body: unknown, [name = '', ...rest]: readonly string[], list: readonly unknown[]): object {
  const value = rest.length === 0 ? list : replaceList((body as JsonObject)[name], rest, list);
  const members = Object.getOwnPropertyDescriptors(body as JsonObject);
  return Object.defineProperties({}, { ...members, [name]: { value, enumerable: true } });
}

/**
 * Divides the longest list of a body into parts, if the list is long. Ends early when `isOver` returns true. `listPointers`: the lists
 * that may be divided.
 */
export function* divideLongList<Content extends Body>(
  content: Content,
  listPointers: readonly string[],
  isOver: () => boolean,
): Generator<LongListPart<Content>> {
  const paths = listPointers.map((pointer) => pointer.split('/').slice(1));
  const [longestPath = []] = paths.toSorted(
    (a, b) => readList(content.value, b).length - readList(content.value, a).length,
  );
  const length = longestPath.length === 0 ? 0 : readList(content.value, longestPath).length;
  if (length <= ENTRIES_PER_PART) return yield { content, locate: (at) => at, stopped: null };
  const prefix = `/${longestPath.join('/')}/`;
  for (let [from, isStopped] = [0, false]; from < length && !isStopped; from += ENTRIES_PER_PART) {
    const to = Math.min(from + ENTRIES_PER_PART, length);
    const keepEntriesFrom = (body: unknown, start: number): object =>
      replaceList(body, longestPath, readList(body, longestPath).slice(start, to));
    const value = keepEntriesFrom(content.value, from);
    const exact = content.exact === content.value ? value : keepEntriesFrom(content.exact, from);
    const locate = (at: string): string => {
      const [index = '', ...pathInEntry] = at.slice(prefix.length).split('/');
      return at.startsWith(prefix) ? prefix + [Number(index) + from, ...pathInEntry].join('/') : at;
    };
    isStopped = to < length && isOver();
    const share = { judged: to, of: content.share?.of ?? length };
    yield {
      content: { ...content, value, exact },
      locate,
      stopped: isStopped ? { share, exact: keepEntriesFrom(content.exact, 0) } : null,
    };
  }
}
