/** How the reference bank takes requests: credentials, bodies, paths, prefixes, and how its server ends. */
import { expect } from '@playwright/test';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import { serve } from '../../../../fixtures/reference-bank/http/serve.ts';
import { ATMS, LINKS, LOANS, statusOf, test } from './bank-client.ts';

test('Every header of the credentials counts, and the ATM locator asks for no token', async ({ open }) => {
  const { get, bank } = await open();
  const position = `${ATMS}?latitude=1&longitude=1`;
  for (const path of [`${LINKS}/merchants`, `${LOANS}/disbursements/1`, position])
    for (const name of ['X-GW-client-id', 'X-GW-client-secret', 'Authorization'])
      for (const value of [null, 'Bearer wrong']) {
        if (path === position && name === 'Authorization') continue;
        const { status, body, headers } = await get(path, { headers: { [name]: value } });
        expect([status, headers.get('www-authenticate'), body]).toEqual([
          401,
          expect.stringContaining('Bearer'),
          { errors: [{ message: expect.any(String) }] },
        ]);
      }
  expect((await get(position)).status).toBe(200);
  expect(bank.state.applications.size).toBe(0);
});

test('A body that is no JSON object in UTF-8, and another label, are refused', async ({ open }) => {
  const { post, link } = await open();
  const path = `${LOANS}/validations`;
  const bodies = ['', '{', '[]', '"x"', '{"amount":01}', '{"a":1}{"b":2}', '{"a":NaN}', '['.repeat(9000)];
  for (const body of bodies) expect([body, (await post(path, body)).status]).toEqual([body, 400]);
  const notUtf8 = new Blob([Uint8Array.of(0x7b, 0xff, 0x7d)]);
  expect(await statusOf(post(path, notUtf8), post(path, ' '.repeat(70_000)))).toEqual([400, 413]);
  for (const label of ['text/plain', 'application/x-www-form-urlencoded', null]) {
    const answer = await post(path, new Blob(['{}']), { headers: { 'Content-Type': label } });
    expect(answer.status).toBe(415);
  }
  expect((await link({ personal_description: 'Zoë "O\'Neil" \\ 支店 \ud83c\udfe6\n' })).status).toBe(200);
});

test('Unknown paths and other methods are refused as such', async ({ open }) => {
  const { ask, statuses } = await open();
  expect(await statuses({}, '/api/v1/atm', `${LOANS}/loans`)).toEqual([404, 405]);
  for (const method of ['DELETE', 'PUT', 'POST']) {
    const { status, headers } = await ask(method, `${LINKS}/merchants`);
    expect([status, headers.get('allow')]).toEqual([405, 'GET']);
  }
});

test('A bank lives under a prefix and knows nothing of it', async ({ open }) => {
  const { url, get } = await open({}, { prefix: '/some/prefix/' });
  expect(url).toMatch(/\/some\/prefix$/);
  const merchants = (baseUrl: string) => get(`${LINKS}/merchants`, { baseUrl });
  const outside = url.replace('/some/prefix', '');
  expect(await statusOf(merchants(url), merchants(outside), merchants(`${url}x`))).toEqual([200, 404, 404]);
});

test('Closing breaks off open connections, and a taken port is an error', async ({ open }) => {
  const latencyMs = { least: 60_000, most: 60_000 };
  const bank = createBank({ behaviour: { delivery: { latencyMs } }, sleep: () => new Promise(() => {}) });
  const served = await serve(bank);
  const hanging = fetch(`${served.url}${LINKS}/merchants`).catch(() => 'broken off');
  await new Promise((resolve) => setTimeout(resolve, 50));
  await served.close();
  expect(await hanging).toBe('broken off');
  const port = Number(new URL((await open()).url).port);
  await expect(serve(bank, { port })).rejects.toThrow('EADDRINUSE');
});

test('The same seed and the same requests bring the same answers', async ({ open }) => {
  const answersOf = async (seed: string): Promise<string[]> => {
    const { requestLoan, link, get } = await open({ seed });
    const answers = [
      await requestLoan(),
      await requestLoan(),
      await link(),
      await link(),
      await get(`${LINKS}/merchants`),
    ];
    return answers.map(({ text }) => text);
  };
  const [one, again, other] = [await answersOf('a'), await answersOf('a'), await answersOf('b')];
  expect(again).toEqual(one);
  for (const [at, answer] of other.entries()) expect(answer).not.toBe(one[at]);
});
