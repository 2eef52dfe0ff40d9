/** Creates the JSON Schema validator Ajv with the formats and extensions of the contract. */
import { _, Ajv2020, type Options } from 'ajv/dist/2020.js';
import { areEntriesUnique, formats } from './formats.ts';
import { documentPatterns, createPattern } from './patterns.ts';
import { readClauses, type Json } from './references.ts';

const openApiKeywords = ['paths', 'components', 'example'];

/** Returns the names of the extensions (`x-…`) in a document, without `x-clause`. */
const listExtensions = (document: object): readonly string[] =>
  [...new Set(JSON.stringify(document).match(/"x-(?!clause")[\w-]+(?=":)/g))].map((name) => name.slice(1));

/** For each keyword, the only type of value to which it applies. */
const typeByKeyword: Readonly<Record<string, string>> = {
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

export function createAjv(document: object, { code, ...otherOptions }: Options = {}): Ajv2020 {
  // Without an overlay, all patterns are from the document and are fast.
  const codeOptions = documentPatterns.size === 0 ? code : { ...code, regExp: createPattern };
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: true,
    strictRequired: false,
    strictTypes: false,
    allowUnionTypes: true,
    passContext: true,
    inlineRefs: true,
    ...(codeOptions === undefined ? {} : { code: codeOptions }),
    ...otherOptions,
  });
  for (const [name, format] of Object.entries(formats)) ajv.addFormat(name, format);
  ajv.addVocabulary([...openApiKeywords, ...listExtensions(document)]);
  ajv.removeKeyword('uniqueItems').addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must NOT have duplicate items' },
    code(context) {
      const { gen, data, schema } = context;
      const areUnique = gen.scopeValue('func', { ref: areEntriesUnique, code: _`areEntriesUnique` });
      if (schema === true) context.fail(_`!${areUnique}(${data})`);
    },
  });
  // Adds the clauses of each visited schema to the set that is `this` during validation. A clause of a keyword that applies only to
  // texts or numbers is added only for such a value.
  ajv.addKeyword({
    keyword: 'x-clause',
    schemaType: ['string', 'object'],
    code({ gen, data, schema }) {
      const clausesByKeyword = readClauses({ 'x-clause': schema as Json });
      const addRecordingCode = (clause: string) => gen.code(_`this?.add(${clause})`);
      for (const [keyword, clause] of Object.entries(clausesByKeyword)) {
        const type = typeByKeyword[keyword];
        if (type === undefined) addRecordingCode(clause);
        else gen.if(_`typeof ${data} === ${type}`, () => addRecordingCode(clause));
      }
    },
  });
  const { paths, components } = document as Readonly<Record<string, object>>;
  ajv.addSchema({ $id: 'bank', paths, components });
  return ajv;
}
