/** One long conversation with a bank, written from the document: enough of it that every shipped bug shows somewhere. */
import type { Members } from '../../../../fixtures/banks/lib/exchange.ts';
import type { FakeClock } from '../../../../fixtures/http/clock.ts';
import { sandboxCredentials } from '../../../../fixtures/reference-bank/sandbox.ts';
import type { Area } from '../../../../openapi/model/exchange.ts';
import { headersWith, type Asking, type Headers } from './asking.ts';

const LOANS = '/api/bank/revolving-loans/v1';
const LINKS = '/api/bank/card/paybylink/v1';
const ATMS = '/api/v1/atms';
const { accessToken, clientSecret } = sandboxCredentials;

const tokenless = headersWith({ authorization: '' });
const strangers = [
  tokenless,
  headersWith({ authorization: `Bearer ${accessToken.replace(/./g, 'x')}` }),
  headersWith({ 'x-gw-client-secret': clientSecret.slice(0, 5) }),
  headersWith({ 'x-gw-client-secret': clientSecret.toUpperCase() }),
];

async function loans({ get, post }: Asking, clock: FakeClock): Promise<void> {
  let orders = 0;
  const wish = (change: Members = {}) => ({
    amount: 1250,
    currency: 'EUR',
    commercial_disbursement: false,
    disbursement_purpose: true,
    order_id: `order-number-${(orders += 1)}`,
    ...change,
  });
  const apply = async (change: Members = {}) => {
    const { data, rows } = await post(`${LOANS}/loans`, wish(change));
    return { id: String(data['application_id']), offers: rows };
  };
  type Application = Awaited<ReturnType<typeof apply>>;
  const account = ({ offers }: Application, at: number) => String(offers.at(at)?.['account_id']);
  const contract = (application: Application, at = 0, headers?: Headers) =>
    post(`${LOANS}/contracts`, { application_id: application.id, account_id: account(application, at) }, headers);
  const pay = (application: Application, change: Members = {}, at = 0, headers?: Headers) => {
    const usual = { amount: 100, currency: 'EUR', contract_approved: true, customer_ip: '192.0.2.7' };
    const ids = { application_id: application.id, account_id: account(application, at) };
    return post(`${LOANS}/disbursements`, { ...usual, ...ids, ...change }, headers);
  };
  const outcome = ({ id }: Application) => get(`${LOANS}/disbursements/${id}`);
  const limit = ({ offers }: Application, at = 0) => Number(offers[at]?.['avaliable_limit']);

  for (const change of [
    { amount: 0.5 },
    { amount: 19.99 },
    { amount: 40_000 },
    { commercial_disbursement: true },
    { order_id: 'заказ' },
    { order_id: 815 },
    { order_id: 816 },
    { order_id: 'Case' },
  ])
    await post(`${LOANS}/validations`, wish(change));
  for (let twice = 0; twice < 2; twice++) await post(`${LOANS}/validations`, wish({ order_id: 'same' }));
  await post(`${LOANS}/validations`, wish({ amount: -1 }));
  await post(`${LOANS}/validations`, '{"amount":');
  await post(`${LOANS}/validations`, wish());
  await post(`${LOANS}/validations`, `\n${JSON.stringify(wish(), null, 2)}`);
  await post(`${LOANS}/validations`, JSON.stringify(wish()).replace('1250', '1.25e3'));

  const early = await apply();
  for (const change of [
    { order_id: 'Case' },
    { order_id: 'cASE' },
    { order_id: 'x'.repeat(60) },
    { order_id: 2 ** 31 + 7 },
    { disbursement_purpose: false },
    { commercial_disbursement: true, amount: 6000 },
    { amount: 100_000 },
    { amount: 19.99, currency: 'USD' },
  ])
    await apply(change);
  await Promise.all([apply({ order_id: 'at-once' }), apply({ order_id: 'at-once' })]);
  await apply({ order_id: 'at-once' });
  const contractOfNobody = `{"application_id":${early.id},"account_id":99999999999999999999}`;
  await post(`${LOANS}/contracts`, contractOfNobody);
  await contract(early);
  await post(`${LOANS}/contracts`, contractOfNobody);

  // One application after the other, each with a disbursement of another kind, and its outcome.
  const first = await apply();
  await outcome(first);
  const kinds: readonly (readonly [(application: Application) => Members, number])[] = [
    [() => ({}), 0],
    [() => ({ amount: 12.35 }), 0],
    [() => ({ customer_ip: '::1' }), 0],
    [() => ({ customer_ip: '2001:db8:85a3::8a2e:370:7334' }), 0],
    [() => ({ customer_ip: '2001:db8::7', amount: 12.35 }), 0],
    [() => ({ customer_ip: '203.0.113.254' }), 1],
    [(application) => ({ amount: limit(application) }), 0],
    [(application) => ({ amount: Math.round(limit(application) * 100 + 1) / 100 }), 0],
    [(application) => ({ amount: Math.ceil(limit(application)) + 50 }), 0],
    [(application) => ({ amount: limit(application, 1) + 1000.5 }), 1],
  ];
  const done: Application[] = [];
  for (const [change, at] of [...kinds, ...kinds]) {
    const application = done.length === 0 ? first : await apply(done.length % 3 === 0 ? { order_id: done.length } : {});
    done.push(application);
    await contract(application, at);
    await pay(application, change(application), at);
    for (let queries = 0; queries < 5; queries++) await outcome(application);
    await pay(application, change(application), at);
  }
  for (const application of done) await outcome(application);
  await Promise.all(done.map(outcome));

  for (const amount of [0.75, 1600]) await contract(await apply({ amount }));

  // A refused disbursement, accounts in common, and steps that overlap.
  const bare = await apply();
  await pay(bare);
  await outcome(bare);
  const declined = await apply();
  await contract(declined, -1);
  await pay(declined, { contract_approved: false }, -1);
  const some = await Promise.all(Array.from({ length: 12 }, () => apply()));
  const wide = some.find(({ offers }) => offers.length > 2);
  for (const step of [contract, (one: Application, at: number) => pay(one, {}, at)])
    if (wide !== undefined) await step(wide, 2);
  const shared = some.find((one) => some.some((other) => other !== one && account(other, 0) === account(one, 0)));
  const pair = some.filter((one) => shared !== undefined && account(one, 0) === account(shared, 0)).slice(0, 2);
  for (const step of [contract, pay, outcome]) for (const application of pair) await step(application);
  const rest = some.filter((one) => !pair.includes(one));
  const [both, ...others] = rest;
  if (both !== undefined) await Promise.all([contract(both, 0), contract(both, 1)]);
  await Promise.all(others.map((one) => contract(one)));
  await Promise.all(others.flatMap((one) => [pay(one), pay(one)]));
  for (const one of others) await outcome(one);

  await get(`${LOANS}/disbursements/${first.id}`, tokenless);
  const guarded = await apply({ commercial_disbursement: true });
  for (const headers of [tokenless, headersWith()]) await contract(guarded, 0, headers);
  for (const headers of [tokenless, headersWith()]) await pay(guarded, {}, 0, headers);
  for (const id of [first.id.slice(0, -1), `${first.id}abc`, String(BigInt(first.id) - 1n)])
    await get(`${LOANS}/disbursements/${id}`);
  await pay(first, { application_id: '987654321098765432' });
  const commercial = await apply({ commercial_disbursement: true });
  await contract(commercial);
  await pay(commercial, { amount: Math.ceil(limit(commercial)) + 50 });
  await outcome(commercial);
  const withoutPurpose = await apply({ commercial_disbursement: true, disbursement_purpose: false });
  await contract(withoutPurpose);
  await pay(withoutPurpose);
  const neighbour = await apply();
  await post(`${LOANS}/contracts`, { application_id: neighbour.id, account_id: account(early, 0) });
  await contract(neighbour);
  await pay(neighbour, { account_id: account(early, 0) });
  for (const stranger of strangers) await post(`${LOANS}/validations`, wish(), stranger);
  clock.turn(90_000);
  for (let times = 0; times < 8; times++) await outcome(first);
}

