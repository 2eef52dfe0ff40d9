/**
 * Ajv over the contract. A module of its own, so that a judge that may not compile (a page, whose policy forbids it) can
 * be given what was compiled before.
 */
import { _, Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { deref, document, resolve, type Json, type Schema } from './contract.ts';
import { isReference, momentExists } from './formats.ts';
import { expectationsOf } from './places.ts';

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

/** An Ajv that knows the contract under the id `bank`. */
export function ajvOfContract(more: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: true,
    strictRequired: false,
    strictTypes: false,
    allowUnionTypes: true,
    passContext: true,
    inlineRefs: true,
    ...more,
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
  ajv.addSchema({ $id: 'bank', ...document });
  return ajv;
}

/**
 * The expectations of a schema as a schema of their own: the same structure without its promises, so that a value which
 * breaks a promise breaks no expectation as well.
 */
export function expectationSchema(raw: Schema): Schema {
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

const ajv = ajvOfContract();

export interface Compiled {
  readonly promises: ValidateFunction;
  readonly expectations: ValidateFunction;
}

/** The validators of the answer schema at `pointer` (with `#`) of the contract. */
export function compiled(pointer: string): Compiled {
  const promises = ajv.getSchema(`bank${pointer}`);
  if (promises === undefined) throw new Error(`The contract has no schema ${pointer}`);
  return { promises, expectations: ajv.compile(expectationSchema(resolve(pointer))) };
}

/** The validator of a schema that stands for itself: of a refusal, as an overlay promises it. */
export function compiledSchema(schema: Schema): ValidateFunction {
  return ajv.compile(schema);
}
