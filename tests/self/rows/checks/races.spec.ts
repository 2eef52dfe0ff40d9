import { expect, test } from '@playwright/test';
import type { ClauseId } from '../../../../openapi/clauses/index.ts';
import type { Exchange } from '../../../../openapi/model/exchange.ts';
import { body, exchange } from '../../support/judge-harness.ts';
import { readResultOfRoles, type Roles } from '../history.ts';

/** Opens the application `id`, if given from one tick of the run to another. */
const open = (id = '1', ...ticks: readonly [from: number, until: number] | readonly []): Exchange => ({
  ...exchange('requestLoan', body('requestLoan', '/data/application_id', id)),
  ...(ticks.length === 0 ? {} : { ticks }),
});
const refusal = exchange('requestLoan', { message: 'No' }, { status: 409 });
const concurrentRefusal: Exchange = { ...refusal, ticks: [2, 4] };

/** Two consecutive requests each time, and then two concurrent requests. */
const refusedTwice = { first: [open('1'), open('2')], second: [refusal, refusal] };
const acceptedConcurrently = { one: open('3', 1, 3), other: open('4', 2, 4) };
/** The second of two consecutive requests is refused again after the concurrent requests. */
const refusedAgain = { first: [...refusedTwice.first, open('5')], second: [...refusedTwice.second, refusal] };
const sameTwice = { first: [open('1'), open('2')], second: [open('1'), open('2')] };

const rows: readonly (readonly [result: 'broken' | 'kept' | 'untested', clause: ClauseId, ...roles: Roles[]])[] = [
  ['broken', 'loans.contract.once', { ...refusedAgain, ...acceptedConcurrently }],
  ['broken', 'loans.application.once', { ...refusedAgain, ...acceptedConcurrently }],
  [
    'kept',
    'loans.application.once',
    { ...refusedTwice, one: acceptedConcurrently.one, other: concurrentRefusal },
    // Both answers name one application.
    { ...refusedAgain, one: acceptedConcurrently.one, other: open('3', 2, 4) },
  ],
  [
    'untested',
    'loans.application.once',
    // The requests were not in flight together, or nobody knows.
    { ...refusedAgain, one: open('3', 1, 2), other: open('4', 3, 4) },
    { ...refusedAgain, one: open('3'), other: open('4') },
    { ...refusedAgain, one: acceptedConcurrently.one },
    // The second of two consecutive requests is not always refused.
    { ...refusedTwice, ...acceptedConcurrently },
    { first: refusedAgain.first, second: [refusal, refusal, open('6')], ...acceptedConcurrently },
    { first: refusedAgain.first, second: [refusal, open('6'), refusal], ...acceptedConcurrently },
    { first: [open('1')], second: [refusal], one: acceptedConcurrently.one, other: concurrentRefusal },
    { first: [refusal, ...refusedTwice.first], second: [refusal, refusal, refusal], ...acceptedConcurrently },
    { ...sameTwice, ...acceptedConcurrently },
  ],
  ['broken', 'loans.application.same-at-once', { ...sameTwice, ...acceptedConcurrently }],
  ['kept', 'loans.application.same-at-once', { ...sameTwice, one: acceptedConcurrently.one, other: open('3', 2, 4) }],
  [
    'untested',
    'loans.application.same-at-once',
    { first: [open('1'), open('1')], second: [open('1'), open('1')], ...acceptedConcurrently },
    { first: sameTwice.first, second: [open('1'), open('3')], ...acceptedConcurrently },
    { ...refusedAgain, ...acceptedConcurrently },
  ],
];

for (const [result, clause, ...all] of rows)
  test(`Two requests at the same time beside the same two in a row: ${clause} is ${result}`, () => {
    for (const [nth, roles] of all.entries()) expect([nth, readResultOfRoles(clause, roles)]).toEqual([nth, result]);
  });

test('A repeated request does not always end in a server error', () => {
  const check = (...statuses: readonly number[]) =>
    readResultOfRoles('service.odd-input', {
      repeated: statuses.map((status) => exchange('requestLoan', {}, { status, kind: 'probe' })),
      first: open(),
    });
  expect(check(500, 500, 502, 500)).toBe('broken');
  expect(check(500, 500)).toBe('untested');
  expect(check(500, 500, 500, 409)).toBe('untested');
  expect(check(503, 503, 503, 503)).toBe('untested');
});
