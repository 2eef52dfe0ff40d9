/** Ajv with the formats and the extensions of the contract. */
import { _, Ajv2020, type Options } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { isReference, momentExists } from './formats.ts';

const extensions = ['x-should', 'x-outcome', 'x-forms', 'x-request-headers'];
const openapi = ['openapi', 'info', 'servers', 'tags', 'paths', 'components', 'example'];

/** The keywords of a node that only speak of texts, or only of numbers. */
const speaksOf: Readonly<Record<string, string>> = {
  pattern: 'string',
  format: 'string',
  minLength: 'string',
  maxLength: 'string',
  not: 'string',
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'number',
  exclusiveMaximum: 'number',
  multipleOf: 'number',
};

/** An Ajv that knows a contract under the id `bank`. */
export function ajvOf(document: object, more: Options = {}): Ajv2020 {
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
