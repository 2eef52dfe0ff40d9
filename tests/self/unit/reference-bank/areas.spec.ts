/** What the reference bank refuses, and what it carries exactly. All that the suite asks of a bank it asks of this one as well. */
import { expect } from '@playwright/test';
import { ATMS, LINKS, LOANS, TERMS, payment, statusOf, test } from './bank-client.ts';

test.describe('revolving loans', () => {
  test('ids of 19 digits are carried without losing one', async ({ open }) => {
    const wide = { width: 19 };
    const { bank, contracted, disburse, outcome } = await open({
      behaviour: { loans: { applicationId: wide, accountId: wide } },
    });
    const { application, account } = await contracted();
    expect([application, account]).toEqual([expect.stringMatching(/^\d{19}$/), expect.stringMatching(/^\d{19}$/)]);
    expect(String(Number(application))).not.toBe(application);
    expect((await disburse(application, account, payment(1))).status).toBe(200);
    expect((await outcome(application)).data.application_id).toBe(application);
    const neighbour = String(BigInt(application) + 1n);
    expect(await statusOf(disburse(neighbour, account, payment(1)), outcome(neighbour))).toEqual([422, 404]);
    expect([...bank.state.applications.values()]).toMatchObject([{ id: application, contractedAccount: account }]);
  });

  test('the amount is compared as a decimal, not as a binary fraction', async ({ open }) => {
    const { bank, contracted, disburse } = await open({ behaviour: { loans: { rules: { decimals: 30 } } } });
    const { application, account, limit } = await contracted();
    await disburse(application, account, payment(`${limit}00000000000000000001`));
    expect(bank.state.disbursements.at(-1)?.outcome).toBe('over-limit');
  });

  test('calls out of order and unknown ids are refused', async ({ open }) => {
    const { loan, disburse, outcome, contract, contracted } = await open();
    const { application, infos } = await loan();
    const [first = '', second = ''] = infos.map((info) => String(info['account_id']));
    expect(
      await statusOf(
        await outcome('4711'),
        await outcome(application),
        await disburse(application, first, payment(1)),
        await contract(application, '1'),
        await contract('1', first),
        await contract(application, first),
        await contract(application, first),
        await contract(application, second),
        await disburse(application, first, payment(1, false)),
        await disburse(application, first, payment(1)),
        await disburse(application, first, payment(1)),
        await disburse((await contracted()).application, '1', payment(1)),
      ),
    ).toEqual([404, 404, 409, 422, 422, 200, 200, 409, 422, 200, 409, 422]);
  });

  test('amounts, currencies and types that cannot be are refused', async ({ open }) => {
    const { post, bank } = await open();
    const changes: readonly (readonly [status: number, field: string, values: readonly unknown[]])[] = [
      [422, 'amount', [0, -1, 0.001, 1e12]],
      [422, 'currency', ['ZZZ', 'eur']],
      [400, 'currency', ['', 'EURO', 7]],
      [400, 'amount', ['5', null, true, [5], {}]],
      [400, 'order_id', ['', 1.5, null, {}]],
      [400, 'commercial_disbursement', ['true']],
      [400, 'disbursement_purpose', [undefined]],
    ];
    for (const [status, field, values] of changes)
      for (const value of values)
        for (const path of [`${LOANS}/validations`, `${LOANS}/loans`]) {
          const answer = await post(path, { ...TERMS, order_id: 'a', [field]: value });
          expect([field, value, answer.status]).toEqual([field, value, status]);
        }
    expect(bank.state.applications.size).toBe(0);
  });
});

test.describe('payment links', () => {
  test('the merchants of the customer are listed with all their fields', async ({ open }) => {
    const { bank, get } = await open();
    const { merchants } = bank.seedData;
    expect(merchants.length).toBeGreaterThanOrEqual(4);
    expect((await get(`${LINKS}/merchants`)).data).toEqual({
      merchants: merchants.map(({ no, name, accountNo, branches }) => ({
        account_no: accountNo,
        branch_code: branches[0]?.code,
        merchant_name: name,
        merchant_no: Number(no),
        branch_name: branches[0]?.name,
      })),
      qr_max_amount: 7500.5,
      qr_max_amount_limit_message: '',
      editable: true,
      edit_message: '',
    });
  });

  test('what the merchant does not have is refused', async ({ open }) => {
    const { bank, link, statuses } = await open();
    const unknown = [{ merchant_no: 1 }, { branch_no: 1 }, { currency_code: 'XXX' }, { installment: 5 }];
    const amounts = [{ amount: 0 }, { amount: -5 }, { amount: 0.001 }];
    for (const more of [...unknown, ...amounts, { is_domestic: false }]) expect((await link(more)).status).toBe(422);
    for (const more of [{ language_code: 'eng' }, { is_domestic: 'true' }, { installment: 1.5 }])
      expect((await link(more)).status).toBe(400);
    expect(bank.state.links).toEqual([]);
    const paths = ['1/branches', 'abc/branches', '4521/installments', '4521/available-currency-codes'];
    const all = [...paths, '4521/available-currency-codes?is_domestic=maybe'].map(
      (path) => `${LINKS}/merchants/${path}`,
    );
    expect(await statuses({}, ...all)).toEqual([404, 404, 404, 400, 400]);
  });
});

test.describe('ATM locator', () => {
  test('neither form, half a form, both forms and impossible positions are refused', async ({ open }) => {
    const { get } = await open();
    const queries = ['', '?latitude=41', '?longitude=29', '?province_code=01', '?district_code=001'].concat(
      ['?latitude=41&longitude=29&province_code=01&district_code=001', '?latitude=91&longitude=0'],
      ['?latitude=0&longitude=181', '?latitude=x&longitude=0', '?latitude=41,0&longitude=29'],
      ['?latitude=&longitude=', '?latitude=NaN&longitude=1'],
    );
    for (const query of queries) expect([query, (await get(ATMS + query)).status]).toEqual([query, 400]);
  });
});
