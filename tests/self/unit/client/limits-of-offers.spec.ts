/** Tests which loan requests ask for more than every limit that the bank offered before them. */
import { expect, test } from '@playwright/test';
import { isAboveLimits } from '../../../../fixtures/bank/probes/learn-requests.ts';
import type { LoggedRequest } from '../../../../fixtures/run/session/request-log.ts';

const makeRequest = (
  at: number,
  amount: number,
  currency = 'EUR',
  limits?: Readonly<Record<string, string>>,
): LoggedRequest => ({
  operation: 'requestLoan',
  values: { amount, currency },
  outcome: limits === undefined ? 'declined' : 'accepted',
  exchange: `loan-${at}`,
  sentAt: at,
  answeredAt: at + 1,
  ...(limits && { opened: { id: String(at), accounts: Object.keys(limits), limits: Object.values(limits) } }),
});

const log = [
  makeRequest(10, 900, 'EUR', { 1: '1000.00', 2: '300.00' }),
  makeRequest(20, 100, 'EUR', { 1: '400.00' }),
  makeRequest(30, 100, 'USD', { 1: '5000.00' }),
];

for (const [title, request, isAbove] of [
  ['more than the last limit of each account', makeRequest(25, 401), true],
  ['no more than the last limit', makeRequest(25, 400), false],
  ['no more than the limit at that time', makeRequest(15, 401), false],
  ['an amount in another currency', makeRequest(35, 401, 'USD'), false],
  ['an amount before the first offer', makeRequest(5, 99_000), false],
] as const)
  test(`A loan request for ${title} is ${isAbove ? '' : 'not '}above the known limits`, () => {
    expect(isAboveLimits(log, request)).toBe(isAbove);
  });
