/** What bodies show beyond what the document says of them: their shape, members without a name, how integers are spelt. */
import { partsOf, propertiesOf, type Schema } from '../contract/references.ts';
import { deref, resolve, walkSchema } from '../contract/schema.ts';
import { header, textOf, type Answer } from '../model/exchange.ts';
import type { BodyAnswer } from '../model/observation.ts';
import { memoizeByText } from '../util/memoize.ts';
import { shortName } from '../util/truncate.ts';

/** What the schema of an answer names, level by level. */
interface Named {
  readonly members: ReadonlyMap<string, Named>;
  readonly items: Named | null;
}

function namedIn(raw: Schema): Named {
  const schema = deref(raw);
  const parts = partsOf(schema).map(namedIn);
  const own = Object.entries(propertiesOf(schema)).map(([name, child]) => [name, namedIn(child)] as const);
  const members = new Map([...parts.flatMap((part) => [...part.members]), ...own]);
  return { members, items: schema['items'] === undefined ? null : namedIn(schema['items'] as Schema) };
}

/** What can be seen of a body beyond what the document says of it. */
interface UndocumentedParts {
  /** The places of members that the document does not name, as JSON pointers with `*` for indices, in one order. */
  readonly unnamed: readonly string[];
  /** How its integers are spelt: `5`, `5.0`, `5e0`; nothing where it shows none. */
  readonly integers: readonly string[];
}

/** Places that are listed: a target may invent a name for each entry. */
const MAX_PLACES = 200;

function unnamedIn(body: unknown, named: Named): readonly string[] {
  const found = new Set<string>();
  const walk = (value: unknown, { members, items }: Named, at: string): void => {
    if (Array.isArray(value)) {
      if (items !== null) for (const entry of value) walk(entry, items, `${at}/*`);
    } else if (typeof value === 'object' && value !== null)
      for (const [name, child] of Object.entries(value)) {
        const here = members.get(name);
        if (here === undefined) found.add(`${at}/${shortName(name).replaceAll('~', '~0').replaceAll('/', '~1')}`);
        else if (typeof child === 'object') walk(child, here, `${at}/${name}`);
      }
  };
  walk(body, named, '');
  return [...found].sort().slice(0, MAX_PLACES);
}

function spellingsIn(text: string, integers: RegExp | null): readonly string[] {
  if (integers === null) return [];
  const found = new Set<string>();
  for (const [, fraction, exponent] of text.matchAll(integers))
    found.add(`5${fraction === undefined ? '' : '.0'}${exponent === undefined ? '' : 'e0'}`);
  return [...found].sort();
}

interface Reader {
  readonly named: Named;
  /** Finds the first letters of each integer; null where the answer has none. */
  readonly integers: RegExp | null;
  readonly known: WeakMap<object, UndocumentedParts>;
}

const readers = new Map<string, Reader>();

function readerOf(pointer: string): Reader {
  let reader = readers.get(pointer);
  if (reader === undefined) {
    const schema = resolve(pointer);
    const names = new Set<string>();
    for (const { at, schema: node } of walkSchema(schema))
      if (node['type'] === 'integer' && !at.endsWith('/*')) names.add(at.slice(at.lastIndexOf('/') + 1));
    const integers =
      names.size === 0
        ? null
        : new RegExp(`"(?:${[...names].join('|')})"\\s*:\\s*-?\\d+(\\.\\d+)?([eE][+-]?\\d+)?`, 'g');
    readers.set(pointer, (reader = { named: namedIn(schema), integers, known: new WeakMap() }));
  }
  return reader;
}

/** What `answer`, read as `body`, shows beyond the schema at `pointer`; worked out once for each body. */
export function undocumentedParts(pointer: string, body: object, answer: Answer): UndocumentedParts {
  const { named, integers, known } = readerOf(pointer);
  let seen = known.get(body);
  if (seen === undefined) {
    seen = { unnamed: unnamedIn(body, named), integers: spellingsIn(textOf(answer.bytes), integers) };
    known.set(body, seen);
  }
  return seen;
}

const MAX_DEPTH = 5;
const MAX_MEMBERS = 16;

/** A JSON value with the names of types in the place of its values, and one entry for each array. */
function schemaOutline(value: unknown, depth = 0): unknown {
  if (value === null) return 'null';
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.length === 0 ? [] : [schemaOutline(value[0], depth + 1)];
  if (typeof value !== 'object') return typeof value;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    members.slice(0, MAX_MEMBERS).map(([name, child]) => [shortName(name), schemaOutline(child, depth + 1)]),
  );
}

const shapeOfText = memoizeByText((text: string): string | null => {
  try {
    return JSON.stringify(schemaOutline(JSON.parse(text)));
  } catch {
    return null;
  }
});

/** What kind of error body `answer` has. */
export function errorBodyOf(answer: Answer): BodyAnswer {
  const mediaType = header(answer, 'content-type')?.split(';')[0]?.trim().toLowerCase() ?? null;
  if (answer.bytes.length === 0) return { mediaType, body: 'none' };
  const text = textOf(answer.bytes);
  const outline = shapeOfText(text);
  if (outline !== null) return { mediaType, body: { outline } };
  return { mediaType, body: /^\s*<(?:!doctype html|html)/i.test(text) ? 'page' : 'text' };
}
