/** Ajv over the contract: one validator for what every answer must hold, one for what is expected besides. */
import { _, Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { ClauseId } from './clauses.ts';
import { deref, document, placesIn, resolve, type Json, type Schema } from './contract.ts';
import { isReference, momentExists } from './formats.ts';
import { expectationsOf } from './places.ts';

/** Hears of each clause whose node was evaluated. */
export interface Recorder {
  add(clause: ClauseId): unknown;
}

const extensions = ['x-should', 'x-outcome', 'x-forms', 'x-request-headers'];
const openapi = ['openapi', 'info', 'servers', 'tags', 'paths', 'components', 'example'];

/** The keywords of a node that only speak of texts, or only of numbers. */
const speaksOf: Readonly<Record<string, string>> = {
  pattern: 'string',
  format: 'string',
  minLength: 'string',
  not: 'string',
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'number',
};

function newAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: true,
    strictRequired: false,
    strictTypes: false,
    allowUnionTypes: true,
    passContext: true,
    inlineRefs: true,
  });
  (formats as unknown as (ajv: Ajv2020, names: string[]) => void)(ajv, ['date-time']);
  ajv.addFormat('iri-reference', { type: 'string', validate: isReference });
  ajv.addFormat('calendar-moment', { type: 'string', validate: momentExists });
  ajv.addVocabulary([...openapi, ...extensions]);
  ajv.addKeyword({
    keyword: 'x-clause',
    schemaType: ['string', 'object'],
    code({ gen, data, schema }) {
      const byKeyword = typeof schema === 'string' ? { type: schema } : (schema as Record<string, string>);
      const record = (clause: string) => gen.code(_`this?.add(${clause})`);
      for (const [keyword, clause] of Object.entries(byKeyword)) {
        const type = speaksOf[keyword];
        if (type === undefined) record(clause);
        else gen.if(_`typeof ${data} === ${type}`, () => record(clause));
      }
    },
  });
  return ajv;
}

/**
 * The expectations of a schema as a schema of their own: the same structure without its promises, so that a value which
 * breaks a promise breaks no expectation as well.
 */
function expectationSchema(raw: Schema): Schema {
  const schema = deref(raw);
  const parts: Schema[] = expectationsOf(schema).map(({ clause, schema: expected }) => ({
    ...expected,
    'x-clause': { [String(Object.keys(expected)[0])]: clause },
  }));
  for (const part of (schema['allOf'] ?? []) as readonly Schema[]) parts.push(expectationSchema(part));
  const inner: Record<string, Json> = {};
  if (parts.length > 0) inner['allOf'] = parts;
  if (schema['items'] !== undefined) inner['items'] = expectationSchema(schema['items'] as Schema);
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>)
    .map(([name, child]) => [name, expectationSchema(child)] as const)
    .filter(([, child]) => Object.keys(child).length > 0);
  if (properties.length > 0) inner['properties'] = Object.fromEntries(properties);
  return inner;
}

/** One error of Ajv in the words of the contract. */
export interface Violation {
  /** JSON pointer with `*` for indices; a missing field is pointed at by the place where it belongs. */
  readonly pointer: string;
  /** The same with the indices. */
  readonly at: string;
  readonly keyword: string;
  readonly clause: ClauseId;
  /** What the keyword wants, as a part of a sentence. */
  readonly wants: string;
  readonly data: unknown;
}

/** What holds of the answers of one query form of an operation. */
export interface AnswerValidators {
  /** The broken promises of a body. Each clause whose node was evaluated is added to `recorder`. */
  promises(body: unknown, recorder: Recorder): readonly Violation[];
  /** The disappointed expectations of a body. */
  expectations(body: unknown, recorder: Recorder): readonly Violation[];
  /** The names of the fields that belong into `data`, none where `data` is an array. */
  readonly fields: readonly string[];
  /** The names that stand together in the entries of each array of an answer. */
  readonly entries: readonly (readonly string[])[];
  /** The clause of `data` itself. */
  readonly envelope: ClauseId;
}

function wanted({ keyword, schema, params }: ErrorObject): string {
  if (keyword === 'type') return [schema].flat().map(String).join(' or ');
  if (keyword === 'required') return 'a field that is there';
  if (keyword === 'pattern') return `text that matches ${String(schema)}`;
  if (keyword === 'format') return String(schema).replaceAll('-', ' ');
  if (keyword === 'not') return `text that does not match ${String((schema as Schema)['pattern'])}`;
  return `${keyword} ${String((params as { limit?: number }).limit ?? '')}`;
}

function pointers(error: ErrorObject): { at: string; pointer: string } {
  const missing = error.keyword === 'required' ? `/${String((error.params as { missingProperty: string }).missingProperty)}` : '';
  const at = `${error.instancePath}${missing}`;
  return { at, pointer: at.replace(/\/\d+(?=\/|$)/g, '/*') };
}

/** The names of the fields of every kind of entry below `raw`; a single field says too little to know an entry by. */
function entriesBelow(raw: Schema): readonly (readonly string[])[] {
  const schema = deref(raw);
  const { items, properties = {} } = schema as { items?: Schema; properties?: Record<string, Schema> };
  const inner = Object.values(properties).flatMap(entriesBelow);
  if (items === undefined) return inner;
  const parts = [items, ...((items['allOf'] ?? []) as readonly Schema[])].map(deref);
  const names = [...new Set(parts.flatMap((part) => Object.keys((part['properties'] ?? {}) as object)))];
  return [...inner, ...(names.length > 1 ? [names] : []), ...parts.flatMap(entriesBelow)];
}

const ajv = newAjv();
ajv.addSchema({ $id: 'bank', ...document } as object);

/** Compiles the answer schema at `pointer` (with `#`) of the contract. */
export function compileAnswer(pointer: string): AnswerValidators {
  const promises = ajv.getSchema(`bank${pointer}`);
  if (promises === undefined) throw new Error(`The contract has no schema ${pointer}`);
  const expectations = ajv.compile(expectationSchema(resolve(pointer)));
  const places = placesIn(pointer);
  const data = deref((resolve(pointer)['properties'] as Record<string, Schema>)['data'] as Schema);

  const violations = (validate: ValidateFunction, body: unknown, recorder: Recorder, clauseOf: (e: ErrorObject, pointer: string) => ClauseId) =>
    validate.call(recorder, body) === true
      ? []
      : (validate.errors ?? []).map((error): Violation => {
          const { at, pointer } = pointers(error);
          return { at, pointer, keyword: error.keyword, clause: clauseOf(error, pointer), wants: wanted(error), data: error.keyword === 'required' ? undefined : error.data };
        });

  return {
    entries: entriesBelow(data),
    envelope: places.get('/data')?.get('type') as ClauseId,
    fields: (data['required'] as readonly string[] | undefined) ?? [],
    promises: (body, recorder) =>
      violations(promises, body, recorder, ({ keyword }, at) => {
        const here = places.get(at);
        const clause = here?.get(keyword) ?? here?.get('type');
        if (clause === undefined) throw new Error(`No clause stands at ${pointer}${at} for ${keyword}`);
        return clause;
      }),
    expectations: (body, recorder) =>
      violations(expectations, body, recorder, ({ parentSchema }) => {
        const [clause] = Object.values((parentSchema as Schema)['x-clause'] as Record<string, ClauseId>);
        return clause as ClauseId;
      }),
  };
}
