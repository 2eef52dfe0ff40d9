import { expect, test } from '@playwright/test';
import { exchange } from '../../support/judge-harness.ts';
import { shownBy, type Roles } from '../history.ts';

const of = (roles: Roles) => shownBy('loans.offer.is-taken', roles);

/** A contract over ids of so many digits, of which a double keeps sixteen. */
const contract = (nth: number, digits: number, status = 200) => {
  const id = `1${String(nth + 1).padStart(digits - 1, '0')}`;
  const asked = { application_id: id, account_id: id };
  return exchange('approveContract', status < 300 ? undefined : { message: 'No' }, { asked, status });
};
const some = (count: number, digits: number, status?: number) =>
  Array.from({ length: count }, (_, nth) => contract(2 * nth, digits, status));

test('Contracts are taken whatever the digits of their ids are', () => {
  const [lossy, kept, again] = [some(8, 19, 404), some(4, 12), contract(0, 19, 404)];
  expect(of({ lossy, kept, again })).toBe('broken');
  for (const roles of [
    // Too few to say so; one that is taken although a double loses its digits, and one that is refused although it keeps them.
    { lossy: lossy.slice(1), kept, again },
    { lossy, kept: kept.slice(1), again },
    { lossy, kept: [...kept, contract(0, 19)], again },
    { lossy: [...lossy, contract(0, 12, 404)], kept, again },
    // The last is taken when it is asked for again, or fails.
    { lossy, kept, again: contract(0, 19) },
    { lossy, kept, again: contract(0, 19, 500) },
    { lossy, kept },
  ])
    expect(of(roles)).toBe('untested');
});

test('An application that was opened is not refused in the words for one that does not exist', () => {
  const no = (message: string, status = 404) =>
    exchange('approveContract', { message }, { status, kind: status === 404 ? 'positive' : 'probe' });
  const beside = exchange('approveContract');
  const [stranger, account] = [no('Application 912 is not known'), no('No such account')];
  const unknown = [no('Application 345 is not known'), no('Application 678 is not known')];
  expect(of({ disowned: unknown, beside, stranger, account })).toBe('broken');
  for (const roles of [
    { disowned: [...unknown, no('Too late')], beside, stranger, account },
    { disowned: unknown, beside: no('Closed'), stranger, account },
    // It says so of whatever it refuses; or accounts that nobody has are taken.
    { disowned: unknown, beside, stranger, account: stranger },
    { disowned: unknown, beside, stranger, account: beside },
  ])
    expect(of(roles)).toBe('untested');
});