async function links({ get, post }: Asking, clock: FakeClock): Promise<void> {
  const { rows: merchants } = await get(`${LINKS}/merchants`);
  await get(`${LINKS}/merchants`);
  const offers: Members[] = [];
  for (const { merchant_no } of merchants) {
    const path = `${LINKS}/merchants/${String(merchant_no)}`;
    const branches = (await get(`${path}/branches`)).rows;
    for (const is_domestic of [true, false])
      for (const { code } of (await get(`${path}/available-currency-codes?is_domestic=${is_domestic}`)).rows)
        for (const { no } of branches) {
          const query = `branch_no=${String(no)}&currency_code=${String(code)}&is_domestic=${is_domestic}`;
          for (const { value } of (await get(`${path}/Installments?${query}`)).rows.slice(-1))
            offers.push({
              merchant_no,
              branch_no: no,
              currency_code: code,
              installment: value,
              is_domestic,
            } as Members);
        }
  }
  const link = (change: Members = {}, offer: Members = offers[0] ?? {}) =>
    post(`${LINKS}/payment-links`, {
      language_code: 'en',
      personal_description: 'Garden chairs',
      amount: 12.55,
      ...offer,
      ...change,
    });
  for (const offer of offers) await link({ personal_description: JSON.stringify(offer) }, offer);
  for (const text of ['', 'two\nlines', '🪑', "O'Neil", '5 %', 'a\\b', 'כיסא', 'Стул', 'x'.repeat(255)])
    await link({ personal_description: text });
  for (const text of ['table – “oak”', 'كرسي', 'select or union', '-- ../chairs', '(a+b=c)'])
    await link({ personal_description: text });
  for (const amount of [12, 12.5, 600, 1500]) await link({ amount });
  for (const language_code of ['EN', 'it']) await link({ language_code });
  await post(`${LINKS}/payment-links`, { amount: 12 });
  await link({ language_code: 'tr', personal_description: 'iki\nsatır' });
  await Promise.all([link({ amount: 7 }), link({ amount: 7 }), link({ amount: 8 })]);
  await link({ amount: 7 });
  await get(`${LINKS}/merchants`);
  for (const stranger of strangers) {
    await get(`${LINKS}/merchants`, stranger);
    await get(`${LINKS}/merchants/70/Installments?branch_no=1&currency_code=EUR&is_domestic=true`, stranger);
  }
  const day = 86_400_000;
  const midnight = Math.ceil(clock.now() / day) * day;
  for (const moment of [midnight + 5000, midnight + 59_700, Date.UTC(2027, 2, 4, 15)]) {
    clock.turn(moment - clock.now());
    await link();
  }
  await get(`${LINKS}/merchants`);
}

