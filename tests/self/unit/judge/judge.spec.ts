/** Tests that the judge knows every field in every answer: it notices a missing field, and a field of another type. */
import { expect, test } from '@playwright/test';
import { operationIds, type OperationId } from '../../../../openapi/model/exchange.ts';
import {
  body,
  listBrokenClauses,
  ASKED_BY_PLACE,
  REMOVED_MEMBER,
  judgeAnswer,
  type Around,
} from '../../support/judge-harness.ts';
import { documentedTables } from '../../support/spec-transcription.ts';

const wrongValues = {
  string: [7, true, null, {}, ['x'], REMOVED_MEMBER],
  number: ['7', true, null, {}, REMOVED_MEMBER],
  integer: ['7', 7.5, true, null, REMOVED_MEMBER],
  boolean: ['true', 1, null, {}, REMOVED_MEMBER],
  array: [{}, 'x', 7, null, REMOVED_MEMBER],
  entry: ['x', 7, null, []],
} as const;

const AROUND_PLACE: Around = { asked: ASKED_BY_PLACE };

type Field = readonly [operation: OperationId, pointer: string, type: keyof typeof wrongValues, clause: string];

/** Every field in every table of the document, and the errors beside `data`, which a sentence describes. */
const documentedFields: readonly Field[] = [
  ...operationIds.flatMap((operation) =>
    Object.entries(documentedTables[operation].answer).map(([name, [type, clause]]): Field => [
      operation,
      `/data/${name.replaceAll('*', '0')}`,
      type === 'object' ? 'entry' : (type as keyof typeof wrongValues),
      String(clause),
    ]),
  ),
  ['queryDisbursement', '/errors/0', 'entry', 'loans.outcome.error'],
  ['queryDisbursement', '/errors/0/message', 'string', 'loans.outcome.message'],
];

for (const [operation, pointer, type, clause] of documentedFields)
  test(`${clause} is judged at ${operation} ${pointer}, which is ${type === 'entry' ? 'an object' : type}`, () => {
    const where = pointer.replaceAll(/\/0(?=\/|$)/g, '/*');
    for (const value of wrongValues[type])
      expect([value, listBrokenClauses(operation, body(operation, pointer, value))]).toEqual([
        value,
        [`${clause} ${where}`],
      ]);
    expect(judgeAnswer(operation).exercised).toContain(clause);
  });

test('An ATM found by place has no distance', () => {
  const at = '/data/0/atm_distance';
  for (const distance of [0, 420, 4.5, '420', true])
    expect(listBrokenClauses('findAtms', body('findAtms', at, distance), AROUND_PLACE)).toEqual([
      'atms.no-distance /data/*/atm_distance',
    ]);
  expect(listBrokenClauses('findAtms', body('findAtms', at, null), AROUND_PLACE)).toEqual([
    'atms.no-distance.absent /data/*/atm_distance',
  ]);
});

test('The errors of a disbursement query are missing or an array', () => {
  const judgeErrors = (errors: unknown): readonly string[] =>
    listBrokenClauses('queryDisbursement', body('queryDisbursement', '/errors', errors));
  for (const errors of [REMOVED_MEMBER, [], [{ message: 'R001;' }, { message: 'R999;', more: 1 }]])
    expect(judgeErrors(errors)).toEqual([]);
  expect(judgeErrors(null)).toEqual(['loans.outcome.errors.not-null /errors']);
  for (const errors of ['R036;', 36, true, { message: 'R036;' }])
    expect(judgeErrors(errors)).toEqual(['loans.outcome.errors /errors']);
});

test('Fields that the document does not name break no clause, at any level', () => {
  const more = { note: null, atm_distance: 'far', errors: 5, nested: { data: [] } };
  for (const operation of operationIds) {
    const text = JSON.stringify(body(operation)).replaceAll('{', `{${JSON.stringify(more).slice(1, -1)},`);
    const { outcome, breaks } = judgeAnswer(
      operation,
      operation === 'findAtms' ? text.replaceAll('"atm_distance":"far",', '') : text.replaceAll('"errors":5,', ''),
    );
    expect([operation, outcome, breaks]).toEqual([operation, 'accepted', []]);
  }
});

test('A probe is never judged, whatever its answer', () => {
  for (const operation of operationIds)
    for (const answer of ['{}', '', 'not JSON', '[1', JSON.stringify({ data: {} }), JSON.stringify({ data: [5] })])
      for (const status of [200, 302, 404, 500]) {
        const { breaks, exercised, facts } = judgeAnswer(operation, answer, { kind: 'probe', status });
        // A possible change of state is not a verdict.
        const judgedBy = facts.filter(({ rule }) => rule !== 'payment' && rule !== 'changed');
        expect([breaks, [...exercised], judgedBy]).toEqual([[], [], []]);
      }
  expect(judgeAnswer('requestLoan', undefined, { kind: 'probe' }).outcome).toBe('accepted');
});

test('A right answer tests the promises about its request, and a refusal does not', () => {
  const names = ['x-gw-client-id', 'X-GW-client-secret', 'authorization', 'content-type'];
  const headers = Object.fromEntries(names.map((name) => [name, 'a']));
  const { exercised } = judgeAnswer('requestLoan', body('requestLoan'), { headers });
  const application = ['path', 'method', 'request.amount', 'request.order-id', 'request.order-id.text'];
  const sent = ['client-id', 'client-secret', 'authorization', 'content-type'];
  for (const clause of [
    ...application.map((name) => `loans.application.${name}`),
    ...sent.map((name) => `loans.header.${name}`),
  ])
    expect(exercised).toContain(clause);
  expect([...judgeAnswer('requestLoan', { errors: [] }, { headers, status: 422 }).exercised]).toEqual([
    'service.no-internals',
  ]);
  const ofInteger = judgeAnswer('requestLoan', body('requestLoan'), { asked: { order_id: 5 } }).exercised;
  for (const [type, isTested] of [
    ['text', [true, false]],
    ['integer', [false, true]],
  ] as const) {
    const clause = `loans.application.request.order-id.${type}` as const;
    expect([exercised.has(clause), ofInteger.has(clause)]).toEqual(isTested);
  }
});

test('An empty list leaves the clauses about its entries untested', () => {
  const empty = judgeAnswer('requestLoan', body('requestLoan', '/data/infos', []));
  expect([empty.outcome, empty.breaks]).toEqual(['accepted', []]);
  expect([...empty.exercised].filter((clause) => clause.startsWith('loans.offer'))).toEqual([]);
  const none = judgeAnswer('findAtms', { data: [] });
  expect([...none.exercised].filter((clause) => /^atms\.(?:atm|no|name|distance)/.test(clause))).toEqual([]);
});
