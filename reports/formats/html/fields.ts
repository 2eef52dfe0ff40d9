/** The fields of the document: under which heading a promise stands, and which type the contract gives a place. */
import { operations } from '../../../openapi/contract/operations.ts';
import { deref, resolve } from '../../../openapi/contract/schema.ts';
import type { Schema } from '../../../openapi/contract/schema.ts';
import type { OperationId } from '../../../openapi/model/exchange.ts';

/** A place as the tables of the document write it: `infos[].interest_rate`, `amount`, `X-GW-client-id`. */
export function fieldName(pointer: string): string {
  if (pointer === '') return 'the whole body';
  if (!pointer.startsWith('/')) return pointer.replace(/^(?:request|response)\/(?:(?:body|query|path|header)\/)?/, '');
  const steps = pointer.slice(1).replaceAll('/*', '[]').split('/');
  return steps.length > 1 && /^data(?:\[\])?$/.test(steps[0]!) ? steps.slice(1).join('.') : steps.join('.');
}

/** Where a place belongs in the order of a table: what is asked first, then the answer from the outside in. */
export function partOf(pointer: string): 'request' | 'answer' {
  return pointer.startsWith('request/') ? 'request' : 'answer';
}

/** The type that the contract gives a place, in the words of the document; empty where it says nothing of types. */
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
    const schema = schemaAt(resolve(answer), pointer);
    if (schema !== null) return typeOf(schema);
  }
  return '';
}

function schemaAt(root: Schema, pointer: string): Schema | null {
  let node: Schema | null = deref(root);
  for (const step of pointer.split('/').slice(1)) {
    node = step === '*' ? child(node, 'items') : member(node, step);
    if (node === null) return null;
  }
  return node;
}

function child(schema: Schema, keyword: string): Schema | null {
  const found = schema[keyword];
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? deref(found as Schema) : null;
}

function member(schema: Schema, name: string): Schema | null {
  const own = child((schema['properties'] ?? {}) as Schema, name);
  if (own !== null) return own;
  for (const part of (schema['allOf'] ?? []) as readonly Schema[]) {
    const inherited = member(deref(part), name);
    if (inherited !== null) return inherited;
  }
  return null;
}

function typeOf(schema: Schema): string {
  const type = [schema['type'] ?? []].flat().join(' or ');
  const inner = type === 'array' ? child(schema, 'items') : null;
  return inner !== null && inner['type'] === 'object' ? 'array of objects' : type;
}
