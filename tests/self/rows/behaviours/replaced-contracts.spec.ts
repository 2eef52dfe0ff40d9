/** Tests that a disbursement which a newer contract may have made impossible is left out of comparisons. */
import { expect, test } from '@playwright/test';
import { findReplaced, leaveOutReplaced } from '../../../../openapi/bank/history/replaced-contracts.ts';
import type { Answered } from '../../../../openapi/model/history.ts';
import { EMPTY_HISTORY, exchange } from '../../support/judge-harness.ts';

const contract = (application: string, from: number, account = '7') =>
  ({ operation: 'approveContract', application, account, from, at: from + 1 }) as const;
const answer = (status: number, tick: number, application = '1') => {
  const asked = { application_id: application, account_id: '7', amount: 10 };
  const disbursement = { ...exchange('disburse', {}, { asked, status }), ticks: [tick, tick + 1] as const };
  return { operation: 'disburse', accepted: status < 300, body: {}, exchange: disbursement } as unknown as Answered;
};

test('A refused disbursement is left out if a contract of another application for its account is newer', () => {
  const [ownContract, newerContract, refused] = [contract('1', 10), contract('2', 20), answer(422, 30)];
  const count = (changes: Parameters<typeof findReplaced>[0], ...replies: Answered[]): number =>
    findReplaced(changes, replies).size;
  expect(count([ownContract, newerContract], refused)).toBe(1);
  // The bank may process two concurrent contracts in any order.
  expect(count([contract('2', 9.5), ownContract], refused)).toBe(1);
  expect(count([ownContract, newerContract], answer(200, 30))).toBe(0);
  expect(count([ownContract, newerContract], answer(422, 15))).toBe(0);
  expect(count([ownContract, contract('2', 20, '8')], refused)).toBe(0);
  expect(count([contract('2', 5), ownContract], refused)).toBe(0);
  expect(count([newerContract], refused)).toBe(0);
  // The application has a disbursement, so a newer contract did not end the contract of the application.
  expect(count([ownContract, newerContract], answer(200, 25), refused)).toBe(0);
  // The bank accepted a disbursement of another application with a replaced contract.
  expect(count([ownContract, newerContract, contract('3', 22)], refused, answer(200, 31, '2'))).toBe(0);
});

test('If one disbursement of a pair is left out, the whole pair is left out', () => {
  const changes = [contract('1', 10), contract('2', 20)].map(
    (change) => ({ kind: 'changes', exchange: '', ...change }) as const,
  );
  const answers: Readonly<Record<string, readonly Answered[]>> = {
    'pairs.first': [answer(200, 5, '3'), answer(422, 30)],
    'pairs.second': [answer(422, 6, '3'), answer(422, 7, '3')],
  };
  const run = { ...EMPTY_HISTORY.run, changes };
  const history = { ...EMPTY_HISTORY, run, compared: () => [{ answers, about: {} }] };
  const [comparison] = leaveOutReplaced(history).compared('loans.limit.ledger');
  expect(Object.values(comparison?.answers ?? {})).toEqual([[], []]);
  expect(comparison?.leftOut).toBeDefined();
});
