import { expect, test } from '@playwright/test';
import { mayBeReplaced } from '../../../../openapi/history/replaced-contracts.ts';
import { exchange } from '../../support/judge-harness.ts';

const contract = (application: string, from: number, account = '7') =>
  ({ operation: 'approveContract', application, account, from, at: from + 1 }) as const;
const answer = (status: number, tick: number) => {
  const asked = { application_id: '1', account_id: '7', amount: 10 };
  const made = { ...exchange('disburse', {}, { asked, status }), ticks: [tick, tick + 1] as const };
  return { operation: 'disburse', accepted: status < 300, body: {}, exchange: made } as const;
};

test('A refused disbursement proves nothing after a newer contract for its account', () => {
  const [own, newer] = [contract('1', 10), contract('2', 20)];
  expect(mayBeReplaced([own, newer], answer(422, 30))).toBe(true);
  // The bank may process the first of two contracts at the same time last.
  expect(mayBeReplaced([contract('2', 9.5), own], answer(422, 30))).toBe(true);
  for (const [changes, reply] of [
    [[own, newer], answer(200, 30)],
    [[own, newer], answer(422, 15)],
    [[own, contract('2', 20, '8')], answer(422, 30)],
    [[contract('2', 5), own], answer(422, 30)],
    [[newer], answer(422, 30)],
  ] as const)
    expect(mayBeReplaced(changes, reply)).toBe(false);
});
