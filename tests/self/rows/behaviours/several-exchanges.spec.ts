/** Tests clauses that only several exchanges together can break. */
import { expect, test } from '@playwright/test';
import type { Exchange } from '../../../../openapi/model/exchange.ts';
import { measureKm } from '../../../../openapi/util/geo.ts';
import { body, ASKED_BY_PLACE, exchange, NOON, evaluate, type Around } from '../../support/judge-harness.ts';
import { expectLinear } from '../../unit/linear-time.ts';

const findBroken = (...exchanges: readonly Exchange[]): readonly string[] => evaluate(...exchanges).broken;

test('After an accepted request, no answer or a redirect breaks service.answers, and 500 breaks service.no-server-error', () => {
  const accepted = exchange('listMerchants');
  const lost = exchange('listMerchants', null);
  const fail = (status: number, labels: Around['labels'] = []) => exchange('listMerchants', '', { status, labels });
  for (const unanswered of [lost, fail(302)])
    expect(findBroken(accepted, unanswered)).toEqual(['service.answers response/status']);
  expect(findBroken(accepted, fail(500))).toEqual(['service.no-server-error response/status']);
  expect(findBroken(accepted, fail(503, [['retry-after', '1']]), fail(404), fail(429))).toEqual([]);
  expect(findBroken(lost, fail(500), fail(302))).toEqual([]);
  expect(findBroken(exchange('listBranches'), fail(500))).toEqual([]);
  expect(evaluate(accepted, fail(404)).exercised).toContain('service.answers');
  expect(evaluate(accepted).exercised).not.toContain('service.answers');
});

test('The same branch list with status 200 and later 203 breaks service.status.consistent', () => {
  const list = (status: number, merchant_no = '60017') =>
    exchange('listBranches', body('listBranches'), { status, asked: { merchant_no } });
  expect(findBroken(list(200), list(200), list(203, '60018'))).toEqual([]);
  expect(findBroken(list(200), list(200), list(203))).toEqual(['service.status.consistent response/status']);
});

test('Two loan requests that get the same application id break loans.application.id.distinct', () => {
  const open = (...ids: readonly string[]) =>
    evaluate(...ids.map((id) => exchange('requestLoan', body('requestLoan', '/data/application_id', id))));
  for (const ids of [
    ['1', '2', '1'],
    ['1', '01'],
  ])
    expect(open(...ids).broken).toEqual(['loans.application.id.distinct /data/application_id']);
  for (const ids of [
    ['1', '2', '3'],
    ['9007199254740992', '9007199254740993'],
  ])
    expect(open(...ids).broken).toEqual([]);
  expect(open('1').exercised).not.toContain('loans.application.id.distinct');
});

/** Judges outcomes in this order. `1 Paid` is an outcome of application 1, `1 Failed!` has errors, `1` is a disbursement. */
const judgeTexts = (...lines: readonly string[]) =>
  evaluate(
    ...lines.map((line, index) => {
      const [, id = '', result = '', errors = ''] = /^(\d+) ?(.*?)(!?)$/.exec(line) ?? [];
      const around = { at: NOON + index * 1000, asked: { application_id: id } };
      if (result === '') return exchange('disburse', { data: { application_id: id } }, around);
      const errorsMember = errors === '' ? {} : { errors: [{ message: 'R036;' }] };
      return exchange('queryDisbursement', { data: { application_id: id, result }, ...errorsMember }, around);
    }),
  );
const listPaid = (id: number, times = 8): string[] => [`${id} Working`, ...Array<string>(times).fill(`${id} Paid`)];
const listAlternating = (id: number, ...lastTexts: readonly string[]): string[] =>
  ['Working', 'Busy', 'Working', 'Busy', ...lastTexts, ...lastTexts].map((text) => `${id} ${text}`);
const reversedTexts = ['9 Working', '9 Paid', '9 Reversed'];

