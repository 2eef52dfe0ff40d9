import { expect, test } from '@playwright/test';
import { exchange } from '../../../support/judge-harness.ts';
import { readResultOfRoles } from '../../history.ts';

const atmExchange = exchange('findAtms');

test('A compressed answer counts as unreadable after three unreadable answers in a row', () => {
  const check = (...probe: readonly ReturnType<typeof exchange>[]) =>
    readResultOfRoles('service.content-coding', { probe, control: probe.map(() => atmExchange) });
  const broken = exchange('findAtms', 'no JSON', { kind: 'probe' });
  expect(check(broken, broken, broken)).toBe('broken');
  expect(check(broken, broken)).toBe('untested');
  expect(check(broken, broken, atmExchange)).toBe('kept');
  expect(check(atmExchange)).toBe('kept');
  const control = exchange('findAtms', {}, { status: 500 });
  expect(readResultOfRoles('service.content-coding', { probe: [broken, broken, broken], control })).toBe('untested');
});

test('A request stops the service if the service stops each time that the request is sent alone', () => {
  const check = (alone: number, fatal: number) =>
    readResultOfRoles('service.stays-up', {
      alone: Array.from({ length: alone }, () => atmExchange),
      fatal: Array.from({ length: fatal }, () => atmExchange),
    });
  expect(check(2, 2)).toBe('broken');
  expect(check(2, 1)).toBe('kept');
  expect(check(1, 0)).toBe('kept');
  expect(check(0, 0)).toBe('untested');
});

test('An answer may repeat a credential that is not known to be right', () => {
  const probe = exchange('validateLoan', { message: 'token' }, { status: 401 });
  const check = (accepted: readonly ReturnType<typeof exchange>[], pointer = '/message') =>
    readResultOfRoles('service.credentials-not-reflected', { probe, accepted }, { pointer });
  expect(check([exchange('validateLoan')])).toBe('broken');
  expect(check([probe])).toBe('untested');
  expect(check([])).toBe('untested');
});
