import { expect, test } from '@playwright/test';
import { clientOf, LINKS, LOANS, type Answer } from './client.ts';
import { examineServer } from './examine.ts';
import type { RunningServer } from './server-kit.ts';
import { otherServers } from './servers.ts';
import { shownIf } from '../support/thorough.ts';

let orders = 0;
const loanRequest = (more: object = {}) => ({
  amount: 19.99,
  currency: 'TRY',
  commercial_disbursement: false,
  disbursement_purpose: true,
  order_id: `spec-${(orders += 1)}`,
  ...more,
});
// Ids stand in the bodies digit for digit: those of one server are beyond 2^53.
const ids = (application: string, account: string): string =>
  `"application_id":${BigInt(application)},"account_id":${account}`;
const disbursement = (application: string, account: string, more: object = {}): string => {
  const rest = { amount: 19.99, currency: 'TRY', contract_approved: true, customer_ip: '2001:db8::1', ...more };
  return `{${ids(application, account)},${JSON.stringify(rest).slice(1)}`;
};
const provinces: Record<string, string> = {
  'fastify-sqlite': 'province_code=34&district_code=1',
  'express-postgres': 'province_code=ISTANBUL&district_code=KADIKOY',
  'plain-http': 'province_code=34&district_code=001',
};

for (const { name, start, bugs } of otherServers) {
  // The database of one takes longer to start than the others take altogether.
  test.describe(name, shownIf(name !== 'express-postgres'), () => {
    test.describe.configure({ mode: 'serial' });
    let server: RunningServer;
    let call: ReturnType<typeof clientOf>;

    test.beforeAll(async () => {
      server = await start();
      call = clientOf(server);
    });
    test.afterAll(async () => server.close());

    const offered = async (more: object = {}): Promise<{ application: string; account: string; limit: number }> => {
      const { json } = await call('POST', `${LOANS}/loans`, loanRequest({ amount: 5000, ...more }));
      const [offer] = json.data.infos;
      return { application: json.data.application_id, account: offer.account_id, limit: Number(offer.avaliable_limit) };
    };
    const outcome = async (application: string): Promise<Answer> => {
      let before = '';
      for (;;) {
        // A state that was pending changes within milliseconds or with the next question.
        const answer = await call('GET', `${LOANS}/disbursements/${application}`);
        if (answer.text === before) return answer;
        before = answer.text;
        await new Promise((resolve) => setTimeout(resolve, 40));
      }
    };
    const disbursed = async (more: (limit: number) => object): Promise<Answer> => {
      const { application, account, limit } = await offered();
      await call('POST', `${LOANS}/contracts`, `{${ids(application, account)}}`);
      const { status } = await call('POST', `${LOANS}/disbursements`, disbursement(application, account, more(limit)));
      return status < 300 ? outcome(application) : { status, text: '', json: {} };
    };

    test('a loan goes from the check to its outcome', async () => {
      const check = await call('POST', `${LOANS}/validations`, loanRequest());
      expect(check.json.data.result).toBe('true');
      const loan = await call('POST', `${LOANS}/loans`, loanRequest({ amount: 1234.56, order_id: 900_000 + orders }));
      const { application_id: application, result, infos } = loan.json.data;
      expect(application).toMatch(/^\d+$/);
      expect(result).toBe('true');
      for (const info of infos) {
        expect(info).toEqual(
          expect.objectContaining({
            account_id: expect.stringMatching(/^\d+$/),
            account: expect.any(String),
            avaliable_limit: expect.stringMatching(/^\d+\.\d{2}$/),
            interest_rate: expect.stringMatching(/^\d+\.\d{5}$/),
            interest_term: expect.stringMatching(/^\d[A-Z]$/),
            commission_rate: expect.stringMatching(/^\d+\.\d{5}$/),
          }),
        );
      }
      const account = infos.at(-1).account_id;
      const contract = await call('POST', `${LOANS}/contracts`, `{${ids(application, account)}}`);
      expect(contract.json.data).toEqual({ application_id: application });
      const paid = await call('POST', `${LOANS}/disbursements`, disbursement(application, account));
      expect(paid.json.data).toEqual({ application_id: application });
      const final = await outcome(application);
      expect(final.json.data).toEqual({ application_id: application, result: expect.stringMatching(/./) });
      expect(final.json.errors).toBeUndefined();
      expect((await outcome(application)).text).toBe(final.text);
    });

    test('a failure is told in another text, with a code, or refused', async () => {
      const good = await disbursed(() => ({}));
      for (const bad of [
        await disbursed((limit) => ({ amount: limit + 0.01 })),
        await disbursed(() => ({ contract_approved: false })),
      ]) {
        if (bad.status >= 400) continue;
        expect(bad.json.data.result).not.toBe(good.json.data.result);
        for (const { message } of bad.json.errors) expect(message).toMatch(/^R\d{3};$/);
      }
    });

    test('one application is disbursed once, and many at once do not mix', async () => {
      const { application, account } = await offered();
      await call('POST', `${LOANS}/contracts`, `{${ids(application, account)}}`);
      const twice = await Promise.all(
        [1, 2, 3].map(async () => call('POST', `${LOANS}/disbursements`, disbursement(application, account))),
      );
      const again = await call('POST', `${LOANS}/disbursements`, disbursement(application, account));
      const accepted = twice.filter(({ status }) => status < 300).length;
      expect(accepted).toBe(again.status < 300 ? 3 : 1);

      const many = await Promise.all(Array.from({ length: 12 }, async () => offered()));
      expect(new Set(many.map((one) => one.application)).size).toBe(12);
      const contracts = await Promise.all(
        many.map(async (one) => call('POST', `${LOANS}/contracts`, `{${ids(one.application, one.account)}}`)),
      );
      expect(contracts.map(({ json }) => json.data.application_id)).toEqual(many.map((one) => one.application));
    });

    test('a link is made for everything on offer', async () => {
      const { json: list } = await call('GET', `${LINKS}/merchants`);
      expect(list.data).toEqual(
        expect.objectContaining({
          qr_max_amount: expect.any(Number),
          qr_max_amount_limit_message: expect.any(String),
          editable: expect.any(Boolean),
          edit_message: expect.any(String),
        }),
      );
      const orderIds = new Set<string>();
      let made = 0;
      for (const { merchant_no, ...merchant } of list.data.merchants) {
        expect(merchant).toEqual({
          account_no: expect.any(String),
          branch_code: expect.any(Number),
          merchant_name: expect.any(String),
          branch_name: expect.any(String),
        });
        const base = `${LINKS}/merchants/${merchant_no}`;
        const { no: branch_no } = (await call('GET', `${base}/branches`)).json.data.branches.at(-1);
        for (const is_domestic of [true, false]) {
          const codes = await call('GET', `${base}/available-currency-codes?is_domestic=${is_domestic}`);
          for (const { code: currency_code } of codes.json.data.currencies) {
            const query = `branch_no=${branch_no}&currency_code=${currency_code}&is_domestic=${is_domestic}`;
            const { json } = await call('GET', `${base}/Installments?${query}`);
            const { value: installment, text } = json.data.installments.at(-1);
            expect(typeof text).toBe('string');
            const request = { branch_no, merchant_no, installment, currency_code, is_domestic };
            const link = await call('POST', `${LINKS}/payment-links`, {
              ...request,
              language_code: made % 2 === 0 ? 'tr' : 'en',
              personal_description: `O'Brien "çay" 🎁 ${'x'.repeat(400)}`,
              amount: 19.99,
            });
            expect(link.json.data).toEqual({
              order_id: expect.stringMatching(/^[\dA-F]{8}(?:-[\dA-F]{4}){3}-[\dA-F]{12}$/i),
              payment_link: expect.stringContaining(encodeURIComponent(link.json.data.payment_token)),
              payment_token: expect.stringMatching(/./),
              is_success: true,
              end_date: expect.stringMatching(/^\d\d\.\d\d\.\d{4} \d\d:\d\d:\d\d$/),
            });
            orderIds.add(link.json.data.order_id);
            made += 1;
            const refused = { ...request, language_code: 'tr', personal_description: '', amount: 10 };
            for (const spoilt of [{ installment: 99 }, { amount: 0 }, { amount: -1 }, { merchant_no: 1 }]) {
              const { status } = await call('POST', `${LINKS}/payment-links`, { ...refused, ...spoilt });
              expect(status).toBeGreaterThanOrEqual(400);
              expect(status).toBeLessThan(500);
            }
          }
        }
      }
      expect(orderIds.size).toBe(made);
    });

    test('ATMs are found by position with distances, and by province without', async () => {
      const near = await call('GET', '/api/v1/atms?latitude=41.0082&longitude=28.9784');
      const there = await call('GET', `/api/v1/atms?${provinces[name]}`);
      expect(near.json.data.length).toBeGreaterThan(0);
      expect(there.json.data.length).toBeGreaterThan(0);
      for (const atm of near.json.data) expect(Number.isInteger(atm.atm_distance)).toBe(true);
      for (const atm of there.json.data) {
        expect(atm).toEqual({
          atm_address: expect.any(String),
          atm_city: expect.any(String),
          atm_district: expect.any(String),
          atm_latitude: expect.any(Number),
          atm_longitude: expect.any(Number),
          atm_name: expect.any(String),
          atm_no: expect.stringMatching(/^\d+$/),
        });
      }
    });

    test('what is wrong is refused, and each header is looked at', async () => {
      const { application, account } = await offered();
      const refused: [string, string, (string | object | undefined)?, object?][] = [
        ['POST', `${LOANS}/validations`, '{"amount":'],
        ['POST', `${LOANS}/loans`, loanRequest({ amount: 0 })],
        ['POST', `${LOANS}/loans`, loanRequest({ amount: -5.25 })],
        ['POST', `${LOANS}/contracts`, '{"application_id":1,"account_id":1}'],
        ['POST', `${LOANS}/disbursements`, disbursement('1', account)],
        ['POST', `${LOANS}/disbursements`, disbursement(application, '1')],
        ['GET', `${LOANS}/disbursements/99999999`],
        ['GET', `${LINKS}/merchants/1/branches`],
        ['GET', '/api/v1/atms?latitude=north&longitude=east'],
        ['GET', `${LINKS}/merchants`, undefined, { Authorization: 'Bearer x' }],
        ...['X-GW-client-id', 'X-GW-client-secret'].flatMap((header): [string, string, undefined, object][] => [
          ['GET', `${LINKS}/merchants`, undefined, { [header]: 'wrong' }],
          ['GET', `/api/v1/atms?${provinces[name]}`, undefined, { [header]: '' }],
        ]),
      ];
      for (const [method, path, body, headers] of refused) {
        const { status, json } = await call(method, path, body, headers);
        expect([method, path, status >= 400 && status < 500, json?.data]).toEqual([method, path, true, undefined]);
      }
    });

    test('as it is the suite finds nothing to say against it', async () => {
      const { verdict, findings } = await examineServer({ name, start, bugs });
      expect([verdict, findings.map(({ clause, received }) => [clause, received])]).toEqual(['conformant', []]);
    });

    test('it starts with no other bug than its own', async () => {
      await expect(start({ bug: 'no-such-bug' })).rejects.toThrow('unknown bug');
    });
  });
}
