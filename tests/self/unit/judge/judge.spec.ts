/** Tests which clauses one exchange tests, and that undocumented fields break no clause. */
import { expect, test } from '@playwright/test';
import { operationIds, type OperationId } from '../../../../openapi/api.ts';
import {
  body,
  listBrokenClauses,
  ASKED_BY_PLACE,
  REMOVED_MEMBER,
  judgeAnswer,
  type Around,
} from '../../support/judge-harness.ts';

test('A null distance in a district query and null errors in an outcome are warnings; without them there is no finding', () => {
  const listBroken = (operation: OperationId, at: string, value: unknown, around?: Around): readonly string[] =>
    listBrokenClauses(operation, body(operation, at, value), around);
  const byPlace = { asked: ASKED_BY_PLACE };
  expect(listBroken('findAtms', '/data/0/atm_distance', null, byPlace)).toEqual([
    'atms.no-distance.absent /data/*/atm_distance',
  ]);
  for (const errors of [REMOVED_MEMBER, [], [{ message: 'R001;' }, { message: 'R999;', more: 1 }]])
    expect(listBroken('queryDisbursement', '/errors', errors)).toEqual([]);
  expect(listBroken('queryDisbursement', '/errors', null)).toEqual(['loans.outcome.errors.not-null /errors']);
});

test('Fields that the document does not name break no clause, at any level', () => {
  const undocumentedFields = { note: null, atm_distance: 'far', errors: 5, nested: { data: [] } };
  for (const operation of operationIds) {
    const text = JSON.stringify(body(operation)).replaceAll(
      '{',
      `{${JSON.stringify(undocumentedFields).slice(1, -1)},`,
    );
    const { outcome, breaks } = judgeAnswer(
      operation,
      operation === 'findAtms' ? text.replaceAll('"atm_distance":"far",', '') : text.replaceAll('"errors":5,', ''),
    );
    expect([operation, outcome, breaks]).toEqual([operation, 'accepted', []]);
  }
});

test('The answer to an invalid request breaks and tests no clause, whatever its status and body', () => {
  for (const operation of operationIds)
    for (const answer of ['{}', '', 'not JSON', '[1', JSON.stringify({ data: {} }), JSON.stringify({ data: [5] })])
      for (const status of [200, 302, 404, 500]) {
        const { breaks, exercised, records } = judgeAnswer(operation, answer, { kind: 'probe', status });
        // A possible change of state is not a verdict.
        const judgedBy = records.filter(({ kind }) => kind !== 'payments' && kind !== 'changes');
        expect([breaks, [...exercised], judgedBy]).toEqual([[], [], []]);
      }
  expect(judgeAnswer('requestLoan', undefined, { kind: 'probe' }).outcome).toBe('accepted');
});

test('An accepted loan request tests the clauses about its inputs and headers; a refused one does not', () => {
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
  const testedWithInteger = judgeAnswer('requestLoan', body('requestLoan'), { asked: { order_id: 5 } }).exercised;
  for (const [type, isTested] of [
    ['text', [true, false]],
    ['integer', [false, true]],
  ] as const) {
    const clause = `loans.application.request.order-id.${type}` as const;
    expect([exercised.includes(clause), testedWithInteger.includes(clause)]).toEqual(isTested);
  }
});

test('An empty list leaves the clauses about its entries untested', () => {
  const empty = judgeAnswer('requestLoan', body('requestLoan', '/data/infos', []));
  expect([empty.outcome, empty.breaks]).toEqual(['accepted', []]);
  expect([...empty.exercised].filter((clause) => clause.startsWith('loans.offer'))).toEqual([]);
  const emptyAnswer = judgeAnswer('findAtms', { data: [] });
  expect([...emptyAnswer.exercised].filter((clause) => /^atms\.(?:atm|no|name|distance)/.test(clause))).toEqual([]);
});
