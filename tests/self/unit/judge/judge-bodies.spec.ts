/** Everything around the fields: the envelope, the bytes, the Content-Type, and refusals with a success status. */
import { expect, test } from '@playwright/test';
import { operationIds, type OperationId } from '../../../../openapi/model/exchange.ts';
import { operations } from '../../../../openapi/contract/operations.ts';
import { body, listBrokenClauses, judgeAnswer } from '../../support/judge-harness.ts';

/** The clause about each answer's envelope, and about its JSON. */
const envelopes: Readonly<Record<OperationId, string>> = {
  validateLoan: 'loans.validation',
  requestLoan: 'loans.application',
  approveContract: 'loans.contract',
  disburse: 'loans.disbursement',
  queryDisbursement: 'loans.outcome',
  listMerchants: 'links.merchants',
  listCurrencies: 'links.currencies',
  listBranches: 'links.branches',
  listInstallments: 'links.installments',
  createPaymentLink: 'links.link',
  findAtms: 'atms',
};

const joinBytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

/** Names an answer that was not judged as expected. */
const describeAnswer = (operation: OperationId, answer: unknown): string => `${operation}: ${JSON.stringify(answer)}`;

test('A success has its content in data', () => {
  for (const operation of operationIds) {
    const { data } = body(operation) as { data: unknown };
    const clause = `${envelopes[operation]}.data`;
    const faulty = (answer: unknown, at: string): void => {
      const { outcome, breaks } = judgeAnswer(operation, answer);
      const found = [outcome, ...breaks.map((violation) => `${violation.clause} ${violation.pointer}`)];
      expect(found, describeAnswer(operation, answer)).toEqual(['malformed', `${clause} ${at}`]);
    };
    for (const answer of [{}, { result: { data } }, { Data: data }, { payload: data }, { data: null }])
      faulty(answer, '/data');
    for (const answer of ['null', '[]', '5', '"data"', 'true']) faulty(answer, '');
    for (const answer of [{ data: JSON.stringify(data) }, { data: 5 }, { data: true }]) faulty(answer, '/data');
    faulty(data, operation === 'findAtms' ? '' : '/data');
    faulty({ data: operation === 'findAtms' ? { atms: data } : [data] }, '/data');
    faulty({ data: { data } }, '/data');
  }
});

test('Documented fields one level too deep are one fault, not one per field', () => {
  for (const operation of operationIds)
    if (operation !== 'findAtms') {
      const { data } = body(operation) as { data: object };
      expect(listBrokenClauses(operation, { data: { content: data } })).toEqual([`${envelopes[operation]}.data /data`]);
    }
});

test('Errors without data, in a disbursement query, are a refusal; only the whole run can judge them', () => {
  for (const body of [{ errors: [{ message: 'R036;' }] }, { data: null, errors: [{ message: 'R036;' }] }]) {
    expect(judgeAnswer('queryDisbursement', body).outcome).toBe('refused');
    expect(listBrokenClauses('queryDisbursement', body)).toEqual([]);
  }
  expect(listBrokenClauses('queryDisbursement', {})).toEqual(['loans.outcome.data /data']);
});

test('A refusal with a success status is a refusal, and gives a warning', () => {
  const disguised = [
    { errorCode: 'E12' },
    { code: 404, description: 'no such thing' },
    { data: null, errors: [{ message: 'no' }] },
    { success: false, message: 'not allowed' },
    { error: { code: 'E17', text: 'no merchant' } },
    { type: 'about:blank', title: 'Conflict', status: 409, detail: 'contract exists' },
  ];
  for (const operation of operationIds)
    if (operation !== 'queryDisbursement')
      for (const answer of disguised) {
        const { outcome, exercised } = judgeAnswer(operation, answer);
        expect(outcome, describeAnswer(operation, answer)).toBe('refused');
        expect(listBrokenClauses(operation, answer)).toEqual(['service.refusal-status response/status']);
        expect(exercised).not.toContain(operations[operation].clauses.path);
      }
});

test('An answer with documented fields, at any place, is no hidden refusal', () => {
  for (const operation of operationIds)
    if (operation !== 'queryDisbursement') {
      const { data } = body(operation) as { data: object };
      const named = operation === 'findAtms' ? { atms: data } : data;
      for (const answer of [
        { code: 0, ...named },
        { message: 'ok', payload: data },
        { errorCode: null, result: { content: data } },
      ])
        expect(listBrokenClauses(operation, answer), describeAnswer(operation, answer)).toEqual([
          `${envelopes[operation]}.data /data`,
        ]);
    }
});

