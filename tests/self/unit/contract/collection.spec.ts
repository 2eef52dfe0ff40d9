/** `npm run collection`: the eleven operations as a client sends them. */
import { expect, test } from '@playwright/test';
import { createBank, sandboxCredentials } from '../../../../fixtures/reference-bank/bank.ts';
import { operations } from '../../../../openapi/contract/operations.ts';
import { collection } from '../../../../reports/cli/collection.ts';

interface Item {
  readonly request: {
    readonly method: string;
    readonly header: readonly { readonly key: string; readonly value: string }[];
    readonly url: { readonly raw: string };
    readonly body?: { readonly raw: string };
  };
}

test('With values filled in, every request of the collection reaches its operation; those without ids are answered', async () => {
  const { item: folders } = collection() as { item: readonly { readonly item: readonly Item[] }[] };
  const requests = folders.flatMap(({ item }) => item.map(({ request }) => request));
  const { clientId, clientSecret, accessToken } = sandboxCredentials;
  const values = {
    base_url: 'http://bank.example',
    client_id: clientId,
    client_secret: clientSecret,
    access_token: accessToken,
  };
  const filled = (text: string): string =>
    Object.entries(values).reduce((made, [name, value]) => made.replaceAll(`{{${name}}}`, value), text);
  const bank = createBank();
  const answered: string[] = [];
  for (const { method, header, url, body } of requests) {
    const headers = Object.fromEntries(header.map(({ key, value }) => [key, filled(value)]));
    const { ok } = await bank.fetch(new Request(filled(url.raw), { method, headers, body: body?.raw ?? null }));
    if (ok) answered.push(`${method} ${url.raw.split('/v1/')[1]?.split('?')[0]}`);
  }
  expect(answered).toEqual(['POST validations', 'POST loans', 'GET merchants', 'GET atms']);
  expect(requests.map(({ method, url }) => `${method} ${url.raw.split('?')[0]}`)).toEqual(
    Object.values(operations).map(
      ({ method, path }) => `${method} {{base_url}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    ),
  );
});
