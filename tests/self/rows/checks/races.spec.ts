import { expect, test } from '@playwright/test';
import type { ClauseId } from '../../../../openapi/clauses/index.ts';
import type { Exchange } from '../../../../openapi/model/exchange.ts';
import { body, exchange } from '../../support/judge-harness.ts';
import { shownBy, type Roles } from '../history.ts';

const opened = (id = '1'): Exchange => exchange('requestLoan', body('requestLoan', '/data/application_id', id));
const no = exchange('requestLoan', { message: 'No' }, { status: 409 });
const under = (one: Exchange, from: number, until: number): Exchange => ({ ...one, ticks: [from, until] });

/** Two requests in a row each time, and then two at once. */
const refused = { first: [opened('1'), opened('2')], second: [no, no] };
const twice = { one: under(opened('3'), 1, 3), other: under(opened('4'), 2, 4) };
/** The second of two requests in a row is refused again after the concurrent ones. */
const again = { first: [...refused.first, opened('5')], second: [...refused.second, no] };

test('A repetition that is refused in a row is not accepted at once', () => {
  const of = (roles: Roles, clause: ClauseId = 'loans.application.once') => shownBy(clause, roles);
  expect(of({ ...again, ...twice })).toBe('broken');
  expect(of({ ...again, ...twice }, 'loans.contract.once')).toBe('broken');
  expect(of({ ...refused, one: twice.one, other: under(no, 2, 4) })).toBe('kept');
  // Both answers name one application.
  expect(of({ ...again, one: twice.one, other: under(opened('3'), 2, 4) })).toBe('kept');
  for (const roles of [
    { ...again, one: under(opened('3'), 1, 2), other: under(opened('4'), 3, 4) },
    { ...again, one: opened('3'), other: opened('4') },
    { ...refused, ...twice },
    { first: [...refused.first, opened('5')], second: [no, no, opened('6')], ...twice },
    { first: [opened('1')], second: [no], one: twice.one, other: under(no, 2, 4) },
    { first: again.first, second: [no, opened('6'), no], ...twice },
    { first: [no, ...refused.first], second: [no, no, no], ...twice },
    { ...again, one: twice.one },
  ])
    expect(of(roles)).toBe('untested');
});

test('Repetitions that get the same answer in a row get no other answer at once', () => {
  const of = (roles: Roles, clause: ClauseId = 'loans.application.same-at-once') => shownBy(clause, roles);
  const same = { first: [opened('1'), opened('2')], second: [opened('1'), opened('2')] };
  expect(of({ ...same, ...twice })).toBe('broken');
  expect(of({ ...same, one: twice.one, other: under(opened('3'), 2, 4) })).toBe('kept');
  expect(of({ ...same, ...twice }, 'loans.application.once')).toBe('untested');
  for (const roles of [
    { first: [opened('1'), opened('1')], second: [opened('1'), opened('1')], ...twice },
    { first: same.first, second: [opened('1'), opened('3')], ...twice },
    { ...again, ...twice },
  ])
    expect(of(roles)).toBe('untested');
});

test('A repeated request does not always end in a server error', () => {
  const of = (...statuses: readonly number[]) =>
    shownBy('service.odd-input', {
      repeated: statuses.map((status) => exchange('requestLoan', {}, { status, kind: 'probe' })),
      first: opened(),
    });
  expect(of(500, 500, 502, 500)).toBe('broken');
  for (const statuses of [
    [500, 500],
    [500, 500, 500, 409],
    [503, 503, 503, 503],
  ])
    expect(of(...statuses)).toBe('untested');
});
