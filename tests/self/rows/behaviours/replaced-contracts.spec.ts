import { expect, test } from '@playwright/test';
import { findReplaced, leaveOutReplaced } from '../../../../openapi/history/replaced-contracts.ts';
import type { Answered } from '../../../../openapi/model/history.ts';
import { EMPTY_HISTORY, exchange } from '../../support/judge-harness.ts';

const contract = (application: string, from: number, account = '7') =>
  ({ operation: 'approveContract', application, account, from, at: from + 1 }) as const;
const answer = (status: number, tick: number, application = '1') => {
  const asked = { application_id: application, account_id: '7', amount: 10 };
  const made = { ...exchange('disburse', {}, { asked, status }), ticks: [tick, tick + 1] as const };
  return { operation: 'disburse', accepted: status < 300, body: {}, exchange: made } as unknown as Answered;
};

test('A refused disbursement proves nothing after a newer contract for its account', () => {
  const [own, newer, refused] = [contract('1', 10), contract('2', 20), answer(422, 30)];
  const count = (changes: Parameters<typeof findReplaced>[0], ...replies: Answered[]): number =>
    findReplaced(changes, replies).size;
  expect(count([own, newer], refused)).toBe(1);
  // The bank may process two concurrent contracts in any order.
  expect(count([contract('2', 9.5), own], refused)).toBe(1);
  expect(count([own, newer], answer(200, 30))).toBe(0);
  expect(count([own, newer], answer(422, 15))).toBe(0);
  expect(count([own, contract('2', 20, '8')], refused)).toBe(0);
  expect(count([contract('2', 5), own], refused)).toBe(0);
  expect(count([newer], refused)).toBe(0);
  // The application has a disbursement, so a newer contract did not end the contract of the application.
  expect(count([own, newer], answer(200, 25), refused)).toBe(0);
  // The bank accepted a disbursement of another application with a replaced contract.
  expect(count([own, newer, contract('3', 22)], refused, answer(200, 31, '2'))).toBe(0);
});

test('A pair that loses an answer is left out as a whole', () => {
  const changes = [contract('1', 10), contract('2', 20)].map(
    (one) => ({ kind: 'changes', exchange: '', ...one }) as const,
  );
  const answers: Readonly<Record<string, readonly Answered[]>> = {
    'pairs.first': [answer(200, 5, '3'), answer(422, 30)],
    'pairs.second': [answer(422, 6, '3'), answer(422, 7, '3')],
  };
  const run = { ...EMPTY_HISTORY.run, changes };
  const history = { ...EMPTY_HISTORY, run, compared: () => [{ answers, about: {} }] };
  const [left] = leaveOutReplaced(history).compared('loans.limit.ledger');
  expect(Object.values(left?.answers ?? {})).toEqual([[], []]);
  expect(left?.leftOut).toBeDefined();
});
