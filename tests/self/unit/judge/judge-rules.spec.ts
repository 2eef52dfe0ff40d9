/** Tests the rules about one exchange: which values keep a clause, and which break it. */
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import type { OperationId } from '../../../../openapi/model/exchange.ts';
import { body, listBrokenClauses, judgeAnswer } from '../../support/judge-harness.ts';

test('An answer that repeats the application id with other digits or letters breaks the clause; leading zeros do not', () => {
  const echoes = [
    ['approveContract', 'loans.contract.application-id.echo', { account_id: '1' }],
    ['disburse', 'loans.disbursement.application-id.echo', { account_id: '1', amount: 5 }],
    ['queryDisbursement', 'loans.outcome.application-id.echo', {}],
  ] as const;
  for (const [operation, clause, more] of echoes) {
    const judgeEcho = (sent: string, id: string): readonly string[] =>
      listBrokenClauses(operation, body(operation, '/data/application_id', id), {
        asked: { ...more, application_id: sent },
      });
    for (const [sent, id] of [
      ['4711', '4711'],
      ['4711', '0004711'],
      ['0004711', '4711'],
      ['9007199254740993', '9007199254740993'],
      ['4711', ' 4711 '],
      ['APP-1', 'APP-1'],
    ] as const)
      expect([sent, id, judgeEcho(sent, id)]).toEqual([sent, id, []]);
    for (const [sent, id] of [
      ['4711', '4712'],
      ['9007199254740993', '9007199254740992'],
      ['4711', ''],
      ['4711', 'A4711'],
      ['APP-1', 'app-1'],
    ] as const)
      expect([sent, id, judgeEcho(sent, id)]).toEqual([sent, id, [`${clause} /data/application_id`]]);
    expect(judgeAnswer(operation).exercised).toContain(clause);
  }
});

test('Two entries with the same identifying fields in one list break a clause; entries that differ in one of them do not', () => {
  const edit = (operation: OperationId, list: string, ...changes: readonly object[]): readonly string[] => {
    const whole = body(operation) as { data: Record<string, unknown> };
    const [first] = (list === 'data' ? whole.data : whole.data[list]) as readonly object[];
    const entries = [first, ...changes.map((change) => ({ ...first, ...change }))];
    return listBrokenClauses(operation, { data: list === 'data' ? entries : { ...whole.data, [list]: entries } });
  };
  for (const [operation, list, equalEntry, clause, ...differentEntries] of [
    ['listCurrencies', 'currencies', {}, 'links.currency.distinct /data/currencies/*/code', { code: 'QQQ' }],
    ['listBranches', 'branches', { name: 'B' }, 'links.branch.distinct /data/branches/*/no', { no: 9 }],
    ['listInstallments', 'installments', {}, 'links.installment.distinct /data/installments/*/value', { value: 9 }],
    [
      'listMerchants',
      'merchants',
      { merchant_name: 'Other' },
      'links.merchant.distinct /data/merchants/*',
      { branch_code: 43 },
      { merchant_no: 60018 },
    ],
    [
      'requestLoan',
      'infos',
      { account_id: '0900120' },
      'loans.offer.account-id.distinct /data/infos/*/account_id',
      { account_id: '900121' },
    ],
    ['findAtms', 'data', {}, 'atms.no.distinct /data/*/atm_no', { atm_no: '00421' }],
  ] as const) {
    expect(edit(operation, list, equalEntry)).toEqual([clause]);
    for (const differentEntry of differentEntries) expect(edit(operation, list, differentEntry)).toEqual([]);
  }
});

const judgeLink = (payment_token: string, payment_link: string): readonly string[] =>
  listBrokenClauses('createPaymentLink', {
    data: { ...(body('createPaymentLink') as { data: object }).data, payment_token, payment_link },
  });

test('A payment link with the token, plain or percent-encoded, keeps the clause; with another token it breaks the clause', () => {
  for (const [token, link] of [
    ['9Kc2v7', 'https://pay.example/9Kc2v7/checkout'],
    ['a/b+c=', 'https://pay.example/?t=a%2Fb%2Bc%3D'],
    ['a/b+c=', 'https://pay.example/?t=a%2fb%2bc%3d'],
    ['a/b+c=', 'https://pay.example/a/b+c='],
    ["it's(1)*!", 'https://pay.example/it%27s%281%29%2A%21'],
    ['ödeme', 'https://pay.example/%C3%B6deme'],
    ['ödeme', 'https://pay.example/ödeme'],
    ['a b', 'https://pay.example/?t=a+b'],
    ['a%20b', 'https://pay.example/a%2520b'],
    ['%41', 'https://pay.example/%2541'],
  ] as const)
    expect([token, link, judgeLink(token, link)]).toEqual([token, link, []]);
  for (const [token, link] of [
    ['9Kc2v7', 'https://pay.example/9Kc2v'],
    ['9Kc2v7', 'https://pay.example/9kc2V7'],
    ['9Kc2v7', 'https://pay.example/'],
    ['a/b+c=', 'https://pay.example/?t=a-b-c'],
    ['9Kc2v7', 'https://pay.example/OUtjMnY3'],
  ] as const)
    expect([token, link, judgeLink(token, link)]).toEqual([token, link, ['links.token-in-link /data/payment_link']]);
});

test('An empty payment token gives a warning, and the clause about the token in the link stays untested', () => {
  expect(judgeLink('', 'https://pay.example/x')).toEqual(['links.link.payment-token.not-empty /data/payment_token']);
  expect(
    judgeAnswer('createPaymentLink', body('createPaymentLink', '/data/payment_token', '')).exercised,
  ).not.toContain('links.token-in-link');
  expect(judgeAnswer('createPaymentLink').exercised).toContain('links.token-in-link');
});

test('Random tokens are found in a payment link with either of two usual percent encodings', () => {
  const encoders = [
    encodeURIComponent,
    (text: string) => encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`),
  ];
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), fc.constantFrom(...encoders), (token, encode) => {
      expect(judgeLink(token, `https://pay.example/?t=${encode(token)}`)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test('An end_date that is past in every time zone breaks the clause; a date that is future in one does not', () => {
  const judgeExpiry = (end: string): readonly string[] =>
    listBrokenClauses('createPaymentLink', body('createPaymentLink', '/data/end_date', end));
  // It is noon UTC: 00:00:01 is still in the future twelve hours west of Greenwich.
  for (const end of ['01.06.2030 12:00:01', '01.06.2030 00:00:01', '02.06.2030 00:00:00', '24.12.2031 00:00:00'])
    expect([end, judgeExpiry(end)]).toEqual([end, []]);
  for (const end of ['01.06.2030 00:00:00', '31.05.2030 23:59:59', '24.12.2029 18:30:00', '01.01.0001 00:00:00'])
    expect([end, judgeExpiry(end)]).toEqual([end, ['links.link.end-date.future /data/end_date']]);
});

test('Only a successful ATM request without an Authorization header tests the clause that none is needed', () => {
  const clause = 'atms.header.no-authorization';
  expect(judgeAnswer('findAtms').exercised).toContain(clause);
  expect(judgeAnswer('findAtms', body('findAtms'), { headers: { authorization: 'Bearer x' } }).exercised).not.toContain(
    clause,
  );
  expect(judgeAnswer('findAtms', {}).exercised).not.toContain(clause);
  expect(judgeAnswer('findAtms', { message: 'no' }, { status: 401 }).exercised).not.toContain(clause);
});
