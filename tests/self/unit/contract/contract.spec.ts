/** The contract says what the document says, and no more. What is expected here is written by hand from the document. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { clauses } from '../../../../openapi/clauses/index.ts';
import { contractFile } from '../../../../openapi/contract/load.ts';
import { operations, type Operation } from '../../../../openapi/contract/operations.ts';
import { clausesOf, deref, document, resolve, type Schema } from '../../../../openapi/contract/schema.ts';
import { operationIds, type OperationId } from '../../../../openapi/model/exchange.ts';
import { expectationsOf } from '../../../../openapi/contract/schema.ts';
import { broken, byPlace } from '../../support/judge-harness.ts';

const loans = '/api/bank/revolving-loans/v1';
const links = '/api/bank/card/paybylink/v1';

/** Method and path of each operation, and the parameters that are documented with it. */
const documented: Readonly<
  Record<OperationId, readonly [endpoint: string, parameters: Readonly<Record<string, string>>]>
> = {
  validateLoan: [`POST ${loans}/validations`, {}],
  requestLoan: [`POST ${loans}/loans`, {}],
  approveContract: [`POST ${loans}/contracts`, {}],
  disburse: [`POST ${loans}/disbursements`, {}],
  queryDisbursement: [`GET ${loans}/disbursements/{application_id}`, { 'path application_id': 'string' }],
  listMerchants: [`GET ${links}/merchants`, {}],
  listCurrencies: [
    `GET ${links}/merchants/{merchant_no}/available-currency-codes`,
    { 'path merchant_no': 'integer', 'query is_domestic': 'boolean' },
  ],
  listBranches: [`GET ${links}/merchants/{merchant_no}/branches`, { 'path merchant_no': 'integer' }],
  listInstallments: [
    `GET ${links}/merchants/{merchant_no}/Installments`,
    {
      'path merchant_no': 'integer',
      'query branch_no': 'integer',
      'query currency_code': 'string',
      'query is_domestic': 'boolean',
    },
  ],
  createPaymentLink: [`POST ${links}/payment-links`, {}],
  findAtms: [
    'GET /api/v1/atms',
    {
      'query latitude': 'string',
      'query longitude': 'string',
      'query province_code': 'string',
      'query district_code': 'string',
    },
  ],
};

const loanRequest = {
  amount: 'number',
  currency: 'string',
  commercial_disbursement: 'boolean',
  disbursement_purpose: 'boolean',
  order_id: 'string or integer',
};

const bodies: Readonly<Partial<Record<OperationId, Readonly<Record<string, string>>>>> = {
  validateLoan: loanRequest,
  requestLoan: loanRequest,
  approveContract: { application_id: 'integer', account_id: 'integer' },
  disburse: {
    amount: 'number',
    account_id: 'integer',
    currency: 'string',
    application_id: 'integer',
    contract_approved: 'boolean',
    customer_ip: 'string',
  },
  createPaymentLink: {
    language_code: 'string',
    branch_no: 'integer',
    personal_description: 'string',
    amount: 'number',
    merchant_no: 'integer',
    installment: 'integer',
    currency_code: 'string',
    is_domestic: 'boolean',
  },
};

const atm = {
  '': 'object',
  '/data': 'array',
  '/data/*': 'object',
  '/data/*/atm_address': 'string',
  '/data/*/atm_city': 'string',
  '/data/*/atm_district': 'string',
  '/data/*/atm_latitude': 'number',
  '/data/*/atm_longitude': 'number',
  '/data/*/atm_name': 'string',
  '/data/*/atm_no': 'string',
};

