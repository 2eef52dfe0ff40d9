/** The text formats: the ordinary form raises nothing, the loosest form at most a warning, anything else breaks a promise. */
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import type { OperationId } from '../../../../openapi/model/exchange.ts';
import { againstTheDocument, body, broken, gone, judged } from '../../support/judge-harness.ts';

interface Format {
  readonly operation: OperationId;
  readonly at: string;
  /** Raises nothing. */
  readonly ordinary: readonly unknown[];
  /** Raises this expectation and nothing else. */
  readonly loose: Readonly<Record<string, readonly unknown[]>>;
  /** Breaks this promise and nothing else. */
  readonly wrong: Readonly<Record<string, readonly unknown[]>>;
}

const decimals = (field: string, clause: string, [zeros, more, fewer]: readonly [string, string, string]): Format => ({
  operation: 'requestLoan',
  at: `/data/infos/0/${field}`,
  ordinary: [`0.${zeros}`, `12.${zeros}`, `2500000000000000000.${zeros}`, `-0.${zeros}`, `007.${zeros}`],
  loose: {
    [`${clause}.plain`]: [
      `12,${zeros}`,
      `.${zeros}`,
      `+12.${zeros}`,
      ` 12.${zeros}`,
      `1,234,567.${zeros}`,
      `1.234.567,${zeros}`,
      `12,34,567.${zeros}`,
      `1 234,${zeros}`,
      `1\u00a0234,${zeros}`,
      `1\u202f234,${zeros}`,
      `1'234.${zeros}`,
      `1’234.${zeros}`,
      `٢٥٫${zeros}`,
    ],
    [`${clause}.not-negative`]: [`-5.${zeros}`, `-0.${zeros.replace('0', '1')}`],
  },
  wrong: {
    [`${clause}.decimals`]: [
      ...['', ' ', '12', `12.${fewer}`, `12.${more}`, '12.', 'NaN', 'Infinity', `1e3.${zeros}`, '1e2', `0x1F.${zeros}`],
      ...[
        `12.${zeros} EUR`,
        `€12.${zeros}`,
        `12.${zeros}%`,
        `12.${zeros} `,
        `12.${zeros}-`,
        `--12.${zeros}`,
        `1.2.${zeros}`,
      ],
      ...[`12.${zeros}\n`, `twelve.${zeros}`, `1.234.567.${zeros}`, `12.${zeros}.${zeros}`, `12/${zeros}`],
    ],
  },
});

