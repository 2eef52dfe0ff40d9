/** Tests comparisons of lists: repeated lists, cities of ATMs in two query forms. */
import { expect, test } from '@playwright/test';
import type { Asked, Exchange } from '../../../../openapi/model/exchange.ts';
import { body, evaluate, exchange, NOON } from '../../support/judge-harness.ts';

/** Makes an answer with many ATMs at different places. `change` changes some of them. */
function makeAtms(
  count: number,
  around: { seed?: number; change?: (at: number) => object; asked?: Asked } = {},
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

test('An ATM has the same city and district in all answers, and never the name of another ATM', () => {
  const [place, codes] = [
    { latitude: '38', longitude: '30' },
    { province_code: '34', district_code: '07' },
  ];
  const texts = (at: number) => ({ atm_name: `ATM ${at}`, atm_address: `${at} Main Street`, atm_city: 'İzmir' });
  const findBroken = (change: (at: number) => object): readonly string[] =>
    evaluate(
      makeAtms(5, { change: texts, asked: place }),
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

test('A list request that was answered is not refused later', () => {
  const given = exchange('listMerchants');
  const refused = exchange('listMerchants', '', { status: 404 });
  const busy = exchange('listMerchants', '', { status: 409 });
  const later = exchange('listMerchants', undefined, { at: NOON + 1 });
  expect(evaluate(given, refused, refused, later).broken).toEqual(['links.lists-repeat response/status']);
  // If the bank refuses all later requests, the client may have reached a limit. The order of the exchanges does not matter.
  expect(evaluate(refused, refused, given).broken).toEqual([]);
  expect(evaluate(given, busy, busy, later).broken).toEqual([]);
  // The suite judges the body of an error with a success status.
  const page = exchange('listMerchants', { data: null, error: 'Please wait' });
  expect(evaluate(given, page, page, later).broken).not.toContain('links.lists-repeat response/status');
});

test('A cache may show the effect of payments late, but only once', () => {
  const merchants = (highest: number, second: number) =>
    exchange('listMerchants', body('listMerchants', '/data/qr_max_amount', highest), { at: NOON + second * 1000 });
  const link = exchange('createPaymentLink', undefined, { at: NOON });
  const repeats = 'links.lists-repeat /data';
  expect(evaluate(link, merchants(500, 2), merchants(490, 4), merchants(490, 6)).broken).not.toContain(repeats);
  expect(evaluate(link, merchants(500, 2), merchants(490, 4), merchants(500, 6)).broken).toContain(repeats);
  expect(evaluate(merchants(500, 2), merchants(490, 4)).broken).toContain(repeats);
});

test('Among thousands of ATMs, one at another place in another answer is noticed', () => {
  const moved = (at: number): object => (at > 2000 ? { atm_latitude: 41 } : {});
  const near = { latitude: '38', longitude: '30' };
  const findBroken = (change: (at: number) => object): readonly string[] =>
    evaluate(makeAtms(4000), makeAtms(4000, { change, asked: { ...near, province_code: '35' } })).broken;
  expect(findBroken(() => ({}))).toEqual([]);
  expect(new Set(findBroken(moved))).toEqual(new Set(['atms.no.one-place /data/*/atm_no']));
});

test('Districts whose long lists differ in one ATM have different ATMs', () => {
  const lists = (change: (district: number) => (at: number) => object) =>
    [1, 2, 3, 4].map((district) =>
      makeAtms(2000, { change: change(district), asked: { province_code: '34', district_code: String(district) } }),
    );
  expect(evaluate(...lists(() => () => ({}))).broken).toEqual(
    ['atms.districts-tell /data', 'atms.codes-tell /data'].sort(),
  );
  expect(evaluate(...lists((district) => (at) => (at === 7 ? { atm_no: `90${district}` } : {}))).broken).toEqual([]);
});
