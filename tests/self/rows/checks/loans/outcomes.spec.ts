import { expect, test } from '@playwright/test';
import type { Exchange } from '../../../../../openapi/model/exchange.ts';
import { readResultOfRoles, type Roles } from '../../history.ts';
import {
  makeRefusedDisbursement,
  makeDisbursement,
  SUCCESS_TEXT,
  makeFailure,
  makeMissingOutcome,
  PENDING_TEXT,
  makeOutcome,
} from './outcome-rows.ts';

const applicationIds = ['1', '2', '3', '4'];
const makeForEachId = (make: (id: string, nth: number) => Exchange, some = applicationIds): readonly Exchange[] =>
  some.map(make);
const checkOutcomeReached = (roles: Roles) => readResultOfRoles('loans.outcome.reached', roles);
/** Two applications whose outcome text changed to another text. */
const makeOutcomesFollowedBy = (text: string): readonly Exchange[] =>
  ['8', '9'].flatMap((id) => [makeOutcome(id, text, 1), makeOutcome(id, SUCCESS_TEXT, 2)]);

test('Disbursements have an outcome in the end', () => {
  const all = makeForEachId((id) => makeOutcome(id, SUCCESS_TEXT));
  expect(checkOutcomeReached({ followed: all })).toBe('kept');
  expect(checkOutcomeReached({ followed: all.slice(0, 2) })).toBe('untested');
  expect(checkOutcomeReached({ followed: [...all, makeOutcome('5', PENDING_TEXT)] })).toBe('untested');
  expect(
    checkOutcomeReached({ followed: [...all, makeOutcome('5', 'Matkalla')], told: makeOutcomesFollowedBy('Matkalla') }),
  ).toBe('untested');
});

test('Some disbursements never have an outcome, while others have one', () => {
  const open = [makeOutcome('1', PENDING_TEXT), makeMissingOutcome('2', 500)];
  const settled = [makeOutcome('3', SUCCESS_TEXT), makeOutcome('4', SUCCESS_TEXT)];
  expect(checkOutcomeReached({ open, settled })).toBe('broken');
  expect(
    checkOutcomeReached({
      open: [makeOutcome('1', 'Matkalla'), open[1]!],
      settled,
      told: makeOutcomesFollowedBy('Matkalla'),
    }),
  ).toBe('broken');
  for (const roles of [
    { open: open.slice(1), settled },
    { open, settled: settled.slice(1) },
    { open, settled: [...settled, makeOutcome('5', PENDING_TEXT)] },
  ])
    expect(checkOutcomeReached(roles)).toBe('untested');
  const waiting = makeForEachId((id) => makeOutcome(id, PENDING_TEXT));
  expect(checkOutcomeReached({ waiting, settled: makeForEachId((id) => makeOutcome(id, SUCCESS_TEXT)) })).toBe(
    'broken',
  );
  expect(checkOutcomeReached({ waiting, settled })).toBe('untested');
});

test('A query that always crashes does not find the outcome by its id', () => {
  const open = [makeMissingOutcome('1', 500), makeMissingOutcome('2', 500)];
  const again = [...open, ...open];
  const settled = [makeOutcome('3', SUCCESS_TEXT), makeOutcome('4', SUCCESS_TEXT)];
  const found = (roles: Roles) =>
    readResultOfRoles('loans.outcome.request.application-id', { open, again, settled, ...roles });
  expect(found({})).toBe('broken');
  expect(checkOutcomeReached({ open, again, settled })).toBe('untested');
  for (const roles of [
    { again: again.slice(1) },
    { open: [makeMissingOutcome('1', 503), makeMissingOutcome('2', 503)] },
    { settled: settled.slice(1) },
  ]) {
    expect(found(roles)).toBe('untested');
    if (!('settled' in roles)) expect(checkOutcomeReached({ open, again, settled, ...roles })).toBe('broken');
  }
});

test('A disbursement that may rightly fail does not block later disbursements', () => {
  const before = makeForEachId((id) => makeOutcome(id, SUCCESS_TEXT, 30));
  const sent = makeForEachId((id, nth) => makeDisbursement(id, nth));
  const known = makeForEachId((id, nth) => makeOutcome(id, SUCCESS_TEXT, nth + 1));
  const roles: Roles = {
    ...{ before, disbursed: sent, told: known, cause: makeDisbursement('5', 10), next: makeDisbursement('6', 11) },
    behind: makeForEachId((id) => makeOutcome(id, PENDING_TEXT, 40), ['6', '7', '8']),
  };
  const fails = { behind: makeForEachId((id) => makeFailure(id), ['6', '7', '8']) };
  const independent = (changed: Roles) => readResultOfRoles('loans.independence', { ...roles, ...fails, ...changed });
  expect(checkOutcomeReached(roles)).toBe('broken');
  expect(independent({})).toBe('broken');
  expect(checkOutcomeReached({ ...roles, ...fails })).toBe('untested');
  expect(independent(roles)).toBe('untested');
  for (const changed of [
    { before: [...before.slice(1), makeFailure('1')] },
    { behind: [...(fails.behind ?? []), makeOutcome('9', SUCCESS_TEXT)] },
    { disbursed: [...sent.slice(1), makeDisbursement('4', 20)], next: [] },
    { told: known.slice(2) },
  ])
    expect(independent(changed)).toBe('untested');
});

test('If a later disbursement is complete, an earlier one is not answered like an unknown application', () => {
  const roles = {
    ...{ lost: [makeMissingOutcome('1'), makeMissingOutcome('1')], idle: makeMissingOutcome('2') },
    ...{
      disbursed: [makeDisbursement('1', 1), makeDisbursement('3', 2)],
      overtaking: makeOutcome('3', SUCCESS_TEXT),
      told: makeOutcome('3', PENDING_TEXT),
    },
  };
  expect(checkOutcomeReached(roles)).toBe('broken');
  expect(checkOutcomeReached({ ...roles, told: makeOutcomesFollowedBy('Matkalla') })).toBe('broken');
  for (const changed of [
    { lost: [makeMissingOutcome('1'), makeOutcome('1', SUCCESS_TEXT)] },
    { lost: [makeMissingOutcome('1', 500), makeMissingOutcome('1', 500)], idle: makeMissingOutcome('2', 500) },
    { idle: makeMissingOutcome('2', 404, 'No disbursement') },
    { disbursed: [makeDisbursement('1', 2), makeDisbursement('3', 2)] },
  ])
    expect(checkOutcomeReached({ ...roles, ...changed })).toBe('untested');
});

test('A disbursement does not fail for a value that no business reason explains', () => {
  const failed = makeForEachId((id) => makeFailure(id), ['1', '2', '3']);
  const made = makeForEachId((id) => makeOutcome(id, SUCCESS_TEXT), ['4', '5']);
  const explained = (roles: Roles) =>
    readResultOfRoles('loans.disbursement.refusal-explained', { failed, made, ...roles });
  expect(explained({})).toBe('broken');
  for (const roles of [
    { failed: failed.slice(1) },
    { failed: [...failed, makeOutcome('6', SUCCESS_TEXT)] },
    { made: [...made, makeFailure('6')] },
  ])
    expect(explained(roles)).toBe('untested');
});

test('A repeated disbursement names its application as the first one does', () => {
  const of = (second: Exchange) =>
    readResultOfRoles('loans.disbursement.application-id.echo', { first: makeDisbursement('12'), second });
  expect(of(makeDisbursement('13'))).toBe('broken');
  expect(of(makeDisbursement('12'))).toBe('kept');
  expect(of(makeRefusedDisbursement('12'))).toBe('untested');
});