/** Every place of every answer with its type; all of them are there, but for the errors of the disbursement query. */
const answers: Readonly<Record<OperationId, readonly Readonly<Record<string, string>>[]>> = {
  validateLoan: [{ '': 'object', '/data': 'object', '/data/result': 'string' }],
  requestLoan: [
    {
      '': 'object',
      '/data': 'object',
      '/data/application_id': 'string',
      '/data/result': 'string',
      '/data/infos': 'array',
      '/data/infos/*': 'object',
      '/data/infos/*/account_id': 'string',
      '/data/infos/*/account': 'string',
      '/data/infos/*/avaliable_limit': 'string',
      '/data/infos/*/interest_rate': 'string',
      '/data/infos/*/interest_term': 'string',
      '/data/infos/*/commission_rate': 'string',
    },
  ],
  approveContract: [{ '': 'object', '/data': 'object', '/data/application_id': 'string' }],
  disburse: [{ '': 'object', '/data': 'object', '/data/application_id': 'string' }],
  queryDisbursement: [
    {
      '': 'object',
      '/data': 'object',
      '/data/application_id': 'string',
      '/data/result': 'string',
      '/errors (optional)': 'array or null',
      '/errors/*': 'object',
      '/errors/*/message': 'string',
    },
  ],
  listMerchants: [
    {
      '': 'object',
      '/data': 'object',
      '/data/merchants': 'array',
      '/data/merchants/*': 'object',
      '/data/merchants/*/account_no': 'string',
      '/data/merchants/*/branch_code': 'integer',
      '/data/merchants/*/merchant_name': 'string',
      '/data/merchants/*/merchant_no': 'integer',
      '/data/merchants/*/branch_name': 'string',
      '/data/qr_max_amount': 'number',
      '/data/qr_max_amount_limit_message': 'string',
      '/data/editable': 'boolean',
      '/data/edit_message': 'string',
    },
  ],
  listCurrencies: [
    {
      '': 'object',
      '/data': 'object',
      '/data/currencies': 'array',
      '/data/currencies/*': 'object',
      '/data/currencies/*/code': 'string',
    },
  ],
  listBranches: [
    {
      '': 'object',
      '/data': 'object',
      '/data/branches': 'array',
      '/data/branches/*': 'object',
      '/data/branches/*/no': 'integer',
      '/data/branches/*/name': 'string',
    },
  ],
  listInstallments: [
    {
      '': 'object',
      '/data': 'object',
      '/data/installments': 'array',
      '/data/installments/*': 'object',
      '/data/installments/*/value': 'integer',
      '/data/installments/*/text': 'string',
    },
  ],
  createPaymentLink: [
    {
      '': 'object',
      '/data': 'object',
      '/data/order_id': 'string',
      '/data/payment_link': 'string',
      '/data/payment_token': 'string',
      '/data/is_success': 'boolean',
      '/data/end_date': 'string',
    },
  ],
  findAtms: [
    { ...atm, '/data/*/atm_distance': 'integer' },
    { ...atm, '/data/*/atm_distance (optional)': 'null' },
  ],
};

/** Calls `see` with every node of an answer schema, its place, and whether it has to be there. */
function walk(
  raw: Schema,
  see: (schema: Schema, at: string, required: boolean) => void,
  at = '',
  required = true,
): void {
  const schema = deref(raw);
  see(schema, at, required);
  const parts = [schema, ...((schema['allOf'] ?? []) as readonly Schema[]).map(deref)];
  for (const part of parts.slice(1))
    walk(part, (inner, where, needed) => where !== at && see(inner, where, needed), at);
  const names = (schema['required'] ?? []) as readonly string[];
  for (const [name, child] of Object.entries((schema['properties'] ?? {}) as Record<string, Schema>))
    walk(child, see, `${at}/${name}`, names.includes(name));
  if (schema['items'] !== undefined) walk(schema['items'] as Schema, see, `${at}/*`);
}

const typeOf = (schema: Schema): string => [schema['type'] ?? 'object'].flat().map(String).join(' or ');

function nodeOf({ method, path }: Operation): Schema {
  return ((document['paths'] as Schema)[path] as Schema)[method.toLowerCase()] as Schema;
}

test('The eleven operations have the documented methods, paths and parameters, letter by letter', () => {
  expect(Object.values(document['paths'] as object).flatMap(Object.keys)).toHaveLength(11);
  for (const id of operationIds) {
    const { method, path, inputs } = operations[id];
    const parameters = inputs
      .filter((input) => input.in !== 'body')
      .map((input) => [`${input.in} ${input.name}`, input.schema['type']]);
    expect([`${method} ${path}`, Object.fromEntries(parameters)]).toEqual(documented[id]);
  }
});

test('Requests have the documented fields, and none is called required', () => {
  for (const id of operationIds) {
    const fields = operations[id].inputs
      .filter((input) => input.in === 'body')
      .map((input) => [input.name, typeOf(input.schema)]);
    expect(fields.length === 0 ? undefined : Object.fromEntries(fields)).toEqual(bodies[id]);
    const request = nodeOf(operations[id])['requestBody'] as
      { content: Record<string, { schema: Schema }>; required?: unknown } | undefined;
    if (request === undefined) continue;
    expect([Object.keys(request.content), request.required]).toEqual([['application/json'], undefined]);
    expect(deref(request.content['application/json']?.schema as Schema)['required']).toBeUndefined();
  }
});

test('Requests carry the documented headers, letter by letter', () => {
  const gateway = ['X-GW-client-id: clientId', 'X-GW-client-secret: clientSecret'];
  for (const id of operationIds) {
    const headers = operations[id].headers.map(
      ({ name, value }) => `${name}: ${typeof value === 'string' ? value : value.credential}`,
    );
    const own =
      id === 'findAtms' ? ['Accept: application/json'] : ['Authorization: token', 'Content-Type: application/json'];
    expect([id, headers]).toEqual([id, [...gateway, ...own]]);
  }
});

