/** The contract is a sound OpenAPI 3.1 document, and one that is not is noticed. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { findNode } from '../../../../../openapi/contract/references.ts';
import { contractSchema as document } from '../../../../../openapi/contract/schema.ts';
import { contractCommand } from '../../../../../reports/cli/contract.ts';
import { runInProcess } from '../../../support/command.ts';
import { makeTempFile } from '../../../support/temp-dir.ts';
import { lint } from './lint.ts';

const offer = '#/components/schemas/Offer';

test('The contract has no fault', () => {
  expect(lint(document)).toEqual([]);
});

test('A fault of a document, of a reference, of a name and of a schema is noticed', () => {
  for (const [place, change, said] of [
    ['#/info', { title: undefined }, "must have required property 'title'"],
    ['#/components/schemas', { Offer: undefined }, `refers to nothing: ${offer}`],
    ['#/paths/~1api~1v1~1atms/get', { operationId: 'disburse' }, 'disburse stands there twice'],
    [`${offer}/properties/account`, { minLenght: 1 }, 'unknown keyword: "minLenght"'],
  ] as const) {
    const changed = structuredClone(document);
    Object.assign(findNode(changed, place)!, change);
    expect(lint(JSON.parse(JSON.stringify(changed)) as typeof document).join('\n')).toContain(said);
  }
});

test('The contract that a file of JSON gets is the same, so that HTTP clients import it', async () => {
  const file = makeTempFile('contract.json', '');
  expect(await runInProcess(contractCommand, '--out', file)).toEqual({ status: 0, out: `Wrote ${file}.\n` });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(document);
});
