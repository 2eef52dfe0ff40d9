/** Tests answers that are no success: `false` as result, refusals by status, error bodies, and random bytes. */
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { judge } from '../../../../openapi/judge.ts';
import { operationIds } from '../../../../openapi/api.ts';
import type { Outcome } from '../../../../openapi/model/outcome.ts';
import { body, listBrokenClauses, exchange, judgeAnswer } from '../../support/judge-harness.ts';

test('A loan answer with result false breaks a clause for a wrong type, and gives a warning for a missing field', () => {
  const judgeRefused = (change: Record<string, unknown>): readonly string[] =>
    listBrokenClauses('requestLoan', { data: { application_id: '1', result: 'false', infos: [], ...change } });
  expect(judgeRefused({})).toEqual([]);
  expect(judgeAnswer('requestLoan', body('requestLoan', '/data/result', 'False')).outcome).toBe('declined');
  for (const name of ['application_id', 'infos'])
    for (const value of [null, undefined])
      expect(judgeRefused({ [name]: value })).toEqual([`loans.application.refused.complete /data/${name}`]);
  expect(judgeRefused({ application_id: 7 })).toEqual(['loans.application.id /data/application_id']);
  expect(judgeRefused({ application_id: 'A' })).toEqual(['loans.application.id.digits /data/application_id']);
  expect(judgeRefused({ infos: {} })).toEqual(['loans.application.infos /data/infos']);
  expect(judgeRefused({ infos: [{}] })).toHaveLength(6);
  expect(listBrokenClauses('requestLoan', { data: { application_id: null, result: 'true', infos: [] } })).toEqual([
    'loans.application.id /data/application_id',
  ]);
});

test('A link answer with is_success false breaks a clause for a wrong type, and gives a warning for a missing field', () => {
  const judgeNotMade = (change: Record<string, unknown>): readonly string[] =>
    listBrokenClauses('createPaymentLink', {
      data: { ...(body('createPaymentLink') as { data: object }).data, is_success: false, ...change },
    });
  expect(judgeNotMade({})).toEqual([]);
  expect(
    judgeNotMade({ payment_link: 'https://pay.example/other', payment_token: '', end_date: '01.01.2001 00:00:00' }),
  ).toEqual([]);
  for (const name of ['order_id', 'payment_link', 'payment_token', 'end_date'])
    for (const value of [null, undefined])
      expect(judgeNotMade({ [name]: value })).toEqual([`links.link.refused.complete /data/${name}`]);
  expect(judgeNotMade({ order_id: 7 })).toEqual(['links.link.order-id /data/order_id']);
  expect(judgeNotMade({ end_date: 'soon' })).toEqual(['links.link.end-date.form /data/end_date']);
  const { outcome } = judgeAnswer('createPaymentLink', body('createPaymentLink', '/data/is_success', false));
  expect(outcome).toBe('declined');
});

/** Rows of the outcome without Retry-After, the outcome with Retry-After, and their statuses. */
const outcomesByStatus: readonly (readonly [outcome: Outcome, again: Outcome, ...statuses: readonly number[]])[] = [
  ['lost', 'lost', 301, 304, 600, 999],
  ['refused', 'throttled', 400, 404, 405, 406, 410, 412, 413, 415, 418, 422, 428],
  ['unauthorized', 'throttled', 401, 407],
  ['forbidden', 'throttled', 402, 403, 451],
  ['conflict', 'throttled', 409, 423],
  ['throttled', 'throttled', 408, 425, 429],
  ['crashed', 'throttled', 503],
  ['crashed', 'crashed', 500, 501, 502, 504, 599],
];

test('Each status outside 2xx, with or without Retry-After, has its outcome, and the body breaks no clause', () => {
  for (const [outcome, outcomeWithRetryAfter, ...statuses] of outcomesByStatus)
    for (const status of statuses) {
      for (const answer of ['', '{', '<html>', JSON.stringify(body('requestLoan'))]) {
        const judgement = judgeAnswer('requestLoan', answer, { status, labels: [] });
        expect([status, judgement.outcome, judgement.breaks]).toEqual([status, outcome, []]);
      }
      const later = judgeAnswer('requestLoan', '', { status, labels: [['retry-after', '1']] });
      expect([status, later.outcome]).toEqual([status, outcomeWithRetryAfter]);
    }
  expect(judgeAnswer('requestLoan', null).outcome).toBe('lost');
});

