/** Tests how the suite finds out whether a bank disburses less, or more, than the amount of an application. */
import { expect, test } from '@playwright/test';
import {
  disbursesLess,
  disbursesMore,
  listRefusedSmaller,
} from '../../../../fixtures/bank/client/disbursed-amounts.ts';
import type { LoggedRequest } from '../../../../fixtures/run/session/request-log.ts';

/** Logs an application for 1000 and a disbursement of `amount`. */
function disburse(application: string, amount: number, outcome: 'accepted' | 'refused'): readonly LoggedRequest[] {
  const common = { exchange: '', sentAt: 0, answeredAt: 0 };
  const opened = { id: application, accounts: [], limits: [] };
  const values = { application_id: application, amount, contract_approved: true };
  return [
    { ...common, operation: 'requestLoan', outcome: 'accepted', opened, values: { amount: 1000 } },
    { ...common, operation: 'disburse', outcome, values },
  ];
}

for (const [title, requests, refusedCount, isLess, isMore] of [
  [
    'Two refused smaller amounts show the rule, and a larger or an equal amount does not count',
    [
      ...disburse('1', 10, 'refused'),
      ...disburse('2', 999.99, 'refused'),
      ...disburse('3', 1000, 'accepted'),
      ...disburse('4', 2000, 'refused'),
    ],
    2,
    false,
    false,
  ],
  ['Another reason may explain a single refusal', disburse('1', 10, 'refused'), 0, false, false],
  [
    'Two refusals of one application may have one reason',
    [...disburse('1', 10, 'refused'), ...disburse('1', 20, 'refused')],
    0,
    false,
    false,
  ],
  [
    'An accepted smaller amount shows that there is no such rule',
    [...disburse('1', 10, 'refused'), ...disburse('2', 20, 'refused'), ...disburse('3', 30, 'accepted')],
    0,
    true,
    false,
  ],
  [
    'An accepted larger amount shows that the bank disburses more than the amount of an application',
    [...disburse('1', 2000, 'refused'), ...disburse('2', 1000.01, 'accepted')],
    0,
    false,
    true,
  ],
] as const)
  test(title, () => {
    expect(listRefusedSmaller(requests)).toHaveLength(refusedCount);
    expect(disbursesLess(requests)).toBe(isLess);
    expect(disbursesMore(requests)).toBe(isMore);
  });
