import { expect, test } from '@playwright/test';
import type { ClauseId } from '../../../../openapi/clauses/index.ts';
import type { Exchange } from '../../../../openapi/model/exchange.ts';
import { body, exchange } from '../../support/judge-harness.ts';
import { shownBy, type Roles } from '../history.ts';

const openedApplication = (id = '1'): Exchange =>
  exchange('requestLoan', body('requestLoan', '/data/application_id', id));
const refusal = exchange('requestLoan', { message: 'No' }, { status: 409 });
const withTicks = (one: Exchange, from: number, until: number): Exchange => ({ ...one, ticks: [from, until] });

/** Two requests in a row each time, and then two at once. */
const refusedInRow = { first: [openedApplication('1'), openedApplication('2')], second: [refusal, refusal] };
const acceptedAtOnce = { one: withTicks(openedApplication('3'), 1, 3), other: withTicks(openedApplication('4'), 2, 4) };
/** The second of two requests in a row is refused again after the concurrent ones. */
const refusedAgain = {
  first: [...refusedInRow.first, openedApplication('5')],
  second: [...refusedInRow.second, refusal],
};

test('A repetition that is refused in a row is not accepted at once', () => {
  const of = (roles: Roles, clause: ClauseId = 'loans.application.once') => shownBy(clause, roles);
  expect(of({ ...refusedAgain, ...acceptedAtOnce })).toBe('broken');
  expect(of({ ...refusedAgain, ...acceptedAtOnce }, 'loans.contract.once')).toBe('broken');
  expect(of({ ...refusedInRow, one: acceptedAtOnce.one, other: withTicks(refusal, 2, 4) })).toBe('kept');
  // Both answers name one application.
  expect(of({ ...refusedAgain, one: acceptedAtOnce.one, other: withTicks(openedApplication('3'), 2, 4) })).toBe('kept');
  for (const roles of [
    { ...refusedAgain, one: withTicks(openedApplication('3'), 1, 2), other: withTicks(openedApplication('4'), 3, 4) },
    { ...refusedAgain, one: openedApplication('3'), other: openedApplication('4') },
    { ...refusedInRow, ...acceptedAtOnce },
    {
      first: [...refusedInRow.first, openedApplication('5')],
      second: [refusal, refusal, openedApplication('6')],
      ...acceptedAtOnce,
    },
    { first: [openedApplication('1')], second: [refusal], one: acceptedAtOnce.one, other: withTicks(refusal, 2, 4) },
    { first: refusedAgain.first, second: [refusal, openedApplication('6'), refusal], ...acceptedAtOnce },
    { first: [refusal, ...refusedInRow.first], second: [refusal, refusal, refusal], ...acceptedAtOnce },
    { ...refusedAgain, one: acceptedAtOnce.one },
  ])
    expect(of(roles)).toBe('untested');
});

test('Repetitions that get the same answer in a row get no other answer at once', () => {
  const of = (roles: Roles, clause: ClauseId = 'loans.application.same-at-once') => shownBy(clause, roles);
  const same = {
    first: [openedApplication('1'), openedApplication('2')],
    second: [openedApplication('1'), openedApplication('2')],
  };
  expect(of({ ...same, ...acceptedAtOnce })).toBe('broken');
  expect(of({ ...same, one: acceptedAtOnce.one, other: withTicks(openedApplication('3'), 2, 4) })).toBe('kept');
  expect(of({ ...same, ...acceptedAtOnce }, 'loans.application.once')).toBe('untested');
  for (const roles of [
    {
      first: [openedApplication('1'), openedApplication('1')],
      second: [openedApplication('1'), openedApplication('1')],
      ...acceptedAtOnce,
    },
    { first: same.first, second: [openedApplication('1'), openedApplication('3')], ...acceptedAtOnce },
    { ...refusedAgain, ...acceptedAtOnce },
  ])
    expect(of(roles)).toBe('untested');
});

test('A repeated request does not always end in a server error', () => {
  const of = (...statuses: readonly number[]) =>
    shownBy('service.odd-input', {
      repeated: statuses.map((status) => exchange('requestLoan', {}, { status, kind: 'probe' })),
      first: openedApplication(),
    });
  expect(of(500, 500, 502, 500)).toBe('broken');
  for (const statuses of [
    [500, 500],
    [500, 500, 500, 409],
    [503, 503, 503, 503],
  ])
    expect(of(...statuses)).toBe('untested');
});
