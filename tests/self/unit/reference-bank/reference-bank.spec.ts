import { expect, test as base } from '@playwright/test';
import {
  createBank,
  sandboxCredentials,
  type Bank,
  type BankOptions,
} from '../../../../fixtures/reference-bank/bank.ts';
import type { BehaviourChange } from '../../../../fixtures/reference-bank/options/index.ts';
import { serve, type Served, type ServeOptions } from '../../../../fixtures/reference-bank/http/serve.ts';

const LOANS = '/api/bank/revolving-loans/v1';
const LINKS = '/api/bank/card/paybylink/v1';
const ATMS = '/api/v1/atms';
const WISH = { amount: 100.5, currency: 'EUR', commercial_disbursement: true, disbursement_purpose: false };
const NOW = Date.UTC(2027, 1, 28, 23, 59, 58);

type Body = Record<string, any>;
type Answer = { status: number; headers: Headers; text: string; body: Body };
type Sent = { headers?: Record<string, string | null>; body?: unknown; baseUrl?: string };

/** A bank behind HTTP, and the words to speak with it. */
interface Counter {
  bank: Bank;
  url: string;
  ask: (method: 'GET' | 'POST' | 'DELETE' | 'PUT', path: string, sent?: Sent) => Promise<Answer>;
  get: (path: string, sent?: Sent) => Promise<Answer>;
  post: (path: string, body: unknown, sent?: Sent) => Promise<Answer>;
  /** Asks for a loan: the application and its offers, ids as the bank tells them. */
  loan: (wish?: object) => Promise<{ application: string; infos: Body[] }>;
  /** A loan with a contract for its first offer. */
  contracted: () => Promise<{ application: string; account: string; limit: string }>;
  /** Pays out; ids travel as JSON integers. */
  disburse: (application: string, account: string, more: string) => Promise<Answer>;
  outcome: (application: string) => Promise<Answer>;
  /** A link for the first merchant, its first branch and its first domestic currency. */
  link: (more?: object) => Promise<Answer>;
}

/** An id as a JSON integer: without zeros in front, no digit lost. */
const integer = (id: string): string => String(BigInt(id));

async function counterOf(bank: Bank, served: Served): Promise<Counter> {
  const { url } = served;
  let orders = 0;
  const counter: Counter = {
    bank,
    url,
    async ask(method, path, { headers = {}, body, baseUrl = url } = {}) {
      const shown: Record<string, string | null> = {
        'X-GW-client-id': sandboxCredentials.clientId,
        'X-GW-client-secret': sandboxCredentials.clientSecret,
        Authorization: path.startsWith(ATMS) ? null : `Bearer ${sandboxCredentials.accessToken}`,
        'Content-Type': path.startsWith(ATMS) ? null : 'application/json',
        Accept: 'application/json',
        ...headers,
      };
      const kept = Object.entries(shown).filter((entry): entry is [string, string] => entry[1] !== null);
      const request: RequestInit = { method, headers: kept };
      if (body !== undefined) {
        request.body = typeof body === 'string' || body instanceof Blob ? body : JSON.stringify(body);
      }
      const response = await fetch(baseUrl + path, request);
      const answer = await response.text();
      const label = response.headers.get('content-type') ?? '';
      const parsed = label.includes('json') && answer !== '' ? (JSON.parse(answer) as Body) : {};
      return { status: response.status, headers: response.headers, text: answer, body: parsed };
    },
    get: (path, sent) => counter.ask('GET', path, sent),
    post: (path, body, sent) => counter.ask('POST', path, { ...sent, body }),
    async loan(wish = {}) {
      const { body } = await counter.post(`${LOANS}/loans`, {
        ...WISH,
        order_id: `order-${++orders}`,
        ...wish,
      });
      return { application: body['data'].application_id, infos: body['data'].infos };
    },
    async contracted() {
      const { application, infos } = await counter.loan();
      const { account_id: account, avaliable_limit: limit } = infos[0] ?? {};
      await counter.post(`${LOANS}/contracts`, idsText(application, account));
      return { application, account, limit };
    },
    disburse: (application, account, more) =>
      counter.post(`${LOANS}/disbursements`, idsText(application, account, more)),
    outcome: (application) => counter.get(`${LOANS}/disbursements/${application}`),
    link: (more = {}) => counter.post(`${LINKS}/payment-links`, { ...linkOf(bank), ...more }),
  };
  return counter;
}

const idsText = (application: string, account: string, more = ''): string =>
  `{"application_id":${integer(application)},"account_id":${integer(account)}${more}}`;

const payment = (amount: string | number, approved = true): string =>
  `,"amount":${amount},"currency":"EUR","contract_approved":${approved},"customer_ip":"192.0.2.7"`;

function linkOf({ seedData }: Bank): Body {
  const merchant = seedData.paymentLinks.merchants[0];
  const branch = merchant?.branches[0];
  const [currency, values] = [...(branch?.domestic ?? [])][0] ?? [];
  return {
    language_code: 'en',
    branch_no: branch?.no,
    personal_description: 'A garden bench',
    amount: 19.99,
    merchant_no: Number(merchant?.no),
    installment: values?.at(-1),
    currency_code: currency,
    is_domestic: true,
  };
}

const test = base.extend<{ open: (options?: BankOptions, where?: ServeOptions) => Promise<Counter> }>({
  // Playwright reads the fixtures that a fixture needs from the pattern of its first argument.
  // eslint-disable-next-line no-empty-pattern
  open: async ({}, use) => {
    const opened: Served[] = [];
    await use(async (options = {}, where = {}) => {
      const bank = createBank({ now: () => NOW, ...options });
      const served = await serve(bank, where);
      opened.push(served);
      return counterOf(bank, served);
    });
    await Promise.all(opened.map((served) => served.close()));
  },
});

const withManners = (behaviour: BehaviourChange): BankOptions => ({ behaviour });
/** One cent more or less than a text with two decimals. */
const cents = (text: string, more: bigint): string =>
  (BigInt(text.replace('.', '')) + more).toString().replace(/(..)$/, '.$1');

