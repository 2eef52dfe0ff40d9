/** The contract is a sound OpenAPI 3.1 document, and one that is not is noticed. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { findNode, type Schema } from '../../../../../openapi/contract/references.ts';
import { contractSchema as document } from '../../../../../openapi/contract/schema.ts';
import { contractCommand } from '../../../../../reports/cli/contract.ts';
import { runInProcess } from '../../../support/command.ts';
import { makeTempFile } from '../../../support/temp-dir.ts';
import { lint } from './lint.ts';

test('The contract has no fault', () => {
  expect(lint(document)).toEqual([]);
});

test('The contract that a file of JSON gets is the same, so that HTTP clients import it', async () => {
  const file = makeTempFile('contract.json', '');
  expect(await runInProcess(contractCommand, '--out', file)).toEqual({ status: 0, out: `Wrote ${file}.\n` });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(document);
});

const paths = document['paths'] as Record<string, Schema>;
const loans = '#/paths/~1api~1bank~1revolving-loans~1v1~1loans/post';
const outcome = '#/paths/~1api~1bank~1revolving-loans~1v1~1disbursements~1{application_id}/get';
const atms = '#/paths/~1api~1v1~1atms';
const currencies = '/api/bank/card/paybylink/v1/merchants/{merchant_no}/available-currency-codes';
const offer = '#/components/schemas/Offer';

/** Members of the contract with another value, or without one, and what is said of it. */
const faults: readonly (readonly [at: string, value: unknown, said: string])[] = [
  ['#/info/title', undefined, "must have required property 'title'"],
  ['#/openapi', '3.2.0', 'data/openapi must match pattern'],
  [`${loans}/sumary`, 'Opens an application', '/post must NOT have unevaluated properties'],
  [`${loans}/summary`, undefined, "must have required property 'summary'"],
  [`${loans}/operationId`, 'disburse', 'disburse stands there twice'],
  [`${loans}/tags`, ['loan'], 'requestLoan: the tag loan is not declared'],
  [`${outcome}/parameters`, [], 'queryDisbursement needs'],
  [`${outcome}/parameters/0/required`, undefined, "must have required property 'required'"],
  [`${atms}/get/parameters/1/name`, 'latitude', 'findAtms: query latitude stands there twice'],
  [`${atms}/get/parameters/0/example`, 41, 'parameters/0 has an invalid example'],
  [`${atms}/get/parameters/0/examples`, {}, 'parameters/0 must NOT be valid'],
  [`${atms}~1`, paths['/api/v1/atms'], '/api/v1/atms/ has a query, or ends with a slash'],
  [`#/paths/${currencies.replaceAll('/', '~1').replace('_no', '')}`, paths[currencies], 'stands there twice'],
  [
    '#/components/examples/loanRequest/value/amount',
    'much',
    '/post/requestBody/content/application~1json has an invalid',
  ],
  ['#/components/securitySchemes/loansToken', undefined, `${loans} has no scheme loansToken`],
  ['#/components/responses/Other', { description: 'any' }, 'responses/Other is not used'],
  [offer, undefined, `refers to nothing: ${offer}`],
  [`${offer}/properties/account/type`, 'text', 'type must be JSONType'],
  [`${offer}/properties/account/minLenght`, 1, 'unknown keyword: "minLenght"'],
  [`${offer}/properties/account/nullable`, true, 'unknown keyword: "nullable"'],
  [`${offer}/required/0`, 'accountId', 'required property "accountId" is not defined'],
  ['#/servers/0/variables', undefined, '{base_url} has no variable base_url'],
];

for (const [at, value, said] of faults)
  test(`A contract with a fault is noticed: ${at} ${JSON.stringify(value)?.slice(0, 30)}: ${said}`, () => {
    const changed = structuredClone(document);
    const end = at.lastIndexOf('/');
    const parent = end < 2 ? changed : findNode(changed, at.slice(0, end));
    Object.assign(parent as object, { [at.slice(end + 1).replaceAll('~1', '/')]: value });
    expect(lint(JSON.parse(JSON.stringify(changed)) as Schema).join('\n')).toContain(said);
  });
