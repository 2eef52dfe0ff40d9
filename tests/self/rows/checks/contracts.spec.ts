import { expect, test } from '@playwright/test';
import { exchange } from '../../support/judge-harness.ts';
import { readResultOfRoles, type Roles } from '../history.ts';

const checkRoles = (roles: Roles) => readResultOfRoles('loans.offer.is-taken', roles);

/** Makes a contract with ids of `digits` digits. A double keeps sixteen digits. */
const makeContract = (nth: number, digits: number, status = 200) => {
  const id = `1${String(nth + 1).padStart(digits - 1, '0')}`;
  const asked = { application_id: id, account_id: id };
  return exchange('approveContract', status < 300 ? undefined : { message: 'No' }, { asked, status });
};
const makeContracts = (count: number, digits: number, status?: number) =>
  Array.from({ length: count }, (_, nth) => makeContract(2 * nth, digits, status));

test('Contracts are accepted whatever the digits of their ids', () => {
  const [lossy, kept, again] = [makeContracts(8, 19, 404), makeContracts(4, 12), makeContract(0, 19, 404)];
  expect(checkRoles({ lossy, kept, again })).toBe('broken');
  for (const roles of [
    // Too few refusals; an accepted id that a double changes; a refused id that a double keeps.
    { lossy: lossy.slice(1), kept, again },
    { lossy, kept: kept.slice(1), again },
    { lossy, kept: [...kept, makeContract(0, 19)], again },
    { lossy: [...lossy, makeContract(0, 12, 404)], kept, again },
    // The last contract is accepted, or fails, when it is repeated.
    { lossy, kept, again: makeContract(0, 19) },
    { lossy, kept, again: makeContract(0, 19, 500) },
    { lossy, kept },
  ])
    expect(checkRoles(roles)).toBe('untested');
});