test.describe('revolving loans', () => {
  test('a validation tells the text true for both forms of order_id', async ({ open }) => {
    const { post } = await open();
    for (const order_id of ['order-1', '17', 17, 0]) {
      const { status, body } = await post(`${LOANS}/validations`, { ...WISH, order_id });
      expect([status, body]).toEqual([200, { data: { result: 'true' } }]);
    }
  });

  test('a loan offers two to four accounts of the customer, with exact decimals', async ({ open }) => {
    const { bank, loan } = await open();
    const accounts = new Map(bank.seedData.loans.accounts.map(({ fields }) => [fields.account_id, fields]));
    const seen = new Set<string>();
    for (let at = 0; at < 20; at++) {
      const { application, infos } = await loan();
      expect(application).toMatch(/^\d+$/);
      expect(infos.length).toBeGreaterThanOrEqual(2);
      expect(infos.length).toBeLessThanOrEqual(4);
      for (const info of infos) {
        expect(info).toEqual(accounts.get(info['account_id']));
        expect(info['avaliable_limit']).toMatch(/^\d+\.\d\d$/);
        expect(info['interest_rate']).toMatch(/^\d+\.\d{5}$/);
        expect(info['commission_rate']).toMatch(/^\d+\.\d{5}$/);
        expect(info['interest_term']).toMatch(/^\d[A-Z]$/);
      }
      expect(new Set(infos.map((info) => info['account_id'])).size).toBe(infos.length);
      seen.add(application);
    }
    expect(seen.size).toBe(20);
    expect(new Set([...accounts.values()].map((fields) => fields.avaliable_limit)).size).toBe(accounts.size);
  });

  test('an amount up to the limit is paid, and the outcome is told without errors', async ({ open }) => {
    const { bank, contracted, disburse, outcome } = await open();
    const { application, account, limit } = await contracted();
    expect((await disburse(application, account, payment(limit))).body).toEqual({
      data: { application_id: application },
    });
    const told = (await outcome(application)).body;
    expect(told).toEqual({
      data: { application_id: application, result: bank.behaviour.loans.outcome.success },
    });
    expect((await outcome(application)).body).toEqual(told);
    expect(bank.state.disbursements).toMatchObject([{ applicationId: application, outcome: 'success' }]);
  });

  test('one cent above the limit is taken, and the query tells the failure with R036', async ({ open }) => {
    const { bank, contracted, disburse, outcome } = await open();
    const { application, account, limit } = await contracted();
    expect((await disburse(application, account, payment(cents(limit, 1n)))).status).toBe(200);
    const { status, body } = await outcome(application);
    const result = bank.behaviour.loans.outcome.failure;
    expect(status).toBe(200);
    expect(body).toEqual({ data: { application_id: application, result }, errors: [{ message: 'R036;' }] });
  });

  test('ids of 19 digits are carried without losing one', async ({ open }) => {
    const wide = { width: 19 };
    const { bank, contracted, disburse, outcome } = await open(
      withManners({ loans: { applicationId: wide, accountId: wide } }),
    );
    const { application, account } = await contracted();
    expect([application, account]).toEqual([expect.stringMatching(/^\d{19}$/), expect.stringMatching(/^\d{19}$/)]);
    expect(String(Number(application))).not.toBe(application);
    expect((await disburse(application, account, payment(1))).status).toBe(200);
    expect((await outcome(application)).body['data'].application_id).toBe(application);
    const neighbour = String(BigInt(application) + 1n);
    expect((await disburse(neighbour, account, payment(1))).status).toBe(422);
    expect((await outcome(neighbour)).status).toBe(404);
    expect(bank.state.contracts).toEqual([{ applicationId: application, accountId: account }]);
  });

  test('the amount is compared as a decimal, not as a binary fraction', async ({ open }) => {
    const { bank, contracted, disburse } = await open(withManners({ loans: { rules: { decimals: 30 } } }));
    const { application, account, limit } = await contracted();
    await disburse(application, account, payment(`${limit}00000000000000000001`));
    expect(bank.state.disbursements.at(-1)?.outcome).toBe('over-limit');
  });

  test('calls out of order and unknown ids are refused', async ({ open }) => {
    const { loan, disburse, outcome, post, contracted } = await open();
    const { application, infos } = await loan();
    const [first, second] = infos.map((info) => info['account_id']);
    expect((await outcome('4711')).status).toBe(404);
    expect((await outcome(application)).status).toBe(404);
    expect((await disburse(application, first, payment(1))).status).toBe(409);
    expect((await post(`${LOANS}/contracts`, idsText(application, '1'))).status).toBe(422);
    expect((await post(`${LOANS}/contracts`, idsText('1', first))).status).toBe(422);
    expect((await post(`${LOANS}/contracts`, idsText(application, first))).status).toBe(200);
    expect((await post(`${LOANS}/contracts`, idsText(application, first))).status).toBe(200);
    expect((await post(`${LOANS}/contracts`, idsText(application, second))).status).toBe(409);
    expect((await disburse(application, first, payment(1, false))).status).toBe(422);
    expect((await disburse(application, first, payment(1))).status).toBe(200);
    expect((await disburse(application, first, payment(1))).status).toBe(409);
    const other = await contracted();
    expect((await disburse(other.application, '1', payment(1))).status).toBe(422);
  });

  test('amounts, currencies and types that cannot be are refused', async ({ open }) => {
    const { post, bank } = await open();
    const refused = async (more: object, status: number): Promise<void> => {
      for (const path of ['validations', 'loans']) {
        expect((await post(`${LOANS}/${path}`, { ...WISH, order_id: 'a', ...more })).status).toBe(status);
      }
    };
    for (const amount of [0, -1, 0.001, 1e12]) await refused({ amount }, 422);
    for (const currency of ['ZZZ', 'eur']) await refused({ currency }, 422);
    for (const currency of ['', 'EURO', 7]) await refused({ currency }, 400);
    for (const amount of ['5', null, true, [5], {}]) await refused({ amount }, 400);
    for (const order_id of ['', 1.5, null, {}]) await refused({ order_id }, 400);
    await refused({ commercial_disbursement: 'true' }, 400);
    await refused({ disbursement_purpose: undefined }, 400);
    expect(bank.state.applications.size).toBe(0);
  });
});

