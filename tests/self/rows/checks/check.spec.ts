import { expect, test } from '@playwright/test';
import { exchange } from '../../support/judge-harness.ts';
import { readResult, readResultOfRoles, type Roles } from '../history.ts';

const makeAnswer = (status: number, labels: readonly (readonly [string, string])[] = []) =>
  exchange('approveContract', { message: 'No' }, { status, labels });
const acceptedExchange = exchange('approveContract');
const [refusal, crash] = [makeAnswer(422), makeAnswer(500)];
const checkRoles = (roles: Roles, about?: Readonly<Record<string, string>>) =>
  readResultOfRoles('loans.offer.is-taken', roles, about);

test('Requests that are always refused, beside others that are always accepted, break the clause about their difference', () => {
  expect(checkRoles({ refused: [refusal, refusal], taken: [acceptedExchange, acceptedExchange] })).toBe('broken');
  expect(
    checkRoles({ refused: [makeAnswer(401), crash], taken: [acceptedExchange, acceptedExchange], nonsense: refusal }),
  ).toBe('broken');
  expect(checkRoles({ taken: acceptedExchange })).toBe('kept');
  const lost = exchange('approveContract', null);
  for (const refused of [
    [refusal],
    [refusal, acceptedExchange],
    [refusal, lost],
    [refusal, makeAnswer(429)],
    [refusal, makeAnswer(503, [['retry-after', '1']])],
  ])
    expect(checkRoles({ refused, taken: [acceptedExchange, acceptedExchange] })).toBe('untested');
  for (const roles of [
    { taken: acceptedExchange },
    { taken: [acceptedExchange, refusal] },
    { taken: [acceptedExchange, acceptedExchange], nonsense: [refusal, acceptedExchange] },
  ])
    expect(checkRoles({ refused: [refusal, refusal], ...roles })).toBe('untested');
});

test('A refusal is no server error', () => {
  const failing = { kind: 'server-error' };
  expect(checkRoles({ refused: [crash, crash], taken: [acceptedExchange, acceptedExchange] }, failing)).toBe('broken');
  expect(checkRoles({ refused: [crash, refusal], taken: [acceptedExchange, acceptedExchange] }, failing)).toBe(
    'untested',
  );
});

test('A documented form that is always refused leaves its clause untested', () => {
  const roles = { refused: [refusal, refusal], taken: [acceptedExchange, acceptedExchange] };
  const { broken, exercised } = readResult('loans.offer.is-taken', roles, { kind: 'refused' });
  expect([broken.length, exercised.length]).toEqual([1, 0]);
});
