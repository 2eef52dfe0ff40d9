/** Validates answers: first what the document requires, then the expectations. */
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { fieldClauses, isVendorClause, type ClauseId } from '../clauses/index.ts';
import { loadAnswerValidators, loadRefusalValidator } from './compiled.ts';
import { splitPointer, readAllOf, getMemberSchemas, type Schema } from '../contract/references.ts';
import { getQueryForm, operations } from '../contract/operations.ts';
import { runWithTimeLimit } from '../contract/patterns.ts';
import {
  readClausesByKeyword,
  followRef,
  findClauseLocations,
  resolvePointer,
  walkSchema,
} from '../contract/schema.ts';
import { operationIds } from '../api.ts';
import type { Exchange } from '../model/exchange.ts';
import { getListPointer } from '../model/finding.ts';
import type { Content } from './parse-body.ts';
import { memoizeByObject, memoizeByText } from '../util/memoize.ts';
import { truncate } from '../util/truncate.ts';

export interface SchemaViolation {
  /** The JSON pointer with `*` for indices. For a missing field: the pointer to the field. */
  readonly pointer: string;
  readonly at: string;
  readonly keyword: string;
  readonly clause: ClauseId;
  /** Returns what the keyword requires, as a part of a sentence. */
  wants(): string;
  /** The value, with integers beyond 2^53 as bigint; undefined if it is missing. */
  readonly data: unknown;
}

interface Validated {
  /** Each violation is made only when it is read, because a long list may have a million violations. */
  readonly violations: Iterable<SchemaViolation>;
  readonly exercised: ReadonlySet<ClauseId>;
  /** Clauses without a result, because a pattern took too long. */
  readonly undecided: readonly ClauseId[];
}

function describeKeyword({ keyword, schema, params, parentSchema }: ErrorObject, clause: ClauseId): string {
  if (isVendorClause(clause) && keyword !== 'required') return truncate(`${keyword} ${JSON.stringify(schema)}`);
  const described = (parentSchema as Schema)['description'];
  if (keyword === 'type') return [schema].flat().map(String).join(' or ');
  if (keyword === 'required') return 'a field that is there';
  if (['minimum', 'maximum', 'exclusiveMinimum'].includes(keyword))
    return `a number ${(params as { comparison: string }).comparison} ${(params as { limit: number }).limit}`;
  return typeof described === 'string' ? described : (fieldClauses[clause]?.statement ?? '');
}

function readPointers(error: ErrorObject): { at: string; pointer: string } {
  const missing =
    error.keyword === 'required' ? `/${(error.params as { missingProperty: string }).missingProperty}` : '';
  const at = `${error.instancePath}${missing}`;
  return { at, pointer: at.replace(/\/\d+(?=\/|$)/g, '/*') };
}

/** Returns the field names of each kind of array entry below `raw`. A single field cannot identify an entry. */
function listFieldsOfEntries(raw: Schema): readonly (readonly string[])[] {
  const schema = followRef(raw);
  const inner = Object.values(getMemberSchemas(schema)).flatMap(listFieldsOfEntries);
  const items = schema['items'] as Schema | undefined;
  if (items === undefined) return inner;
  const parts = [items, ...readAllOf(items)].map(followRef);
  const names = [...new Set(parts.flatMap((part) => Object.keys(getMemberSchemas(part))))];
  return [...inner, ...(names.length > 1 ? [names] : []), ...parts.flatMap(listFieldsOfEntries)];
}

function findClausesWithPatterns(patterns: ReadonlySet<string>, schema: Schema): readonly ClauseId[] {
  const texts = [...patterns].map((pattern) => JSON.stringify(pattern));
  const clauses = [...walkSchema(schema)].flatMap(({ at, schema: node }) =>
    [...readClausesByKeyword(node, at)].flatMap(([keyword, clause]) => {
      const value = JSON.stringify(node[keyword]) ?? '';
      return texts.some((text) => value.includes(text)) ? [clause] : [];
    }),
  );
  return [...new Set(clauses)];
}

function countValuesAt(value: unknown, [part, ...rest]: readonly string[]): number {
  if (part === undefined) return 1;
  if (typeof value !== 'object' || value === null) return 0;
  if (part !== '*') return countValuesAt((value as Readonly<Record<string, unknown>>)[part], rest);
  if (!Array.isArray(value)) return 0;
  return rest.length === 0 ? value.length : value.reduce<number>((sum, entry) => sum + countValuesAt(entry, rest), 0);
}

export const readValueAt = (value: unknown, pointer: string): unknown =>
  splitPointer(pointer).reduce(
    (at, part) => (at as Readonly<Record<string, unknown>> | null | undefined)?.[part],
    value,
  );

const WHOLE_LIST_KEYWORDS = ['minItems', 'maxItems', 'uniqueItems', 'contains', 'prefixItems', 'unevaluatedItems'];

