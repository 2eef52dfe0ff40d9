import { expect, test } from '@playwright/test';
import type { ClauseId } from '../../../../openapi/clauses/index.ts';
import type { Exchange } from '../../../../openapi/model/exchange.ts';
import { body, exchange } from '../../support/judge-harness.ts';
import { readResultOfRoles, type Roles } from '../history.ts';

const makeOpenedApplication = (id = '1'): Exchange =>
  exchange('requestLoan', body('requestLoan', '/data/application_id', id));
const refusal = exchange('requestLoan', { message: 'No' }, { status: 409 });
const withTicks = (exchange: Exchange, from: number, until: number): Exchange => ({
  ...exchange,
  ticks: [from, until],
});

/** Two consecutive requests each time, and then two concurrent requests. */
const refusedInSequence = {
  first: [makeOpenedApplication('1'), makeOpenedApplication('2')],
  second: [refusal, refusal],
};
const acceptedConcurrently = {
  one: withTicks(makeOpenedApplication('3'), 1, 3),
  other: withTicks(makeOpenedApplication('4'), 2, 4),
};
/** The second of two consecutive requests is refused again after the concurrent requests. */
const refusedAgain = {
  first: [...refusedInSequence.first, makeOpenedApplication('5')],
  second: [...refusedInSequence.second, refusal],
};

test('A repetition that is refused in a row is not accepted at once', () => {
  const of = (roles: Roles, clause: ClauseId = 'loans.application.once') => readResultOfRoles(clause, roles);
  expect(of({ ...refusedAgain, ...acceptedConcurrently })).toBe('broken');
  expect(of({ ...refusedAgain, ...acceptedConcurrently }, 'loans.contract.once')).toBe('broken');
  expect(of({ ...refusedInSequence, one: acceptedConcurrently.one, other: withTicks(refusal, 2, 4) })).toBe('kept');
  // Both answers name one application.
  expect(
    of({ ...refusedAgain, one: acceptedConcurrently.one, other: withTicks(makeOpenedApplication('3'), 2, 4) }),
  ).toBe('kept');
  for (const roles of [
    {
      ...refusedAgain,
      one: withTicks(makeOpenedApplication('3'), 1, 2),
      other: withTicks(makeOpenedApplication('4'), 3, 4),
    },
    { ...refusedAgain, one: makeOpenedApplication('3'), other: makeOpenedApplication('4') },
    { ...refusedInSequence, ...acceptedConcurrently },
    {
      first: [...refusedInSequence.first, makeOpenedApplication('5')],
      second: [refusal, refusal, makeOpenedApplication('6')],
      ...acceptedConcurrently,
    },
    {
      first: [makeOpenedApplication('1')],
      second: [refusal],
      one: acceptedConcurrently.one,
      other: withTicks(refusal, 2, 4),
    },
    { first: refusedAgain.first, second: [refusal, makeOpenedApplication('6'), refusal], ...acceptedConcurrently },
    { first: [refusal, ...refusedInSequence.first], second: [refusal, refusal, refusal], ...acceptedConcurrently },
    { ...refusedAgain, one: acceptedConcurrently.one },
  ])
    expect(of(roles)).toBe('untested');
});

test('Repetitions that get the same answer in a row get no other answer at once', () => {
  const of = (roles: Roles, clause: ClauseId = 'loans.application.same-at-once') => readResultOfRoles(clause, roles);
  const same = {
    first: [makeOpenedApplication('1'), makeOpenedApplication('2')],
    second: [makeOpenedApplication('1'), makeOpenedApplication('2')],
  };
  expect(of({ ...same, ...acceptedConcurrently })).toBe('broken');
  expect(of({ ...same, one: acceptedConcurrently.one, other: withTicks(makeOpenedApplication('3'), 2, 4) })).toBe(
    'kept',
  );
  expect(of({ ...same, ...acceptedConcurrently }, 'loans.application.once')).toBe('untested');
  for (const roles of [
    {
      first: [makeOpenedApplication('1'), makeOpenedApplication('1')],
      second: [makeOpenedApplication('1'), makeOpenedApplication('1')],
      ...acceptedConcurrently,
    },
    { first: same.first, second: [makeOpenedApplication('1'), makeOpenedApplication('3')], ...acceptedConcurrently },
    { ...refusedAgain, ...acceptedConcurrently },
  ])
    expect(of(roles)).toBe('untested');
});

test('A repeated request does not always end in a server error', () => {
  const of = (...statuses: readonly number[]) =>
    readResultOfRoles('service.odd-input', {
      repeated: statuses.map((status) => exchange('requestLoan', {}, { status, kind: 'probe' })),
      first: makeOpenedApplication(),
    });
  expect(of(500, 500, 502, 500)).toBe('broken');
  for (const statuses of [
    [500, 500],
    [500, 500, 500, 409],
    [503, 503, 503, 503],
  ])
    expect(of(...statuses)).toBe('untested');
});
