/** Finds for a place its heading in the tables, and its type in the contract. */
import { operations } from '../../../openapi/contract/operations.ts';
import type { Schema } from '../../../openapi/contract/references.ts';
import { deref, resolve, walkSchema } from '../../../openapi/contract/schema.ts';
import type { OperationId } from '../../../openapi/model/exchange.ts';

/** Writes a place like the tables of the document: `infos[].interest_rate`, `amount`, `X-GW-client-id`. */
export function fieldName(pointer: string): string {
  if (pointer === '') return 'the whole body';
  if (!pointer.startsWith('/')) return pointer.replace(/^(?:request|response)\/(?:(?:body|query|path|header)\/)?/, '');
  const steps = pointer.slice(1).replaceAll('/*', '[]').split('/');
  return steps.length > 1 && /^data(?:\[\])?$/.test(steps[0]!) ? steps.slice(1).join('.') : steps.join('.');
}

/** Returns whether a place belongs to the request or the answer. */
export function partOf(pointer: string): 'request' | 'answer' {
  return pointer.startsWith('request/') ? 'request' : 'answer';
}

/** Returns the type of a place in the contract, in the words of the document; empty if the contract gives no type. */
export function typeAt(operation: OperationId, pointer: string): string {
  const { inputs, headers, forms, method } = operations[operation];
  const input = /^request\/(body|query|path)\/(.+)$/.exec(pointer);
  if (input !== null) {
    const found = inputs.find((one) => one.in === input[1] && one.name === input[2]);
    return found === undefined ? '' : `${typeOf(deref(found.schema))} (${found.in})`;
  }
  if (pointer === 'request/method') return method;
  if (pointer.startsWith('request/header/')) {
    const value = headers.find(({ name }) => name === pointer.slice('request/header/'.length))?.value;
    return typeof value === 'string'
      ? value
      : value === undefined
        ? ''
        : { clientId: '<CLIENT_ID>', clientSecret: '<CLIENT_SECRET>', token: 'Bearer <ACCESS_TOKEN>' }[
            value.credential
          ];
  }
  if (pointer !== '' && !pointer.startsWith('/')) return '';
  for (const { answer } of forms) {
    for (const { at, schema } of walkSchema(resolve(answer))) if (at === pointer) return typeOf(schema);
  }
  return '';
}

function typeOf(schema: Schema): string {
  const type = [schema['type'] ?? []].flat().join(' or ');
  return type === 'array' && deref((schema['items'] ?? {}) as Schema)['type'] === 'object' ? 'array of objects' : type;
}
