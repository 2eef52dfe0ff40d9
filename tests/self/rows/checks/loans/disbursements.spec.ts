import { expect, test } from '@playwright/test';
import type { ClauseId } from '../../../../../openapi/clauses/index.ts';
import type { Exchange } from '../../../../../openapi/model/exchange.ts';
import { exchange } from '../../../support/judge-harness.ts';
import { readResultOfRoles, type Roles } from '../../history.ts';
import {
  makeDisbursement,
  SUCCESS_TEXT,
  makeFailure,
  makeMissingOutcome,
  PENDING_TEXT,
  makeRefusedDisbursement,
  makeOutcome,
} from './outcome-rows.ts';

const madeDisbursement = makeOutcome('12', SUCCESS_TEXT);
const controlDisbursement = makeDisbursement('12');

test('A disbursement that nobody can intend is refused, or its outcome differs from the outcome of a successful one', () => {
  const of = (roles: Roles, clause: ClauseId = 'loans.unknown-account.disbursement') =>
    readResultOfRoles(clause, { control: controlDisbursement, made: madeDisbursement, ...roles });
  const probe = makeDisbursement('7');
  expect(of({ probe, after: makeOutcome('7', SUCCESS_TEXT) })).toBe('broken');
  for (const roles of [
    { probe: makeRefusedDisbursement('7') },
    { probe, after: makeFailure('7') },
    { probe, after: makeOutcome('7', SUCCESS_TEXT), made: makeFailure('12', SUCCESS_TEXT) },
  ])
    expect(of(roles)).toBe('kept');
  for (const roles of [
    { probe: makeRefusedDisbursement('7', 500) },
    { probe },
    { probe, after: makeOutcome('7', SUCCESS_TEXT), made: makeOutcome('12', PENDING_TEXT) },
  ])
    expect(of(roles)).toBe('untested');
  const ofNobody = (after: readonly Exchange[]) => of({ probe, after }, 'loans.unknown-application.disbursement');
  expect(ofNobody([makeMissingOutcome('7'), makeMissingOutcome('7')])).toBe('broken');
  expect(ofNobody([makeMissingOutcome('7'), makeFailure('7')])).toBe('kept');
});

test('The query for an unknown application brings no outcome of another application', () => {
  const of = (roles: Roles) =>
    readResultOfRoles('loans.unknown-application.outcome', { control: madeDisbursement, ...roles });
  expect(of({ probe: makeOutcome('9', SUCCESS_TEXT) })).toBe('broken');
  expect(of({ probe: makeOutcome('9', 'Unknown') })).toBe('kept');
  expect(of({ probe: makeOutcome('9', PENDING_TEXT), control: makeOutcome('12', PENDING_TEXT) })).toBe('untested');
  /** Answers the query for `asked` with the outcome of `id`. */
  const similar = (asked: string, id: string): Exchange => ({
    ...makeOutcome(id, SUCCESS_TEXT),
    request: { ...makeOutcome(asked, SUCCESS_TEXT).request },
  });
  expect(of({ similar: similar("12'abc", '12') })).toBe('broken');
  expect(of({ similar: similar('1%', '5'), opened: exchange('requestLoan') })).toBe('broken');
  for (const exchange of [similar('1', '01'), similar('1%', '5')]) expect(of({ similar: exchange })).toBe('kept');
});

test('A refused disbursement does not get the outcome text of a completed one', () => {
  const of = (roles: Roles) =>
    readResultOfRoles('loans.outcome.not-of-a-refused', {
      refused: makeRefusedDisbursement('7'),
      made: madeDisbursement,
      outcome: makeOutcome('7', SUCCESS_TEXT),
      ...roles,
    });
  expect(of({})).toBe('broken');
  expect(of({ before: makeOutcome('7', PENDING_TEXT), opened: exchange('requestLoan') })).toBe('broken');
  for (const roles of [{ outcome: makeFailure('7') }]) expect(of(roles)).toBe('kept');
  for (const roles of [
    { made: makeOutcome('12', PENDING_TEXT), outcome: makeOutcome('7', PENDING_TEXT) },
    { before: makeOutcome('7', SUCCESS_TEXT) },
    { opened: [exchange('requestLoan'), exchange('requestLoan')] },
  ])
    expect(of(roles)).toBe('untested');
});

test('An amount above the limit is refused, or its outcome text differs from one within the limit', () => {
  const of = (roles: Roles) =>
    readResultOfRoles('loans.over-limit', {
      above: makeDisbursement('7'),
      outcome: makeOutcome('7', SUCCESS_TEXT),
      usual: madeDisbursement,
      ...roles,
    });
  expect(of({})).toBe('broken');
  expect(of({ outcome: makeFailure('7', SUCCESS_TEXT) })).toBe('broken');
  for (const roles of [
    { above: makeRefusedDisbursement('7'), outcome: [] },
    { outcome: makeFailure('7') },
    { outcome: makeMissingOutcome('7') },
  ])
    expect(of(roles)).toBe('kept');
  for (const roles of [
    { outcome: makeOutcome('7', PENDING_TEXT) },
    { usual: makeOutcome('12', PENDING_TEXT) },
    { above: makeRefusedDisbursement('7', 429), outcome: [] },
  ])
    expect(of(roles)).toBe('untested');
});

test('The exact available limit is disbursed like a cent less', () => {
  const of = (roles: Roles) => readResultOfRoles('loans.disbursement.at-limit', roles);
  const exact = [makeRefusedDisbursement('1'), makeRefusedDisbursement('2'), makeRefusedDisbursement('3')];
  const less = ['4', '5', '6'].map((id) => makeDisbursement(id));
  const outcome = ['4', '5', '6'].map((id) => makeOutcome(id, SUCCESS_TEXT));
  expect(of({ exact, less, outcome })).toBe('broken');
  const taken = ['1', '2', '3'].map((id) => makeDisbursement(id));
  const failed = ['1', '2', '3'].map((id) => makeFailure(id));
  expect(of({ exact: taken, less, outcome: [...outcome, ...failed] })).toBe('broken');
  expect(of({ exact: taken.slice(0, 1), outcome: makeOutcome('1', SUCCESS_TEXT) })).toBe('kept');
  for (const roles of [
    { exact: exact.slice(2), less, outcome },
    { exact: [taken[0]!, ...exact.slice(1)], less, outcome: [...outcome, makeOutcome('1', SUCCESS_TEXT)] },
    { exact, less, outcome: [...outcome.slice(1), makeFailure('4')] },
    { exact: taken, less, outcome: [...outcome, ...failed], below: makeFailure('9') },
  ])
    expect(of(roles)).toBe('untested');
});

test('A repeated disbursement names its application as the first one does', () => {
  const of = (second: Exchange) =>
    readResultOfRoles('loans.disbursement.application-id.echo', { first: makeDisbursement('12'), second });
  expect(of(makeDisbursement('13'))).toBe('broken');
  expect(of(makeDisbursement('12'))).toBe('kept');
  expect(of(makeRefusedDisbursement('12'))).toBe('untested');
});
