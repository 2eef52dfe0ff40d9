/** `npm run collection`: writes the eleven operations as a collection for HTTP clients. */
import { operations, type Operation } from '../../openapi/contract/operations.ts';
import type { Schema } from '../../openapi/contract/references.ts';
import { followRef, getOperationNode, resolvePointer } from '../../openapi/contract/schema.ts';
import { areas, operationIds } from '../../openapi/model/exchange.ts';
import { defineCommand, runIfMain, writeOrPrint } from '../../openapi/util/command.ts';
import { makeCheckScript, orderIdScript, answerVariableNames } from '../formats/collection-scripts.ts';
import { areaTitles } from '../text/phrases.ts';

const SET_VARIABLES =
  'After the import, set its variables base_url, client_id, client_secret and access_token; they are empty in the file.';

const usage = `Writes the eleven operations as a Postman collection (v2.1), which Bruno, Insomnia and others import too. Run as a whole,
each request takes its ids from the answers before it, and each answer is checked by the schema of the contract. It opens one
loan application with its disbursement, and one payment link. npm run conformance judges far more than that.

  npm run collection -- [options]

  --out <file>       where to (default: the terminal)
  --help             this text

${SET_VARIABLES} With newman:

  newman run collection.json --env-var base_url=http://127.0.0.1:8080 --env-var client_id=client \
    --env-var client_secret=secret-5f1c --env-var access_token=token-9b2e
`;

const COLLECTION_SCHEMA_URL = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
const credentials = { clientId: '{{client_id}}', clientSecret: '{{client_secret}}', token: 'Bearer {{access_token}}' };

/** Returns the first example of a media type or parameter (`examples`), or undefined. */
function makeExample(node: Schema): unknown {
  if (node['example'] !== undefined) return node['example'];
  const [first] = Object.values((node['examples'] ?? {}) as Record<string, Schema>);
  return first === undefined ? undefined : followRef(first)['value'];
}

/** Inputs whose values come from variables: ids of earlier answers, and the fresh order_id. */
const VARIABLE_INPUTS = new Set([...answerVariableNames, 'order_id']);

/** Writes an input as a variable, or else its example. Variables contain the digits of an id, without quotes. */
const writeInput = (name: string, example: unknown): string =>
  VARIABLE_INPUTS.has(name) ? `{{${name}}}` : String(example ?? '');

function writeBody(example: object): string {
  const withVariables = Object.entries(example).map(([name, value]) => [
    name,
    VARIABLE_INPUTS.has(name) ? `{{${name}}}` : value,
  ]);
  const text = JSON.stringify(Object.fromEntries(withVariables), null, 2);
  return text.replaceAll(/"(\{\{(\w+)\}\})"/g, (quoted, variable: string, name: string) =>
    typeof example[name as keyof typeof example] === 'string' ? quoted : variable,
  );
}

function makeRequestBody(node: Schema): object {
  const body = node['requestBody'] as { content: Record<string, Schema> } | undefined;
  if (body === undefined) return {};
  const raw = writeBody(makeExample(body.content['application/json'] ?? {}) as object);
  return { body: { mode: 'raw', raw, options: { raw: { language: 'json' } } } };
}

/** Makes one request of the collection. Only the first query form is enabled. */
function makeCollectionRequest(operation: Operation): object {
  const node = getOperationNode(operation);
  const parameters = ((node['parameters'] ?? []) as readonly Schema[]).map(followRef);
  const [form] = operation.forms;
  const inputsIn = (place: string) =>
    parameters
      .filter((one) => one['in'] === place)
      .map((one) => ({ key: String(one['name']), value: writeInput(String(one['name']), makeExample(one)) }));
  const query = inputsIn('query').map((one) => {
    const isOther = operation.forms.length > 1 && form?.query.includes(one.key) !== true;
    return isOther ? { ...one, disabled: true } : one;
  });
  const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
  const search = query
    .filter((one) => !('disabled' in one))
    .map(({ key, value }) => `${key}=${VARIABLE_INPUTS.has(key) ? value : encodeURIComponent(value)}`);
  return {
    name: String(node['summary'] ?? operation.id),
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: makeCheckScript(operation.id) } }],
    request: {
      method: operation.method,
      header: operation.headers.map(({ name, value }) => ({
        key: name,
        value: typeof value === 'string' ? value : credentials[value.credential],
      })),
      url: {
        raw: `{{base_url}}${path}${search.length === 0 ? '' : `?${search.join('&')}`}`,
        host: ['{{base_url}}'],
        path: path.split('/').slice(1),
        ...(query.length === 0 ? {} : { query }),
        ...(inputsIn('path').length === 0 ? {} : { variable: inputsIn('path') }),
      },
      ...makeRequestBody(node),
    },
  };
}

/** Makes the collection of requests. */
export function makeCollection(): object {
  return {
    info: { name: String(resolvePointer('#/info')['title']), schema: COLLECTION_SCHEMA_URL },
    event: [{ listen: 'prerequest', script: { type: 'text/javascript', exec: orderIdScript } }],
    variable: ['base_url', 'client_id', 'client_secret', 'access_token', ...VARIABLE_INPUTS].map((key) => ({
      key,
      value: '',
    })),
    item: areas.map((area) => ({
      name: areaTitles[area],
      item: operationIds
        .filter((id) => operations[id].area === area)
        .map((id) => makeCollectionRequest(operations[id])),
    })),
  };
}

export const collectionCommand = defineCommand({
  usage,
  options: { out: { type: 'string' } },
  positionals: [0, 0],
  run({ values }, print) {
    const text = `${JSON.stringify(makeCollection(), null, 2)}\n`;
    writeOrPrint(values.out, text, print);
    if (values.out !== undefined) print(`${SET_VARIABLES}\n`);
    return 0;
  },
});

void runIfMain(__filename, collectionCommand);
