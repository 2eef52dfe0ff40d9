import { expect, test } from '@playwright/test';
import { body, exchange } from '../../support/judge-harness.ts';
import { listBrokenByProbe, readResultOfRoles } from '../history.ts';

const acceptedRequest = exchange('requestLoan');
const declinedRequest = exchange('requestLoan', body('requestLoan', '/data/result', false));
const makeRefusedRequest = (status = 400, labels: readonly (readonly [string, string])[] = []) =>
  exchange('requestLoan', { message: 'No' }, { status, kind: 'probe', labels });

test('A request that makes no sense is refused', () => {
  const check = (probe: Parameters<typeof readResultOfRoles>[1][string]) =>
    readResultOfRoles('loans.amount-positive.application', { probe, control: acceptedRequest });
  expect(check(acceptedRequest)).toBe('broken');
  for (const probe of [makeRefusedRequest(), makeRefusedRequest(404), makeRefusedRequest(500), declinedRequest])
    expect(check(probe)).toBe('kept');
  for (const probe of [makeRefusedRequest(429), makeRefusedRequest(503, [['retry-after', '1']])])
    expect(check(probe)).toBe('untested');
});

test('A probe does not always end in a server error, and its answer shows nothing useful to an attacker', () => {
  const crash = makeRefusedRequest(500);
  expect(listBrokenByProbe(crash, [crash, crash])).toEqual(['service.odd-input']);
  expect(listBrokenByProbe(crash, [crash])).toEqual([]);
  expect(listBrokenByProbe(crash, [crash], 2)).toEqual(['service.odd-input', 'service.odd-input']);
  expect(listBrokenByProbe(crash, [], 3)).toEqual([]);
  expect(listBrokenByProbe(crash, [makeRefusedRequest()])).toEqual([]);
  const leak = exchange(
    'requestLoan',
    { message: 'at com.bank.Loans.open(Loans.java:12)' },
    { status: 400, kind: 'probe' },
  );
  expect(listBrokenByProbe(leak)).toEqual(['service.no-internals']);
  const disguised = exchange('requestLoan', { errorCode: 7, message: 'No' }, { kind: 'probe' });
  expect(listBrokenByProbe(disguised)).toEqual(['service.refusal-status']);
});