async function atms({ get }: Asking): Promise<void> {
  const headers = { ...tokenless, accept: 'application/json' };
  const at = (latitude: number | string, longitude: number | string) =>
    get(`${ATMS}?latitude=${latitude}&longitude=${longitude}`, headers);
  const district = (province: string, code: string) =>
    get(`${ATMS}?province_code=${province}&district_code=${code}`, headers);
  const { rows } = await at('41.02', '28.97');
  await get(`${ATMS}?longitude=28.97&latitude=41.02`, headers);
  await at(String(rows[0]?.['atm_latitude']), String(rows[0]?.['atm_longitude']));
  for (const [latitude, longitude] of [
    ['40.475', '30.915'],
    ['41.05', '28.99'],
    ['41.02', '60.5'],
    ['41', '29'],
    ['41.123456', '28.123456'],
    ['41.1234567', '28.1234567'],
    ['40.71', '-74.01'],
    ['-17.71', '-179.99'],
    ['0.0', '10.5'],
  ] as const)
    await at(latitude, longitude);
  for (const [province, code] of [
    ['01', '001'],
    ['01', '001'],
    ['01', '002'],
    ['34', '001'],
    ['99', '999'],
  ] as const)
    await district(province, code);
  await Promise.all([at('51.51', '-0.12'), district('03', '001'), at('1.3', '103.85')]);
  for (const stranger of strangers) await get(`${ATMS}?latitude=41.02&longitude=28.97`, stranger);
  await get(`${ATMS}?latitude=41.02&longitude=28.97`, { ...headers, 'accept-encoding': 'gzip' });
  for (let more = 0; more < 60; more++) await at('55.75', '37.62');
}

/** Talks about `area`, or about everything. */
export async function converse(asking: Asking, area: Area | 'service', clock: FakeClock): Promise<void> {
  if (area === 'loans' || area === 'service') await loans(asking, clock);
  if (area === 'payment-links' || area === 'service') await links(asking, clock);
  if (area === 'atms' || area === 'service') await atms(asking);
}
