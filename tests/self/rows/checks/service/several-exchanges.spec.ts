/** The rules over several exchanges, evaluated when the run is folded. */
import { expect, test } from '@playwright/test';
import { measureKm } from '../../../../../openapi/util/geo.ts';
import { body, ASKED_BY_PLACE, exchange, NOON, evaluate, type Around } from '../../../support/judge-harness.ts';
import { expectLinear } from '../../../unit/linear-time.ts';

test('A request that was accepted once is answered the next time', () => {
  const accepted = exchange('listMerchants');
  const failing = (status: number, labels?: Around['labels']) =>
    exchange('listMerchants', '', labels === undefined ? { status } : { status, labels });
  expect(evaluate(accepted, exchange('listMerchants', null)).broken).toEqual(['service.answers response/status']);
  expect(evaluate(accepted, failing(302)).broken).toEqual(['service.answers response/status']);
  expect(evaluate(accepted, failing(500)).broken).toEqual(['service.no-server-error response/status']);
  expect(evaluate(accepted, failing(503, [['retry-after', '1']]), failing(404), failing(429)).broken).toEqual([]);
  expect(evaluate(exchange('listMerchants', null), failing(500), failing(302)).broken).toEqual([]);
  expect(evaluate(exchange('listBranches'), failing(500)).broken).toEqual([]);
  expect(evaluate(accepted, failing(404)).exercised).toContain('service.answers');
});

test('The same request in the same state gets the same success status', () => {
  const branches = (status: number, merchant_no = '60017') =>
    exchange('listBranches', body('listBranches'), { status, asked: { merchant_no } });
  expect(evaluate(branches(200), branches(200), branches(203, '60018')).broken).toEqual([]);
  expect(evaluate(branches(200), branches(200), branches(203)).broken).toEqual([
    'service.status.consistent response/status',
  ]);
});

test('Two loan requests open two applications', () => {
  const opened = (...ids: readonly string[]) =>
    evaluate(...ids.map((id) => exchange('requestLoan', body('requestLoan', '/data/application_id', id))));
  expect(opened('1', '2', '3').broken).toEqual([]);
  expect(opened('1', '2', '1').broken).toEqual(['loans.application.id.distinct /data/application_id']);
  expect(opened('1', '01').broken).toEqual(['loans.application.id.distinct /data/application_id']);
  expect(opened('9007199254740992', '9007199254740993').broken).toEqual([]);
  expect(opened('1').exercised).not.toContain('loans.application.id.distinct');
});

test('Two payment links have two order ids and two tokens', () => {
  const link = (id: number, token: string) =>
    exchange('createPaymentLink', {
      data: {
        ...(body('createPaymentLink') as { data: object }).data,
        order_id: `0b6f3f0e-6f0c-4c39-9a53-27b0f2b1a9d${id}`,
        payment_token: token,
        payment_link: `https://pay.example/${token}`,
      },
    });
  expect(evaluate(link(1, 'one'), link(2, 'two')).broken).toEqual([]);
  expect(evaluate(link(1, 'one'), link(1, 'two')).broken).toEqual(['links.link.order-id.distinct /data/order_id']);
  expect(evaluate(link(1, 'one'), link(2, 'one')).broken).toEqual([
    'links.link.payment-token.distinct /data/payment_token',
  ]);
  const unmade = exchange('createPaymentLink', body('createPaymentLink', '/data/is_success', false));
  expect(evaluate(unmade, unmade).broken).toEqual([]);
});

/** Makes outcomes in order: `1 Paid` or, with errors, `1 Failed!`; `1` alone is a new disbursement. */
function judgeTexts(...scenario: readonly string[]) {
  return evaluate(
    ...scenario.map((line, index) => {
      const [, id = '', text = '', errors = ''] = /^(\d+) ?(.*?)(!?)$/.exec(line) ?? [];
      const around = { at: NOON + index * 1000, asked: { application_id: id } };
      if (text === '') return exchange('disburse', { data: { application_id: id } }, around);
      const answer = {
        data: { application_id: id, result: text },
        ...(errors === '' ? {} : { errors: [{ message: 'R036;' }] }),
      };
      return exchange('queryDisbursement', answer, around);
    }),
  );
}

test('An outcome text always goes with errors, or always without', () => {
  expect(judgeTexts('1 Paid', '2 Failed!', '1 Paid', '2 Failed!').broken).toEqual([]);
  expect(judgeTexts('1 Done', '2 Done!').broken).toEqual(['loans.outcome.text-and-errors /data/result']);
});

