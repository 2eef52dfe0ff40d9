/** Finds undocumented details of bodies: fields, the spelling of integers, the format of error bodies. */
import { readAllOf, getMemberSchemas, type Schema } from '../contract/references.ts';
import { followRef, resolvePointer, walkSchema } from '../contract/schema.ts';
import { readMediaType, decodeText, type Answer } from '../model/exchange.ts';
import type { BodyAnswer } from '../model/observation.ts';
import { memoizeByObject, memoizeByText } from '../util/memoize.ts';
import { shortenName } from '../util/truncate.ts';

/** The documented fields, level by level. */
interface Named {
  readonly members: ReadonlyMap<string, Named>;
  readonly items: Named | null;
}

function collectDocumentedNames(raw: Schema): Named {
  const schema = followRef(raw);
  const parts = readAllOf(schema).map(collectDocumentedNames);
  const own = Object.entries(getMemberSchemas(schema)).map(
    ([name, child]) => [name, collectDocumentedNames(child)] as const,
  );
  const members = new Map([...parts.flatMap((part) => [...part.members]), ...own]);
  return { members, items: schema['items'] === undefined ? null : collectDocumentedNames(schema['items'] as Schema) };
}

interface UndocumentedParts {
  readonly unnamed: readonly string[];
  /** The spellings of integers: `5`, `5.0`, `5e0`. */
  readonly integers: readonly string[];
}

/** At most this many undocumented fields are listed, because a bank may use a new name in each entry. */
const MAX_UNDOCUMENTED_FIELDS = 200;

function findUndocumentedFields(body: unknown, named: Named): readonly string[] {
  const found = new Set<string>();
  const walk = (value: unknown, { members, items }: Named, at: string): void => {
    if (Array.isArray(value)) {
      if (items !== null) for (const entry of value) walk(entry, items, `${at}/*`);
    } else if (typeof value === 'object' && value !== null)
      for (const [name, child] of Object.entries(value)) {
        const documented = members.get(name);
        if (documented === undefined)
          found.add(`${at}/${shortenName(name).replaceAll('~', '~0').replaceAll('/', '~1')}`);
        else if (typeof child === 'object') walk(child, documented, `${at}/${name}`);
      }
  };
  walk(body, named, '');
  return [...found].sort().slice(0, MAX_UNDOCUMENTED_FIELDS);
}

function findIntegerSpellings(text: string, integers: RegExp | null): readonly string[] {
  const found = integers === null ? [] : [...text.matchAll(integers)];
  const spellings = found.map(
    ([, fraction, exponent]) => `5${fraction === undefined ? '' : '.0'}${exponent === undefined ? '' : 'e0'}`,
  );
  return [...new Set(spellings)].sort();
}

/** Makes readers for the answers of the schema at a pointer. They read equal answers only once. */
const makeUndocumentedPartsReaders = memoizeByText((pointer: string) => {
  const schema = resolvePointer(pointer);
  const named = collectDocumentedNames(schema);
  const names = [...walkSchema(schema)].flatMap(({ at, schema: node }) =>
    node['type'] === 'integer' && !at.endsWith('/*') ? [at.slice(at.lastIndexOf('/') + 1)] : [],
  );
  const integers =
    names.length === 0 ? null : new RegExp(`"(?:${names.join('|')})"\\s*:\\s*-?\\d+(\\.\\d+)?([eE][+-]?\\d+)?`, 'g');
  return {
    readUnnamed: memoizeByObject((body: object) => findUndocumentedFields(body, named)),
    readIntegers: memoizeByText((text) => findIntegerSpellings(text, integers)),
  };
});

/** Finds parts of `answer` (with the parsed `body`) that the schema at `pointer` does not have. */
export function readUndocumentedParts(pointer: string, body: object, answer: Answer): UndocumentedParts {
  const { readUnnamed, readIntegers } = makeUndocumentedPartsReaders(pointer);
  return { unnamed: readUnnamed(body), integers: readIntegers(decodeText(answer.bytes)) };
}

/** An outline has at most this many levels, so that people can read it. */
const MAX_OUTLINE_DEPTH = 5;
const MAX_OUTLINE_MEMBERS = 16;

function outlineTypes(value: unknown, depth = 0): unknown {
  if (value === null) return 'null';
  if (depth >= MAX_OUTLINE_DEPTH) return '…';
  if (Array.isArray(value)) return value.length === 0 ? [] : [outlineTypes(value[0], depth + 1)];
  if (typeof value !== 'object') return typeof value;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    members.slice(0, MAX_OUTLINE_MEMBERS).map(([name, child]) => [shortenName(name), outlineTypes(child, depth + 1)]),
  );
}

const outlineJsonText = memoizeByText((text: string): string | null => {
  try {
    return JSON.stringify(outlineTypes(JSON.parse(text)));
  } catch {
    return null;
  }
});

export function describeErrorBody(answer: Answer): BodyAnswer {
  const mediaType = readMediaType(answer) ?? null;
  if (answer.bytes.length === 0) return { mediaType, body: 'none' };
  const text = decodeText(answer.bytes);
  const outline = outlineJsonText(text);
  if (outline !== null) return { mediaType, body: { outline } };
  return { mediaType, body: /^\s*<(?:!doctype html|html)/i.test(text) ? 'page' : 'text' };
}
