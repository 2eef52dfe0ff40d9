/**
 * Tests `npm run collection`: its requests and scripts run one after the other against banks over HTTP, as newman runs them. The
 * scripts use three members of `pm`; newman itself is as large as the suite and is not installed.
 */
import { runInNewContext } from 'node:vm';
import { expect, test } from '@playwright/test';
import { findMutant } from '../../../../fixtures/banks/mutants/index.ts';
import { createBank, sandboxCredentials } from '../../../../fixtures/reference-bank/bank.ts';
import { operations } from '../../../../openapi/contract/operations.ts';
import { resolvePointer, walkSchema } from '../../../../openapi/contract/schema.ts';
import { operationIds } from '../../../../openapi/model/exchange.ts';
import { makeCollection, collectionCommand } from '../../../../reports/cli/collection.ts';
import { runInProcess, serveDuring } from '../../support/command.ts';
import { makeTempFile } from '../../support/temp-dir.ts';

interface Script {
  readonly listen: string;
  readonly script: { readonly exec: readonly string[] };
}
interface Item {
  readonly name: string;
  readonly event: readonly Script[];
  readonly request: {
    readonly method: string;
    readonly header: readonly { readonly key: string; readonly value: string }[];
    readonly url: {
      readonly raw: string;
      readonly variable?: readonly { readonly key: string; readonly value: string }[];
    };
    readonly body?: { readonly raw: string };
  };
}
interface Collection {
  readonly event: readonly Script[];
  readonly variable: readonly { readonly key: string; readonly value: string }[];
  readonly item: readonly { readonly item: readonly Item[] }[];
}

/** Runs the collection against the bank at `url`. Returns the failed tests of each request, in order. */
async function runCollection(url: string): Promise<readonly (readonly string[])[]> {
  const { event, variable, item } = makeCollection() as Collection;
  const { clientId, clientSecret, accessToken } = sandboxCredentials;
  const given = { base_url: url, client_id: clientId, client_secret: clientSecret, access_token: accessToken };
  const variables = new Map([...variable.map(({ key, value }) => [key, value] as const), ...Object.entries(given)]);
  const fillVariables = (text: string): string =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (all, name: string) => variables.get(name) ?? all);
  const results: (readonly string[])[] = [];
  for (const { event: own, request } of item.flatMap((folder) => folder.item)) {
    const failed: string[] = [];
    const run = (scripts: readonly Script[], listen: string, response?: object): void => {
      const pm = {
        response,
        collectionVariables: { set: (name: string, value: string) => void variables.set(name, value) },
        test(name: string, check: () => void) {
          try {
            check();
          } catch (error) {
            failed.push(`${name}: ${(error as Error).message}`);
          }
        },
      };
      for (const { script } of scripts.filter((one) => one.listen === listen))
        runInNewContext(`(() => {${script.exec.join('\n')}})()`, { pm });
    };
    run(event, 'prerequest');
    const { method, header, url: address, body } = request;
    const path = (address.variable ?? []).reduce((raw, { key, value }) => raw.replace(`:${key}`, value), address.raw);
    const headers = Object.fromEntries(header.map(({ key, value }) => [key, fillVariables(value)]));
    const answer = await fetch(fillVariables(path), {
      method,
      headers,
      body: body === undefined ? null : fillVariables(body.raw),
    });
    const text = await answer.text();
    run(own, 'test', { code: answer.status, text: () => text });
    results.push(failed);
  }
  return results;
}

test('All eleven requests of the collection pass on the reference bank, with a fresh order id each time', async () => {
  const none = operationIds.map(() => []);
  await serveDuring(createBank(), async (url) => {
    expect(await runCollection(url)).toEqual(none);
    expect(await runCollection(url)).toEqual(none);
  });
});

for (const [fault, operation, said] of [
  ['link-without-token', 'createPaymentLink', /^The link contains the token: .* lacks /],
  ['request-loan-application-id-missing', 'requestLoan', /data\/application_id is missing$/],
  ['find-atms-by-latitude-entry-atm-no-as-number', 'findAtms', /data\/0\/atm_no is number and not string/],
  ['list-branches-body-truncated', 'listBranches', /^The answer is as the document says: /],
] as const)
  test(`The collection fails on a bank with the fault ${fault}`, async () => {
    const results = await serveDuring(findMutant(fault).mutate(createBank()), runCollection);
    const [first] = results.flatMap((failed, at) => failed.map((what) => [operationIds[at], what] as const));
    expect(first).toEqual([operation, expect.stringMatching(said)]);
  });

test('The command says which variables of the collection to set', async () => {
  expect(await runInProcess(collectionCommand, '--out', makeTempFile('collection.json', ''))).toEqual({
    status: 0,
    out: expect.stringMatching(/^Wrote .*\n.* set its variables base_url, client_id, client_secret and access_token;/),
  });
});

test('The collection has every operation in order, no credentials, and checks every keyword of the answers', () => {
  const { item, variable } = makeCollection() as Collection;
  const requests = item.flatMap((folder) => folder.item.map(({ request }) => request));
  expect(requests.map(({ method, url }) => `${method} ${url.raw.split('?')[0]}`)).toEqual(
    Object.values(operations).map(
      ({ method, path }) => `${method} {{base_url}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    ),
  );
  expect(variable.filter(({ value }) => value !== '')).toEqual([]);
  for (const { header } of requests)
    for (const { key, value } of header.filter((one) => /client|authorization/i.test(one.key)))
      expect(value, key).toMatch(/^(?:Bearer )?\{\{\w+\}\}$/);
  // What a script does not check must be listed here.
  const unchecked = /^(?:x-(?:clause|should)|description|format|\$ref)$/;
  const checked = /^(?:type|required|properties|items|allOf|pattern|minimum|maximum)$/;
  const keywords = operationIds.flatMap((id) =>
    [...walkSchema(resolvePointer(operations[id].forms[0]!.answer))].flatMap(({ raw }) => Object.keys(raw)),
  );
  expect(keywords.filter((one) => !checked.test(one) && !unchecked.test(one))).toEqual([]);
});