test('Errors of an application stay', () => {
  expect(judgeTexts('1 Working', '1 Failed!', '1 Failed!').broken).toEqual([]);
  expect(judgeTexts('1 Failed!', '1 Working').broken).toEqual(['loans.outcome.errors-stay /errors']);
  expect(judgeTexts('1 Failed!', '1', '1 Working').broken).toEqual([]);
});

test('A final text of other applications is not followed by another text', () => {
  const clause = 'loans.outcome.final /data/result';
  expect(judgeTexts('1 Working', '1 Paid', '1 Paid', '2 Working', '2 Working', '2 Paid').broken).toEqual([]);
  expect(judgeTexts('1 Paid', '1 Paid', '2 Failed', '2 Failed').broken).toEqual([]);
  expect(judgeTexts('1 Working', '1 Checking', '1 Checking', '1 Paid', '2 Checking', '2 Paid').broken).toEqual([]);
  const paid = (id: number, times = 8): string[] => [`${id} Working`, ...Array<string>(times).fill(`${id} Paid`)];
  const reversed = ['9 Working', '9 Paid', '9 Reversed'];
  expect(judgeTexts(...paid(1), ...paid(2), ...reversed).broken).toEqual([clause]);
  // Half is no majority, and a text that stays a little longer proves nothing: stages may take more or less time.
  expect(judgeTexts(...paid(1), ...reversed).broken).toEqual([]);
  expect(judgeTexts(...paid(1, 3), ...paid(2, 3), ...reversed).broken).toEqual([]);
  expect(judgeTexts('1 Paid', '1 Failed', '1 Paid').broken).toEqual([clause]);
  expect(judgeTexts('1 Working', '1 Paid', '1 Paid', '1', '1 Working', '1 Paid').broken).toEqual([]);
  expect(judgeTexts('1 Working', '1 Working').exercised).toContain('loans.outcome.final');
});

test('Concurrent queries prove nothing about their order', () => {
  const query = (text: string, at: number, ms: number) =>
    exchange('queryDisbursement', { data: { application_id: '4711', result: text } }, { at: NOON + at, ms });
  expect(evaluate(query('Paid', 0, 500), query('Working', 10, 20), query('Paid', 600, 10)).broken).toEqual([]);
});

type Atm = readonly [no: string, latitude: number, longitude: number];
const CITY = { latitude: 41, longitude: 29 };
/** ATMs at growing distances from the city, up to about 90 km. */
const network: readonly Atm[] = [0.01234, 0.05432, 0.10123, 0.20321, 0.40123, 0.80321].map(
  (off, index) => [`00${index}`, 41 + off, 29 - off / 2] as const,
);

interface AnswerOptions {
  readonly from?: { readonly latitude: number; readonly longitude: number };
  readonly distance?: (kilometres: number, index: number) => number;
  readonly swapped?: boolean;
  readonly sent?: number;
}

const makeAtm = ([no, latitude, longitude]: Atm) => ({
  atm_address: 'a',
  atm_city: 'b',
  atm_district: 'c',
  atm_name: `ATM ${Number(no)}`,
  atm_no: no,
  atm_latitude: latitude,
  atm_longitude: longitude,
});

let asked = 0;

/** Asks for ATMs from a place a few steps further each time, so that no request repeats. */
function askNear(
  atms: readonly Atm[],
  {
    from = { ...CITY, latitude: CITY.latitude - (asked += 1) * 0.00001 },
    distance = (km) => Math.round(km * 1000),
    swapped = false,
    sent = NOON,
  }: AnswerOptions = {},
) {
  const data = atms.map((atm, index) => {
    const [no, latitude, longitude] = atm;
    const atm_distance = distance(measureKm(from, { latitude, longitude }), index);
    return { ...makeAtm(swapped ? [no, longitude, latitude] : atm), atm_distance };
  });
  return exchange(
    'findAtms',
    { data },
    { asked: { latitude: String(from.latitude), longitude: String(from.longitude) }, at: sent },
  );
}

const askAtPlace = (province_code: string, ...atms: readonly Atm[]) =>
  exchange('findAtms', { data: atms.map(makeAtm) }, { asked: { ...ASKED_BY_PLACE, province_code } });

const [first, second, third, fourth, fifth, sixth] = network as [Atm, Atm, Atm, Atm, Atm, Atm];

