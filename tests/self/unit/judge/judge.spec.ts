/** The judge knows every field of every answer, missing or of another type; its rules over one exchange are kept in every form that a fair reader takes, and broken by what none does. */
import { expect, test } from '@playwright/test';
import { operationIds, type OperationId } from '../../../../openapi/model/exchange.ts';
import { body, broken, byPlace, exchange, gone, judged, type Around, noon } from '../../support/judge-harness.ts';
import { tables } from '../../support/spec-transcription.ts';
import fc from 'fast-check';

const wrong = {
  string: [7, true, null, {}, ['x'], gone],
  number: ['7', true, null, {}, gone],
  integer: ['7', 7.5, true, null, gone],
  boolean: ['true', 1, null, {}, gone],
  array: [{}, 'x', 7, null, gone],
  entry: ['x', 7, null, []],
} as const;

const place: Around = { asked: byPlace };

type Field = readonly [operation: OperationId, pointer: string, type: keyof typeof wrong, clause: string];

/** Every field of every table of the document, and the errors beside `data`, of which it speaks in a sentence. */
const fields: readonly Field[] = [
  ...operationIds.flatMap((operation) =>
    Object.entries(tables[operation].answer).map(([name, [type, clause]]): Field => [
      operation,
      `/data/${name.replaceAll('*', '0')}`,
      type === 'object' ? 'entry' : (type as keyof typeof wrong),
      String(clause),
    ]),
  ),
  ['queryDisbursement', '/errors/0', 'entry', 'loans.outcome.error'],
  ['queryDisbursement', '/errors/0/message', 'string', 'loans.outcome.message'],
];

test('A right answer to each operation raises nothing and succeeds', () => {
  for (const operation of operationIds) {
    const { outcome, breaks } = judged(operation);
    expect([operation, outcome, breaks]).toEqual([operation, 'succeeded', []]);
  }
  expect(broken('findAtms', body('findAtms', '/data/0/atm_distance', gone), place)).toEqual([]);
});

for (const [operation, pointer, type, clause] of fields)
  test(`${clause} stands at ${operation} ${pointer} and is ${type === 'entry' ? 'an object' : type}`, () => {
    const where = pointer.replaceAll(/\/0(?=\/|$)/g, '/*');
    for (const value of wrong[type])
      expect([value, broken(operation, body(operation, pointer, value))]).toEqual([value, [`${clause} ${where}`]]);
    expect(judged(operation).exercised).toContain(clause);
  });

test('An ATM found by place has the same fields, and no distance', () => {
  for (const [operation, pointer, type, clause] of fields)
    if (operation === 'findAtms' && !pointer.endsWith('atm_distance') && pointer !== '/data/0') {
      const without = body('findAtms', '/data/0/atm_distance', gone) as { data: [Record<string, unknown>] };
      without.data[0][pointer.slice('/data/0/'.length)] = wrong[type][0];
      expect(broken('findAtms', without, place)).toEqual([`${clause} ${pointer.replace('/0', '/*')}`]);
    }
  const at = '/data/0/atm_distance';
  for (const distance of [0, 420, 4.5, '420', true])
    expect(broken('findAtms', body('findAtms', at, distance), place)).toEqual([
      'atms.no-distance /data/*/atm_distance',
    ]);
  expect(broken('findAtms', body('findAtms', at, null), place)).toEqual([
    'atms.no-distance.absent /data/*/atm_distance',
  ]);
});

test('The errors of a disbursement query are left out or an array', () => {
  const with_ = (errors: unknown): readonly string[] =>
    broken('queryDisbursement', body('queryDisbursement', '/errors', errors));
  for (const errors of [gone, [], [{ message: 'R001;' }, { message: 'R999;', more: 1 }]])
    expect(with_(errors)).toEqual([]);
  expect(with_(null)).toEqual(['loans.outcome.errors.not-null /errors']);
  for (const errors of ['R036;', 36, true, { message: 'R036;' }])
    expect(with_(errors)).toEqual(['loans.outcome.errors /errors']);
});

test('Fields that the document does not name are nobody’s fault, at any level', () => {
  const more = { note: null, atm_distance: 'far', errors: 5, nested: { data: [] } };
  for (const operation of operationIds) {
    const text = JSON.stringify(body(operation)).replaceAll('{', `{${JSON.stringify(more).slice(1, -1)},`);
    const { outcome, breaks } = judged(
      operation,
      operation === 'findAtms' ? text.replaceAll('"atm_distance":"far",', '') : text.replaceAll('"errors":5,', ''),
    );
    expect([operation, outcome, breaks]).toEqual([operation, 'succeeded', []]);
  }
});

