import { expect, test } from '@playwright/test';
import { exchange } from '../../../support/judge-harness.ts';
import { shownBy } from '../../history.ts';

const atms = exchange('findAtms');

test('A compressed answer counts as unreadable after three unreadable answers in a row', () => {
  const of = (...probe: readonly ReturnType<typeof exchange>[]) =>
    shownBy('service.content-coding', { probe, control: probe.map(() => atms) });
  const broken = exchange('findAtms', 'no JSON', { kind: 'probe' });
  expect(of(broken, broken, broken)).toBe('broken');
  expect(of(broken, broken)).toBe('untested');
  expect(of(broken, broken, atms)).toBe('kept');
  expect(of(atms)).toBe('kept');
  const control = exchange('findAtms', {}, { status: 500 });
  expect(shownBy('service.content-coding', { probe: [broken, broken, broken], control })).toBe('untested');
});

test('A request ends the service if the service ends each time that the request is sent alone', () => {
  const of = (alone: number, fatal: number) =>
    shownBy('service.stays-up', {
      alone: Array.from({ length: alone }, () => atms),
      fatal: Array.from({ length: fatal }, () => atms),
    });
  expect(of(2, 2)).toBe('broken');
  expect(of(2, 1)).toBe('kept');
  expect(of(1, 0)).toBe('kept');
  expect(of(0, 0)).toBe('untested');
});

test('An answer may repeat a credential that is not known to be right', () => {
  const probe = exchange('validateLoan', { message: 'token' }, { status: 401 });
  const of = (accepted: readonly ReturnType<typeof exchange>[], pointer = '/message') =>
    shownBy('service.credentials-not-reflected', { probe, accepted }, { pointer });
  expect(of([exchange('validateLoan')])).toBe('broken');
  expect(of([probe])).toBe('untested');
  expect(of([])).toBe('untested');
});
