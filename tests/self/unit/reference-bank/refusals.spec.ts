/** Tests refusals and exact values of the reference bank that no run of the suite tests. */
import { expect, test } from '@playwright/test';
import { createBank, type BankOptions } from '../../../../fixtures/reference-bank/bank.ts';
import { startServer } from '../../../../fixtures/reference-bank/http/serve.ts';
import { ATMS_PATH, openClient, LINKS_PREFIX, LOANS_PREFIX } from './bank-client.ts';

const loan = {
  amount: 100.5,
  currency: 'EUR',
  commercial_disbursement: true,
  disbursement_purpose: false,
  order_id: 1,
};

/** Opens a bank with an application that has a contract for its first offer. */
async function makeBankWithContract(options: BankOptions = {}) {
  const bank = createBank(options);
  const ask = openClient(bank);
  await ask(`${LOANS_PREFIX}/loans`, loan);
  const [{ id = '', offers = [] } = {}] = bank.state.applications.values();
  const [first, second] = offers.map(({ accountId }) => ({ application_id: id, account_id: accountId }));
  await ask(`${LOANS_PREFIX}/contracts`, first);
  const payment = { ...first, amount: 1, currency: 'EUR', contract_approved: true, customer_ip: '192.0.2.7' };
  const disburse = async (change: object = {}) =>
    (await ask(`${LOANS_PREFIX}/disbursements`, { ...payment, ...change })).status;
  return { bank, ask, id, offers, second, payment, disburse };
}

test('Impossible values are refused, and create nothing', async () => {
  const { bank, ask, payment } = await makeBankWithContract();
  const [merchant] = bank.seedData.merchants;
  const [branch] = merchant?.branches ?? [];
  const [[currency_code, installments] = []] = branch?.domestic ?? [];
  const place = { merchant_no: merchant?.no, branch_no: branch?.no, currency_code, installment: installments?.at(-1) };
  const link = { ...place, language_code: 'en', personal_description: 'A bench', amount: 19.99, is_domestic: true };
  for (const [path, right, status, ...changes] of [
    ['loans', loan, 422, { amount: 0 }, { amount: 0.001 }, { currency: 'ZZZ' }],
    ['loans', loan, 400, { amount: '5' }, { order_id: 1.5 }, { commercial_disbursement: 'true' }],
    ['disbursements', payment, 422, { currency: 'USD' }, { amount: 0 }],
    ['disbursements', payment, 400, { customer_ip: 'home' }],
    ['payment-links', link, 422, { merchant_no: 1 }, { currency_code: 'XXX' }, { installment: 5 }, { amount: -5 }],
    ['payment-links', link, 400, { language_code: 'eng' }, { is_domestic: 'true' }],
  ] as const)
    for (const change of changes) {
      const prefix = path === 'payment-links' ? LINKS_PREFIX : LOANS_PREFIX;
      const answer = await ask(`${prefix}/${path}`, { ...right, ...change });
      expect([path, change, answer.status]).toEqual([path, change, status]);
    }
  const { applications, disbursements, links } = bank.state;
  expect([applications.size, disbursements.length, links.length]).toEqual([1, 0, 0]);
});

test('The same seed and the same requests give the same answers, and another seed gives others', async () => {
  const listMerchants = async (seed: string) =>
    (await openClient(createBank({ seed }))(`${LINKS_PREFIX}/merchants`)).text();
  expect(await listMerchants('a')).toBe(await listMerchants('a'));
  expect(await listMerchants('a')).not.toBe(await listMerchants('b'));
});

test('Queries in neither form are refused', async () => {
  const ask = openClient(createBank());
  const queries = ['', 'latitude=41', 'longitude=29', 'province_code=01', 'district_code=001'].concat(
    ['latitude=41&longitude=29&province_code=01&district_code=001', 'latitude=91&longitude=0'],
    ['latitude=0&longitude=181', 'latitude=x&longitude=0', 'latitude=41,0&longitude=29'],
    ['latitude=&longitude=', 'latitude=NaN&longitude=1'],
  );
  for (const query of queries) expect([query, (await ask(`${ATMS_PATH}?${query}`)).status]).toEqual([query, 400]);
});

test('A body that is no JSON object in UTF-8 is refused, and so is another Content-Type', async () => {
  const ask = openClient(createBank());
  const path = `${LOANS_PREFIX}/validations`;
  const bodies = ['', '{', '[]', '"x"', '{"amount":01}', '{"a":1}{"b":2}', '{"a":NaN}', '['.repeat(9000)];
  for (const body of [...bodies, Uint8Array.of(0x7b, 0xff, 0x7d)])
    expect([body, (await ask(path, body)).status]).toEqual([body, 400]);
  expect((await ask(path, ' '.repeat(70_000))).status).toBe(413);
  for (const label of ['text/plain', 'application/x-www-form-urlencoded'])
    expect((await ask(path, '{}', { headers: { 'Content-Type': label } })).status).toBe(415);
});

test('Closing the server breaks open connections, and a taken port is an error', async () => {
  let asked: () => void = () => {};
  const arrived = new Promise<void>((resolve) => (asked = resolve));
  const served = await startServer({ fetch: () => (asked(), new Promise(() => {})) });
  const hanging = fetch(`${served.url}${LINKS_PREFIX}/merchants`).catch(() => 'broken off');
  await arrived;
  await expect(startServer(createBank(), { port: served.port })).rejects.toThrow('EADDRINUSE');
  await served.close();
  expect(await hanging).toBe('broken off');
});
