/** Ajv over the contract. It is loaded only where nothing was compiled before. */
import { _, Ajv2020, type Options } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import formats from 'ajv-formats';
import { operations } from '../contract/operations.ts';
import { deref, document, resolve, type Json, type Schema } from '../contract/schema.ts';
import { digest } from '../util/hash.ts';
import { isReference, momentExists } from '../contract/formats.ts';
import { expectationsOf } from '../contract/schema.ts';

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

/** The answer schemas of the contract, and what it says of refusals. */
export function schemasOfAnswers(): { readonly pointers: readonly string[]; readonly refusals: readonly Schema[] } {
  const all = Object.values(operations);
  return {
    pointers: [...new Set(all.flatMap(({ forms }) => forms.map(({ answer }) => answer)))],
    refusals: all.flatMap(({ refusal }) => Object.values(refusal ?? {})),
  };
}

/** The validators of every answer as the text of a function body that fills `exports`. */
export function validatorsAsCode(): string {
  const ajv = ajvOfContract({ code: { source: true, formats: _`formats` } });
  const { pointers, refusals } = schemasOfAnswers();
  const names: Record<string, string> = {};
  for (const pointer of pointers) {
    const expected = `expected ${pointer}`;
    ajv.addSchema({ ...expectationSchema(resolve(pointer)) }, expected);
    names[`promises_${digest(pointer)}`] = `bank${pointer}`;
    names[`expectations_${digest(pointer)}`] = expected;
  }
  for (const schema of refusals) {
    const name = `refusal_${digest(JSON.stringify(schema))}`;
    if (names[name] === undefined) ajv.addSchema({ ...schema }, name);
    names[name] = name;
  }
  return (standalone as unknown as (ajv: unknown, refs: Readonly<Record<string, string>>) => string)(ajv, names);
}
