import { expect, test } from '@playwright/test';
import type { Exchange } from '../../../../../openapi/model/exchange.ts';
import { exchange } from '../../../support/judge-harness.ts';
import { shownBy, type Roles } from '../../history.ts';
import { disbursed, DONE, FAILED, failure, missing, PENDING, told } from './outcome-rows.ts';

const ids = ['1', '2', '3', '4'];
const forEachId = (make: (id: string, nth: number) => Exchange, some = ids): readonly Exchange[] => some.map(make);
const outcomeReached = (roles: Roles) => shownBy('loans.outcome.reached', roles);
/** Two applications whose outcome text changed to another text. */
const followedByText = (text: string): readonly Exchange[] =>
  ['8', '9'].flatMap((id) => [told(id, text, 1), told(id, DONE, 2)]);

test('Disbursements have an outcome in the end', () => {
  const all = forEachId((id) => told(id, DONE));
  expect(outcomeReached({ followed: all })).toBe('kept');
  expect(outcomeReached({ followed: all.slice(0, 2) })).toBe('untested');
  expect(outcomeReached({ followed: [...all, told('5', PENDING)] })).toBe('untested');
  expect(outcomeReached({ followed: [...all, told('5', 'Matkalla')], told: followedByText('Matkalla') })).toBe(
    'untested',
  );
  expect(outcomeReached({ followed: [...all, told('5', 'Matkalla')], told: followedByText('Matkalla').slice(2) })).toBe(
    'kept',
  );
});

test('Some disbursements never have an outcome, while others have one', () => {
  const open = [told('1', PENDING), missing('2', 500)];
  const settled = [told('3', DONE), told('4', DONE)];
  expect(outcomeReached({ open, settled })).toBe('broken');
  expect(outcomeReached({ open: [told('1', 'Matkalla'), open[1]!], settled, told: followedByText('Matkalla') })).toBe(
    'broken',
  );
  for (const roles of [
    { open: open.slice(1), settled },
    { open, settled: settled.slice(1) },
    { open: [...open, told('5', DONE)], settled },
    { open, settled: [...settled, told('5', PENDING)] },
    { open, settled: [told('3', 'Matkalla'), told('4', DONE)], told: followedByText('Matkalla') },
  ])
    expect(outcomeReached(roles)).toBe('untested');
  const waiting = forEachId((id) => told(id, PENDING));
  expect(outcomeReached({ waiting, settled: forEachId((id) => told(id, DONE)) })).toBe('broken');
  expect(outcomeReached({ waiting, settled })).toBe('untested');
});

test('A query that always crashes does not find the outcome by its id', () => {
  const open = [missing('1', 500), missing('2', 500)];
  const again = [...open, ...open];
  const settled = [told('3', DONE), told('4', DONE)];
  const found = (roles: Roles) => shownBy('loans.outcome.request.application-id', { open, again, settled, ...roles });
  expect(found({})).toBe('broken');
  expect(outcomeReached({ open, again, settled })).toBe('untested');
  for (const roles of [
    { again: again.slice(1) },
    { again: [...again.slice(1), missing('1', 404)] },
    { open: [missing('1', 503), missing('2', 503)] },
    { settled: settled.slice(1) },
  ]) {
    expect(found(roles)).toBe('untested');
    if (!('settled' in roles)) expect(outcomeReached({ open, again, settled, ...roles })).toBe('broken');
  }
});

test('A disbursement that may rightly fail does not block the ones behind it', () => {
  const before = forEachId((id) => told(id, DONE, 30));
  const sent = forEachId((id, nth) => disbursed(id, nth));
  const known = forEachId((id, nth) => told(id, DONE, nth + 1));
  const roles: Roles = {
    ...{ before, disbursed: sent, told: known, cause: disbursed('5', 10), next: disbursed('6', 11) },
    behind: forEachId((id) => told(id, PENDING, 40), ['6', '7', '8']),
  };
  const fails = { behind: forEachId((id) => failure(id), ['6', '7', '8']) };
  const independent = (changed: Roles) => shownBy('loans.independence', { ...roles, ...fails, ...changed });
  expect(outcomeReached(roles)).toBe('broken');
  expect(independent({})).toBe('broken');
  expect(outcomeReached({ ...roles, ...fails })).toBe('untested');
  expect(independent(roles)).toBe('untested');
  for (const changed of [
    { before: [...before.slice(1), failure('1')] },
    { behind: [...(fails.behind ?? []), told('9', DONE)] },
    { behind: fails.behind.slice(1) },
    { disbursed: [...sent.slice(1), disbursed('4', 20)], next: [] },
    { cause: disbursed('5', 12) },
    { told: known.slice(2) },
    { told: forEachId((id) => told(id, PENDING, 5)) },
    { told: forEachId((id) => told(id, DONE, 20)) },
  ])
    expect(independent(changed)).toBe('untested');
});

