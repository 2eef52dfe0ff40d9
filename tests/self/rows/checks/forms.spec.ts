import { expect, test } from '@playwright/test';
import { body, exchange } from '../../support/judge-harness.ts';
import { readResultOfRoles } from '../history.ts';

const makeRefusal = (operation: 'validateLoan' | 'disburse', status = 400) =>
  exchange(operation, { message: 'No' }, { status, kind: 'probe' });

test('A request without a field is always accepted, or always refused', () => {
  const check = (before: ReturnType<typeof exchange>, probe: ReturnType<typeof exchange>) =>
    readResultOfRoles('loans.required-fields.consistent', { before, probe }, { name: 'amount' });
  const [taken, refused] = [exchange('validateLoan'), makeRefusal('validateLoan')];
  const declined = exchange('validateLoan', body('validateLoan', '/data/result', false));
  expect(check(taken, refused)).toBe('broken');
  expect(check(refused, declined)).toBe('broken');
  expect(check(taken, declined)).toBe('kept');
  expect(check(refused, makeRefusal('validateLoan', 422))).toBe('kept');
  for (const status of [401, 409, 429, 500]) expect(check(taken, makeRefusal('validateLoan', status))).toBe('untested');
});

test('A refusal of a request without a field proves nothing if the complete request is refused too', () => {
  const check = (
    before: ReturnType<typeof exchange>,
    probe: ReturnType<typeof exchange>,
    whole: readonly (typeof probe)[],
  ) => readResultOfRoles('loans.required-fields.consistent', { before, probe, whole }, { name: 'currency' });
  const [taken, refused] = [exchange('disburse'), makeRefusal('disburse', 422)];
  expect(check(taken, refused, [taken])).toBe('broken');
  expect(check(taken, refused, [refused])).toBe('untested');
  expect(check(taken, refused, [])).toBe('untested');
  expect(check(refused, taken, [taken])).toBe('untested');
  expect(check(refused, refused, [])).toBe('kept');
});