test('Distances fit the great circle in one unit, straight or by road, with any rounding', () => {
  const tellings: readonly ((km: number) => number)[] = [
    (km) => Math.round(km * 1000),
    (km) => Math.round(km),
    (km) => Math.floor(km),
    (km) => Math.ceil(km / 1.609344),
    (km) => Math.round(km * 1300),
    (km) => Math.round(km * 2.9),
    (km) => Math.round(km * 39370),
  ];
  for (const distance of tellings) {
    const seen = evaluate(askNear(network, { distance }));
    expect([String(distance), seen.broken]).toEqual([String(distance), []]);
    expect(seen.exercised).toContain('atms.distance.consistent');
  }
});

test('A distance below the great circle, or far above it, or in another unit, gives a warning', () => {
  const clause = 'atms.distance.consistent /data/*/atm_distance';
  const oddOne = (odd: (km: number) => number) =>
    evaluate(askNear(network, { distance: (km, index) => Math.round(index === 4 ? odd(km) : km * 1000) })).broken;
  for (const odd of [(km: number) => km * 300, (km: number) => km * 5000, (km: number) => km, () => 0])
    expect(oddOne(odd)).toEqual([clause]);
});

test('Swapped coordinates are distinguished from wrong distances', () => {
  expect(evaluate(askNear(network, { swapped: true })).broken).toEqual([
    'atms.coordinates.not-swapped /data/*/atm_latitude',
  ]);
});

test('The answer holds the closest ATMs that the run knows', () => {
  expect(evaluate(askNear([first, second, third]), askNear([first, second])).broken).toEqual([]);
  expect(evaluate(askNear(network), askNear([first, second, fourth])).broken).toEqual(['atms.closest /data']);
  expect(evaluate(askAtPlace('34', ...network), askNear([second, third])).broken).toEqual(['atms.closest /data']);
  // An ATM seen at two places counts as being at the farther one.
  const moved: Atm = [fourth[0], first[1], first[2]];
  expect(evaluate(askNear(network), askAtPlace('34', moved), askNear([first, second, third])).broken).toEqual([
    'atms.no.one-place /data/*/atm_no',
  ]);
  // By road another ATM may be closer.
  const byRoad = (km: number, index: number) => Math.round(km * (index % 2 === 0 ? 1100 : 2500));
  expect(
    evaluate(askNear(network, { distance: byRoad }), askNear([first, fifth], { distance: byRoad })).broken,
  ).toEqual([]);
  // But the road to a near ATM is never longer than to one in another part of the country.
  const distant: Atm = ['0099', 43, 29];
  const all = askNear([first, second, distant], { distance: byRoad });
  const some = askNear([first, distant], { distance: byRoad });
  expect(evaluate(all, some).broken).toEqual(['atms.closest /data']);
  expect(evaluate(askNear(network)).exercised).not.toContain('atms.closest');
  // An ATM that the same question brought only once may have been closed, or opened, meanwhile.
  const steady = [1, 2].map(() => askNear(network, { from: { latitude: 41.5, longitude: 29 } }));
  const before = (sent: number) => askNear([first, second, third], { from: CITY, sent: NOON + sent });
  const after = (sent: number, from = CITY) => askNear([second, third, fourth], { from, sent: NOON + sent });
  expect(evaluate(...steady, before(0), after(1)).broken).toEqual(['atms.lists-repeat /data']);
  // A cache may repeat a closed ATM: only a new answer proves that an ATM is in service.
  const until = (sent: number): readonly string[] =>
    evaluate(...steady, before(0), after(1000, { ...CITY, latitude: 41.001 }), before(sent), after(sent + 1)).broken;
  expect(until(1900)).toEqual(['atms.lists-repeat /data']);
  expect(until(3500)).toContain('atms.closest /data');
});

test('The same question brings the same list, in any order', () => {
  const clause = 'atms.lists-repeat /data';
  expect(evaluate(askNear([first, second], { from: CITY }), askNear([second, first], { from: CITY })).broken).toEqual(
    [],
  );
  expect(evaluate(askNear([first, second], { from: CITY }), askNear([first, third], { from: CITY })).broken).toContain(
    clause,
  );
  expect(evaluate(askAtPlace('34', first, second), askAtPlace('34', first)).broken).toEqual([clause]);
  expect(evaluate(askAtPlace('34', first, second), askAtPlace('35', first)).broken).toEqual([]);
  const branches = (...numbers: readonly number[]) =>
    exchange('listBranches', { data: { branches: numbers.map((no) => ({ no, name: 'Branch' })) } });
  expect(evaluate(branches(1, 2), branches(2, 1)).broken).toEqual([]);
  expect(evaluate(branches(1, 2), branches(1, 3)).broken).toEqual(['links.lists-repeat /data']);
  const highest = (amount: number) => exchange('listMerchants', body('listMerchants', '/data/qr_max_amount', amount));
  expect(evaluate(highest(5), highest(6)).broken).toEqual(['links.lists-repeat /data']);
  expect(evaluate(highest(5), exchange('createPaymentLink'), highest(4)).broken).toEqual([]);
});

