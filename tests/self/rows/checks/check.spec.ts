import { expect, test } from '@playwright/test';
import { exchange } from '../../support/judge-harness.ts';
import { resultOf, shownBy, type Roles } from '../history.ts';

const answer = (status: number, labels: readonly (readonly [string, string])[] = []) =>
  exchange('approveContract', { message: 'No' }, { status, labels });
const taken = exchange('approveContract');
const [no, crash] = [answer(422), answer(500)];
const of = (roles: Roles, about?: Readonly<Record<string, string>>) => shownBy('loans.offer.is-taken', roles, about);

test('Requests that are always refused, beside others that are always accepted, break the clause about their difference', () => {
  expect(of({ refused: [no, no], taken: [taken, taken] })).toBe('broken');
  expect(of({ refused: [answer(401), crash], taken: [taken, taken], nonsense: no })).toBe('broken');
  expect(of({ taken })).toBe('kept');
  const lost = exchange('approveContract', null);
  for (const refused of [[no], [no, taken], [no, lost], [no, answer(429)], [no, answer(503, [['retry-after', '1']])]])
    expect(of({ refused, taken: [taken, taken] })).toBe('untested');
  for (const roles of [{ taken }, { taken: [taken, no] }, { taken: [taken, taken], nonsense: [no, taken] }])
    expect(of({ refused: [no, no], ...roles })).toBe('untested');
});

test('A refusal is no server error', () => {
  const failing = { kind: 'server-error' };
  expect(of({ refused: [crash, crash], taken: [taken, taken] }, failing)).toBe('broken');
  expect(of({ refused: [crash, no], taken: [taken, taken] }, failing)).toBe('untested');
});

test('A documented form that is always refused leaves its clause untested', () => {
  const roles = { refused: [no, no], taken: [taken, taken] };
  const { broken, exercised } = resultOf('loans.offer.is-taken', roles, { kind: 'refused' });
  expect([broken.length, exercised.length]).toEqual([1, 0]);
});
