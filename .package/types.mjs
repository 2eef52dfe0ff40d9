/** The types of successful answers, made from the contract. `npm run types` writes them; with --check it compares and writes nothing. */
import { readFileSync, writeFileSync } from 'node:fs';
import { compile } from 'json-schema-to-typescript';
import { parse } from 'yaml';

const file = 'openapi/contract/bank-open-api.types.ts';
const text = readFileSync('openapi/contract/bank-open-api.yaml', 'utf8');
// Without descriptions: a type says how a field is read, not what it promises.
const { paths, components } = parse(text, (key, value) => (key === 'description' ? undefined : value));

// Of an operation with two query forms, the answer to the first.
const answers = Object.values(paths)
  .flatMap((methods) => Object.values(methods))
  .map((operation) => [
    operation.operationId,
    operation['x-forms']
      ? { $ref: operation['x-forms'][0].answer }
      : operation.responses['2XX'].content['application/json'].schema,
  ]);
const schema = {
  type: 'object',
  properties: Object.fromEntries(answers),
  required: answers.map(([id]) => id),
  components,
};
const types = await compile(schema, 'Answers', {
  additionalProperties: false,
  bannerComment: '/** Made from the contract by `npm run types`: do not edit. */',
  style: JSON.parse(readFileSync('.prettierrc.json', 'utf8')),
});
if (!process.argv.includes('--check')) writeFileSync(file, types);
else if (readFileSync(file, 'utf8') !== types) throw new Error(`${file} is not made from the contract: npm run types.`);