test('A stack trace, database text or file path in an error body breaks service.no-internals; ordinary errors do not', () => {
  const leaks = [
    'java.lang.NullPointerException\n\tat com.bank.Loans.open(Loans.java:42)',
    'Error: x\n    at handler (/srv/app/dist/loans.js:10:5)',
    'Traceback (most recent call last):\n  File "/app/loans.py", line 7, in open',
    'ORA-00942: table or view does not exist',
    'SELECT id, name FROM merchants WHERE no = 5',
    'SELECT * FROM merchants',
    'could not execute statement; SQL [insert into loans (id) values (?)]; constraint [uk_1]',
    '/opt/bank/conf/limits.properties (No such file or directory)',
    'System.NullReferenceException: Object reference not set',
    'C:\\inetpub\\bank\\web.config',
    'goroutine 17 [running]:',
    "Can't locate object method at lib/Bank/Link.pm line 12.",
    'no such account: HASH(0x55d0c8a7e2a8)',
    '{badmatch,[]},[{loans,open,2,[{file,"src/loans.erl"},{line,42}]}]',
    '** (KeyError) key :limit not found in: %{}',
    '(bank 0.1.0) lib/bank/loans.ex:42: Bank.Loans.open/1',
    '<b>Fatal error</b>: Uncaught TypeError: null given in <b>/data/bank/src/Branches.php</b> on line <b>88</b><br />',
    '#0 /data/bank/src/Contracts.php(15): want(Array)\n#1 {main}',
    "NoMethodError (undefined method `codes' for nil:NilClass):\napp/controllers/merchants_controller.rb:42:in `currencies'",
    "thread 'tokio-runtime-worker' panicked at src/installments.rs:88:14:\ncalled `Option::unwrap()` on a `None` value",
    "You have an error in your SQL syntax; check the manual near '' at line 1",
    "Conversion failed when converting the varchar value '987654321' to data type int.",
    'MongoServerError: E11000 duplicate key error collection: bank.links index: order_id_1',
    'ERROR: insert or update on table "disbursements" violates foreign key constraint "disbursements_account_fkey"',
  ];
  for (const text of leaks)
    for (const status of [400, 500])
      expect([
        text,
        listBrokenClauses('requestLoan', JSON.stringify({ message: text }).replaceAll('\\\\', '\\\\'), { status }),
      ]).toEqual([text, ['service.no-internals response/body']]);
  const harmless = [
    'The amount has to be above 0.',
    'POST /api/bank/revolving-loans/v1/loans: currency is not lent',
    'Please select an account from the list',
    '<script src="/app/js/main.js"></script><a href=\'/home/index.html\'>Home</a>',
    'See https://bank.example/docs/errors/E17',
    'The statement could not be executed; an exception is made for nested accounts.',
    'PL/SQL of the branch /opt-out/properties',
    'at least one field: amount, currency (both required)',
    'Validation error: order_id at position 12:5',
  ];
  for (const text of harmless)
    expect([text, listBrokenClauses('requestLoan', { message: text }, { status: 400 })]).toEqual([text, []]);
});

test('Random bytes as an answer never make the judge throw', () => {
  const patched = fc
    .tuple(fc.constantFrom(...operationIds), fc.nat(400), fc.uint8Array({ minLength: 1, maxLength: 3 }))
    .map(([operation, at, patch]) => {
      const right = new TextEncoder().encode(JSON.stringify(body(operation)));
      right.set(patch, Math.min(at, right.length - patch.length));
      return right;
    });
  const answers = fc.oneof(fc.uint8Array({ maxLength: 200 }), patched);
  const statuses = fc.constantFrom(200, 204, 302, 400, 500);
  fc.assert(
    fc.property(fc.constantFrom(...operationIds), answers, statuses, (operation, answer, status) => {
      const { breaks, exercised } = judge(exchange(operation, answer, { status }));
      for (const { clause } of breaks) expect(exercised).toContain(clause);
    }),
    { numRuns: 1500 },
  );
});
