/** Finds undocumented details of bodies: members, the spelling of integers, the shape of error bodies. */
import { partsOf, propertiesOf, type Schema } from '../contract/references.ts';
import { deref, resolve, walkSchema } from '../contract/schema.ts';
import { mediaTypeOf, textOf, type Answer } from '../model/exchange.ts';
import type { BodyAnswer } from '../model/observation.ts';
import { memoizeByText } from '../util/memoize.ts';
import { shortName } from '../util/truncate.ts';

/** The documented members, level by level. */
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

interface UndocumentedParts {
  /** JSON pointers of undocumented members with `*` for indices, sorted. */
  readonly unnamed: readonly string[];
  /** The spellings of integers: `5`, `5.0`, `5e0`. */
  readonly integers: readonly string[];
}

/** At most this many undocumented members are listed: a bank may use a new name in each entry. */
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
  const found = integers === null ? [] : [...text.matchAll(integers)];
  const spellings = found.map(
    ([, fraction, exponent]) => `5${fraction === undefined ? '' : '.0'}${exponent === undefined ? '' : 'e0'}`,
  );
  return [...new Set(spellings)].sort();
}

/** Makes a reader for bodies of the answer schema at a pointer. It reads each body only once. */
const readerOf = memoizeByText((pointer: string) => {
  const schema = resolve(pointer);
  const named = namedIn(schema);
  const names = [...walkSchema(schema)].flatMap(({ at, schema: node }) =>
    node['type'] === 'integer' && !at.endsWith('/*') ? [at.slice(at.lastIndexOf('/') + 1)] : [],
  );
  const integers =
    names.length === 0 ? null : new RegExp(`"(?:${names.join('|')})"\\s*:\\s*-?\\d+(\\.\\d+)?([eE][+-]?\\d+)?`, 'g');
  const known = new WeakMap<object, UndocumentedParts>();
  return (body: object, answer: Answer): UndocumentedParts => {
    let seen = known.get(body);
    if (seen === undefined) {
      seen = { unnamed: unnamedIn(body, named), integers: spellingsIn(textOf(answer.bytes), integers) };
      known.set(body, seen);
    }
    return seen;
  };
});

/** Finds parts of `answer` (parsed as `body`) that the schema at `pointer` does not have. */
export const undocumentedParts = (pointer: string, body: object, answer: Answer): UndocumentedParts =>
  readerOf(pointer)(body, answer);

/** An outline is for a reader: at most this many levels. */
const MAX_DEPTH = 5;
/** At most this many members of an object are shown. */
const MAX_MEMBERS = 16;

/** Replaces the values of a JSON value by types, and keeps one entry per array. */
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

/** Describes the error body of an answer. */
export function errorBodyOf(answer: Answer): BodyAnswer {
  const mediaType = mediaTypeOf(answer) ?? null;
  if (answer.bytes.length === 0) return { mediaType, body: 'none' };
  const text = textOf(answer.bytes);
  const outline = shapeOfText(text);
  if (outline !== null) return { mediaType, body: { outline } };
  return { mediaType, body: /^\s*<(?:!doctype html|html)/i.test(text) ? 'page' : 'text' };
}
