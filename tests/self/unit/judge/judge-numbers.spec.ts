/** Tests numbers in answers: integers are recognized by value, and every digit is kept and shown. */
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { body, listBrokenClauses, judgeAnswer } from '../../support/judge-harness.ts';

test('A number with an integer value is an integer, and keeps every digit', () => {
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

test('A value that breaks a promise is shown digit by digit, at any place', () => {
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
