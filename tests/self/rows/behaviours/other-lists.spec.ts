/** Tests clauses that compare lists of several answers: the same list again, and ATMs in several lists. */
import { expect, test } from '@playwright/test';
import type { RequestInputs, Exchange } from '../../../../openapi/model/exchange.ts';
import { body, evaluate, exchange, NOON } from '../../support/judge-harness.ts';

/** Makes an answer with many ATMs at different places. `change` changes some of them. */
function makeAtms(
  count: number,
  around: { seed?: number; change?: (at: number) => object; asked?: RequestInputs } = {},
): Exchange {
  const { seed = 1, change = () => ({}), asked } = around;
  const [atm] = (body('findAtms') as { data: object[] }).data;
  const { atm_distance: _, ...plain } = atm as Record<string, unknown>;
  const data = Array.from({ length: count }, (__, at) => ({
    ...plain,
    atm_no: String(at),
    atm_latitude: 37 + (at % 100) / 50,
    atm_longitude: 29 + Math.floor(at / 100) / 50,
    ...change(at),
  }));
  return { ...exchange('findAtms', { data }, { asked: asked ?? { province_code: '34', district_code: '07' } }), seed };
}

test('An ATM with another city or district, or the name of another ATM, in a second answer breaks atms.no.one-place', () => {
  const [position, codes] = [
    { latitude: '38', longitude: '30' },
    { province_code: '34', district_code: '07' },
  ];
  const texts = (at: number) => ({ atm_name: `ATM ${at}`, atm_address: `${at} Main Street`, atm_city: 'İzmir' });
  const findBroken = (change: (at: number) => object): readonly string[] =>
    evaluate(
      makeAtms(5, { change: texts, asked: position }),
      makeAtms(5, { change: (at) => ({ ...texts(at), ...change(at) }), asked: codes }),
    ).broken;
  const clause = 'atms.no.one-place';
  expect(findBroken(() => ({}))).toEqual([]);
  expect(findBroken((at) => (at === 3 ? { atm_city: 'Ankara' } : {}))).toEqual([`${clause} /data/*/atm_city`]);
  expect(findBroken(() => ({ atm_district: 'Another' }))).toEqual([`${clause} /data/*/atm_district`]);
  expect(findBroken((at) => ({ atm_name: `ATM ${(at + 1) % 5}` }))).toEqual([`${clause} /data/*/atm_name`]);
  // The answers differ in the case of the city, in a new name, and in the place of an ATM with the same number.
  expect(findBroken(() => ({ atm_city: 'IZMIR ' }))).toEqual([]);
  expect(findBroken(() => ({ atm_name: 'Closed' }))).toEqual([]);
  expect(findBroken(() => ({ atm_city: 'Ankara', atm_latitude: 41 }))).toEqual(
    Array.from({ length: 5 }, () => `${clause} /data/*/atm_no`),
  );
});

test('A list that was answered, then refused twice, then answered breaks links.lists-repeat', () => {
  const answered = exchange('listMerchants');
  const refused = exchange('listMerchants', '', { status: 404 });
  const busy = exchange('listMerchants', '', { status: 409 });
  const later = exchange('listMerchants', undefined, { at: NOON + 1 });
  expect(evaluate(answered, refused, refused, later).broken).toEqual(['links.lists-repeat response/status']);
  // If the bank refuses all later requests, the client may have reached a limit. The order of the exchanges does not matter.
  expect(evaluate(refused, refused, answered).broken).toEqual([]);
  expect(evaluate(answered, busy, busy, later).broken).toEqual([]);
  // The suite judges the body of an error with a success status.
  const page = exchange('listMerchants', { data: null, error: 'Please wait' });
  expect(evaluate(answered, page, page, later).broken).not.toContain('links.lists-repeat response/status');
});

test('After a payment link, the merchant list may change once; a list that changes back breaks links.lists-repeat', () => {
  const merchants = (highest: number, second: number) =>
    exchange('listMerchants', body('listMerchants', '/data/qr_max_amount', highest), { at: NOON + second * 1000 });
  const link = exchange('createPaymentLink', undefined, { at: NOON });
  const repeats = 'links.lists-repeat /data';
  expect(evaluate(link, merchants(500, 2), merchants(490, 4), merchants(490, 6)).broken).not.toContain(repeats);
  expect(evaluate(link, merchants(500, 2), merchants(490, 4), merchants(500, 6)).broken).toContain(repeats);
  expect(evaluate(merchants(500, 2), merchants(490, 4)).broken).toContain(repeats);
});

test('In two answers with 4,000 ATMs, ATMs at another place in the second answer break atms.no.one-place', () => {
  const moved = (at: number): object => (at > 2000 ? { atm_latitude: 41 } : {});
  const near = { latitude: '38', longitude: '30' };
  const findBroken = (change: (at: number) => object): readonly string[] =>
    evaluate(makeAtms(4000), makeAtms(4000, { change, asked: { ...near, province_code: '35' } })).broken;
  expect(findBroken(() => ({}))).toEqual([]);
  expect(new Set(findBroken(moved))).toEqual(new Set(['atms.no.one-place /data/*/atm_no']));
});

test('Four districts with the same 2,000 ATMs break two clauses; lists that differ in one ATM break none', () => {
  const lists = (change: (district: number) => (at: number) => object) =>
    [1, 2, 3, 4].map((district) =>
      makeAtms(2000, { change: change(district), asked: { province_code: '34', district_code: String(district) } }),
    );
  expect(evaluate(...lists(() => () => ({}))).broken).toEqual(
    ['atms.districts-tell /data', 'atms.codes-tell /data'].sort(),
  );
  expect(evaluate(...lists((district) => (at) => (at === 7 ? { atm_no: `90${district}` } : {}))).broken).toEqual([]);
});