test('The body of a success is JSON in UTF-8', () => {
  for (const operation of operationIds) {
    const text = JSON.stringify(body(operation));
    const unreadable: readonly (string | Uint8Array)[] = [
      '',
      text.slice(0, -1),
      `${text}${text}`,
      `${text};`,
      text.replace(':', ':NaN,"x":'),
      `callback(${text})`,
      '<html><body>OK</body></html>',
      'OK',
      Buffer.from(text, 'utf16le'),
      joinBytes([0xff, 0xfe], [...Buffer.from(text, 'utf16le')]),
      joinBytes('{"data":"', [0xfc], '"}'),
      joinBytes(text.slice(0, -1), ',"name":"', [0xc3], '"}'),
      text.replaceAll('"', "'"),
      text.replace(/\}$/, ',}'),
    ];
    for (const answer of unreadable) {
      const { outcome } = judgeAnswer(operation, answer);
      expect(outcome, describeAnswer(operation, answer)).toBe('malformed');
      expect(listBrokenClauses(operation, answer)).toEqual([`${envelopes[operation]}.json response/body`]);
    }
    expect(listBrokenClauses(operation, '', { status: 204 })).toEqual([`${envelopes[operation]}.json response/body`]);
    for (const answer of [` \r\n\t${text}\n`, JSON.stringify(body(operation), null, 2), text.replaceAll('/', '\\/')])
      expect(listBrokenClauses(operation, answer)).toEqual([]);
    for (const status of [200, 201, 202, 203, 299]) expect(listBrokenClauses(operation, text, { status })).toEqual([]);
  }
});

test('An unusual but readable body gives a warning', () => {
  const text = JSON.stringify(body('listMerchants'));
  const warned = (answer: string | Uint8Array, labels?: readonly (readonly [string, string])[]): readonly string[] =>
    listBrokenClauses('listMerchants', answer, labels === undefined ? {} : { labels });
  const labelled = (answer: string, type: string) => warned(answer, [['content-type', type]]);
  const unlabelled = 'service.content-type response/header/Content-Type';
  expect(warned(joinBytes([0xef, 0xbb, 0xbf], text))).toEqual(['service.no-byte-order-mark response/body']);
  expect(warned(text.replace('"editable":true', '"editable":true,"editable":true'))).toEqual([
    'service.no-duplicate-keys response/body',
  ]);
  expect(warned(text.replace('"editable":true', '"editable":true,"edit\\u0061ble":false'))).toEqual([
    'service.no-duplicate-keys response/body',
  ]);
  expect(
    warned(text.replace('"editable":true', '"editable":true,"more":{"editable":1},"note":"{\\"a\\":1,\\"a\\":2}"')),
  ).toEqual([]);
  for (const number of ['1e400', '-1E+400', '1e0999', '9'.repeat(400), `1${'0'.repeat(250)}e99`])
    expect(warned(text.replace('5000', number)), number).toEqual([
      ...(number.startsWith('-') ? ['links.merchants.qr-max-amount.not-negative /data/qr_max_amount'] : []),
      'service.numbers-within-double /data/qr_max_amount',
    ]);
  for (const number of ['1e300', '1e-400', '0.1e+2', '9'.repeat(300)])
    expect(warned(text.replace('5000', number)), number).toEqual([]);

  for (const type of [
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/json;charset="utf-8"',
    'application/vnd.bank.v1+json',
    'application/problem+json; profile=x',
  ])
    expect(labelled(text, type), type).toEqual([]);
  for (const type of [
    'text/plain',
    'text/html; charset=utf-8',
    'application/octet-stream',
    'application/jsonp',
    'json',
    '',
  ])
    expect(labelled(text, type), type).toEqual([unlabelled]);
  expect(warned(text, [])).toEqual([unlabelled]);

  const turkish = text.replace('Books', 'Kitapçı');
  const garbled = ['service.charset response/header/Content-Type'];
  expect(labelled(turkish, 'application/json; charset=iso-8859-9')).toEqual(garbled);
  expect(labelled(text, 'application/json; charset=iso-8859-9')).toEqual([]);
  expect(labelled(text, 'application/json; charset=utf-16')).toEqual(garbled);
});

/** Makes a list of `length` branches; those for which `isWrong` is true have a text as their number. */
const makeBranches = (length: number, isWrong: (at: number) => boolean) => ({
  data: { branches: Array.from({ length }, (_, at) => ({ no: isWrong(at) ? `none ${at}` : at, name: 'Mill' })) },
});

test('All entries of a list are judged, at any place', () => {
  for (const wrong of [[0], [149], [9_876, 20_001], Array.from({ length: 17_000 }, (_, at) => at + 6_000)]) {
    const { breaks, entries, share } = judgeAnswer(
      'listBranches',
      makeBranches(30_000, (at) => wrong.includes(at)),
    );
    const [first] = breaks;
    expect([breaks.length, first?.clause, first?.instance, first?.count ?? 1]).toEqual([
      1,
      'links.branch.no',
      `/data/branches/${wrong[0]}/no`,
      wrong.length,
    ]);
    expect([entries, share]).toEqual([{ '/data/branches/*': 30_000 }, null]);
  }
});

test('An impossibly long list is judged only in part: the part is unpredictable, and the report says so', () => {
  const length = 70_000;
  const seen = (isWrong: (at: number) => boolean) => judgeAnswer('listBranches', makeBranches(length, isWrong));
  const { share, breaks } = seen((at) => at % 100 === 7);
  expect(share?.of).toBe(length);
  expect(Math.abs((share?.judged ?? 0) - 65_536)).toBeLessThan(1000);
  // The judged part has its share of wrong entries, and is the same each time for the same answer.
  expect(Math.abs((breaks[0]?.count ?? 0) - 655)).toBeLessThan(150);
  expect(seen((at) => at % 100 === 7).breaks[0]?.count).toBe(breaks[0]?.count);
  expect(seen((at) => at % 100 === 8).breaks[0]?.instance).not.toBe(breaks[0]?.instance);
  for (const end of [0, length - 1]) expect(seen((at) => at === end).breaks).toHaveLength(1);
});
