import { expect, test } from '@playwright/test';
import { exchange } from '../../support/judge-harness.ts';
import { readResultOfRoles } from '../history.ts';

test('A repeated request does not always end in a server error', () => {
  const check = (...statuses: readonly number[]) =>
    readResultOfRoles('service.odd-input', {
      repeated: statuses.map((status) => exchange('requestLoan', {}, { status, kind: 'probe' })),
      first: exchange('requestLoan'),
    });
  expect(check(500, 500, 502, 500)).toBe('broken');
  expect(check(500, 500)).toBe('untested');
  expect(check(500, 500, 500, 409)).toBe('untested');
  expect(check(503, 503, 503, 503)).toBe('untested');
});