const FINAL_CLAUSE = 'loans.outcome.final /data/result';
const textRows: readonly (readonly [title: string, ...rows: (readonly [broken: string, ...lines: string[]])[]])[] = [
  [
    'An outcome text that comes with errors and without breaks loans.outcome.text-and-errors',
    ['', '1 Paid', '2 Failed!', '1 Paid', '2 Failed!'],
    ['loans.outcome.text-and-errors /data/result', '1 Done', '2 Done!'],
  ],
  [
    'Errors of an application that are gone in a later answer break loans.outcome.errors-stay',
    ['', '1 Working', '1 Failed!', '1 Failed!'],
    ['loans.outcome.errors-stay /errors', '1 Failed!', '1 Working'],
    ['', '1 Failed!', '1', '1 Working'],
  ],
  [
    'A text that follows the final text of other applications breaks loans.outcome.final',
    ['', '1 Working', '1 Paid', '1 Paid', '2 Working', '2 Working', '2 Paid'],
    ['', '1 Paid', '1 Paid', '2 Failed', '2 Failed'],
    [FINAL_CLAUSE, ...listPaid(1), ...listPaid(2), ...reversedTexts],
    // The text is final for only half of the disbursements. That the text stays a little longer proves nothing.
    ['', ...listPaid(1), ...reversedTexts],
    [FINAL_CLAUSE, '1 Paid', '1 Failed', '1 Paid', '2 Failed'],
    // The bank may have changed its words: it does not use one of them any more.
    ['', '1 Paid', '1 Failed', '1 Paid'],
    // Two machines have different words for “in progress”. No disbursement, or only the newest one, ends with one of these texts.
    ['', '9 Done', '9 Sent', ...[1, 2, 3].flatMap((id) => listAlternating(id, 'Done')), ...listAlternating(4)],
    [FINAL_CLAUSE, ...listPaid(2), ...listAlternating(1)],
  ],
];

for (const [title, ...rows] of textRows)
  test(title, () => {
    for (const [broken, ...lines] of rows)
      expect([lines, judgeTexts(...lines).broken]).toEqual([lines, broken === '' ? [] : [broken]]);
  });

test('Two queries of one outcome in a row test loans.outcome.final; concurrent queries break no clause', () => {
  expect(judgeTexts('1 Paid', '1 Paid').exercised).toContain('loans.outcome.final');
  // The clause is not tested if no outcome may be final and no outcome has errors.
  expect(judgeTexts('1 In progress', '1 In progress').exercised).not.toContain('loans.outcome.final');
  expect(judgeTexts('1 Paid', '1 Paid').exercised).not.toContain('loans.outcome.text-and-errors');
  expect(judgeTexts('1 Paid').exercised).not.toContain('loans.outcome.found-again');
  const query = (result: string, at: number, ms: number) =>
    exchange('queryDisbursement', { data: { application_id: '4711', result } }, { at: NOON + at, ms });
  expect(findBroken(query('Paid', 0, 500), query('Working', 10, 20), query('Paid', 600, 10))).toEqual([]);
});

type Atm = readonly [no: string, latitude: number, longitude: number];
const CITY = { latitude: 41, longitude: 29 };
/** ATMs at increasing distances from the city, up to about 90 km. */
const network = [0.01234, 0.05432, 0.10123, 0.20321, 0.40123, 0.80321].map((off, index): Atm => [
  `00${index}`,
  41 + off,
  29 - off / 2,
]) as [Atm, Atm, Atm, Atm, Atm, Atm];
const [first, second, third, fourth, fifth, sixth] = network;

const makeAtm = ([no, latitude, longitude]: Atm) => ({
  ...{ atm_address: 'a', atm_city: 'b', atm_district: 'c', atm_name: `ATM ${Number(no)}`, atm_no: no },
  ...{ atm_latitude: latitude, atm_longitude: longitude },
});

interface AnswerOptions {
  readonly from?: { readonly latitude: number; readonly longitude: number };
  readonly distance?: (kilometres: number, index: number) => number;
  readonly swapped?: boolean;
  readonly sent?: number;
}

let queryCount = 0;
const toMetres = (km: number): number => Math.round(km * 1000);

