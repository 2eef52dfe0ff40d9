/** Tests when the suite suspects that a bank does not answer any more, and when not. */
import { expect, test } from '@playwright/test';
import { openAccessTokenProvider } from '../../../../fixtures/http/access-token.ts';
import { openAvailability, type Sending } from '../../../../fixtures/http/availability.ts';
import { createFakeClock } from '../../support/examine.ts';
import type { Exchange, OperationId } from '../../../../openapi/model/exchange.ts';
import { makeTarget } from '../../support/servers.ts';

const target = makeTarget('http://127.0.0.1:9');

function openTracker() {
  const clock = createFakeClock(0);
  const { note } = openAvailability(target, clock, openAccessTokenProvider(target, clock));
  return (
    operation: OperationId,
    status: number | null,
    more: Partial<Exchange> = {},
    headers: [string, string][] = [],
  ) => note(makeSending(operation, status, more, headers))?.about ?? null;
}

function makeSending(
  operation: OperationId,
  status: number | null,
  more: Partial<Exchange>,
  headers: [string, string][],
): Sending {
  const request = { method: 'GET', path: '/', headers: {}, body: null };
  return {
    exchange: {
      id: operation,
      operation,
      kind: 'positive',
      request: { ...request, asked: {} },
      answer: status === null ? null : { status, headers, bytes: new Uint8Array() },
      failure: status === null ? { kind: 'reset', message: 'The connection was reset.' } : null,
      startedAt: 0,
      durationMs: 1,
      ...more,
    },
    request,
    bearer: operation !== 'findAtms',
    values: {},
    repeatable: true,
    asStranger: more.id === 'stranger',
  };
}

test('Three requests in a row without an answer, to two operations, make the suite suspect an outage', () => {
  const note = openTracker();
  expect([note('listMerchants', 200), note('listMerchants', null), note('findAtms', 502)]).toEqual([null, null, null]);
  expect(note('listBranches', null)).toBe('service');
});

test('If one operation fails while others answer, no outage is suspected', () => {
  const note = openTracker();
  note('findAtms', 200);
  for (let nth = 0; nth < 20; nth += 1) expect([note('disburse', null), note('findAtms', 200)]).toEqual([null, null]);
});

test('If only one operation is called and fails, an outage is suspected later, and after each wrong suspicion later still', () => {
  const note = openTracker();
  note('findAtms', 200);
  const suspicions = Array.from({ length: 200 }, () => note('disburse', null)).filter((about) => about !== null);
  expect(suspicions.length).toBeGreaterThan(1);
  expect(suspicions.length).toBeLessThan(6);
});

test('A 500, a 503 with Retry-After and a too large body count as answers', () => {
  const note = openTracker();
  note('findAtms', 200);
  for (let nth = 0; nth < 10; nth += 1)
    expect([
      note('disburse', 500),
      note('listMerchants', 503, {}, [['retry-after', '1']]),
      note('listBranches', null, { failure: { kind: 'too-large', message: 'The body is larger than 8 MiB.' } }),
    ]).toEqual([null, null, null]);
});

test('Three answers of 401 in a row make the credentials suspect if they were accepted before', () => {
  const note = openTracker();
  for (let nth = 0; nth < 10; nth += 1) expect(note('listMerchants', 401)).toBeNull();
  const other = openTracker();
  other('listMerchants', 200);
  // The ATM locator gets no token.
  expect(['listBranches', 'disburse', 'listMerchants'].map((text) => other(text as OperationId, 401))).toEqual([
    null,
    null,
    'credentials',
  ]);
});

test('After requests without credentials a 401 may mean that the client is locked', () => {
  const note = openTracker();
  note('listMerchants', 200);
  note('listMerchants', 401, { kind: 'probe', id: 'stranger' });
  for (let nth = 0; nth < 10; nth += 1) expect(note('listMerchants', 401)).toBeNull();
});