test('A probe is never judged, whatever it brings', () => {
  for (const operation of operationIds)
    for (const answer of ['{}', '', 'not JSON', '[1', JSON.stringify({ data: {} }), JSON.stringify({ data: [5] })])
      for (const status of [200, 302, 404, 500]) {
        const { breaks, exercised, facts } = judged(operation, answer, { kind: 'probe', status });
        // What it may have changed is no verdict.
        const judgedBy = facts.filter(({ rule }) => rule !== 'payment' && rule !== 'changed');
        expect([breaks, [...exercised], judgedBy]).toEqual([[], [], []]);
      }
  expect(judged('requestLoan', undefined, { kind: 'probe' }).outcome).toBe('succeeded');
});

test('An answer that is right exercises the promises about its request, and a refusal does not', () => {
  const headers = {
    'x-gw-client-id': 'a',
    'X-GW-client-secret': 'b',
    authorization: 'Bearer c',
    'content-type': 'application/json',
  };
  const { exercised } = judged('requestLoan', body('requestLoan'), { headers });
  for (const clause of [
    'loans.application.path',
    'loans.application.method',
    'loans.application.request.amount',
    'loans.application.request.order-id',
    'loans.application.request.order-id.text',
    'loans.header.client-id',
    'loans.header.client-secret',
    'loans.header.authorization',
    'loans.header.content-type',
  ] as const)
    expect(exercised).toContain(clause);
  expect(exercised).not.toContain('loans.application.request.order-id.integer');
  expect([...judged('requestLoan', { errors: [] }, { headers, status: 422 }).exercised]).toEqual([
    'service.no-internals',
  ]);
  const integer = exchange('requestLoan', body('requestLoan'), { asked: { order_id: 5 } });
  expect(integer.request.body).toBe('{"order_id":5}');
  expect(judged('requestLoan', body('requestLoan'), { asked: { order_id: 5 } }).exercised).toContain(
    'loans.application.request.order-id.integer',
  );
});

test('An empty list exercises nothing of its entries', () => {
  const empty = judged('requestLoan', body('requestLoan', '/data/infos', []));
  expect([empty.outcome, empty.breaks]).toEqual(['succeeded', []]);
  expect([...empty.exercised].filter((clause) => clause.startsWith('loans.offer'))).toEqual([]);
  const none = judged('findAtms', { data: [] });
  expect([...none.exercised].filter((clause) => /^atms\.(?:atm|no|name|distance)/.test(clause))).toEqual([]);
});

test('The application id answered is the one sent, digit by digit', () => {
  const echoes = [
    ['approveContract', 'loans.contract.application-id.echo', { account_id: '1' }],
    ['disburse', 'loans.disbursement.application-id.echo', { account_id: '1', amount: 5 }],
    ['queryDisbursement', 'loans.outcome.application-id.echo', {}],
  ] as const;
  for (const [operation, clause, more] of echoes) {
    const answered = (sent: string, id: string): readonly string[] =>
      broken(operation, body(operation, '/data/application_id', id), { asked: { ...more, application_id: sent } });
    for (const [sent, id] of [
      ['4711', '4711'],
      ['4711', '0004711'],
      ['0004711', '4711'],
      ['9007199254740993', '9007199254740993'],
      ['4711', ' 4711 '],
      ['APP-1', 'APP-1'],
    ] as const)
      expect([sent, id, answered(sent, id)]).toEqual([sent, id, []]);
    for (const [sent, id] of [
      ['4711', '4712'],
      ['9007199254740993', '9007199254740992'],
      ['4711', ''],
      ['4711', 'A4711'],
      ['APP-1', 'app-1'],
    ] as const)
      expect([sent, id, answered(sent, id)]).toEqual([sent, id, [`${clause} /data/application_id`]]);
    expect(judged(operation).exercised).toContain(clause);
  }
});

