import { expect, test } from '@playwright/test';
import { exchange } from '../../support/judge-harness.ts';
import { resultOf, shownBy, type Roles } from '../history.ts';

const answer = (status: number, labels: readonly (readonly [string, string])[] = []) =>
  exchange('approveContract', { message: 'No' }, { status, labels });
const accepted = exchange('approveContract');
const [refusal, crash] = [answer(422), answer(500)];
const resultOfRoles = (roles: Roles, about?: Readonly<Record<string, string>>) =>
  shownBy('loans.offer.is-taken', roles, about);

test('Requests that are always refused, beside others that are always accepted, break the clause about their difference', () => {
  expect(resultOfRoles({ refused: [refusal, refusal], taken: [accepted, accepted] })).toBe('broken');
  expect(resultOfRoles({ refused: [answer(401), crash], taken: [accepted, accepted], nonsense: refusal })).toBe(
    'broken',
  );
  expect(resultOfRoles({ taken: accepted })).toBe('kept');
  const lost = exchange('approveContract', null);
  for (const refused of [
    [refusal],
    [refusal, accepted],
    [refusal, lost],
    [refusal, answer(429)],
    [refusal, answer(503, [['retry-after', '1']])],
  ])
    expect(resultOfRoles({ refused, taken: [accepted, accepted] })).toBe('untested');
  for (const roles of [
    { taken: accepted },
    { taken: [accepted, refusal] },
    { taken: [accepted, accepted], nonsense: [refusal, accepted] },
  ])
    expect(resultOfRoles({ refused: [refusal, refusal], ...roles })).toBe('untested');
});

test('A refusal is no server error', () => {
  const failing = { kind: 'server-error' };
  expect(resultOfRoles({ refused: [crash, crash], taken: [accepted, accepted] }, failing)).toBe('broken');
  expect(resultOfRoles({ refused: [crash, refusal], taken: [accepted, accepted] }, failing)).toBe('untested');
});

test('A documented form that is always refused leaves its clause untested', () => {
  const roles = { refused: [refusal, refusal], taken: [accepted, accepted] };
  const { broken, exercised } = resultOf('loans.offer.is-taken', roles, { kind: 'refused' });
  expect([broken.length, exercised.length]).toEqual([1, 0]);
});
