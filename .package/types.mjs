/** The types of successful answers, made from the contract. `npm run types` writes them; with --check it compares and writes nothing. */
import { readFileSync, writeFileSync } from 'node:fs';
import { format } from 'prettier';
import { parse } from 'yaml';

const file = 'openapi/bank/bank-open-api.types.ts';
const { paths, components } = parse(readFileSync('openapi/bank/bank-open-api.yaml', 'utf8'));

// Of an operation with two query forms, the answer to the first.
const answers = Object.values(paths)
  .flatMap((methods) => Object.values(methods))
  .map((operation) => [
    operation.operationId,
    operation['x-forms']
      ? { $ref: operation['x-forms'][0].answer }
      : operation.responses['2XX'].content['application/json'].schema,
  ]);

const typeByName = { integer: 'number' };
const interfaces = new Map();
const declare = (name, schema) => interfaces.set(name, '').set(name, makeType(schema));

/** Returns the type of a schema. A named object becomes an interface. */
function makeType({ $ref, allOf, type, items, properties, required = [] }) {
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1);
    const schema = components.schemas[name];
    if (schema.type !== 'object') return makeType(schema);
    if (!interfaces.has(name)) declare(name, schema);
    return name;
  }
  if (allOf !== undefined) return `(${allOf.map(makeType).join(' & ')})`;
  if (Array.isArray(type)) return `(${type.map((one) => makeType({ type: one, items })).join(' | ')})`;
  if (type === 'array') return `${makeType(items)}[]`;
  if (properties === undefined) return typeByName[type] ?? type;
  const members = Object.entries(properties).map(
    ([name, member]) => `${name}${required.includes(name) ? '' : '?'}: ${makeType(member)};`,
  );
  return `{ ${members.join(' ')} }`;
}

declare('Answers', { properties: Object.fromEntries(answers), required: answers.map(([id]) => id) });
const text = [...interfaces].map(([name, type]) => `interface ${name} ${type}\n`).join('');
const types = await format(`/** Made from the contract by \`npm run types\`: do not edit. */\nexport ${text}`, {
  ...JSON.parse(readFileSync('.prettierrc.json', 'utf8')),
  parser: 'typescript',
});
if (!process.argv.includes('--check')) writeFileSync(file, types);
else if (readFileSync(file, 'utf8') !== types) throw new Error(`${file} is not made from the contract: npm run types.`);
