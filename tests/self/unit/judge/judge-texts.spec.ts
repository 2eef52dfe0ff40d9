/**
 * Tests the text formats: an ordinary text gives no finding, a loose text at most a warning, and other texts break a `must`
 * clause.
 */
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { clauseTexts } from '../../../../fixtures/banks/mutants/text-formats.ts';
import { getLocations, type ClauseLocation } from '../../../../openapi/contract/locations.ts';
import type { OperationId } from '../../../../openapi/model/exchange.ts';
import { contradictsDocument, body, listBrokenClauses, judgeAnswer } from '../../support/judge-harness.ts';

for (const { clause, also, ordinary, bad } of clauseTexts)
  test(`The texts for ${clause}`, () => {
    const [location] = getLocations(clause);
    const { operation, pointer } = location as ClauseLocation;
    const findBroken = (value: unknown): readonly string[] =>
      listBrokenClauses(operation, body(operation, pointer.replaceAll('*', '0'), value));
    for (const value of ordinary) expect([value, findBroken(value)]).toEqual([value, []]);
    for (const value of bad)
      expect([value, findBroken(value)]).toEqual([value, [...also, clause].map((entry) => `${entry} ${pointer}`)]);
  });

interface NumberFormat {
  readonly operation: OperationId;
  readonly at: string;
  /** These values give no finding. */
  readonly ordinary: readonly unknown[];
  /** These values break exactly this clause. */
  readonly bad: Readonly<Record<string, readonly unknown[]>>;
}

const numberFormats: Readonly<Record<string, NumberFormat>> = {
  'a latitude': {
    operation: 'findAtms',
    at: '/data/0/atm_latitude',
    ordinary: [0, -90, 90, 41.01360001234],
    bad: { 'atms.latitude.range': [90.1, -120, 360, -360], 'atms.latitude.degrees': [360.5, -361, 41013600, 1e300] },
  },
  'a longitude': {
    operation: 'findAtms',
    at: '/data/0/atm_longitude',
    ordinary: [0, -180, 180, 28.955],
    bad: { 'atms.longitude.range': [181, -360, 359], 'atms.longitude.degrees': [28955000, -400] },
  },
  'a distance': {
    operation: 'findAtms',
    at: '/data/0/atm_distance',
    ordinary: [0, 1, 20_000_000],
    bad: { 'atms.distance.not-negative': [-1, -420], 'atms.distance': [4.2, '420'] },
  },
  'a highest amount': {
    operation: 'listMerchants',
    at: '/data/qr_max_amount',
    ordinary: [0, 5000, 20000.5, 1234.567, 1e15],
    bad: {
      'links.merchants.qr-max-amount.not-negative': [-1, -0.01],
      'links.merchants.qr-max-amount.no-residue': [1234.5600000000002, 20001.699999999997],
    },
  },
  'a number of installments': {
    operation: 'listInstallments',
    at: '/data/installments/0/value',
    ordinary: [1, 36, 100000],
    bad: { 'links.installment.value.positive': [0, -3], 'links.installment.value': [1.5, '1'] },
  },
};

for (const [name, { operation, at, ordinary, bad }] of Object.entries(numberFormats))
  test(`The text format of ${name}`, () => {
    const findBroken = (value: unknown): readonly string[] => listBrokenClauses(operation, body(operation, at, value));
    const where = at.replaceAll(/\/0(?=\/|$)/g, '/*');
    for (const value of ordinary) expect([value, findBroken(value)]).toEqual([value, []]);
    for (const [clause, values] of Object.entries(bad))
      for (const value of values) expect([value, findBroken(value)]).toEqual([value, [`${clause} ${where}`]]);
  });

test('Texts that are no names may be empty', () => {
  const free = [
    ['listMerchants', '/data/qr_max_amount_limit_message'],
    ['listMerchants', '/data/edit_message'],
    ['listMerchants', '/data/merchants/0/account_no'],
    ['findAtms', '/data/0/atm_address'],
    ['findAtms', '/data/0/atm_city'],
    ['findAtms', '/data/0/atm_district'],
    ['approveContract', '/data/application_id'],
  ] as const;
  for (const [operation, at] of free)
    expect(listBrokenClauses(operation, body(operation, at, ''), { asked: {} })).toEqual([]);
});

const drawDigits = (min: number, max = min): fc.Arbitrary<string> =>
  fc.stringMatching(new RegExp(`^[0-9]{${min},${max}}$`));

/** Generates every decimal text that a fair reader accepts as having exactly `places` decimals. */
const drawDecimalTexts = (places: number): fc.Arbitrary<string> => {
  const grouped = fc.tuple(
    drawDigits(1, 3),
    fc.array(drawDigits(3), { minLength: 1, maxLength: 5 }),
    fc.constantFrom([',', '.'], ['.', ','], [' ', ','], ["'", '.']),
  );
  const whole = fc.oneof(
    fc.tuple(drawDigits(0, 20), fc.constantFrom('.', ',')).map(([text, sign]) => text + sign),
    grouped.map(([first, rest, [separator, sign]]) => [first, ...rest].join(separator) + sign),
  );
  return fc
    .tuple(fc.constantFrom('', '-', '+', ' ', '−', '- '), whole, drawDigits(places))
    .map((parts) => parts.join(''));
};

const loosestTexts: readonly (readonly [OperationId, string, fc.Arbitrary<unknown>])[] = [
  ['requestLoan', '/data/infos/0/avaliable_limit', drawDecimalTexts(2)],
  ['requestLoan', '/data/infos/0/interest_rate', drawDecimalTexts(5)],
  ['requestLoan', '/data/infos/0/commission_rate', drawDecimalTexts(5)],
  ['requestLoan', '/data/application_id', drawDigits(1, 40)],
  [
    'requestLoan',
    '/data/result',
    fc
      .tuple(fc.constantFrom('', ' '), fc.mixedCase(fc.constantFrom('true', 'false')), fc.constantFrom('', '\t'))
      .map((parts) => parts.join('')),
  ],
  ['requestLoan', '/data/infos/0/interest_term', fc.stringMatching(/^[0-9][A-Za-zÀ-ÖØ-öÇĞİŞığş]$/)],
  ['listCurrencies', '/data/currencies/0/code', fc.stringMatching(/^[A-Za-z]{3}$/)],
  ['createPaymentLink', '/data/order_id', fc.mixedCase(fc.uuid())],
  [
    'createPaymentLink',
    '/data/payment_link',
    fc.webUrl({ withQueryParameters: true, withFragments: true }).map((url) => `${url.split('#')[0]}#9Kc2v7`),
  ],
  [
    'createPaymentLink',
    '/data/end_date',
    fc
      .date({ min: new Date(0), max: new Date(253402300799999), noInvalidDate: true })
      .map((date) => date.toISOString().replace(/^(....)-(..)-(..)T(.{8}).*$/, '$3.$2.$1 $4')),
  ],
  [
    'queryDisbursement',
    '/errors/0/message',
    fc.array(drawDigits(3), { minLength: 1, maxLength: 3 }).map((codes) => codes.map((code) => `R${code};`).join(' ')),
  ],
];

test('A text in the loosest form breaks no promise', () => {
  for (const [operation, at, values] of loosestTexts)
    fc.assert(
      fc.property(values, (value) => !contradictsDocument(judgeAnswer(operation, body(operation, at, value)).breaks)),
      { numRuns: 300 },
    );
});
