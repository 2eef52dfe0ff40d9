import { expect, test } from '@playwright/test';
import { exchange } from '../../../support/judge-harness.ts';
import { readResultOfRoles } from '../../history.ts';

const atmExchange = exchange('findAtms');

test('A compressed answer counts as unreadable after three unreadable answers in a row', () => {
  const of = (...probe: readonly ReturnType<typeof exchange>[]) =>
    readResultOfRoles('service.content-coding', { probe, control: probe.map(() => atmExchange) });
  const broken = exchange('findAtms', 'no JSON', { kind: 'probe' });
  expect(of(broken, broken, broken)).toBe('broken');
  expect(of(broken, broken)).toBe('untested');
  expect(of(broken, broken, atmExchange)).toBe('kept');
  expect(of(atmExchange)).toBe('kept');
  const control = exchange('findAtms', {}, { status: 500 });
  expect(readResultOfRoles('service.content-coding', { probe: [broken, broken, broken], control })).toBe('untested');
});

test('A request ends the service if the service ends each time that the request is sent alone', () => {
  const of = (alone: number, fatal: number) =>
    readResultOfRoles('service.stays-up', {
      alone: Array.from({ length: alone }, () => atmExchange),
      fatal: Array.from({ length: fatal }, () => atmExchange),
    });
  expect(of(2, 2)).toBe('broken');
  expect(of(2, 1)).toBe('kept');
  expect(of(1, 0)).toBe('kept');
  expect(of(0, 0)).toBe('untested');
});

test('An answer may repeat a credential that is not known to be right', () => {
  const probe = exchange('validateLoan', { message: 'token' }, { status: 401 });
  const of = (accepted: readonly ReturnType<typeof exchange>[], pointer = '/message') =>
    readResultOfRoles('service.credentials-not-reflected', { probe, accepted }, { pointer });
  expect(of([exchange('validateLoan')])).toBe('broken');
  expect(of([probe])).toBe('untested');
  expect(of([])).toBe('untested');
});