/** Makes an answer to a query for a position. Each call uses a slightly different position: no two requests are equal. */
function makeNearbyAnswer(atms: readonly Atm[], options: AnswerOptions = {}): Exchange {
  const { from = { ...CITY, latitude: CITY.latitude - (queryCount += 1) * 0.00001 } } = options;
  const { distance = toMetres, swapped = false, sent = 0 } = options;
  const data = atms.map(([no, latitude, longitude], index) => ({
    ...makeAtm(swapped ? [no, longitude, latitude] : [no, latitude, longitude]),
    atm_distance: distance(measureKm(from, { latitude, longitude }), index),
  }));
  const at = { latitude: String(from.latitude), longitude: String(from.longitude) };
  return exchange('findAtms', { data }, { asked: at, at: NOON + sent });
}
const makeCityAnswer = (...atms: readonly Atm[]) => makeNearbyAnswer(atms, { from: CITY });
const askAtPlace = (province_code: string, ...atms: readonly Atm[]) =>
  exchange('findAtms', { data: atms.map(makeAtm) }, { asked: { ...ASKED_BY_PLACE, province_code } });

test('Distances in any unit, straight or by road, with any rounding keep atms.distance.consistent', () => {
  for (const factor of [1000, 1, 0.9, 1 / 1.609344, 1300, 2.9, 39370])
    for (const round of [Math.round, Math.floor, Math.ceil]) {
      const { broken, exercised } = evaluate(makeNearbyAnswer(network, { distance: (km) => round(km * factor) }));
      expect([factor, broken]).toEqual([factor, []]);
      expect(exercised).toContain('atms.distance.consistent');
    }
});

/** Distances by road. The road to every second ATM is 2.5 times as long as the straight line. */
const byRoad = { distance: (km: number, index: number) => Math.round(km * (index % 2 === 0 ? 1100 : 2500)) };
const distantAtm: Atm = ['0099', 43, 29];
const farAwayAtm: Atm = ['0099', 44, 29];
const listBranches = (...numbers: readonly number[]) =>
  exchange('listBranches', { data: { branches: numbers.map((no) => ({ no, name: 'Branch' })) } });
const listMerchants = (amount: number) =>
  exchange('listMerchants', body('listMerchants', '/data/qr_max_amount', amount));
/** Makes answers for a province that shares ATMs with another province. */
const shareAtms = (...atms: readonly Atm[]) => [
  askAtPlace('34', first, ...atms),
  askAtPlace('06', second, ...atms),
  askAtPlace('35', third),
];

const [CLOSEST, CODES, REPEAT] = ['atms.closest /data', 'atms.codes-tell /data', 'atms.lists-repeat /data'];
const [LINKS_REPEAT, ONE_PLACE] = ['links.lists-repeat /data', 'atms.no.one-place /data/*/atm_no'];
const SAME_TEXT_FINDING = 'atms.no.same-text /data/*/atm_no';
const atmRows: readonly (readonly [title: string, ...rows: (readonly [broken: string, ...of: Exchange[]])[]])[] = [
  [
    'Swapped coordinates break atms.coordinates.not-swapped, and no clause about distances',
    ['atms.coordinates.not-swapped /data/*/atm_latitude', makeNearbyAnswer(network, { swapped: true })],
  ],
  [
    'An answer without a close ATM of another answer breaks atms.closest',
    ['', makeNearbyAnswer([first, second, third]), makeNearbyAnswer([first, second])],
    [CLOSEST, makeNearbyAnswer(network), makeNearbyAnswer([first, second, fourth])],
    // By road, another ATM may be closer, but not an ATM in another part of the country.
    ['', makeNearbyAnswer(network, byRoad), makeNearbyAnswer([first, fifth], byRoad)],
    [CLOSEST, makeNearbyAnswer([first, second, distantAtm], byRoad), makeNearbyAnswer([first, distantAtm], byRoad)],
  ],
  [
    'Another list for the same request breaks lists-repeat; another order does not',
    ['', makeCityAnswer(first, second), makeCityAnswer(second, first)],
    [REPEAT, askAtPlace('34', first, second), askAtPlace('34', first)],
    [LINKS_REPEAT, listBranches(1, 2), listBranches(1, 3)],
    [LINKS_REPEAT, listMerchants(5), listMerchants(6)],
    ['', listMerchants(5), exchange('createPaymentLink'), listMerchants(4)],
  ],
  [
    'An ATM whose number has lost its leading zeros in another answer breaks atms.no.same-text',
    [SAME_TEXT_FINDING, makeNearbyAnswer([first, second]), askAtPlace('34', ['0', first[1], first[2]])],
    ['', makeNearbyAnswer([first, second]), askAtPlace('34', first)],
  ],
  [
    'An ATM number at another place in another answer breaks atms.no.one-place; rounding does not',
    ['', askAtPlace('34', first), askAtPlace('35', [first[0], first[1] + 0.001, first[2]])],
    [ONE_PLACE, askAtPlace('34', first), askAtPlace('35', [first[0], first[1] + 0.01, first[2]])],
  ],
  [
    'Three provinces with the same ATMs break atms.codes-tell; two neighbours do not',
    [CODES, askAtPlace('34', first), askAtPlace('06', first), askAtPlace('35', first)],
    ['', askAtPlace('34', first), askAtPlace('06', first), askAtPlace('35', second)],
    ['', askAtPlace('34', first), askAtPlace('034', first), askAtPlace('06', first)],
    // A district may return the ATMs of its province or of its neighbour, but not of a distant district.
    [CODES, ...shareAtms(farAwayAtm)],
    ['', ...shareAtms(sixth)],
    // Unknown codes may return the first ten of all ATMs.
    ['', askAtPlace('34', fourth, fifth, sixth), askAtPlace('99', ...network.slice(0, 5)), askAtPlace('35', sixth)],
  ],
];

