/** Validates answers against two schemas: what the document requires (promises), and what readers expect (expectations). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { stringify } from 'lossless-json';
import { operationIds } from '../api.ts';
import { fieldClauses, isVendorClause, type ClauseId } from '../clauses/index.ts';
import { areEntriesUnique, formats } from '../contract/formats.ts';
import { getQueryForm, operations } from '../contract/operations.ts';
import { createPattern, documentPatterns, runWithTimeLimit } from '../contract/patterns.ts';
import { getMemberSchemas, readAllOf, splitPointer, type Schema } from '../contract/references.ts';
import {
  contractSchema,
  findClauseLocations,
  followRef,
  readClausesByKeyword,
  resolvePointer,
  walkSchema,
} from '../contract/schema.ts';
import type { Exchange } from '../model/exchange.ts';
import { getListPointer, type Fault } from '../model/finding.ts';
import { loadCached, makeCacheKey, saveCached } from '../util/cache.ts';
import { digestText } from '../util/hash.ts';
import { memoizeByObject, memoizeByText } from '../util/memoize.ts';
import { listFirstNames, shortenName, truncate } from '../util/truncate.ts';
import type { Content } from './parse-body.ts';

/** Loads the validators from a cache of generated code: to compile them is slow, and every worker needs them. */
function loadValidatorCode(): string {
  const sources = [
    './compiler.ts',
    '../contract/ajv.ts',
    '../contract/locations.ts',
    '../contract/patterns.ts',
    '../contract/schema.ts',
    '../contract/references.ts',
  ].map((file) => readFileSync(join(__dirname, file), 'utf8'));
  const { version } = require('ajv/package.json') as { version: string };
  // With an overlay, the generated code matches patterns in another way, even if the overlay is rejected later.
  const key = makeCacheKey(
    'validators',
    JSON.stringify(contractSchema),
    String(documentPatterns.size),
    version,
    ...sources,
  );
  const cachedCode = loadCached(key);
  if (cachedCode !== null) return cachedCode;
  const { compileToCode }: typeof import('./compiler.ts') = require('./compiler.ts');
  const code = compileToCode();
  saveCached(key, code);
  return code;
}

const compiledValidators: Record<string, ValidateFunction | undefined> = {};
const generatedCodeScope = {
  require,
  exports: compiledValidators,
  formats,
  patternOf: createPattern,
  areEntriesUnique,
};
compileFunction(loadValidatorCode(), Object.keys(generatedCodeScope))(...Object.values(generatedCodeScope));

function findValidator(name: string): ValidateFunction {
  const validator = compiledValidators[name];
  if (validator === undefined) throw new Error(`The contract has no validator ${name}`);
  return validator;
}

const loadAnswerValidators = (pointer: string) => ({
  promises: findValidator(`promises_${digestText(pointer)}`),
  expectations: findValidator(`expectations_${digestText(pointer)}`),
});

const loadRefusalValidator = (schema: Schema): ValidateFunction =>
  findValidator(`refusal_${digestText(JSON.stringify(schema))}`);

/** A fault that a schema shows. The place of a missing field is the pointer to the field. */
export interface SchemaFault extends Fault {
  readonly instance: string;
  readonly isEmptyText: boolean;
}

interface ValidationResult {
  /** Each fault is made only when it is read, because a long list may have a million faults. */
  readonly faults: Iterable<SchemaFault>;
  /** The clauses that the answer tested. */
  readonly exercised: ReadonlySet<ClauseId>;
  /** Clauses without a result, because a pattern took too long. */
  readonly undecided: readonly ClauseId[];
}

function describeKeyword({ keyword, schema, params, parentSchema }: ErrorObject, clause: ClauseId): string {
  if (isVendorClause(clause) && keyword !== 'required') return truncate(`${keyword} ${JSON.stringify(schema)}`);
  const description = (parentSchema as Schema)['description'];
  if (keyword === 'type') return [schema].flat().map(String).join(' or ');
  if (keyword === 'required') return 'a field that is there';
  if (['minimum', 'maximum', 'exclusiveMinimum'].includes(keyword))
    return `a number ${(params as { comparison: string }).comparison} ${(params as { limit: number }).limit}`;
  return typeof description === 'string' ? description : (fieldClauses[clause]?.statement ?? '');
}

