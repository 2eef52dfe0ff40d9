/** Tests how bodies are judged: bytes, Content-Type, numbers, long lists, and refusals with a success status. */
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { operationIds, type OperationId } from '../../../../openapi/api.ts';
import { operations } from '../../../../openapi/contract/operations.ts';
import { body, listBrokenClauses, judgeAnswer, type Around } from '../../support/judge-harness.ts';

function expectJudged(operation: OperationId, answers: readonly unknown[], outcome: string, ...broken: string[]): void {
  for (const answer of answers) {
    const { outcome: actualOutcome, breaks } = judgeAnswer(operation, answer);
    const found = [answer, actualOutcome, ...breaks.map(({ clause, pointer }) => `${clause} ${pointer}`)];
    expect(found, operation).toEqual([answer, outcome, ...broken]);
  }
}

test('A right body is accepted with any white space, any escapes and any 2xx status', () => {
  for (const operation of operationIds) {
    const text = JSON.stringify(body(operation));
    const readable = [` \r\n\t${text}\n`, JSON.stringify(body(operation), null, 2), text.replaceAll('/', '\\/')];
    expectJudged(operation, readable, 'accepted');
    for (const status of [200, 201, 202, 203, 299]) expect(listBrokenClauses(operation, text, { status })).toEqual([]);
  }
});

for (const operation of operationIds.filter((id) => id !== 'queryDisbursement'))
  test(`For ${operation}, an error body with status 200 is a refusal with a warning; if it also has the documented data, it is malformed`, () => {
    const { data } = body(operation) as { data: object };
    const disguised = [
      { errorCode: 'E12' },
      { code: 404, description: 'no such thing' },
      { success: false, message: 'not allowed' },
      { data: null, errors: [{ message: 'no' }] },
      { error: { code: 'E17', text: 'no merchant' } },
      { type: 'about:blank', title: 'Conflict', status: 409, detail: 'contract exists' },
    ];
    expectJudged(operation, disguised, 'refused', 'service.refusal-status response/status');
    expect(judgeAnswer(operation, disguised[0]).exercised).not.toContain(operations[operation].clauses.path);
    const elsewhere = [
      { code: 0, ...(operation === 'findAtms' ? { atms: data } : data) },
      { message: 'ok', payload: data },
      { errorCode: null, result: { content: data } },
    ];
    for (const answer of elsewhere) expect(judgeAnswer(operation, answer).outcome).toBe('malformed');
  });

test('Errors without data in the answer to a disbursement query are a refusal, and break no clause', () => {
  const errors = [{ message: 'R036;' }];
  expectJudged('queryDisbursement', [{ errors }, { data: null, errors }], 'refused');
});

const merchantText = JSON.stringify(body('listMerchants'));
const judgeText = (answer: string | Uint8Array, ...labels: NonNullable<Around['labels']>) =>
  listBrokenClauses('listMerchants', answer, { labels });
const judgeWithContentType = (type: string, answer: string | Uint8Array = merchantText) =>
  judgeText(answer, ['content-type', type]);

test('A number beyond a double gives a warning, and a key in several objects gives none', () => {
  const replace = (from: string, to: string) =>
    judgeWithContentType('application/json', merchantText.replace(from, to));
  const editable = '"editable":true';
  const nested = '"more":{"editable":1},"note":"{\\"a\\":1,\\"a\\":2}"';
  expect(replace(editable, `${editable},${nested}`)).toEqual([]);
  for (const number of ['1e400', '-1E+400', '1e0999', '9'.repeat(400), `1${'0'.repeat(250)}e99`])
    expect(replace('5000', number), number).toEqual([
      ...(number.startsWith('-') ? ['links.merchants.qr-max-amount.not-negative /data/qr_max_amount'] : []),
      'service.numbers-within-double /data/qr_max_amount',
    ]);
  for (const number of ['1e300', '1e-400', '0.1e+2', '9'.repeat(300)])
    expect(replace('5000', number), number).toEqual([]);
});