/** Returns the pointers to the lists of an answer; none if a keyword, for example of an overlay, is about a whole list. */
function findDivisibleLists(schema: Schema): readonly string[] {
  const nodes = [...walkSchema(schema)];
  const text = JSON.stringify(nodes.map((node) => node.schema));
  if (WHOLE_LIST_KEYWORDS.some((keyword) => text.includes(`"${keyword}"`))) return [];
  return [...new Set(nodes.flatMap((node) => ('items' in node.schema ? [node.at] : [])))].filter(
    (at) => !at.includes('*'),
  );
}

/** Makes a function that validates an answer. `clauseOf` returns the clause that an error breaks. */
const makeValidator = (
  validate: ValidateFunction,
  schema: Schema,
  clauseOf: (error: ErrorObject, pointer: string) => ClauseId,
) =>
  memoizeByObject(({ value, exact }: Content): Validated => {
    const exercised = new Set<ClauseId>();
    const { result, undecided: patterns } = runWithTimeLimit(() => validate.call(exercised, value));
    const undecided = patterns.size === 0 ? [] : findClausesWithPatterns(patterns, schema);
    for (const clause of undecided) exercised.delete(clause);
    const errors = result ? [] : (validate.errors ?? []);
    function* violations(): Generator<SchemaViolation> {
      for (const error of errors) {
        const { at, pointer } = readPointers(error);
        const { keyword } = error;
        const clause = clauseOf(error, pointer);
        const isMissing = keyword === 'required';
        const data = isMissing ? undefined : exact === value ? error.data : readValueAt(exact, error.instancePath);
        if (!undecided.includes(clause))
          yield { at, pointer, keyword, clause, wants: () => describeKeyword(error, clause), data };
      }
    }
    return { violations: { [Symbol.iterator]: violations }, exercised, undecided };
  });

function compileAnswerValidator(pointer: string) {
  const { promises, expectations } = loadAnswerValidators(pointer);
  const schema = resolvePointer(pointer);
  const places = findClauseLocations(pointer);
  const documented = new Set([...walkSchema(schema)].map(({ at }) => at));
  const arrays = new Set([...places.keys()].flatMap((place) => getListPointer(place) ?? []));
  const data = followRef(getMemberSchemas(schema)['data'] as Schema);

  return {
    entries: listFieldsOfEntries(data),
    documentedPlace(pointer: string): string {
      let place = pointer;
      while (place !== '' && !documented.has(place)) place = place.slice(0, place.lastIndexOf('/'));
      return place;
    },
    entryCounts: (body: unknown): Readonly<Record<string, number>> =>
      Object.fromEntries(
        [...arrays]
          .map((array) => [array, countValuesAt(body, array.split('/').slice(1))] as const)
          .filter(([, count]) => count > 0),
      ),
    divisibleLists: findDivisibleLists(schema),
    envelope: places.get('/data')?.get('type') as ClauseId,
    /** The names of the fields of `data`; empty if `data` is an array. */
    fields: (data['required'] as readonly string[] | undefined) ?? [],
    promises: makeValidator(promises, schema, ({ keyword, parentSchema }, at) => {
      if (keyword === 'unevaluatedProperties' || keyword === 'additionalProperties') return 'service.additional-fields';
      // A place may have a keyword twice: in the schema, and in the referenced schema.
      const own = keyword === 'required' ? undefined : (parentSchema as Schema)['x-clause'];
      if (typeof own === 'object' && own !== null && keyword in own)
        return (own as Record<string, ClauseId>)[keyword] as ClauseId;
      const here = places.get(at);
      // This schema has no clause, so an overlay added it.
      return here?.get(keyword) ?? here?.get('type') ?? 'service.additional-fields';
    }),
    expectations: makeValidator(expectations, schema, ({ parentSchema }) => {
      const [clause] = Object.values((parentSchema as Schema)['x-clause'] as Record<string, ClauseId>);
      return clause as ClauseId;
    }),
  };
}

export type AnswerValidators = ReturnType<typeof compileAnswerValidator>;

const compileAnswerValidatorOnce = memoizeByText(compileAnswerValidator);

/** Loads all validators, so that the first exchange is not slower than later exchanges. */
export function loadAllValidators(): void {
  for (const id of operationIds) for (const form of operations[id].forms) compileAnswerValidatorOnce(form.answer);
}

export function getAnswerValidators({ operation, request }: Pick<Exchange, 'operation' | 'request'>): AnswerValidators {
  const { forms } = operations[operation];
  const form = forms[getQueryForm(operations[operation], request.asked)] ?? forms[0];
  return compileAnswerValidatorOnce(form?.answer ?? '');
}

/** Compiles a schema. The validator returns the fault, null if there is none, or undefined if a pattern took too long. */
export function compileSchemaValidator(schema: Schema): (value: unknown) => string | null | undefined {
  const validate = loadRefusalValidator(schema);
  return (value) => {
    const { result, undecided } = runWithTimeLimit(() => validate(value));
    if (undecided.size > 0) return undefined;
    if (result) return null;
    const [error] = validate.errors ?? [];
    return `${error?.instancePath === '' ? 'the body' : String(error?.instancePath)} ${String(error?.message)}`;
  };
}