const formats: Readonly<Record<string, Format>> = {
  'the result of a check': {
    operation: 'validateLoan',
    at: '/data/result',
    ordinary: ['true', 'false'],
    loose: { 'loans.validation.result.exact': ['True', 'FALSE', 'tRuE', '1', '0', ' true', 'false\n'] },
    wrong: {
      'loans.validation.result.boolean': [
        '',
        'yes',
        'ok',
        'T',
        'truefalse',
        '01',
        '2',
        'true.',
        'null',
        'doğru',
        '"true"',
      ],
    },
  },
  'the result of a loan request': {
    operation: 'requestLoan',
    at: '/data/result',
    ordinary: ['true', 'false'],
    loose: { 'loans.application.result.exact': ['TRUE', 'False', '1', '0', ' true '] },
    wrong: { 'loans.application.result.boolean': ['', 'Y', 'success', '-1', 'true;'] },
  },
  'the id of an application': {
    operation: 'requestLoan',
    at: '/data/application_id',
    ordinary: ['0', '4711', '0004711', '1234567890123456789', '9'.repeat(40), '٤٧١١'],
    loose: {},
    wrong: {
      'loans.application.id.digits': [
        '',
        ' ',
        'A4711',
        '4711A',
        '47-11',
        '4711.0',
        '-4711',
        '+4711',
        ' 4711',
        '4711 ',
        '0x12',
        '4,711',
        '4711\n',
      ],
    },
  },
  'the account id of an offer': {
    operation: 'requestLoan',
    at: '/data/infos/0/account_id',
    ordinary: ['1', '0900120', '12345678901234567890'],
    loose: {},
    wrong: { 'loans.offer.account-id.digits': ['', 'ACC1', '12 34', '1e5', '12.0'] },
  },
  'the available limit': decimals('avaliable_limit', 'loans.offer.limit', ['00', '000', '0']),
  'the interest rate': decimals('interest_rate', 'loans.offer.interest-rate', ['00000', '000000', '0000']),
  'the commission rate': decimals('commission_rate', 'loans.offer.commission-rate', ['00000', '00', '0']),
  'the interest term': {
    operation: 'requestLoan',
    at: '/data/infos/0/interest_term',
    ordinary: ['1M', '3Y', '0D', '9Z'],
    loose: { 'loans.offer.interest-term.upper-case': ['1m', '3y', '1Ü', '1М', '٣M', '5月'] },
    wrong: {
      'loans.offer.interest-term.form': [
        '',
        'M',
        '1',
        'M1',
        '12M',
        '1MO',
        '1 M',
        '1M ',
        ' 1M',
        '1-',
        '11',
        'MM',
        '1M\n',
      ],
    },
  },
  'a currency code': {
    operation: 'listCurrencies',
    at: '/data/currencies/0/code',
    ordinary: ['EUR', 'TRY', 'eur', 'XXX'],
    loose: { 'links.currency.code.ordinary': ['Eur', 'eUR', 'ÇĞŞ', 'РУБ'] },
    wrong: { 'links.currency.code.form': ['', 'EU', 'EURO', '978', 'E1R', 'EUR ', ' EUR', 'E R', '€€€', 'EUR\n'] },
  },
  'the order id of a link': {
    operation: 'createPaymentLink',
    at: '/data/order_id',
    ordinary: [
      '0b6f3f0e-6f0c-4c39-9a53-27b0f2b1a9d4',
      '0B6F3F0E-6F0C-4C39-9A53-27B0F2B1A9D4',
      '01890a5d-ac96-774b-bcce-b302099a8057',
    ],
    loose: {
      'links.link.order-id.canonical': [
        '0b6f3f0e6f0c4c399a5327b0f2b1a9d4',
        '{0b6f3f0e-6f0c-4c39-9a53-27b0f2b1a9d4}',
        '0b6f-3f0e-6f0c-4c39-9a53-27b0-f2b1-a9d4',
      ],
      'links.link.order-id.not-nil': ['00000000-0000-0000-0000-000000000000'],
    },
    wrong: {
      'links.link.order-id.uuid': [
        ...['', '4711', '0b6f3f0e-6f0c-4c39-9a53-27b0f2b1a9d', '0b6f3f0e-6f0c-4c39-9a53-27b0f2b1a9d45'],
        ...[
          'gb6f3f0e-6f0c-4c39-9a53-27b0f2b1a9d4',
          '0b6f3f0e_6f0c_4c39_9a53_27b0f2b1a9d4',
          '0b6f3f0e-6f0c-4c39-9a53-27b0f2b1a9d4 ',
        ],
      ],
    },
  },
  'the expiry of a link': {
    operation: 'createPaymentLink',
    at: '/data/end_date',
    ordinary: ['24.12.2030 18:30:00', '29.02.2032 00:00:00', '31.12.9999 23:59:59', '01.06.2030 12:00:01'],
    loose: { 'links.link.end-date.ordinary': ['24.12.2030 24:00:00', '30.06.2031 23:59:60', '01.07.2031 05:29:60'] },
    wrong: {
      'links.link.end-date.form': [
        ...['', '2030-12-24T18:30:00Z', '24.12.2030', '24.12.2030T18:30:00', '24.12.2030 18:30', '24.12.30 18:30:00'],
        ...[
          '1.6.2031 1:02:03',
          '24/12/2030 18:30:00',
          '24.12.2030 18:30:00Z',
          '24.12.2030  18:30:00',
          ' 24.12.2030 18:30:00',
        ],
        ...['24.12.2030 06:30:00 PM', '24.12.2030 18.30.00', '1924363800', '24.12.2030 18:30:00.000'],
      ],
      'links.link.end-date.exists': [
        ...[
          '31.02.2031 10:00:00',
          '29.02.2031 10:00:00',
          '31.04.2031 10:00:00',
          '00.01.2031 10:00:00',
          '12.24.2030 18:30:00',
        ],
        ...[
          '24.00.2030 18:30:00',
          '24.12.2030 25:00:00',
          '24.12.2030 24:00:01',
          '24.12.2030 18:60:00',
          '24.12.2030 18:30:61',
          '24.12.2030 18:30:60',
        ],
      ],
    },
  },
  'the number of an ATM': {
    operation: 'findAtms',
    at: '/data/0/atm_no',
    ordinary: ['0', '00420', '12345678901234567890'],
    loose: {},
    wrong: { 'atms.no.digits': ['', 'ATM420', '420-1', ' 420', '4.2'] },
  },
  'an error message': {
    operation: 'queryDisbursement',
    at: '/errors/0/message',
    ordinary: ['R036;', 'R000;', 'R999;'],
    loose: { 'loans.outcome.message.exact': [' R036;', 'R036; ', 'R036;R037;', 'R036; R037;'] },
    wrong: {
      'loans.outcome.message.code': [
        '',
        'R036',
        '036;',
        'R36;',
        'R0360;',
        'r036;',
        'E036;',
        'R036;limit',
        'R036,',
        'Limit exceeded',
        'R03A;',
      ],
    },
  },
  'the outcome text': {
    operation: 'queryDisbursement',
    at: '/data/result',
    ordinary: ['Not made', 'Ödeme yapılamadı', '0'],
    loose: { 'loans.outcome.result.not-empty': ['', '  ', '\n'] },
    wrong: {},
  },
  'a latitude': {
    operation: 'findAtms',
    at: '/data/0/atm_latitude',
    ordinary: [0, -90, 90, 41.01360001234],
    loose: { 'atms.latitude.range': [90.1, -120, 360, -360] },
    wrong: { 'atms.latitude.degrees': [360.5, -361, 41013600, 1e300] },
  },
  'a longitude': {
    operation: 'findAtms',
    at: '/data/0/atm_longitude',
    ordinary: [0, -180, 180, 28.955],
    loose: { 'atms.longitude.range': [181, -360, 359] },
    wrong: { 'atms.longitude.degrees': [28955000, -400] },
  },
  'a distance': {
    operation: 'findAtms',
    at: '/data/0/atm_distance',
    ordinary: [0, 1, 20_000_000],
    loose: { 'atms.distance.not-negative': [-1, -420] },
    wrong: { 'atms.distance': [4.2, '420'] },
  },
  'a number of installments': {
    operation: 'listInstallments',
    at: '/data/installments/0/value',
    ordinary: [1, 36, 100000],
    loose: { 'links.installment.value.positive': [0, -3] },
    wrong: { 'links.installment.value': [1.5, '1'] },
  },
};

