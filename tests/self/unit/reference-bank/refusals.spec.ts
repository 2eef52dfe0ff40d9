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

test('Ids of 19 digits keep every digit', async () => {
  const wide = { width: 19 };
  const { bank, ask, id, payment, disburse } = await makeBankWithContract({
    behaviour: { loans: { applicationId: wide, accountId: wide } },
  });
  expect([id, payment.account_id, String(Number(id))]).toEqual([
    expect.stringMatching(/^\d{19}$/),
    expect.stringMatching(/^\d{19}$/),
    expect.not.stringMatching(id),
  ]);
  const neighbour = String(BigInt(id) + 1n);
  expect([await disburse({ application_id: neighbour }), await disburse()]).toEqual([422, 200]);
  expect((await ask(`${LOANS_PREFIX}/disbursements/${neighbour}`)).status).toBe(404);
  expect([...bank.state.applications.values()]).toMatchObject([{ id, contractedAccount: payment.account_id }]);
});

test('The amount is compared as a decimal, not as a binary fraction', async () => {
  const { bank, ask, offers, payment } = await makeBankWithContract({
    behaviour: { loans: { rules: { decimals: 30 } } },
  });
  const { application_id, account_id, amount: _, ...others } = payment;
  const digits = `"application_id":${application_id},"account_id":${account_id},"amount":`;
  const amount = `${offers[0]?.fields.avaliable_limit}00000000000000000001`;
  await ask(`${LOANS_PREFIX}/disbursements`, `{${digits}${amount},${JSON.stringify(others).slice(1)}`);
  expect(bank.state.disbursements.at(-1)?.outcome).toBe('over-limit');
});

test('Steps out of order are refused, and a repeated contract is no second one', async () => {
  const { ask, second, payment, disburse } = await makeBankWithContract();
  const contract = async (body: object = payment) => (await ask(`${LOANS_PREFIX}/contracts`, body)).status;
  const one = { application_id: payment.application_id, account_id: payment.account_id };
  expect([await contract(one), await contract(second), await contract({ ...one, account_id: '1' })]).toEqual([
    200, 409, 422,
  ]);
  expect([await disburse(second), await disburse({ contract_approved: false }), await disburse()]).toEqual([
    409, 422, 200,
  ]);
  expect(await disburse()).toBe(409);
});

test('Impossible values are refused, and create nothing', async () => {
  const { bank, ask, payment } = await makeBankWithContract();
  const [merchant] = bank.seedData.merchants;
  const [branch] = merchant?.branches ?? [];
  const [[currency_code, installments] = []] = branch?.domestic ?? [];
  const place = { merchant_no: merchant?.no, branch_no: branch?.no, currency_code, installment: installments?.at(-1) };
  const link = { ...place, language_code: 'en', personal_description: 'A bench', amount: 19.99, is_domestic: true };
  const terms: readonly (readonly [status: number, field: string, ...values: unknown[]])[] = [
    [422, 'amount', 0, -1, 0.001, 1e12],
    [422, 'currency', 'ZZZ', 'eur'],
    [400, 'currency', '', 'EURO', 7],
    [400, 'amount', '5', null, true, [5], {}],
    [400, 'order_id', '', 1.5, null, {}],
    [400, 'commercial_disbursement', 'true'],
    [400, 'disbursement_purpose', undefined],
  ];
  const requests = [
    [`${LOANS_PREFIX}/validations`, loan, terms],
    [`${LOANS_PREFIX}/loans`, loan, terms],
    [
      `${LOANS_PREFIX}/disbursements`,
      payment,
      [
        [422, 'currency', 'USD'],
        [400, 'customer_ip', 'home'],
        [422, 'amount', 0],
      ],
    ],
    [
      `${LINKS_PREFIX}/payment-links`,
      link,
      [
        [422, 'merchant_no', 1],
        [422, 'branch_no', 1],
        [422, 'currency_code', 'XXX'],
        [422, 'installment', 5],
        [422, 'amount', 0, -5, 0.001],
        [422, 'is_domestic', false],
        [400, 'language_code', 'eng'],
        [400, 'is_domestic', 'true'],
        [400, 'installment', 1.5],
      ],
    ],
  ] as const;
  for (const [path, right, changes] of requests)
    for (const [status, field, ...values] of changes)
      for (const value of values) {
        const answer = await ask(path, { ...right, [field]: value });
        expect([path, field, value, answer.status]).toEqual([path, field, value, status]);
      }
  const { applications, disbursements, links } = bank.state;
  expect([applications.size, disbursements.length, links.length]).toEqual([1, 0, 0]);
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

test('The refusal of an undocumented method names the documented one', async () => {
  const ask = openClient(createBank());
  for (const method of ['DELETE', 'PUT', 'POST']) {
    const { status, headers } = await ask(`${LINKS_PREFIX}/merchants`, null, { method });
    expect([status, headers.get('allow')]).toEqual([405, 'GET']);
  }
});

test('Closing the server breaks open connections, and a taken port is an error', async () => {
  const behaviour = { delivery: { latencyMs: { least: 60_000, most: 60_000 } } };
  let asked: () => void = () => {};
  const arrived = new Promise<void>((resolve) => (asked = resolve));
  const served = await startServer(createBank({ behaviour, sleep: () => (asked(), new Promise(() => {})) }));
  const hanging = fetch(`${served.url}${LINKS_PREFIX}/merchants`).catch(() => 'broken off');
  await arrived;
  await expect(startServer(createBank(), { port: served.port })).rejects.toThrow('EADDRINUSE');
  await served.close();
  expect(await hanging).toBe('broken off');
});