function readPointers(error: ErrorObject): Pick<SchemaFault, 'instance' | 'pointer'> {
  const missingMember =
    error.keyword === 'required' ? `/${(error.params as { missingProperty: string }).missingProperty}` : '';
  const instance = `${error.instancePath}${missingMember}`;
  return { instance, pointer: instance.replace(/\/\d+(?=\/|$)/g, '/*') };
}

/** Returns the field names of each kind of array entry in a schema. Leaves out entries with one field: it cannot identify them. */
function listFieldsOfEntries(schemaOrRef: Schema): readonly (readonly string[])[] {
  const schema = followRef(schemaOrRef);
  const fieldsOfMembers = Object.values(getMemberSchemas(schema)).flatMap(listFieldsOfEntries);
  const items = schema['items'] as Schema | undefined;
  if (items === undefined) return fieldsOfMembers;
  const parts = [items, ...readAllOf(items)].map(followRef);
  const fieldNames = [...new Set(parts.flatMap((part) => Object.keys(getMemberSchemas(part))))];
  return [...fieldsOfMembers, ...(fieldNames.length > 1 ? [fieldNames] : []), ...parts.flatMap(listFieldsOfEntries)];
}

function findClausesWithPatterns(patterns: ReadonlySet<string>, schema: Schema): readonly ClauseId[] {
  const quotedPatterns = [...patterns].map((pattern) => JSON.stringify(pattern));
  const clauses = [...walkSchema(schema)].flatMap(({ at, schema: node }) =>
    [...readClausesByKeyword(node, at)].flatMap(([keyword, clause]) => {
      const value = JSON.stringify(node[keyword]) ?? '';
      return quotedPatterns.some((text) => value.includes(text)) ? [clause] : [];
    }),
  );
  return [...new Set(clauses)];
}

/** Counts the values at a path such as `data`, `infos`, `*`. A missing value counts as zero. */
function countValuesAt(value: unknown, [name, ...path]: readonly string[]): number {
  if (name === undefined) return 1;
  if (typeof value !== 'object' || value === null) return 0;
  if (name !== '*') return countValuesAt((value as Readonly<Record<string, unknown>>)[name], path);
  if (!Array.isArray(value)) return 0;
  return path.length === 0 ? value.length : value.reduce<number>((sum, entry) => sum + countValuesAt(entry, path), 0);
}

const readValueAt = (value: unknown, pointer: string): unknown =>
  splitPointer(pointer).reduce(
    (parent, name) => (parent as Readonly<Record<string, unknown>> | null | undefined)?.[name],
    value,
  );

export const quoteValue = (value: unknown): string => truncate(stringify(value));

function describeMissingField(body: unknown, instance: string): string {
  const parentObject = readValueAt(body, instance.slice(0, instance.lastIndexOf('/')));
  const names = listFirstNames(Object.keys(parentObject as object).map(shortenName));
  return `nothing: the field is missing${names === '' ? ', and so are all others' : `; these are there: ${names}`}`;
}

const WHOLE_LIST_KEYWORDS = ['minItems', 'maxItems', 'uniqueItems', 'contains', 'prefixItems', 'unevaluatedItems'];

/** Returns pointers to the lists that may be judged in parts. None if a keyword, for example of an overlay, is about a whole list. */
function findDivisibleLists(schema: Schema): readonly string[] {
  const nodes = [...walkSchema(schema)];
  const schemaText = JSON.stringify(nodes.map((node) => node.schema));
  if (WHOLE_LIST_KEYWORDS.some((keyword) => schemaText.includes(`"${keyword}"`))) return [];
  return [...new Set(nodes.flatMap((node) => ('items' in node.schema ? [node.at] : [])))].filter(
    (at) => !at.includes('*'),
  );
}