for (const [name, { operation, at, ordinary, loose, wrong }] of Object.entries(formats))
  test(`The form of ${name}`, () => {
    const raised = (value: unknown): readonly string[] => broken(operation, body(operation, at, value));
    const where = at.replaceAll(/\/0(?=\/|$)/g, '/*');
    for (const value of ordinary) expect([value, raised(value)]).toEqual([value, []]);
    for (const forms of [loose, wrong])
      for (const [clause, values] of Object.entries(forms))
        for (const value of values) expect([value, raised(value)]).toEqual([value, [`${clause} ${where}`]]);
  });

test('Names, labels and account references are not empty, other texts may be', () => {
  const named = [
    ['requestLoan', '/data/infos/0/account', 'loans.offer.account.not-empty'],
    ['listMerchants', '/data/merchants/0/merchant_name', 'links.merchant.name.not-empty'],
    ['listMerchants', '/data/merchants/0/branch_name', 'links.merchant.branch-name.not-empty'],
    ['listBranches', '/data/branches/0/name', 'links.branch.name.not-empty'],
    ['listInstallments', '/data/installments/0/text', 'links.installment.text.not-empty'],
    ['findAtms', '/data/0/atm_name', 'atms.name.not-empty'],
  ] as const;
  for (const [operation, at, clause] of named)
    for (const text of ['', ' '])
      expect(broken(operation, body(operation, at, text))).toEqual([`${clause} ${at.replace('/0', '/*')}`]);
  const free = [
    ['listMerchants', '/data/qr_max_amount_limit_message'],
    ['listMerchants', '/data/edit_message'],
    ['listMerchants', '/data/merchants/0/account_no'],
    ['findAtms', '/data/0/atm_address'],
    ['findAtms', '/data/0/atm_city'],
    ['findAtms', '/data/0/atm_district'],
    ['approveContract', '/data/application_id'],
  ] as const;
  for (const [operation, at] of free) expect(broken(operation, body(operation, at, ''), { asked: {} })).toEqual([]);
});

