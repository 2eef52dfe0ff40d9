/** Reads from one exchange what the bank does where the document is silent (open points). Judges nothing. */
import { getQueryForm, operations } from './contract/operations.ts';
import { getMemberSchemas, readAllOf, type JsonObject, type Schema } from './contract/references.ts';
import { followRef, resolvePointer, walkSchema } from './contract/schema.ts';
import { decodeText, getHeader, readMediaType, type Answer, type Exchange } from './model/exchange.ts';
import type { AttemptRecord, Judgement } from './model/journal.ts';
import type { BodyAnswer, OpenPointAnswer } from './model/observation.ts';
import { isAnswered, isRejection, isThrottled } from './model/outcome.ts';
import { memoizeByObject, memoizeByText } from './util/memoize.ts';
import { listFirstNames, shortenName } from './util/truncate.ts';

/** Returns what `exchange` shows about open points. `earlier` are the earlier attempts to send the same request. */
export function observeExchange(
  exchange: Exchange,
  judgement: Judgement,
  earlierAttempts: readonly AttemptRecord[] = [],
): readonly OpenPointAnswer[] {
  const { answer } = exchange;
  const observations = earlierAttempts.flatMap(({ why, status, retryAfter }) =>
    why === 'throttled' ? observeThrottling(status, retryAfter) : [],
  );
  if (answer === null) return observations;
  if (exchange.kind === 'probe' && answer.status < 300 && answer.bytes.length === 0) return observations;
  if (isRejection(judgement) || judgement.outcome === 'crashed') observations.push(...observeRefusal(exchange, answer));
  else if (exchange.kind === 'positive' && isAnswered(judgement))
    observations.push(
      ...observeSuccess(exchange, answer, judgement.value),
      ...observeOperationPoints(exchange, judgement),
    );
  return observations;
}

function observeThrottling(status: number | null, retryAfter: string | undefined): OpenPointAnswer {
  const format = describeRetryAfter(retryAfter);
  return { point: 'service.rate-limit', question: 'after too many requests', answer: `${status} ${format}` };
}

function describeRetryAfter(header: string | undefined): string {
  if (header === undefined) return 'without Retry-After';
  return /^\s*\d+\s*$/.test(header) ? 'with Retry-After in seconds' : 'with Retry-After as a date';
}

function observeRefusal({ request }: Exchange, answer: Answer): readonly OpenPointAnswer[] {
  const observations: OpenPointAnswer[] = [{ point: 'service.error-status', answer: String(answer.status) }];
  // The answer to a HEAD never has a body (RFC 9110, 9.3.2).
  if (request.method !== 'HEAD') observations.push({ point: 'service.error-body', answer: describeErrorBody(answer) });
  if (isThrottled(answer)) observations.push(observeThrottling(answer.status, getHeader(answer, 'retry-after')));
  return observations;
}

/** Upper bounds of latencies in milliseconds, two for each power of ten, so that small changes of the load do not change the answer. */
const LATENCY_STEPS_MS = [10, 30, 100, 300, 1000, 3000, 10_000] as const;

const RATE_LIMIT_HEADER = /^(?:x-)?rate-?limit/;
const VERSION_HEADER = /^(?:deprecation|sunset|(?:x-)?api-version)$/;
const EVENT_NAME = /callback|webhook|notif|event/i;

function joinMatchingNames(names: readonly string[], pattern: RegExp, textForNone: string): string {
  const matchingNames = names.filter((name) => pattern.test(name));
  return matchingNames.length === 0 ? textForNone : listFirstNames(matchingNames.map(shortenName));
}

/** True if a list of the answer is empty. */
function hasEmptyList(body: unknown): boolean {
  const { data } = body as { data?: unknown };
  const lists = Array.isArray(data) ? [data] : Object.values((data ?? {}) as JsonObject).filter(Array.isArray);
  return lists.some((list) => list.length === 0);
}

function observeSuccess(exchange: Exchange, answer: Answer, body: unknown): readonly OpenPointAnswer[] {
  const operation = operations[exchange.operation];
  const form = operation.forms[getQueryForm(operation, exchange.request.asked)] ?? operation.forms[0];
  const pointer = form?.answer ?? '';
  const { undocumentedFields, integerSpellings } = readUndocumentedParts(pointer, body as object, answer);
  const headers = [...new Set(answer.headers.map(([name]) => name))].sort();
  const hasToken = Object.keys(exchange.request.headers).some((name) => name.toLowerCase() === 'authorization');
  const withinMs = LATENCY_STEPS_MS.find((bound) => exchange.durationMs <= bound) ?? null;
  const limitNames = joinMatchingNames(headers, RATE_LIMIT_HEADER, 'no header about limits');
  const observations: OpenPointAnswer[] = [
    { point: 'service.success-status', answer: String(answer.status) },
    { point: 'service.token', answer: hasToken ? 'accepted with a bearer token' : 'accepted without a token' },
    { point: 'service.latency', answer: { withinMs } },
    { point: 'service.rate-limit', question: 'announced in headers', answer: limitNames },
    { point: 'service.versioning', answer: joinMatchingNames(headers, VERSION_HEADER, 'no header about versions') },
    {
      point: 'service.events',
      answer: joinMatchingNames([...undocumentedFields, ...headers], EVENT_NAME, 'no field or header about events'),
    },
  ];
  // An empty list does not show the fields of its entries.
  if (!hasEmptyList(body))
    observations.push({ point: 'service.additional-fields', answer: { members: undocumentedFields } });
  for (const spelling of integerSpellings) observations.push({ point: 'service.number-spelling', answer: spelling });
  return observations;
}

function observeOperationPoints(exchange: Exchange, { outcome, value: body }: Judgement): readonly OpenPointAnswer[] {
  const { observe } = operations[exchange.operation];
  return observe?.({ exchange, data: (body as JsonObject)['data'], body }, outcome === 'accepted') ?? [];
}

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
        const documentedChild = members.get(name);
        if (documentedChild === undefined)
          pointers.add(`${pointer}/${shortenName(name).replaceAll('~', '~0').replaceAll('/', '~1')}`);
        else if (typeof child === 'object') walk(child, documentedChild, `${pointer}/${name}`);
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
function readUndocumentedParts(pointer: string, body: object, answer: Answer): UndocumentedParts {
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

function describeErrorBody(answer: Answer): BodyAnswer {
  const mediaType = readMediaType(answer) ?? null;
  if (answer.bytes.length === 0) return { mediaType, body: 'none' };
  const text = decodeText(answer.bytes);
  const outline = outlineJsonText(text);
  if (outline !== null) return { mediaType, body: { outline } };
  return { mediaType, body: /^\s*<(?:!doctype html|html)/i.test(text) ? 'page' : 'text' };
}