/** Makes a function that validates an answer. `getClause` returns the clause that an error breaks, and `getKind` the kind of the fault. */
const makeValidator = (
  validate: ValidateFunction,
  schema: Schema,
  getClause: (error: ErrorObject, pointer: string) => ClauseId,
  getKind: (error: ErrorObject) => string,
) =>
  memoizeByObject(({ value, exact }: Content): ValidationResult => {
    const exercised = new Set<ClauseId>();
    const { result, undecided: undecidedPatterns } = runWithTimeLimit(() => validate.call(exercised, value));
    const undecided = undecidedPatterns.size === 0 ? [] : findClausesWithPatterns(undecidedPatterns, schema);
    for (const clause of undecided) exercised.delete(clause);
    const errors = result ? [] : (validate.errors ?? []);
    function* faults(): Generator<SchemaFault> {
      for (const error of errors) {
        const { instance, pointer } = readPointers(error);
        const clause = getClause(error, pointer);
        const received = (): string =>
          error.keyword === 'required'
            ? describeMissingField(value, instance)
            : quoteValue(exact === value ? error.data : readValueAt(exact, error.instancePath));
        const expected = (): string => describeKeyword(error, clause);
        const isEmptyText = error.keyword !== 'required' && error.data === '';
        if (!undecided.includes(clause))
          yield { clause, pointer, instance, kind: getKind(error), expected, received, isEmptyText };
      }
    }
    return { faults: { [Symbol.iterator]: faults }, exercised, undecided };
  });

/** Returns the kind of a fault: `missing`, `null`, or the keyword that the value breaks. */
function getPromiseKind({ keyword, data }: ErrorObject): string {
  if (keyword === 'required') return 'missing';
  return keyword === 'type' && data === null ? 'null' : keyword;
}

function compileAnswerValidator(pointer: string) {
  const { promises, expectations } = loadAnswerValidators(pointer);
  const schema = resolvePointer(pointer);
  const clausesByPlace = findClauseLocations(pointer);
  const documentedPlaces = new Set([...walkSchema(schema)].map(({ at }) => at));
  const listPointers = new Set([...clausesByPlace.keys()].flatMap((place) => getListPointer(place) ?? []));
  const data = followRef(getMemberSchemas(schema)['data'] as Schema);

  return {
    /** The field names of each kind of list entry. */
    entries: listFieldsOfEntries(data),
    /** Returns the closest documented place: the pointer itself, or a part of it. */
    documentedPlace(pointer: string): string {
      let place = pointer;
      while (place !== '' && !documentedPlaces.has(place)) place = place.slice(0, place.lastIndexOf('/'));
      return place;
    },
    /** The number of entries of each list, without empty lists. */
    entryCounts: (body: unknown): Readonly<Record<string, number>> =>
      Object.fromEntries(
        [...listPointers]
          .map((array) => [array, countValuesAt(body, array.split('/').slice(1))] as const)
          .filter(([, count]) => count > 0),
      ),
    divisibleLists: findDivisibleLists(schema),
    /** The clause that `data` is there. */
    envelope: clausesByPlace.get('/data')?.get('type') as ClauseId,
    /** The names of the fields of `data`; empty if `data` is an array. */
    fields: (data['required'] as readonly string[] | undefined) ?? [],
    promises: makeValidator(
      promises,
      schema,
      ({ keyword, parentSchema }, at) => {
        if (keyword === 'unevaluatedProperties' || keyword === 'additionalProperties')
          return 'service.additional-fields';
        // A place may have a keyword twice: in the schema, and in the referenced schema.
        const clauseByKeyword = keyword === 'required' ? undefined : (parentSchema as Schema)['x-clause'];
        if (typeof clauseByKeyword === 'object' && clauseByKeyword !== null && keyword in clauseByKeyword)
          return (clauseByKeyword as Record<string, ClauseId>)[keyword] as ClauseId;
        const clausesHere = clausesByPlace.get(at);
        // This schema has no clause, so an overlay added it.
        return clausesHere?.get(keyword) ?? clausesHere?.get('type') ?? 'service.additional-fields';
      },
      getPromiseKind,
    ),
    expectations: makeValidator(
      expectations,
      schema,
      ({ parentSchema }) => {
        const [clause] = Object.values((parentSchema as Schema)['x-clause'] as Record<string, ClauseId>);
        return clause as ClauseId;
      },
      ({ keyword }) => keyword,
    ),
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