test.describe('payment links', () => {
  test('the merchants of the customer are listed with all their fields', async ({ open }) => {
    const { bank, get } = await open();
    const { data } = (await get(`${LINKS}/merchants`)).body;
    expect(bank.seedData.paymentLinks.merchants.length).toBeGreaterThanOrEqual(4);
    expect(data).toEqual({
      merchants: bank.seedData.paymentLinks.merchants.map(({ no, name, accountNo, branches }) => ({
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
    for (const { no, branches } of bank.seedData.paymentLinks.merchants) {
      const listed = (await get(`${LINKS}/merchants/${no}/branches`)).body['data'].branches;
      expect(listed).toEqual(branches.map((branch) => ({ no: branch.no, name: branch.name })));
      for (const cards of ['domestic', 'foreign'] as const) {
        const query = `is_domestic=${cards === 'domestic'}`;
        const path = `${LINKS}/merchants/${no}/available-currency-codes?${query}`;
        const codes = new Set(branches.flatMap((branch) => [...branch[cards].keys()]));
        expect((await get(path)).body['data'].currencies).toEqual([...codes].map((code) => ({ code })));
        for (const branch of branches) {
          for (const [code, values] of branch[cards]) {
            const where = `branch_no=${branch.no}&currency_code=${code}&${query}`;
            const answer = await get(`${LINKS}/merchants/${no}/Installments?${where}`);
            const told = answer.body['data'].installments as Body[];
            expect(told.map(({ value }) => value)).toEqual(values);
            expect(told.every(({ text }) => typeof text === 'string' && text !== '')).toBe(true);
            expect(values).toContain(1);
            plans.add(values.join());
          }
        }
      }
    }
    expect(plans.size).toBeGreaterThan(5);
  });

  test('a link holds its token and expires a day after it is made', async ({ open }) => {
    const { bank, link } = await open();
    const [one, other] = [(await link()).body['data'], (await link()).body['data']];
    expect(one.order_id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(new URL(one.payment_link).protocol).toBe('https:');
    expect(one.payment_link).toContain(one.payment_token);
    expect(one.payment_token.length).toBeGreaterThan(0);
    expect(one.is_success).toBe(true);
    expect(one.end_date).toBe('01.03.2027 23:59:58');
    expect([one.order_id, one.payment_token]).not.toEqual([other.order_id, other.payment_token]);
    expect(bank.state.links[0]).toMatchObject({
      orderId: one.order_id,
      token: one.payment_token,
      installment: 12,
    });
  });

  test('what the merchant does not have is refused', async ({ open }) => {
    const { bank, link, get } = await open();
    for (const more of [{ merchant_no: 1 }, { branch_no: 1 }, { currency_code: 'XXX' }, { installment: 5 }]) {
      expect((await link(more)).status).toBe(422);
    }
    for (const amount of [0, -5, 0.001]) expect((await link({ amount })).status).toBe(422);
    for (const more of [{ language_code: 'eng' }, { is_domestic: 'true' }, { installment: 1.5 }]) {
      expect((await link(more)).status).toBe(400);
    }
    expect((await link({ is_domestic: false })).status).toBe(422);
    expect(bank.state.links).toEqual([]);
    expect((await get(`${LINKS}/merchants/1/branches`)).status).toBe(404);
    expect((await get(`${LINKS}/merchants/abc/branches`)).status).toBe(404);
    expect((await get(`${LINKS}/merchants/4521/available-currency-codes`)).status).toBe(400);
    expect((await get(`${LINKS}/merchants/4521/available-currency-codes?is_domestic=maybe`)).status).toBe(400);
    expect((await get(`${LINKS}/merchants/4521/installments`)).status).toBe(404);
  });
});

/** Angle between two places by the spherical law of cosines, in metres: another formula than the bank's. */
function metresBetween(one: readonly [number, number], other: readonly [number, number]): number {
  const [a, b, c, d] = [...one, ...other].map((degrees) => (degrees * Math.PI) / 180) as [
    number,
    number,
    number,
    number,
  ];
  const cosine = Math.sin(a) * Math.sin(c) + Math.cos(a) * Math.cos(c) * Math.cos(d - b);
  return 6_371_008.8 * Math.acos(Math.max(-1, Math.min(1, cosine)));
}

test.describe('ATM locator', () => {
  test('a position brings the closest ATMs, the closest first, with the distance in metres', async ({ open }) => {
    const { bank, get } = await open();
    const { atms } = bank.seedData.atms;
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
      const { data } = (await get(`${ATMS}?latitude=${latitude}&longitude=${longitude}`)).body;
      const expected = atms
        .map(({ fields }) => {
          const { atm_latitude, atm_longitude } = fields;
          return { fields, metres: metresBetween([latitude, longitude], [atm_latitude, atm_longitude]) };
        })
        .sort((one, other) => one.metres - other.metres)
        .slice(0, 10);
      expect(data.map((atm: Body) => atm['atm_no'])).toEqual(expected.map(({ fields }) => fields.atm_no));
      for (const [at, { atm_distance, ...atm }] of (data as Body[]).entries()) {
        expect(atm).toEqual(expected[at]?.fields);
        expect(Number.isInteger(atm_distance)).toBe(true);
        expect(Math.abs(atm_distance - (expected[at]?.metres ?? 0))).toBeLessThan(1);
      }
    }
  });

  test('a province and a district bring their ATMs without a distance', async ({ open }) => {
    const { bank, get } = await open();
    const told = async (province: string, district: string): Promise<Body[]> =>
      (await get(`${ATMS}?province_code=${province}&district_code=${district}`)).body['data'];
    const [atm] = bank.seedData.atms.atms;
    expect(atm?.fields.atm_no).toMatch(/^0\d+$/);
    const expected = bank.seedData.atms.atms.filter((one) => one.provinceCode === '01' && one.districtCode === '002');
    expect(expected.length).toBeGreaterThan(1);
    expect(await told('01', '002')).toEqual(expected.map(({ fields }) => fields));
    expect(await told('02', '002')).not.toEqual(await told('01', '002'));
    expect(await told('01', '999')).toEqual([]);
    expect(await told('1', '2')).toEqual([]);
  });

  test('neither form, half a form, both forms and impossible positions are refused', async ({ open }) => {
    const { get } = await open();
    const form = 'latitude=41&longitude=29';
    const queries = ['', '?latitude=41', '?longitude=29', '?province_code=01', '?district_code=001'].concat(
      [`?${form}&province_code=01&district_code=001`, '?latitude=91&longitude=0', '?latitude=0&longitude=181'],
      ['?latitude=x&longitude=0', '?latitude=41,0&longitude=29', '?latitude=&longitude=', '?latitude=NaN&longitude=1'],
    );
    for (const query of queries) expect([query, (await get(ATMS + query)).status]).toEqual([query, 400]);
  });
});

test.describe('the door', () => {
  test('every header of the credentials counts, and the ATM locator asks for no token', async ({ open }) => {
    const { get, bank } = await open();
    const position = `${ATMS}?latitude=1&longitude=1`;
    for (const path of [`${LINKS}/merchants`, `${LOANS}/disbursements/1`, position]) {
      for (const name of ['X-GW-client-id', 'X-GW-client-secret', 'Authorization']) {
        if (path === position && name === 'Authorization') continue;
        for (const value of [null, 'Bearer wrong']) {
          const { status, body, headers } = await get(path, { headers: { [name]: value } });
          expect(status).toBe(401);
          expect(headers.get('www-authenticate')).toContain('Bearer');
          expect(body).toEqual({ errors: [{ message: expect.any(String) }] });
        }
      }
    }
    expect((await get(position)).status).toBe(200);
    expect(bank.state.applications.size).toBe(0);
  });

  test('a body that is no JSON object in UTF-8, and another label, are refused', async ({ open }) => {
    const { post, link } = await open();
    const path = `${LOANS}/validations`;
    const bodies = ['', '{', '[]', '"x"', '{"amount":01}', '{"a":1}{"b":2}', '{"a":NaN}', '['.repeat(9000)];
    for (const body of bodies) expect([body, (await post(path, body)).status]).toEqual([body, 400]);
    expect((await post(path, new Blob([Uint8Array.of(0x7b, 0xff, 0x7d)]))).status).toBe(400);
    expect((await post(path, ' '.repeat(70_000))).status).toBe(413);
    for (const label of ['text/plain', 'application/x-www-form-urlencoded', null]) {
      const answer = await post(path, new Blob(['{}']), { headers: { 'Content-Type': label } });
      expect(answer.status).toBe(415);
    }
    expect((await link({ personal_description: 'Zoë "O\'Neil" \\ 支店 \ud83c\udfe6\n' })).status).toBe(200);
  });

  test('unknown paths and other methods are refused as such', async ({ open }) => {
    const { ask, get } = await open();
    expect((await get('/api/v1/atm')).status).toBe(404);
    expect((await get(`${LOANS}/loans`)).status).toBe(405);
    for (const method of ['DELETE', 'PUT', 'POST'] as const) {
      const { status, headers } = await ask(method, `${LINKS}/merchants`);
      expect([status, headers.get('allow')]).toEqual([405, 'GET']);
    }
  });

  test('a bank lives under a prefix and knows nothing of it', async ({ open }) => {
    const { url, get } = await open({}, { prefix: '/some/prefix/' });
    expect(url).toMatch(/\/some\/prefix$/);
    expect((await get(`${LINKS}/merchants`)).status).toBe(200);
    const outside = url.replace('/some/prefix', '');
    expect((await get(`${LINKS}/merchants`, { baseUrl: outside })).status).toBe(404);
    expect((await get(`${LINKS}/merchants`, { baseUrl: `${url}x` })).status).toBe(404);
  });

  test('closing ends at once, with connections still open', async ({ open }) => {
    const bank = createBank({
      behaviour: { delivery: { latencyMs: { least: 60_000, most: 60_000 } } },
      sleep: () => new Promise(() => {}),
    });
    const served = await serve(bank);
    const hanging = fetch(`${served.url}${LINKS}/merchants`).catch(() => 'broken off');
    await new Promise((resolve) => setTimeout(resolve, 50));
    const begun = Date.now();
    await served.close();
    expect(Date.now() - begun).toBeLessThan(1000);
    expect(await hanging).toBe('broken off');
    await expect(serve(bank, { port: (await open()).url.split(':').map(Number).at(-1) ?? 0 })).rejects.toThrow(
      'EADDRINUSE',
    );
  });

  test('the same seed and the same requests bring the same answers', async ({ open }) => {
    const story = async (seed: string): Promise<string[]> => {
      const { loan, link, get } = await open({ seed });
      const answers = [await loan(), await loan(), await link(), await link(), await get(`${LINKS}/merchants`)];
      return answers.map((answer) => JSON.stringify('text' in answer ? answer.text : answer));
    };
    const [one, again, other] = [await story('a'), await story('a'), await story('b')];
    expect(again).toEqual(one);
    for (const [at, answer] of other.entries()) expect(answer).not.toBe(one[at]);
  });
});

/** A test of a bank with behaviour of its own: how they show. */
function option(title: string, behaviour: BehaviourChange, shows: (counter: Counter) => Promise<void>): void {
  test(title, async ({ open }) => shows(await open({ behaviour })));
}

const data = (answer: Answer): any => answer.body['data'];
const ATM_QUERY = `${ATMS}?latitude=41&longitude=29`;
const DISTRICT_QUERY = `${ATMS}?province_code=01&district_code=001`;
const refusedAs =
  (path: string, wanted: Record<string, unknown>) =>
  async ({ get }: Counter) => {
    const { status, body, text, headers } = await get(path);
    expect({ status, body, text, label: headers.get('content-type') }).toMatchObject(wanted);
  };

test.describe('behaviour of every area', () => {
  option(
    'another status',
    { answers: { status: { requestLoan: 201, disburse: 202 } } },
    async ({ post, contracted, disburse }) => {
      expect((await post(`${LOANS}/loans`, { ...WISH, order_id: 1 })).status).toBe(201);
      const { application, account } = await contracted();
      expect((await disburse(application, account, payment(1))).status).toBe(202);
    },
  );

  option(
    'more members and headers',
    {
      answers: {
        extraFields: { envelope: { meta: { n: 1 } }, data: { x: null }, entries: { y: [1n] } },
        extraHeaders: { 'x-trace': 't' },
      },
    },
    async ({ get, link }) => {
      const answer = await get(`${LINKS}/merchants`);
      expect(answer.body).toMatchObject({ meta: { n: 1 }, data: { x: null, editable: true } });
      expect(data(answer).merchants[0]).toMatchObject({ y: [1], merchant_no: 4521 });
      expect(answer.headers.get('x-trace')).toBe('t');
      expect(data(await get(ATM_QUERY))[0]).toMatchObject({ y: [1] });
      expect((await link()).body['meta']).toEqual({ n: 1 });
    },
  );

  option(
    'another label',
    { answers: { contentType: 'application/vnd.bank+json' } },
    refusedAs(DISTRICT_QUERY, { status: 200, label: 'application/vnd.bank+json' }),
  );

  option('indentation', { json: { indent: 2, finalNewline: true } }, async ({ post }) => {
    const { text } = await post(`${LOANS}/validations`, { ...WISH, order_id: 1 });
    expect(text).toBe('{\n  "data": {\n    "result": "true"\n  }\n}\n');
  });

  option('shuffled members', { json: { shuffleMembers: true } }, async ({ link }) => {
    const orders = new Set<string>();
    for (let at = 0; at < 8; at++) orders.add(Object.keys(data(await link())).join());
    expect(orders.size).toBeGreaterThan(1);
  });

  option('integers as 5.0', { json: { integers: 'decimal' } }, async ({ get }) =>
    expect((await get(`${LINKS}/merchants`)).text).toContain('"merchant_no":4521.0'),
  );

  option('integers as 5e0', { json: { integers: 'exponent' } }, async ({ get }) =>
    expect((await get(ATM_QUERY)).text).toMatch(/"atm_distance":\d+e0/),
  );

  option(
    'escapes',
    { texts: 'unicode', json: { escapeNonAscii: true, escapeSlashes: true } },
    async ({ get, link, bank }) => {
      const answer = await get(`${LINKS}/merchants`);
      expect(answer.text).toMatch(/^[ -~]+$/);
      expect(data(answer).merchants[0].merchant_name).toBe(bank.seedData.paymentLinks.merchants[0]?.name);
      expect((await link()).text).toContain('https:\\/\\/');
    },
  );

  for (const encoding of ['gzip', 'deflate', 'br'] as const) {
    option(`${encoding} encoding`, { delivery: { encoding } }, async ({ get }) => {
      const answer = await get(ATM_QUERY, { headers: { 'Accept-Encoding': 'gzip, deflate, br' } });
      expect([answer.headers.get('content-encoding'), data(answer).length]).toEqual([encoding, 10]);
      expect(
        (await get(ATM_QUERY, { headers: { 'Accept-Encoding': 'identity' } })).headers.get('content-encoding'),
      ).toBe(null);
    });
  }

  for (const encoding of ['gzip', 'identity'] as const) {
    option(
      `${encoding} in pieces`,
      { delivery: { encoding, chunked: true, connectionClose: true } },
      async ({ get }) => {
        const { status, body, headers } = await get(ATM_QUERY);
        expect([status, body['data'].length]).toEqual([200, 10]);
        expect(['transfer-encoding', 'content-length', 'connection'].map((name) => headers.get(name))).toEqual([
          'chunked',
          null,
          'close',
        ]);
        expect((await get(ATMS)).status).toBe(400);
      },
    );
  }

  option('too many requests', { delivery: { tooManyEvery: 3, retryAfter: '7' } }, async ({ link, bank }) => {
    const answers = [await link(), await link(), await link(), await link()];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429, 200]);
    expect(answers[2]?.headers.get('retry-after')).toBe('7');
    expect(bank.state.links.length).toBe(3);
  });

  option(
    'problem details',
    { refusals: { style: 'problem' } },
    refusedAs(ATMS, {
      status: 400,
      label: 'application/problem+json',
      body: { title: 'Bad Request', status: 400 },
    }),
  );

  option(
    'nested errors',
    { refusals: { style: 'nested' } },
    refusedAs(ATMS, { body: { error: { code: 'malformed' } } }),
  );

  option(
    'errors beside no data',
    { refusals: { style: 'null-data' } },
    refusedAs(ATMS, { body: { data: null, errors: [{}] } }),
  );

  option(
    'errors as text',
    { refusals: { style: 'text' } },
    refusedAs(ATMS, { text: 'A position or a district is missing', label: 'text/plain; charset=utf-8' }),
  );

  option(
    'errors as HTML',
    { refusals: { style: 'html' } },
    refusedAs('/none', { status: 404, text: expect.stringContaining('<!doctype html>') }),
  );

  option(
    'empty errors',
    { refusals: { style: 'empty', status: { unknownPath: 410 } } },
    refusedAs('/none', { status: 410, text: '', label: null }),
  );

  option(
    'errors as codes',
    { refusals: { wording: 'code' } },
    refusedAs(ATMS, { body: { errors: [{ message: 'malformed' }] } }),
  );

  option(
    'errors without words',
    { refusals: { wording: 'blank' } },
    refusedAs(ATMS, { body: { errors: [{ message: '' }] } }),
  );

  option(
    'errors beyond ASCII',
    { refusals: { wording: 'unicode' } },
    refusedAs(ATMS, { text: expect.stringMatching(/[^ -~]/) }),
  );

  option(
    'credentials looked at in one area only',
    {
      credentials: { checked: { loans: false, 'payment-links': false } },
      refusals: { status: { noCredentials: 403 }, challenge: false },
    },
    async ({ get }) => {
      const none = { headers: { 'X-GW-client-id': null } };
      expect((await get(`${LINKS}/merchants`, none)).status).toBe(200);
      expect((await get(`${LOANS}/disbursements/1`, none)).status).toBe(404);
      expect((await get(ATM_QUERY, none)).status).toBe(403);
    },
  );

  option(
    'the exact word Bearer',
    { credentials: { scheme: 'exact' }, refusals: { status: { wrongCredentials: 403 } } },
    async ({ get }) => {
      const bearer = (word: string): Sent => ({
        headers: { Authorization: `${word} ${sandboxCredentials.accessToken}` },
      });
      expect((await get(`${LINKS}/merchants`, bearer('bearer'))).status).toBe(403);
      expect((await get(`${LINKS}/merchants`, bearer('Bearer'))).status).toBe(200);
    },
  );

  option('a guard before unknown paths', { credentials: { guardUnknownPaths: true } }, async ({ get }) => {
    expect((await get('/none', { headers: { 'X-GW-client-id': null } })).status).toBe(401);
    expect(
      (await get('/none', { headers: { Authorization: `Bearer ${sandboxCredentials.accessToken}` } })).status,
    ).toBe(404);
  });

  option(
    'fields that may be left out',
    {
      requests: {
        required: {
          requestLoan: [],
          createPaymentLink: [],
          approveContract: [],
          disburse: [],
          listInstallments: [],
          listCurrencies: [],
        },
      },
    },
    async ({ post, get }) => {
      const { application_id, infos } = data(await post(`${LOANS}/loans`, {}));
      const ids = `{"application_id":${application_id}}`;
      expect((await post(`${LOANS}/contracts`, ids)).status).toBe(200);
      expect((await post(`${LOANS}/disbursements`, ids)).status).toBe(200);
      expect((await post(`${LOANS}/contracts`, { account_id: Number(infos[0].account_id) })).status).toBe(400);
      expect((await post(`${LINKS}/payment-links`, { amount: 1 })).status).toBe(200);
      expect((await post(`${LINKS}/payment-links`, {})).status).toBe(400);
      expect(data(await get(`${LINKS}/merchants/4521/Installments`)).installments.length).toBe(6);
      expect(data(await get(`${LINKS}/merchants/4521/available-currency-codes`)).currencies.length).toBe(2);
    },
  );

  option('unknown fields refused', { requests: { unknownFields: 'refused' } }, async ({ post, get, link }) => {
    expect((await post(`${LOANS}/loans`, { ...WISH, order_id: 1, colour: 'red' })).status).toBe(400);
    expect((await get(`${ATM_QUERY}&colour=red`)).status).toBe(400);
    expect([(await get(ATM_QUERY)).status, (await link()).status]).toEqual([200, 200]);
  });

  option(
    'texts for numbers and booleans',
    { requests: { numberTexts: 'tolerated', booleanTexts: 'tolerated' } },
    async ({ link }) => {
      expect((await link({ amount: '19.99', is_domestic: 'True', merchant_no: '4521' })).status).toBe(200);
      expect((await link({ amount: '19,99' })).status).toBe(400);
    },
  );

  option(
    'the exact label of requests',
    { requests: { contentType: 'exact', contentTypeOnGet: 'required', accept: 'required' } },
    async ({ get, link, ask, bank }) => {
      expect((await link()).status).toBe(200);
      const headers = { 'Content-Type': 'application/json; charset=utf-8' };
      expect((await ask('POST', `${LINKS}/payment-links`, { body: linkOf(bank), headers })).status).toBe(415);
      expect((await get(`${LINKS}/merchants`, { headers: { 'Content-Type': null } })).status).toBe(415);
      expect((await get(`${LINKS}/merchants`)).status).toBe(200);
      expect([(await get(ATM_QUERY)).status, (await get(ATM_QUERY, { headers: { Accept: '*/*' } })).status]).toEqual([
        200, 406,
      ]);
    },
  );

  option('any label of requests', { requests: { contentType: 'any' } }, async ({ ask, bank }) => {
    const sent = { body: linkOf(bank), headers: { 'Content-Type': 'text/plain' } };
    expect((await ask('POST', `${LINKS}/payment-links`, sent)).status).toBe(200);
  });

  option(
    'currencies in any case',
    { requests: { currencyCase: 'any' }, paymentLinks: { catalogue: { currencyLetters: 'lower' } } },
    async ({ link, loan }) => {
      for (const currency_code of ['eur', 'EUR', 'Eur']) expect((await link({ currency_code })).status).toBe(200);
      expect((await loan({ currency: 'eur' })).infos.length).toBeGreaterThan(1);
    },
  );

  option('short texts and bodies', { requests: { longestText: 20, largestBody: 400 } }, async ({ link }) => {
    expect((await link({ personal_description: 'x'.repeat(21) })).status).toBe(400);
    expect((await link({ colour: 'x'.repeat(400) })).status).toBe(413);
    expect((await link()).status).toBe(200);
  });

  option('lenient paths', { requests: { paths: 'lenient' } }, async ({ get }) => {
    expect((await get(`${LINKS.toUpperCase()}/merchants/`)).status).toBe(200);
    expect(
      (await get(`${LINKS}/merchants/4521/installments?branch_no=800&currency_code=EUR&is_domestic=true`)).status,
    ).toBe(200);
    expect((await get('/none/')).status).toBe(404);
  });

  for (const [texts, pattern] of [
    ['markup', /<b>/],
    ['unicode', /🏦/u],
    ['long', /^.{500,}$/],
    ['blank', /^$/],
  ] as const) {
    option(`${texts} texts`, { texts }, async ({ get }) => {
      const [merchant] = data(await get(`${LINKS}/merchants`)).merchants;
      const [atm] = data(await get(DISTRICT_QUERY));
      for (const text of [merchant.merchant_name, merchant.branch_name, atm.atm_name, atm.atm_address])
        expect(text).toMatch(pattern);
    });
  }
});

test.describe('behaviour of revolving loans', () => {
  option('short ids that grow', { loans: { applicationId: { width: 1 } } }, async ({ loan }) => {
    const ids = new Set<string>();
    for (let at = 0; at < 15; at++) ids.add((await loan()).application);
    expect(ids.size).toBe(15);
    expect([...ids].filter((id) => id.length === 1).length).toBe(9);
  });

  option(
    'ascending ids with zeros in front',
    { loans: { applicationId: { width: 3, order: 'ascending', padTo: 12 }, accountId: { padTo: 19 } } },
    async ({ contracted, disburse, outcome }) => {
      const { application, account } = await contracted();
      expect([application, account]).toEqual(['000000000100', expect.stringMatching(/^0{7}\d{12}$/)]);
      expect((await disburse(application, account, payment(1))).status).toBe(200);
      for (const id of [application, '100']) expect(data(await outcome(id)).application_id).toBe(application);
    },
  );

  option('no offers', { loans: { offers: { least: 0, most: 0 } } }, async ({ post }) =>
    expect(data(await post(`${LOANS}/loans`, { ...WISH, order_id: 1 }))).toMatchObject({
      result: 'true',
      infos: [],
    }),
  );

  option('many offers', { loans: { offers: { least: 30, most: 30 } } }, async ({ loan }) => {
    const { infos } = await loan();
    expect(new Set(infos.map((info) => info['account_id'])).size).toBe(30);
  });

  option(
    'accounts of one application',
    { loans: { offers: { accounts: 'fresh', reference: 'masked' } } },
    async ({ loan }) => {
      const [one, other] = [await loan(), await loan()];
      const ids = [...one.infos, ...other.infos].map((info) => info['account_id']);
      expect(new Set(ids).size).toBe(ids.length);
      expect(one.infos[0]?.['account']).toBe(`**** ${ids[0].slice(-4)}`);
    },
  );

  option(
    'limits and rates of zero',
    { loans: { offers: { limits: 'zero', rates: 'zero', reference: 'blank', terms: ['7d'] } } },
    async ({ loan }) =>
      expect((await loan()).infos[0]).toMatchObject({
        account: '',
        avaliable_limit: '0.00',
        interest_rate: '0.00000',
        commission_rate: '0.00000',
        interest_term: '7d',
      }),
  );

  option(
    'huge limits and steep rates',
    {
      loans: {
        offers: { limits: 'huge', rates: 'steep', reference: 'digits' },
        spelling: { decimalSign: ',', booleans: 'capital' },
      },
    },
    async ({ post }) => {
      const { result, infos } = data(await post(`${LOANS}/loans`, { ...WISH, order_id: 1 }));
      expect([result, infos[0].avaliable_limit, infos[0].interest_rate]).toEqual([
        'True',
        expect.stringMatching(/^\d{18},\d\d$/),
        expect.stringMatching(/^\d{4},\d{5}$/),
      ]);
      expect(infos[0].account).toBe(infos[0].account_id);
    },
  );

  for (const [booleans, yes, no] of [
    ['upper', 'TRUE', 'FALSE'],
    ['digit', '1', '0'],
  ] as const) {
    option(
      `${booleans} booleans, told outside the rules`,
      {
        loans: {
          spelling: { booleans },
          rules: { minimum: '10', maximum: '500.00', currencies: ['EUR'], decimals: 0, outside: 'told' },
        },
      },
      async ({ post }) => {
        const told = async (more: object) =>
          data(await post(`${LOANS}/validations`, { ...WISH, amount: 100, order_id: 1, ...more })).result;
        expect([await told({}), await told({ amount: 500 }), await told({ amount: 10 })]).toEqual([yes, yes, yes]);
        expect([
          await told({ amount: 9 }),
          await told({ amount: 501 }),
          await told({ amount: 99.5 }),
          await told({ currency: 'USD' }),
        ]).toEqual([no, no, no, no]);
        expect(data(await post(`${LOANS}/loans`, { ...WISH, amount: 9, order_id: 1 }))).toMatchObject({
          result: no,
          infos: [],
        });
      },
    );
  }

  option(
    'a false result beside no offers',
    { loans: { offers: { least: 0, most: 0, resultWithoutOffers: false } } },
    async ({ post }) => expect(data(await post(`${LOANS}/loans`, { ...WISH, order_id: 1 })).result).toBe('false'),
  );

  option('customers with IPv4 only', { loans: { rules: { customerIp: 'ipv4' } } }, async ({ contracted, disburse }) => {
    const { application, account } = await contracted();
    expect((await disburse(application, account, payment(1).replace('192.0.2.7', '2001:db8::1'))).status).toBe(400);
    expect((await disburse(application, account, payment(1))).status).toBe(200);
  });

  option(
    'addresses of any kind',
    { loans: { rules: { customerIp: 'unchecked' } } },
    async ({ contracted, disburse }) => {
      const { application, account } = await contracted();
      expect((await disburse(application, account, payment(1).replace('192.0.2.7', 'home'))).status).toBe(200);
    },
  );

  option('a repeated order brings its application', { loans: { order: { repeatedOrder: 'same' } } }, async ({ loan }) =>
    expect(await loan({ order_id: 5 })).toEqual(await loan({ order_id: '5' })),
  );

  option('a repeated order is refused', { loans: { order: { repeatedOrder: 'refused' } } }, async ({ post }) => {
    const ask = async (order_id: number) => (await post(`${LOANS}/loans`, { ...WISH, order_id })).status;
    expect([await ask(1), await ask(1), await ask(2)]).toEqual([200, 409, 200]);
  });

  option(
    'no contract needed, unapproved taken, disbursements replaced',
    {
      loans: {
        order: {
          contractRequired: false,
          secondContract: 'taken',
          unapproved: 'taken',
          secondDisbursement: 'replaced',
        },
      },
    },
    async ({ loan, disburse, outcome, post, bank }) => {
      const { application, infos } = await loan();
      const [one, other] = infos.map((info) => info['account_id']);
      for (const account of [one, other])
        expect((await post(`${LOANS}/contracts`, idsText(application, account))).status).toBe(200);
      expect((await disburse(application, one, payment(1, false))).status).toBe(200);
      expect(data(await outcome(application)).result).toBe(bank.behaviour.loans.outcome.success);
      expect((await disburse(application, one, payment(900_000))).status).toBe(200);
      expect((await outcome(application)).body['errors']).toEqual([{ message: 'R036;' }]);
    },
  );

  option(
    'unapproved fails, the first disbursement is kept',
    {
      loans: {
        order: { unapproved: 'failed', secondDisbursement: 'kept' },
        outcome: { failure: 'No.', overLimitErrors: ['R101;', 'R036;'] },
      },
    },
    async ({ contracted, disburse, outcome, bank }) => {
      const { application, account } = await contracted();
      for (const approved of [false, true])
        expect((await disburse(application, account, payment(1, approved))).status).toBe(200);
      expect((await outcome(application)).body).toMatchObject({
        data: { result: 'No.' },
        errors: [{ message: 'R101;' }, { message: 'R036;' }],
      });
      expect(bank.state.disbursements.length).toBe(1);
    },
  );

  option(
    'an early query is told, as is a processing',
    {
      loans: {
        order: { earlyQuery: 'told' },
        outcome: { processing: 'Wait', success: 'Done', processingQueries: 2, emptyErrors: true },
      },
    },
    async ({ contracted, disburse, outcome }) => {
      const { application, account } = await contracted();
      const told = async () => (await outcome(application)).body;
      expect(await told()).toMatchObject({ data: { result: 'Wait' }, errors: [] });
      await disburse(application, account, payment(1));
      for (const result of ['Wait', 'Wait', 'Done', 'Done'])
        expect(await told()).toMatchObject({ data: { result }, errors: [] });
    },
  );

  option(
    'a failure without codes',
    { loans: { outcome: { overLimitErrors: [] } } },
    async ({ contracted, disburse, outcome, bank }) => {
      const { application, account } = await contracted();
      await disburse(application, account, payment(900_000));
      const result = bank.behaviour.loans.outcome.failure;
      expect((await outcome(application)).body).toEqual({ data: { application_id: application, result } });
    },
  );

  option(
    'above the limit is refused at once',
    { loans: { outcome: { overLimit: 'refused' } } },
    async ({ contracted, disburse, bank }) => {
      const { application, account, limit } = await contracted();
      expect((await disburse(application, account, payment(cents(limit, 1n)))).status).toBe(422);
      expect((await disburse(application, account, payment(limit))).status).toBe(200);
      expect(bank.state.disbursements.length).toBe(1);
    },
  );

  option(
    'limits are drawn down',
    { loans: { offers: { least: 8, most: 8 }, order: { limits: 'drawn-down' } } },
    async ({ contracted, disburse, loan }) => {
      const { application, account, limit } = await contracted();
      await disburse(application, account, payment('0.5'));
      const [offer] = (await loan()).infos.filter((info) => info['account_id'] === account);
      expect(offer?.['avaliable_limit']).toBe(cents(limit, -50n));
    },
  );
});

test.describe('behaviour of payment links', () => {
  option('no merchants', { paymentLinks: { catalogue: { merchants: 0 } } }, async ({ get }) =>
    expect(data(await get(`${LINKS}/merchants`)).merchants).toEqual([]),
  );

  option('a merchant without branches', { paymentLinks: { catalogue: { branches: 0 } } }, async ({ get }) => {
    expect(data(await get(`${LINKS}/merchants/4521/branches`)).branches).toEqual([]);
    expect(data(await get(`${LINKS}/merchants`)).merchants[0]).toMatchObject({
      branch_code: 0,
      branch_name: '',
    });
  });

  option(
    'currencies of domestic cards only',
    { paymentLinks: { catalogue: { cards: 'domestic', currencies: 1, installments: 1 } } },
    async ({ get, link }) => {
      const codes = async (domestic: boolean) =>
        data(await get(`${LINKS}/merchants/4521/available-currency-codes?is_domestic=${domestic}`)).currencies;
      expect([await codes(true), await codes(false)]).toEqual([[{ code: 'EUR' }], []]);
      const plan = await get(`${LINKS}/merchants/4521/Installments?branch_no=800&currency_code=EUR&is_domestic=true`);
      expect(data(plan).installments).toEqual([{ value: 1, text: 'Single payment' }]);
      expect([(await link()).status, (await link({ is_domestic: false })).status]).toEqual([200, 422]);
    },
  );

  option('no installments', { paymentLinks: { catalogue: { installments: 0 } } }, async ({ get }) => {
    const plan = await get(`${LINKS}/merchants/4521/Installments?branch_no=800&currency_code=EUR&is_domestic=true`);
    expect(data(plan)).toEqual({ installments: [] });
  });

  option(
    'a row per branch, with branches of the bank',
    { paymentLinks: { catalogue: { rows: 'branch', branchCode: 'bank-branch', accountNo: 'iban' } } },
    async ({ get, bank }) => {
      const rows = data(await get(`${LINKS}/merchants`)).merchants as Body[];
      expect(rows.length).toBe(bank.seedData.paymentLinks.merchants.flatMap(({ branches }) => branches).length);
      expect(rows[1]).toMatchObject({
        branch_code: 5001,
        branch_name: 'Old Mill',
        account_no: expect.stringMatching(/^XB19\d{20}$/),
      });
    },
  );

  option(
    'merchant numbers beyond a double',
    { paymentLinks: { catalogue: { wideMerchantNo: true, accountNo: 'blank' } } },
    async ({ get, post, bank }) => {
      expect((await get(`${LINKS}/merchants`)).text).toContain('"merchant_no":9100000000000004522,');
      expect((await get(`${LINKS}/merchants/9100000000000004522/branches`)).status).toBe(200);
      expect((await get(`${LINKS}/merchants/9100000000000004521/branches`)).status).toBe(404);
      const body = JSON.stringify({ ...linkOf(bank), merchant_no: 0 }).replace(
        '"merchant_no":0',
        '"merchant_no":9100000000000004522',
      );
      expect((await post(`${LINKS}/payment-links`, body)).status).toBe(200);
    },
  );

  option(
    'words beside the merchants',
    {
      paymentLinks: {
        merchantList: {
          qrMaxAmount: 0,
          qrMaxAmountMessage: 'None today',
          editable: false,
          editMessage: 'Locked',
        },
      },
    },
    async ({ get }) =>
      expect(data(await get(`${LINKS}/merchants`))).toMatchObject({
        qr_max_amount: 0,
        qr_max_amount_limit_message: 'None today',
        editable: false,
        edit_message: 'Locked',
      }),
  );

  option(
    'rules of payments, refused',
    {
      paymentLinks: {
        rules: { minimum: '5', maximum: '10', decimals: 0, languages: ['tr'], longestDescription: 3 },
      },
    },
    async ({ link }) => {
      const status = async (more: object) =>
        (await link({ amount: 7, language_code: 'tr', personal_description: 'x', ...more })).status;
      expect(await status({})).toBe(200);
      for (const more of [
        { amount: 4 },
        { amount: 11 },
        { amount: 7.5 },
        { language_code: 'en' },
        { personal_description: 'long' },
      ])
        expect(await status(more)).toBe(422);
    },
  );

  option(
    'rules of payments, told',
    { paymentLinks: { rules: { minimum: '5', outside: 'told' } } },
    async ({ link, bank }) => {
      expect(data(await link({ amount: 4 }))).toMatchObject({ is_success: false });
      expect(data(await link({ amount: 5 }))).toMatchObject({ is_success: true });
      expect(bank.state.links.length).toBe(1);
    },
  );

  for (const [tokenPlace, tokenLetters, pattern] of [
    ['query', 'base64', /\?lang=en&token=/],
    ['fragment', 'unicode', /\/#\/pay\//],
    ['path', 'hex', /\/p\/[\da-f]{50}$/],
    ['path', 'digits', /\/p\/\d{50}$/],
  ] as const) {
    option(
      `a token of ${tokenLetters} in the ${tokenPlace}`,
      { paymentLinks: { link: { tokenPlace, tokenLetters, tokenLength: 50, base: 'https://x.example/a' } } },
      async ({ link }) => {
        const { payment_link, payment_token } = data(await link());
        expect(payment_link).toMatch(/^https:\/\/x\.example\/a\//);
        expect(payment_link).toMatch(pattern);
        expect(payment_link).toContain(encodeURIComponent(payment_token));
        expect([...payment_token].length).toBe(50);
      },
    );
  }

  option(
    'a short life, told in another zone',
    { paymentLinks: { link: { validMinutes: 1, utcOffsetMinutes: 330 } } },
    async ({ link }) => expect(data(await link()).end_date).toBe('01.03.2027 05:30:58'),
  );

  for (const [letters, form, version, pattern] of [
    ['upper', 'braces', 7, /^\{[\dA-F]{8}-[\dA-F]{4}-7[\dA-F]{3}-[89AB][\dA-F]{3}-[\dA-F]{12}\}$/],
    ['lower', 'bare', 1, /^[\da-f]{12}1[\da-f]{3}[89ab][\da-f]{15}$/],
  ] as const) {
    option(`a ${form} UUID`, { paymentLinks: { link: { orderId: { letters, form, version } } } }, async ({ link }) =>
      expect(data(await link()).order_id).toMatch(pattern),
    );
  }
});

test.describe('behaviour of the ATM locator', () => {
  option(
    'a small network',
    { atms: { network: { atms: 3, coordinateDecimals: 2, numberWidth: 1 } } },
    async ({ get }) => {
      const atms = data(await get(ATM_QUERY)) as Body[];
      expect(new Set(atms.map(({ atm_no }) => atm_no))).toEqual(new Set(['1', '2', '3']));
      for (const { atm_latitude } of atms) expect(atm_latitude).toBe(Math.round(atm_latitude * 100) / 100);
    },
  );

  option('no ATMs', { atms: { network: { atms: 0 } } }, async ({ get }) =>
    expect([data(await get(ATM_QUERY)), data(await get(DISTRICT_QUERY))]).toEqual([[], []]),
  );

  option(
    'kilometres, few, by number',
    { atms: { answer: { unit: 'km', count: 4, order: 'number', rounding: 'up' } } },
    async ({ get }) => {
      const atms = data(await get(ATM_QUERY)) as Body[];
      const numbers = atms.map(({ atm_no }) => Number(atm_no));
      expect(numbers).toEqual([...numbers].sort((one, other) => one - other));
      expect(numbers.length).toBe(4);
      for (const { atm_distance, atm_latitude, atm_longitude } of atms)
        expect(atm_distance).toBe(Math.ceil(metresBetween([41, 29], [atm_latitude, atm_longitude]) / 1000));
    },
  );

  option(
    'miles of a winding road, the farthest first',
    { atms: { answer: { unit: 'mi', detour: 1.5, order: 'farthest-first', rounding: 'down' } } },
    async ({ get }) => {
      const atms = data(await get(ATM_QUERY)) as Body[];
      const distances = atms.map(({ atm_distance }) => atm_distance as number);
      expect(distances).toEqual([...distances].sort((one, other) => other - one));
      const { atm_latitude, atm_longitude } = atms[0] ?? {};
      expect(distances[0]).toBe(Math.floor((1.5 * metresBetween([41, 29], [atm_latitude, atm_longitude])) / 1609.344));
    },
  );

  option('a radius', { atms: { answer: { radiusKm: 5, count: 100 } } }, async ({ get }) => {
    const distances = data(await get(ATM_QUERY)).map(({ atm_distance }: Body) => atm_distance);
    expect(distances.length).toBeGreaterThan(0);
    expect(Math.max(...distances)).toBeLessThanOrEqual(5000);
    expect(data(await get(`${ATMS}?latitude=0&longitude=-30`))).toEqual([]);
  });

  option(
    'lenient queries',
    { atms: { request: { bothForms: 'position', noForm: 'any', provinceAlone: 'whole', codes: 'numeric' } } },
    async ({ get }) => {
      expect(data(await get(`${ATM_QUERY}&province_code=02&district_code=001`))).toEqual(data(await get(ATM_QUERY)));
      expect([data(await get(ATMS)).length, data(await get(`${ATMS}?province_code=1`)).length]).toEqual([10, 10]);
      expect(data(await get(`${ATMS}?province_code=1&district_code=1`))).toEqual(data(await get(DISTRICT_QUERY)));
      expect((await get(`${ATMS}?district_code=001`)).status).toBe(400);
    },
  );

  option(
    'district first, nothing for nothing, unknown codes refused',
    { atms: { request: { bothForms: 'district', noForm: 'empty', unknownCodes: 'refused' } } },
    async ({ get }) => {
      expect(data(await get(`${ATM_QUERY}&province_code=01&district_code=001`))).toEqual(
        data(await get(DISTRICT_QUERY)),
      );
      expect(data(await get(ATMS))).toEqual([]);
      expect((await get(`${ATMS}?province_code=99&district_code=001`)).status).toBe(422);
    },
  );
});

test('thinking takes the time that the behaviour say', async ({ open }) => {
  const slept: number[] = [];
  const sleep = async (milliseconds: number): Promise<void> => void slept.push(milliseconds);
  const { link, get } = await open({ behaviour: { delivery: { latencyMs: { least: 20, most: 40 } } }, sleep });
  expect([(await link()).status, (await get('/none')).status]).toEqual([200, 404]);
  expect(slept.length).toBe(2);
  for (const time of slept) expect(time >= 20 && time <= 40).toBe(true);
});