test('A Content-Type without JSON, or with the charset of another body, gives a warning', () => {
  for (const type of [
    ...['application/json', 'Application/JSON; charset=UTF-8', 'application/json;charset="utf-8"'],
    ...['application/vnd.bank.v1+json', 'application/problem+json; profile=x', 'application/json; charset=iso-8859-9'],
  ])
    expect(judgeWithContentType(type), type).toEqual([]);
  const unlabelled = ['service.content-type response/header/Content-Type'];
  for (const type of [
    'text/plain',
    'text/html; charset=utf-8',
    'application/octet-stream',
    'application/jsonp',
    'json',
    '',
  ])
    expect(judgeWithContentType(type), type).toEqual(unlabelled);
  expect(judgeText(merchantText)).toEqual(unlabelled);
  const garbled = ['service.charset response/header/Content-Type'];
  const turkish = merchantText.replace('Books', 'Kitapçı');
  expect(judgeWithContentType('application/json; charset=iso-8859-9', turkish)).toEqual(garbled);
  expect(judgeWithContentType('application/json; charset=utf-16')).toEqual(garbled);
});

/** Makes a list of `length` branches. Those for which `isWrong` is true have a text as their number. */
const judgeBranches = (length: number, isWrong: (at: number) => boolean) =>
  judgeAnswer('listBranches', {
    data: { branches: Array.from({ length }, (_, at) => ({ no: isWrong(at) ? `none ${at}` : at, name: 'Mill' })) },
  });

test('Of a list of 100,000 entries, the first 65,536 are judged, and the judgement says so', () => {
  const { share, breaks } = judgeBranches(100_000, (at) => at === 65_535);
  expect([share, breaks.length]).toEqual([{ judged: 65_536, of: 100_000 }, 1]);
});

test('A number such as 60017.0 counts as an integer, and an integer beyond 2^53 keeps every digit', () => {
  const text = JSON.stringify(body('listMerchants'));
  for (const number of ['60017.0', '6.0017e4', '60017.000', '-0', '1e15'])
    expect(listBrokenClauses('listMerchants', text.replace('60017', number))).toEqual([]);
  for (const number of ['60017.5', '1e-3'])
    expect(listBrokenClauses('listMerchants', text.replace('60017', number))).toEqual([
      'links.merchant.no /data/merchants/*/merchant_no',
    ]);
  const { value } = judgeAnswer('listMerchants', text.replace('60017', '9007199254740993'));
  expect((value as { data: { merchants: [{ merchant_no: unknown }] } }).data.merchants[0].merchant_no).toBe(
    9007199254740993n,
  );
});

test('A wrong integer beyond 2^53 is shown with every digit', () => {
  const text = JSON.stringify(body('requestLoan')).replace(
    /"(application_id|account_id)":"\d+"/g,
    '"$1":9007199254740993',
  );
  const received = judgeAnswer('requestLoan', text).breaks.map(({ pointer, received }) => [pointer, received]);
  expect(received).toEqual([
    ['/data/application_id', '9007199254740993'],
    ['/data/infos/*/account_id', '9007199254740993'],
  ]);
  const odd = text.replace('"data":{', '"data":{"__proto__":{"__proto__":9007199254740993},"a/b~":9007199254740993,');
  expect(judgeAnswer('requestLoan', odd).breaks.map(({ pointer }) => pointer)).toContain('/data/application_id');
});

test('Merchants whose numbers differ in the last digit beyond 2^53 are different merchants', () => {
  const entry = (no: bigint): string =>
    `{"account_no":"1","branch_code":1,"merchant_name":"a","merchant_no":${no},"branch_name":"b"}`;
  const list = (...numbers: readonly bigint[]): string =>
    `{"data":{"merchants":[${numbers.map(entry).join()}],"qr_max_amount":1,"qr_max_amount_limit_message":"","editable":true,"edit_message":""}}`;
  fc.assert(
    fc.property(fc.bigInt({ min: 2n ** 53n, max: 10n ** 30n }), fc.bigInt({ min: 1n, max: 9n }), (no, step) => {
      expect(listBrokenClauses('listMerchants', list(no, no + step))).toEqual([]);
      expect(listBrokenClauses('listMerchants', list(no, no))).toEqual(['links.merchant.distinct /data/merchants/*']);
    }),
  );
});
