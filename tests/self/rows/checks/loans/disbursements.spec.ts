import { expect, test } from '@playwright/test';
import type { ClauseId } from '../../../../../openapi/clauses/index.ts';
import type { Exchange } from '../../../../../openapi/model/exchange.ts';
import { exchange } from '../../../support/judge-harness.ts';
import { shownBy, type Roles } from '../../history.ts';
import { disbursed, DONE, FAILED, failure, missing, PENDING, refused, told } from './outcome-rows.ts';

const madeDisbursement = told('12', DONE);
const control = disbursed('12');
const withoutResult = (id: string): Exchange =>
  exchange('queryDisbursement', { data: { application_id: id } }, { asked: { application_id: id } });

test('A disbursement that cannot be meant is refused, or its outcome differs from a real one', () => {
  const of = (roles: Roles, clause: ClauseId = 'loans.unknown-account.disbursement') =>
    shownBy(clause, { control, made: madeDisbursement, ...roles });
  const probe = disbursed('7');
  expect(of({ probe, after: told('7', DONE) })).toBe('broken');
  for (const roles of [
    { probe: refused('7') },
    { probe, after: failure('7') },
    { probe, after: told('7', DONE), made: failure('12', DONE) },
    { probe, after: [missing('7'), missing('7')] },
    { probe, after: missing('7'), made: withoutResult('12') },
    { probe, after: withoutResult('7'), made: missing('12') },
  ])
    expect(of(roles)).toBe('kept');
  for (const roles of [
    { probe: refused('7', 500) },
    { probe: refused('7', 429) },
    { probe },
    { probe, after: told('7', DONE), made: told('12', PENDING) },
  ])
    expect(of(roles)).toBe('untested');
  const ofNobody = (after: readonly Exchange[], beside = madeDisbursement) =>
    of({ probe, after, made: beside }, 'loans.unknown-application.disbursement');
  expect(ofNobody([missing('7'), missing('7')])).toBe('broken');
  expect(ofNobody([missing('7'), missing('7')], told('12', PENDING))).toBe('broken');
  expect(ofNobody([missing('7')])).toBe('kept');
  expect(ofNobody([missing('7'), failure('7')])).toBe('kept');
});

test('The query for an unknown application brings no outcome of another application', () => {
  const of = (roles: Roles) => shownBy('loans.unknown-application.outcome', { control: madeDisbursement, ...roles });
  expect(of({ probe: told('9', DONE) })).toBe('broken');
  expect(of({ probe: told('9', 'Unknown') })).toBe('kept');
  for (const control of [told('12', PENDING), withoutResult('12')])
    expect(of({ probe: missing('9'), control })).toBe('kept');
  expect(of({ probe: told('9', PENDING), control: told('12', PENDING) })).toBe('untested');
  expect(of({ probe: told('9', FAILED), control: failure('12') })).toBe('untested');
  /** Answers the query for `asked` with the outcome of `id`. */
  const similar = (asked: string, id: string): Exchange => ({
    ...told(id, DONE),
    request: { ...told(asked, DONE).request },
  });
  expect(of({ similar: similar("12'abc", '12') })).toBe('broken');
  expect(of({ similar: similar('0', '5') })).toBe('broken');
  expect(of({ similar: similar('1%', '5'), opened: exchange('requestLoan') })).toBe('broken');
  for (const one of [similar('1', '1'), similar('1', '01'), similar('1%', '5'), missing("12'abc")])
    expect(of({ similar: one })).toBe('kept');
});

test('A refused disbursement does not get the outcome text of a completed one', () => {
  const of = (roles: Roles) =>
    shownBy('loans.outcome.not-of-a-refused', {
      refused: refused('7'),
      made: madeDisbursement,
      outcome: told('7', DONE),
      ...roles,
    });
  expect(of({})).toBe('broken');
  expect(of({ before: told('7', PENDING), opened: exchange('requestLoan') })).toBe('broken');
  for (const roles of [
    { outcome: failure('7') },
    { outcome: failure('7', DONE) },
    { outcome: missing('7') },
    { made: failure('12', DONE) },
  ])
    expect(of(roles)).toBe('kept');
  for (const roles of [
    { made: told('12', PENDING), outcome: told('7', PENDING) },
    { made: missing('12') },
    { before: told('7', DONE) },
    { opened: [exchange('requestLoan'), exchange('requestLoan')] },
    { outcome: { ...told('7', DONE), request: told('8', DONE).request } },
  ])
    expect(of(roles)).toBe('untested');
});

test('An amount above the limit is refused, or its outcome text differs from one within the limit', () => {
  const of = (roles: Roles) =>
    shownBy('loans.over-limit', { above: disbursed('7'), outcome: told('7', DONE), usual: madeDisbursement, ...roles });
  expect(of({})).toBe('broken');
  expect(of({ outcome: failure('7', DONE) })).toBe('broken');
  for (const roles of [
    { above: refused('7'), outcome: [] },
    { outcome: failure('7') },
    { usual: failure('12', DONE) },
    { outcome: missing('7') },
  ])
    expect(of(roles)).toBe('kept');
  for (const roles of [
    { outcome: told('7', PENDING) },
    { usual: told('12', PENDING) },
    { outcome: told('7', 'Lähetetty'), usual: told('12', 'Lähetetty') },
    { outcome: { ...told('7', DONE), request: told('8', DONE).request } },
    { above: refused('7', 429), outcome: [] },
  ])
    expect(of(roles)).toBe('untested');
});

test('The exact available limit is disbursed like a cent less', () => {
  const of = (roles: Roles) => shownBy('loans.disbursement.at-limit', roles);
  const exact = [refused('1'), refused('2'), refused('3')];
  const less = ['4', '5', '6'].map((id) => disbursed(id));
  const outcome = ['4', '5', '6'].map((id) => told(id, DONE));
  expect(of({ exact, less, outcome })).toBe('broken');
  const taken = ['1', '2', '3'].map((id) => disbursed(id));
  const failed = ['1', '2', '3'].map((id) => failure(id));
  expect(of({ exact: taken, less, outcome: [...outcome, ...failed] })).toBe('broken');
  expect(of({ exact: taken.slice(0, 1), outcome: told('1', DONE) })).toBe('kept');
  expect(of({ exact: [refused('2'), taken[0]!], less, outcome: told('1', DONE) })).toBe('kept');
  for (const roles of [
    { exact: [refused('2', 500), taken[0]!], less, outcome: told('1', DONE) },
    { exact: exact.slice(1), less, outcome },
    { exact: [taken[0]!, ...exact.slice(1)], less, outcome: [...outcome, told('1', DONE)] },
    { exact, less: less.slice(1), outcome },
    { exact: [...exact.slice(1), refused('3', 500)], less, outcome },
    { exact, less, outcome: [...outcome.slice(1), failure('4')] },
    { exact, less, outcome: outcome.slice(1) },
    { exact: taken, less, outcome: [...outcome, ...failed], below: failure('9') },
  ])
    expect(of(roles)).toBe('untested');
});

test('A repeated disbursement names its application as the first one does', () => {
  const of = (second: Exchange, first = disbursed('12')) =>
    shownBy('loans.disbursement.application-id.echo', { first, second });
  expect(of(disbursed('13'))).toBe('broken');
  expect(of(disbursed('12'))).toBe('kept');
  expect(of(refused('12'))).toBe('untested');
  expect(of(disbursed('12'), refused('12'))).toBe('untested');
});