test('A payment link is a URL, in any of the forms that a URL has', () => {
  const raised = (link: string): readonly string[] =>
    broken('createPaymentLink', body('createPaymentLink', '/data/payment_link', link));
  const absolute = [
    'https://pay.example/9Kc2v7',
    'HTTP://pay.example:8080/a?t=9Kc2v7&x=%20#y',
    'https://user@pay.example/9Kc2v7',
    'https://[2001:db8::1]/9Kc2v7',
    'https://pay.example/ödeme/9Kc2v7?é=è',
    'https://ödeme.example/#9Kc2v7',
    'https://9Kc2v7.pay.example',
  ];
  for (const link of absolute) expect([link, raised(link)]).toEqual([link, []]);
  for (const link of [
    'pay.example/9Kc2v7',
    '/l/9Kc2v7',
    '//pay.example/9Kc2v7',
    'bank:pay?t=9Kc2v7',
    '9Kc2v7',
    'https:///9Kc2v7',
  ])
    expect([link, raised(link)]).toEqual([link, ['links.link.payment-link.absolute /data/payment_link']]);
  for (const link of [
    'https://pay.example/a b/9Kc2v7',
    'https://pay.example/<9Kc2v7>',
    'https://pay.example/%zz9Kc2v7',
    'https://pay.example/9Kc2v7\n',
    'https://pay.example/"9Kc2v7"',
  ])
    expect([link, raised(link)]).toEqual([link, ['links.link.payment-link.url /data/payment_link']]);
});

const digits = (min: number, max = min): fc.Arbitrary<string> =>
  fc.stringMatching(new RegExp(`^[0-9]{${min},${max}}$`));

/** Any decimal text that a fair reader takes for one with exactly `places` decimals. */
const decimalTexts = (places: number): fc.Arbitrary<string> => {
  const grouped = fc.tuple(
    digits(1, 3),
    fc.array(digits(3), { minLength: 1, maxLength: 5 }),
    fc.constantFrom([',', '.'], ['.', ','], [' ', ','], ["'", '.']),
  );
  const whole = fc.oneof(
    fc.tuple(digits(0, 20), fc.constantFrom('.', ',')).map(([text, sign]) => text + sign),
    grouped.map(([first, rest, [separator, sign]]) => [first, ...rest].join(separator) + sign),
  );
  return fc.tuple(fc.constantFrom('', '-', '+', ' ', '−', '- '), whole, digits(places)).map((parts) => parts.join(''));
};

const loosest: readonly (readonly [OperationId, string, fc.Arbitrary<unknown>])[] = [
  ['requestLoan', '/data/infos/0/avaliable_limit', decimalTexts(2)],
  ['requestLoan', '/data/infos/0/interest_rate', decimalTexts(5)],
  ['requestLoan', '/data/infos/0/commission_rate', decimalTexts(5)],
  ['requestLoan', '/data/application_id', digits(1, 40)],
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
    fc.array(digits(3), { minLength: 1, maxLength: 3 }).map((codes) => codes.map((code) => `R${code};`).join(' ')),
  ],
  ['queryDisbursement', '/data/result', fc.string({ unit: 'grapheme' })],
  ['findAtms', '/data/0/atm_no', digits(1, 30)],
  ['findAtms', '/data/0/atm_latitude', fc.double({ min: -360, max: 360, noNaN: true })],
  ['findAtms', '/data/0/atm_distance', fc.maxSafeInteger()],
  ['listMerchants', '/data/merchants/0/merchant_no', fc.maxSafeInteger()],
];

test('Whatever keeps to the loosest form breaks no promise', () => {
  for (const [operation, at, values] of loosest)
    fc.assert(
      fc.property(values, (value) => !againstTheDocument(judged(operation, body(operation, at, value)).breaks)),
      { numRuns: 300 },
    );
});

test('Whatever has more or fewer decimals breaks the promise, however it is written', () => {
  for (const [field, places] of [
    ['avaliable_limit', 2],
    ['interest_rate', 5],
    ['commission_rate', 5],
  ] as const) {
    const others = fc
      .integer({ min: 0, max: 9 })
      .filter((count) => count !== places)
      .chain(decimalTexts);
    fc.assert(
      fc.property(others, (text) =>
        againstTheDocument(judged('requestLoan', body('requestLoan', `/data/infos/0/${field}`, text)).breaks),
      ),
      { numRuns: 300 },
    );
  }
  expect(
    againstTheDocument(judged('requestLoan', body('requestLoan', '/data/infos/0/avaliable_limit', gone)).breaks),
  ).toBe(true);
});