test('No two entries of one list are the same', () => {
  const twice = (
    operation: 'listCurrencies' | 'listBranches' | 'listInstallments',
    name: string,
    one: object,
    other: object,
  ): readonly string[] => broken(operation, { data: { [name]: [one, other] } });
  expect(twice('listCurrencies', 'currencies', { code: 'EUR' }, { code: 'EUR' })).toEqual([
    'links.currency.distinct /data/currencies/*/code',
  ]);
  expect(twice('listCurrencies', 'currencies', { code: 'EUR' }, { code: 'TRY' })).toEqual([]);
  expect(twice('listBranches', 'branches', { no: 1, name: 'A' }, { no: 1, name: 'B' })).toEqual([
    'links.branch.distinct /data/branches/*/no',
  ]);
  expect(twice('listBranches', 'branches', { no: 1, name: 'A' }, { no: 2, name: 'A' })).toEqual([]);
  expect(twice('listInstallments', 'installments', { value: 3, text: 'A' }, { value: 3, text: 'B' })).toEqual([
    'links.installment.distinct /data/installments/*/value',
  ]);
  expect(twice('listInstallments', 'installments', { value: 3, text: 'A' }, { value: 6, text: 'A' })).toEqual([]);

  const { data } = body('listMerchants') as { data: { merchants: object[] } };
  const merchants = (change: object): readonly string[] =>
    broken('listMerchants', { data: { ...data, merchants: [data.merchants[0], { ...data.merchants[0], ...change }] } });
  expect(merchants({ merchant_name: 'Other' })).toEqual(['links.merchant.distinct /data/merchants/*']);
  for (const change of [{ branch_code: 43 }, { merchant_no: 60018 }]) expect(merchants(change)).toEqual([]);

  const { data: loan } = body('requestLoan') as { data: { infos: object[] } };
  const offers = (account_id: string): readonly string[] =>
    broken('requestLoan', { data: { ...loan, infos: [loan.infos[0], { ...loan.infos[0], account_id }] } });
  for (const account of ['900120', '0900120'])
    expect(offers(account)).toEqual(['loans.offer.account-id.distinct /data/infos/*/account_id']);
  expect(offers('900121')).toEqual([]);

  const { data: atms } = body('findAtms') as { data: [object] };
  expect(broken('findAtms', { data: [atms[0], atms[0]] })).toEqual(['atms.no.distinct /data/*/atm_no']);
  expect(broken('findAtms', { data: [atms[0], { ...atms[0], atm_no: '00421' }] })).toEqual([]);
});

const linked = (payment_token: string, payment_link: string): readonly string[] =>
  broken('createPaymentLink', {
    data: { ...(body('createPaymentLink') as { data: object }).data, payment_token, payment_link },
  });

test('The payment link contains the payment token, as it stands or percent-encoded', () => {
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
    expect([token, link, linked(token, link)]).toEqual([token, link, []]);
  for (const [token, link] of [
    ['9Kc2v7', 'https://pay.example/9Kc2v'],
    ['9Kc2v7', 'https://pay.example/9kc2V7'],
    ['9Kc2v7', 'https://pay.example/'],
    ['a/b+c=', 'https://pay.example/?t=a-b-c'],
    ['9Kc2v7', 'https://pay.example/OUtjMnY3'],
  ] as const)
    expect([token, link, linked(token, link)]).toEqual([token, link, ['links.token-in-link /data/payment_link']]);
});

test('An empty token is warned of and leaves open whether the link contains it', () => {
  expect(linked('', 'https://pay.example/x')).toEqual(['links.link.payment-token.not-empty /data/payment_token']);
  expect(judged('createPaymentLink', body('createPaymentLink', '/data/payment_token', '')).exercised).not.toContain(
    'links.token-in-link',
  );
  expect(judged('createPaymentLink').exercised).toContain('links.token-in-link');
});

test('Any token is found in a link that encodes it, whatever the encoder spares', () => {
  const encoders = [
    encodeURIComponent,
    (text: string) => encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`),
  ];
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), fc.constantFrom(...encoders), (token, encode) => {
      expect(linked(token, `https://pay.example/?t=${encode(token)}`)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test('A link expires after it is made, in at least one zone', () => {
  const expiring = (end: string): readonly string[] =>
    broken('createPaymentLink', body('createPaymentLink', '/data/end_date', end), { at: noon });
  // It is noon UTC: 00:00:01 has not yet come twelve hours west of Greenwich.
  for (const end of ['01.06.2030 12:00:01', '01.06.2030 00:00:01', '02.06.2030 00:00:00', '24.12.2031 00:00:00'])
    expect([end, expiring(end)]).toEqual([end, []]);
  for (const end of ['01.06.2030 00:00:00', '31.05.2030 23:59:59', '24.12.2029 18:30:00', '01.01.0001 00:00:00'])
    expect([end, expiring(end)]).toEqual([end, ['links.link.end-date.future /data/end_date']]);
});

test('An ATM request that carried no Authorization header and succeeded shows that none is needed', () => {
  const clause = 'atms.header.no-authorization';
  expect(judged('findAtms').exercised).toContain(clause);
  expect(judged('findAtms', body('findAtms'), { headers: { authorization: 'Bearer x' } }).exercised).not.toContain(
    clause,
  );
  expect(judged('findAtms', {}).exercised).not.toContain(clause);
  expect(judged('findAtms', { message: 'no' }, { status: 401 }).exercised).not.toContain(clause);
});
