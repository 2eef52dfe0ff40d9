import { expect, test } from '@playwright/test';
import type { ClauseId } from '../../../../openapi/clauses/index.ts';
import type { Exchange } from '../../../../openapi/model/exchange.ts';
import { body, exchange } from '../../support/judge-harness.ts';
import { readResultOfRoles, type Roles } from '../history.ts';

/** Makes the answer that opens the application `id`; `ticks` are its start and its end in the run. */
const makeOpenedApplication = (id = '1', ...ticks: readonly [from: number, until: number] | readonly []): Exchange => ({
  ...exchange('requestLoan', body('requestLoan', '/data/application_id', id)),
  ...(ticks.length === 0 ? {} : { ticks }),
});
const orderRefusal = exchange('requestLoan', { message: 'No' }, { status: 409 });
const concurrentRefusal: Exchange = { ...orderRefusal, ticks: [2, 4] };

/** Two consecutive requests each time, and then two concurrent requests. */
const secondRefusedTwice = {
  first: [makeOpenedApplication('1'), makeOpenedApplication('2')],
  second: [orderRefusal, orderRefusal],
};
const acceptedConcurrently = { one: makeOpenedApplication('3', 1, 3), other: makeOpenedApplication('4', 2, 4) };
/** The second of two consecutive requests is refused again after the concurrent requests. */
const refusedAgain = {
  first: [...secondRefusedTwice.first, makeOpenedApplication('5')],
  second: [...secondRefusedTwice.second, orderRefusal],
};
const sameApplicationTwice = {
  first: [makeOpenedApplication('1'), makeOpenedApplication('2')],
  second: [makeOpenedApplication('1'), makeOpenedApplication('2')],
};

const raceRows: readonly (readonly [result: 'broken' | 'kept' | 'untested', clause: ClauseId, ...roles: Roles[]])[] = [
  ['broken', 'loans.contract.once', { ...refusedAgain, ...acceptedConcurrently }],
  ['broken', 'loans.application.once', { ...refusedAgain, ...acceptedConcurrently }],
  [
    'kept',
    'loans.application.once',
    { ...secondRefusedTwice, one: acceptedConcurrently.one, other: concurrentRefusal },
    // Both answers name the same application.
    { ...refusedAgain, one: acceptedConcurrently.one, other: makeOpenedApplication('3', 2, 4) },
  ],
  [
    'untested',
    'loans.application.once',
    // The requests were not in flight at the same time, or this is unknown.
    { ...refusedAgain, one: makeOpenedApplication('3', 1, 2), other: makeOpenedApplication('4', 3, 4) },
    { ...refusedAgain, one: makeOpenedApplication('3'), other: makeOpenedApplication('4') },
    { ...refusedAgain, one: acceptedConcurrently.one },
    // The second of two consecutive requests is not always refused.
    { ...secondRefusedTwice, ...acceptedConcurrently },
    {
      first: refusedAgain.first,
      second: [orderRefusal, orderRefusal, makeOpenedApplication('6')],
      ...acceptedConcurrently,
    },
    {
      first: refusedAgain.first,
      second: [orderRefusal, makeOpenedApplication('6'), orderRefusal],
      ...acceptedConcurrently,
    },
    {
      first: [makeOpenedApplication('1')],
      second: [orderRefusal],
      one: acceptedConcurrently.one,
      other: concurrentRefusal,
    },
    {
      first: [orderRefusal, ...secondRefusedTwice.first],
      second: [orderRefusal, orderRefusal, orderRefusal],
      ...acceptedConcurrently,
    },
    { ...sameApplicationTwice, ...acceptedConcurrently },
  ],
  ['broken', 'loans.application.same-at-once', { ...sameApplicationTwice, ...acceptedConcurrently }],
  [
    'kept',
    'loans.application.same-at-once',
    { ...sameApplicationTwice, one: acceptedConcurrently.one, other: makeOpenedApplication('3', 2, 4) },
  ],
  [
    'untested',
    'loans.application.same-at-once',
    {
      first: [makeOpenedApplication('1'), makeOpenedApplication('1')],
      second: [makeOpenedApplication('1'), makeOpenedApplication('1')],
      ...acceptedConcurrently,
    },
    {
      first: sameApplicationTwice.first,
      second: [makeOpenedApplication('1'), makeOpenedApplication('3')],
      ...acceptedConcurrently,
    },
    { ...refusedAgain, ...acceptedConcurrently },
  ],
];

for (const [result, clause, ...all] of raceRows)
  test(`Two requests at the same time beside the same two in a row: ${clause} is ${result}`, () => {
    for (const [nth, roles] of all.entries()) expect([nth, readResultOfRoles(clause, roles)]).toEqual([nth, result]);
  });

test('A repeated request does not always end in a server error', () => {
  const check = (...statuses: readonly number[]) =>
    readResultOfRoles('service.odd-input', {
      repeated: statuses.map((status) => exchange('requestLoan', {}, { status, kind: 'probe' })),
      first: makeOpenedApplication(),
    });
  expect(check(500, 500, 502, 500)).toBe('broken');
  expect(check(500, 500)).toBe('untested');
  expect(check(500, 500, 500, 409)).toBe('untested');
  expect(check(503, 503, 503, 503)).toBe('untested');
});