test('A list that changed once is distinguished from one that alternates, in any order of the records', () => {
  const asked = (...lists: readonly (readonly [sent: number, atms: readonly Atm[]])[]) =>
    evaluate(...lists.map(([sent, atms]) => askNear(atms, { from: CITY, sent: NOON + sent }))).received;
  const once = ['another list, and never the first one again: others may have changed it meanwhile'];
  expect(asked([1, [first, second]], [2, [first]], [3, [first]])).toEqual(once);
  expect(asked([3, [first]], [1, [first, second]], [2, [first, second]])).toEqual(once);
  expect(asked([2, [first]], [1, [first, second]], [3, [first, second]])).toEqual(['another list at times']);
});

test('An ATM has the same number, digit by digit, in every answer', () => {
  const clause = 'atms.no.same-text /data/*/atm_no';
  const [, latitude, longitude] = first;
  expect(evaluate(askNear([first, second]), askAtPlace('34', ['0', latitude, longitude])).broken).toEqual([clause]);
  expect(evaluate(askNear([first, second]), askAtPlace('34', first)).broken).toEqual([]);
  expect(evaluate(askNear([first, second]), askAtPlace('34', ['7', latitude, longitude])).broken).not.toContain(clause);
});

test('One ATM number means one place, within rounding', () => {
  const moved = (north: number): readonly string[] =>
    evaluate(askAtPlace('34', first), askAtPlace('35', [first[0], first[1] + north, first[2]])).broken;
  expect(moved(0.001)).toEqual([]);
  expect(moved(0.01)).toEqual(['atms.no.one-place /data/*/atm_no']);
});

test('Different codes do not all bring the same ATMs', () => {
  expect(evaluate(askAtPlace('34', first), askAtPlace('06', first), askAtPlace('35', first)).broken).toEqual([
    'atms.codes-tell /data',
  ]);
  expect(evaluate(askAtPlace('34', first), askAtPlace('06', first), askAtPlace('35', first)).counts).toEqual([3]);
  expect(evaluate(askAtPlace('34', first), askAtPlace('06', first), askAtPlace('35', second)).broken).toEqual([]);
  expect(evaluate(askAtPlace('34', first), askAtPlace('034', first), askAtPlace('06', first)).broken).toEqual([]);
  expect(evaluate(askAtPlace('34', first), askAtPlace('06'), askAtPlace('35')).broken).toEqual([]);
  expect(evaluate(askAtPlace('34', sixth), askAtPlace('06', sixth)).broken).toEqual([]);
  // A district may bring the ATMs of its province or neighbour, but not those of a distant one.
  const mixed = (...atms: readonly Atm[]) =>
    evaluate(askAtPlace('34', first, ...atms), askAtPlace('06', second, ...atms), askAtPlace('35', third)).broken;
  const distant: Atm = ['0099', 44, 29];
  expect(mixed(distant)).toEqual(['atms.codes-tell /data']);
  expect(mixed(sixth)).toEqual([]);
  // If codes differ only in zeros, the longest answer counts.
  const fewer = askAtPlace('6', distant);
  expect(
    evaluate(fewer, askAtPlace('34', first, distant), askAtPlace('06', second, distant), askAtPlace('35', third))
      .broken,
  ).toHaveLength(1);
  expect(evaluate(askAtPlace('34', first, distant), askAtPlace('06', distant), askAtPlace('35', third)).broken).toEqual(
    [],
  );
});

test('The cost of a run is proportional to the number of its answers', () => {
  const from = (turn: number) => ({ latitude: 40 + turn / 20_000, longitude: 29 });
  const answersOf = (length: number) =>
    Array.from({ length }, (_, turn) => askNear([...network, ...network], { from: from(turn) }));
  expect(evaluate(...answersOf(10)).exercised).toContain('atms.no.one-place');
  expectLinear('answers', (answers) => evaluate(...answers), answersOf, 1000);
});
