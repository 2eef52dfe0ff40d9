/** What the reference bank does by default: loans, payment links and the ATM locator. */
import { expect } from '@playwright/test';
import { ATMS, LINKS, LOANS, TERMS, cents, metresBetween, payment, statusOf, test, type Body } from './bank-client.ts';

test.describe('revolving loans', () => {
  test('a validation gives the text true for both forms of order_id', async ({ open }) => {
    const { post } = await open();
    for (const order_id of ['order-1', '17', 17, 0]) {
      const { status, body } = await post(`${LOANS}/validations`, { ...TERMS, order_id });
      expect([status, body]).toEqual([200, { data: { result: 'true' } }]);
    }
  });

  test('a loan offers two to four accounts of the customer, with exact decimals', async ({ open }) => {
    const { bank, loan } = await open();
    const accounts = new Map(bank.seedData.accounts.map(({ fields }) => [fields.account_id, fields]));
    const applications = new Set<string>();
    const counts = new Set<number>();
    for (let at = 0; at < 20; at++) {
      const { application, infos } = await loan();
      applications.add(application);
      counts.add(infos.length);
      for (const info of infos) {
        expect(info).toEqual(accounts.get(info['account_id']));
        expect(info).toMatchObject({
          avaliable_limit: expect.stringMatching(/^\d+\.\d\d$/),
          interest_rate: expect.stringMatching(/^\d+\.\d{5}$/),
          commission_rate: expect.stringMatching(/^\d+\.\d{5}$/),
          interest_term: expect.stringMatching(/^\d[A-Z]$/),
        });
      }
      expect(new Set(infos.map((info) => info['account_id'])).size).toBe(infos.length);
    }
    expect([...counts].every((count) => count >= 2 && count <= 4)).toBe(true);
    expect([...applications].filter((id) => /^\d+$/.test(id))).toHaveLength(20);
    expect(new Set([...accounts.values()].map((fields) => fields.avaliable_limit)).size).toBe(accounts.size);
  });

  test('an amount up to the limit is paid, and the outcome is given without errors', async ({ open }) => {
    const { bank, contracted, disburse, outcome } = await open();
    const { application, account, limit } = await contracted();
    const paid = await disburse(application, account, payment(limit));
    expect(paid.body).toEqual({ data: { application_id: application } });
    const { success: result } = bank.behaviour.loans.outcome;
    for (let query = 0; query < 2; query++)
      expect((await outcome(application)).body).toEqual({ data: { application_id: application, result } });
    expect(bank.state.disbursements).toMatchObject([{ applicationId: application, outcome: 'success' }]);
  });

  test('one cent above the limit is taken, and the query gives the failure with R036', async ({ open }) => {
    const { bank, contracted, disburse, outcome } = await open();
    const { application, account, limit } = await contracted();
    expect((await disburse(application, account, payment(cents(limit, 1n)))).status).toBe(200);
    const { status, body } = await outcome(application);
    const { failure: result } = bank.behaviour.loans.outcome;
    const data = { application_id: application, result };
    expect([status, body]).toEqual([200, { data, errors: [{ message: 'R036;' }] }]);
  });

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

  test('branches, currencies and installments are those of the merchant', async ({ open }) => {
    const { bank, get } = await open();
    const plans = new Set<string>();
    for (const { no, branches } of bank.seedData.merchants) {
      const merchant = `${LINKS}/merchants/${no}`;
      const expected = branches.map((branch) => ({ no: branch.no, name: branch.name }));
      expect((await get(`${merchant}/branches`)).data.branches).toEqual(expected);
      for (const cards of ['domestic', 'foreign'] as const) {
        const query = `is_domestic=${cards === 'domestic'}`;
        const codes = new Set(branches.flatMap((branch) => [...branch[cards].keys()]));
        const { currencies } = (await get(`${merchant}/available-currency-codes?${query}`)).data;
        expect(currencies).toEqual([...codes].map((code) => ({ code })));
        for (const branch of branches)
          for (const [code, values] of branch[cards]) {
            const path = `${merchant}/Installments?branch_no=${branch.no}&currency_code=${code}&${query}`;
            const { installments } = (await get(path)).data;
            expect(installments).toEqual(values.map((value) => ({ value, text: expect.stringMatching(/./) })));
            expect(values).toContain(1);
            plans.add(values.join());
          }
      }
    }
    expect(plans.size).toBeGreaterThan(5);
  });

  test('a link holds its token and expires a day after it is made', async ({ open }) => {
    const { bank, link } = await open();
    const [one, other] = [(await link()).data, (await link()).data];
    expect(one).toMatchObject({
      order_id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/),
      payment_link: expect.stringMatching(/^https:\/\//),
      payment_token: expect.stringMatching(/./),
      is_success: true,
      end_date: '01.03.2027 23:59:58',
    });
    expect(one.payment_link).toContain(one.payment_token);
    expect([one.order_id, one.payment_token]).not.toEqual([other.order_id, other.payment_token]);
    const { order_id: orderId, payment_token: token } = one;
    expect(bank.state.links[0]).toMatchObject({ orderId, token, installment: 12 });
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
  test('a position brings the closest ATMs, the closest first, with the distance in metres', async ({ open }) => {
    const { bank, get } = await open();
    const { atms } = bank.seedData;
    expect(atms.length).toBeGreaterThanOrEqual(200);
    const positions = [
      [41, 29],
      [-33.9, 151],
      [0, 0],
      [-17.7, -179.99],
      [90, 0],
      [-90, 12],
      [-54.8, -68.3],
      [12.5, 180],
    ];
    for (const [latitude = 0, longitude = 0] of positions) {
      const { data } = await get(`${ATMS}?latitude=${latitude}&longitude=${longitude}`);
      const expected = atms
        .map(({ fields }) => ({
          fields,
          metres: metresBetween([latitude, longitude], [fields.atm_latitude, fields.atm_longitude]),
        }))
        .sort((one, other) => one.metres - other.metres)
        .slice(0, 10);
      expect(data.map(({ atm_distance: _, ...atm }: Body) => atm)).toEqual(expected.map(({ fields }) => fields));
      for (const [at, { atm_distance }] of (data as Body[]).entries()) {
        expect(Number.isInteger(atm_distance)).toBe(true);
        expect(Math.abs(atm_distance - (expected[at]?.metres ?? 0))).toBeLessThan(1);
      }
    }
  });

  test('a province and a district bring their ATMs without a distance', async ({ open }) => {
    const { bank, get } = await open();
    const found = async (province: string, district: string): Promise<Body[]> =>
      (await get(`${ATMS}?province_code=${province}&district_code=${district}`)).data;
    const { atms } = bank.seedData;
    expect(atms[0]?.fields.atm_no).toMatch(/^0\d+$/);
    const expected = atms.filter(({ provinceCode, districtCode }) => `${provinceCode}${districtCode}` === '01002');
    expect(expected.length).toBeGreaterThan(1);
    expect(await found('01', '002')).toEqual(expected.map(({ fields }) => fields));
    expect(await found('02', '002')).not.toEqual(await found('01', '002'));
    expect([await found('01', '999'), await found('1', '2')]).toEqual([[], []]);
  });

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