test('A disbursement that a later one overtook is not answered like an unknown application', () => {
  const roles = {
    ...{ lost: [missing('1'), missing('1')], idle: missing('2') },
    ...{ disbursed: [disbursed('1', 1), disbursed('3', 2)], overtaking: told('3', DONE), told: told('3', PENDING) },
  };
  expect(outcomeReached(roles)).toBe('broken');
  expect(outcomeReached({ ...roles, told: followedByText('Matkalla') })).toBe('broken');
  for (const changed of [
    { lost: [missing('1'), told('1', DONE)] },
    { lost: [told('1', DONE), missing('1')] },
    { lost: [missing('1', 500), missing('1', 500)], idle: missing('2', 500) },
    { idle: missing('2', 404, 'No disbursement') },
    { idle: told('2', 'Nothing') },
    { disbursed: [disbursed('1', 2), disbursed('3', 2)] },
    { overtaking: told('3', PENDING) },
    { told: told('3', DONE) },
  ])
    expect(outcomeReached({ ...roles, ...changed })).toBe('untested');
});

test('A success text that is final for others is not followed by a failure', () => {
  const failed = ['1', '2'];
  const others = forEachId((id) => told(id, DONE, 9), ['3', '4', '5']);
  const steps = failed.flatMap((id) => [
    exchange('approveContract', {}, { asked: { application_id: id } }),
    disbursed(id),
  ]);
  const roles: Roles = {
    followed: [...failed.map((id) => failure(id, FAILED, 9)), ...others],
    told: failed.map((id) => told(id, DONE, 3)),
    steps,
  };
  /** These had such a text before, and the others still have it. */
  const said = (text: string): Roles => ({
    followed: [...failed.map((id) => failure(id, FAILED, 9)), ...others.map((_, nth) => told(`${nth + 3}`, text, 9))],
    told: failed.map((id) => told(id, text, 3)),
  });
  const final = (changed: Roles) => shownBy('loans.outcome.final', { ...roles, ...changed });
  for (const changed of [{}, said('Completed')]) expect(final(changed)).toBe('broken');
  for (const changed of [
    { followed: [failure('1', FAILED, 9), ...others] },
    { followed: [...failed.map((id) => failure(id, FAILED, 9)), ...others.slice(1)] },
    said('Accepted and granted'),
    said('Lähetetty'),
    { told: failed.map((id) => told(id, DONE, -1)) },
    { steps: [...failed, ...failed].map((id) => disbursed(id)) },
    { steps: [...steps, exchange('approveContract', {}, { asked: { application_id: '1' } })] },
  ])
    expect(final(changed)).toBe('untested');
});

test('An outcome stays if the disbursement is refused the second time', () => {
  const before = [told('1', DONE, 5), told('2', DONE, 5)];
  const changed = [failure('1', FAILED, 8), failure('2', FAILED, 8)];
  const earlier = [told('9', DONE, 5), told('9', DONE, 5)];
  const final = (roles: Roles) => shownBy('loans.outcome.final', { before, earlier, after: changed, ...roles });
  expect(final({})).toBe('broken');
  // Outcomes given after the second disbursement do not explain the change.
  expect(final({ told: [...before, ...changed] })).toBe('broken');
  expect(final({ after: [told('1', DONE, 8), told('2', DONE, 8)] })).toBe('kept');
  expect(
    final({ after: [told('1', `${DONE} at 12:01`, 8)], before: [told('1', `${DONE} at 11:59`, 5)], earlier: [] }),
  ).toBe('kept');
  for (const roles of [
    { after: changed.slice(1) },
    { after: [missing('1'), missing('2')] },
    { earlier: [told('9', 'Booked'), told('9', DONE)] },
    { before: [told('1', PENDING, 5), told('2', PENDING, 5)], earlier: told('9', PENDING) },
    { told: ['6', '7'].flatMap((id) => [told(id, DONE, 1), failure(id, FAILED, 2)]) },
  ])
    expect(final(roles)).toBe('untested');
});

test('A disbursement does not fail for a value that no business reason explains', () => {
  const failed = forEachId((id) => failure(id), ['1', '2', '3']);
  const made = forEachId((id) => told(id, DONE), ['4', '5']);
  const explained = (roles: Roles) => shownBy('loans.disbursement.refusal-explained', { failed, made, ...roles });
  expect(explained({})).toBe('broken');
  for (const roles of [
    { failed: failed.slice(1) },
    { made: made.slice(1) },
    { failed: [...failed, told('6', DONE)] },
    { failed: [...failed, failure('6', PENDING)] },
    { made: [...made, failure('6')] },
  ])
    expect(explained(roles)).toBe('untested');
});
