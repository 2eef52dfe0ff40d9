/** Tests how the suite estimates the time after which a disbursement is at rest. */
import { expect, test } from '@playwright/test';
import { estimateRestTime } from '../../../../fixtures/bank/client/rest-times.ts';
import type { LoggedRequest } from '../../../../fixtures/run/session/request-log.ts';

const OPEN = 'being processed';

/** Logs a disbursement that is answered at 1000 ms, and queries that are answered so many milliseconds later. */
function disburse(application: string, openAfter: readonly number[], finalAfter?: number): readonly LoggedRequest[] {
  const log = (operation: LoggedRequest['operation'], afterMs: number, result?: string): LoggedRequest => ({
    ...{ operation, outcome: 'accepted', exchange: '', values: { application_id: application } },
    ...{ sentAt: 1000 + afterMs, answeredAt: 1000 + afterMs, ...(result && { result }) },
  });
  return [
    log('disburse', 0),
    ...openAfter.map((afterMs) => log('queryDisbursement', afterMs, OPEN)),
    ...(finalAfter === undefined ? [] : [log('queryDisbursement', finalAfter, 'paid')]),
  ];
}

for (const [title, requests, restTime] of [
  ['No disbursement shows a time', [], 0],
  ['An outcome that the first query finds final shows no time', disburse('1', [], 2000), 0],
  ['An outcome that became final in a long pause shows no time', disburse('1', [10, 200], 1600), 0],
  ['An outcome that is never final shows no time', disburse('1', [10, 200]), 0],
  ['The longest time counts', [...disburse('1', [1400], 1900), ...disburse('2', [300], 450)], 1900],
  ['At most three seconds count', disburse('1', [4000], 5000), 3000],
] as const)
  test(title, () => {
    expect(estimateRestTime({ requests: [...requests], isPending: (text) => text === OPEN })).toBe(restTime);
  });
