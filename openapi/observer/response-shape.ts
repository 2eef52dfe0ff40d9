/** Finds details of bodies that the document does not define: more fields, the spelling of integers, the format of error bodies. */
import { readAllOf, getMemberSchemas, type Schema } from '../contract/references.ts';
import { followRef, resolvePointer, walkSchema } from '../contract/schema.ts';
import { readMediaType, decodeText, type Answer } from '../model/exchange.ts';
import type { BodyAnswer } from '../model/observation.ts';
import { memoizeByObject, memoizeByText } from '../util/memoize.ts';
import { shortenName } from '../util/truncate.ts';

/** The names of the documented fields: of an object, and of the entries (`items`) of an array. */
interface DocumentedNames {
  readonly members: ReadonlyMap<string, DocumentedNames>;
  readonly items: DocumentedNames | null;
}

function collectDocumentedNames(schemaOrRef: Schema): DocumentedNames {
  const schema = followRef(schemaOrRef);
  const parts = readAllOf(schema).map(collectDocumentedNames);
  const ownMembers = Object.entries(getMemberSchemas(schema)).map(
    ([name, child]) => [name, collectDocumentedNames(child)] as const,
  );
  const members = new Map([...parts.flatMap((part) => [...part.members]), ...ownMembers]);
  return { members, items: schema['items'] === undefined ? null : collectDocumentedNames(schema['items'] as Schema) };
}

interface UndocumentedParts {
  readonly undocumentedFields: readonly string[];
  /** The spellings of integers: `5`, `5.0`, `5e0`. */
  readonly integerSpellings: readonly string[];
}

/** At most this many undocumented fields are listed, because a bank may use a new name in each entry. */
const MAX_UNDOCUMENTED_FIELDS = 200;

function findUndocumentedFields(body: unknown, documentedNames: DocumentedNames): readonly string[] {
  const pointers = new Set<string>();
  const walk = (value: unknown, { members, items }: DocumentedNames, pointer: string): void => {
    if (Array.isArray(value)) {
      if (items !== null) for (const entry of value) walk(entry, items, `${pointer}/*`);
    } else if (typeof value === 'object' && value !== null)
      for (const [name, child] of Object.entries(value)) {
        const documented = members.get(name);
        if (documented === undefined)
          pointers.add(`${pointer}/${shortenName(name).replaceAll('~', '~0').replaceAll('/', '~1')}`);
        else if (typeof child === 'object') walk(child, documented, `${pointer}/${name}`);
      }
  };
  walk(body, documentedNames, '');
  return [...pointers].sort().slice(0, MAX_UNDOCUMENTED_FIELDS);
}

function findIntegerSpellings(text: string, integerPattern: RegExp | null): readonly string[] {
  const matches = integerPattern === null ? [] : [...text.matchAll(integerPattern)];
  const spellings = matches.map(
    ([, fraction, exponent]) => `5${fraction === undefined ? '' : '.0'}${exponent === undefined ? '' : 'e0'}`,
  );
  return [...new Set(spellings)].sort();
}

/** Makes readers for the answers of the schema at a pointer. They read equal answers only once. */
const makeUndocumentedPartsReaders = memoizeByText((pointer: string) => {
  const schema = resolvePointer(pointer);
  const documentedNames = collectDocumentedNames(schema);
  const integerFields = [...walkSchema(schema)].flatMap(({ at, schema: node }) =>
    node['type'] === 'integer' && !at.endsWith('/*') ? [at.slice(at.lastIndexOf('/') + 1)] : [],
  );
  const integerPattern =
    integerFields.length === 0
      ? null
      : new RegExp(`"(?:${integerFields.join('|')})"\\s*:\\s*-?\\d+(\\.\\d+)?([eE][+-]?\\d+)?`, 'g');
  return {
    readFields: memoizeByObject((body: object) => findUndocumentedFields(body, documentedNames)),
    readSpellings: memoizeByText((text) => findIntegerSpellings(text, integerPattern)),
  };
});

/** Finds parts of `answer` (with the parsed `body`) that the schema at `pointer` does not have. */
export function readUndocumentedParts(pointer: string, body: object, answer: Answer): UndocumentedParts {
  const { readFields, readSpellings } = makeUndocumentedPartsReaders(pointer);
  return { undocumentedFields: readFields(body), integerSpellings: readSpellings(decodeText(answer.bytes)) };
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

/** Describes JSON by its types: `{"code":5}` becomes `{"code":"number"}`. Null if the text is no JSON. */
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