test('Answers have the documented fields in the documented types, all of them there but errors', () => {
  for (const id of operationIds) {
    const seen = operations[id].forms.map(({ answer }) => {
      const places: Record<string, string> = {};
      walk(resolve(answer), (schema, at, required) => (places[required ? at : `${at} (optional)`] = typeOf(schema)));
      return places;
    });
    expect([id, seen]).toEqual([id, answers[id]]);
  }
});

test('Every success is 2XX with JSON, every other answer is default, and nothing is said of it', () => {
  for (const id of operationIds) {
    const responses = nodeOf(operations[id])['responses'] as Record<string, Schema>;
    expect(Object.keys(responses)).toEqual(['2XX', 'default']);
    expect(Object.keys(responses['2XX']?.['content'] as object)).toEqual(['application/json']);
    expect(deref(responses['default'] as Schema)['content']).toBeUndefined();
  }
});

test('Plain keywords carry promises, and x-should carries expectations', () => {
  const silent = new Set([
    'description',
    'x-clause',
    'x-should',
    '$ref',
    'type',
    'properties',
    'required',
    'items',
    'allOf',
  ]);
  for (const id of operationIds)
    for (const { answer } of operations[id].forms)
      walk(resolve(answer), (schema, at) => {
        const carried = clausesOf(schema, at);
        for (const clause of carried.values()) expect([clause, clauses[clause].level]).toEqual([clause, 'must']);
        for (const { clause } of expectationsOf(schema))
          expect([clause, clauses[clause].level]).toEqual([clause, 'should']);
        if (schema['type'] !== undefined) expect([at, carried.has('type')]).toEqual([at, true]);
        const narrowing = Object.keys(schema).filter((keyword) => !silent.has(keyword));
        expect([at, narrowing]).toEqual([at, narrowing.filter((keyword) => carried.has(keyword))]);
        for (const keyword of carried.keys())
          expect([at, keyword, schema[keyword] !== undefined]).toEqual([at, keyword, true]);
      });
});

test('Request examples carry every field in its type, and answer examples raise nothing', () => {
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema({ $id: 'bank', ...document });
  const examplesOf = (media: unknown): readonly unknown[] =>
    Object.values(((media as Schema)['examples'] ?? {}) as Record<string, Schema>).map(
      (example) => deref(example)['value'],
    );
  for (const id of operationIds) {
    const node = nodeOf(operations[id]);
    const request = (node['requestBody'] as { content: Record<string, Schema> } | undefined)?.content[
      'application/json'
    ];
    if (request !== undefined) {
      const [example] = examplesOf(request);
      expect([id, Object.keys(example as object)]).toEqual([id, Object.keys(bodies[id] as object)]);
      const validate = ajv.getSchema(`bank${String((request['schema'] as Schema)['$ref'])}`);
      expect([id, validate?.(example), validate?.errors]).toEqual([id, true, null]);
    }
    for (const parameter of ((node['parameters'] ?? []) as readonly Schema[]).map(deref))
      expect(ajv.validate(parameter['schema'] as object, parameter['example'])).toBe(true);
    const success = (node['responses'] as Record<string, { content: Record<string, unknown> }>)['2XX'];
    const shown = examplesOf(success?.content['application/json']);
    expect(shown.length).toBeGreaterThanOrEqual(operations[id].forms.length);
    for (const [index, example] of shown.entries())
      expect([
        id,
        broken(id, example, { ...(id === 'findAtms' && index > 0 ? { asked: byPlace } : {}), at: Date.UTC(2026, 0) }),
      ]).toEqual([id, []]);
  }
});

test('The contract is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  expect([await validator.validate(contractFile), validator.version]).toEqual([{ valid: true }, '3.1']);
});

const run = (program: string, ...args: readonly string[]): string =>
  execFileSync(process.execPath, [`node_modules/${program}`, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });

test('Redocly finds nothing at its strictest, and every exception is explained', () => {
  const { totals } = JSON.parse(run('@redocly/cli/bin/cli.js', 'lint', '--format=json')) as { totals: object };
  expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 0 });
  const settings = readFileSync('redocly.yaml', 'utf8');
  expect(settings).toContain('extends: [recommended-strict]');
  const rules = settings.slice(settings.indexOf('\nrules:\n') + '\nrules:\n'.length).split('\n');
  for (const [index, line] of rules.entries())
    if (/^ {2}[a-z]/.test(line)) expect([line, rules[index - 1]]).toEqual([line, expect.stringMatching(/^ {2}# /)]);
});

test('The types of the payloads are the ones generated from the contract', () => {
  expect(() => run('openapi-typescript/bin/cli.js', '--check')).not.toThrow();
});