for (const [title, ...rows] of atmRows)
  test(title, () => {
    for (const [nth, [broken, ...exchanges]] of rows.entries())
      expect([nth, findBroken(...exchanges)]).toEqual([nth, broken === '' ? [] : [broken]]);
  });

test('An ATM that is missing in one answer breaks atms.closest only if answers shortly before and after have it', () => {
  const steady = [1, 2].map(() => makeNearbyAnswer(network, { from: { latitude: 41.5, longitude: 29 } }));
  const before = (sent: number) => makeNearbyAnswer([first, second, third], { from: CITY, sent });
  const after = (sent: number, from = CITY) => makeNearbyAnswer([second, third, fourth], { from, sent });
  expect(findBroken(...steady, before(0), after(1))).toEqual([REPEAT]);
  // A cache may repeat a closed ATM: only a new answer proves that an ATM is in service.
  const until = (sent: number) =>
    findBroken(...steady, before(0), after(1000, { ...CITY, latitude: 41.001 }), before(sent), after(sent + 1));
  expect([until(1900), until(3500)]).toEqual([[REPEAT], [REPEAT]]);
  // Other answers contain the ATM less than one second before and after this answer.
  const beside = [900, 1500].map((sent) =>
    makeNearbyAnswer([first, second], { from: { latitude: 41.002, longitude: 29 }, sent }),
  );
  const closely = [before(0), ...beside, after(1000, { ...CITY, latitude: 41.001 }), before(3500), after(3501)];
  expect(findBroken(...steady, ...closely)).toContain(CLOSEST);
});

test('A finding says whether a list changed once or alternates, for any order of the records', () => {
  const ask = (...lists: readonly (readonly [sent: number, ...atms: Atm[]])[]) =>
    evaluate(...lists.map(([sent, ...atms]) => makeNearbyAnswer(atms, { from: CITY, sent }))).received;
  const changedOnce = ['another list, and never the first one again: others may have changed it meanwhile'];
  expect(ask([1, first, second], [2, first], [3, first])).toEqual(changedOnce);
  expect(ask([3, first], [1, first, second], [2, first, second])).toEqual(changedOnce);
  expect(ask([2, first], [1, first, second], [3, first, second])).toEqual(['another list at times']);
});

test('The cost of evaluating a run is proportional to the number of its answers', () => {
  const from = (turn: number) => ({ latitude: 40 + turn / 20_000, longitude: 29 });
  const answersOf = (length: number) =>
    Array.from({ length }, (_, turn) => makeNearbyAnswer([...network, ...network], { from: from(turn) }));
  expect(evaluate(...answersOf(10)).exercised).toContain('atms.no.one-place');
  expectLinear('answers', (answers) => evaluate(...answers), answersOf, 250);
});
