import { expect, test } from '@playwright/test';
import type { ClauseId } from '../../../../openapi/clauses/index.ts';
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

test('A request with wrong credentials is refused, and its answer holds no data of the right client', () => {
  const clauses: readonly ClauseId[] = ['loans.credentials.token', 'links.credentials.client-id'];
  for (const clause of clauses) {
    const check = (probe: Parameters<typeof readResultOfRoles>[1][string]) =>
      readResultOfRoles(clause, { probe, control: acceptedRequest }, { header: 'Authorization' });
    expect(check(acceptedRequest)).toBe('broken');
    expect(check(exchange('requestLoan', body('requestLoan'), { status: 401, kind: 'probe' }))).toBe('broken');
    expect(check(makeRefusedRequest(401))).toBe('kept');
  }
});

test('A list of an unknown merchant is refused or empty', () => {
  const control = exchange('listBranches');
  const check = (probe: Parameters<typeof readResultOfRoles>[1][string]) =>
    readResultOfRoles('links.unknown-merchant.branches', { probe, control });
  expect(check(exchange('listBranches', body('listBranches'), { kind: 'probe' }))).toBe('broken');
  expect(check(exchange('listBranches', body('listBranches', '/data/branches', []), { kind: 'probe' }))).toBe('kept');
  expect(check(exchange('listBranches', {}, { status: 404, kind: 'probe' }))).toBe('kept');
  expect(readResultOfRoles('links.unknown-merchant.branches', { similar: control, control })).toBe('broken');
});

test('A branch of another merchant is refused like an unknown branch', () => {
  const control = exchange('createPaymentLink');
  const branches = exchange('listBranches');
  const unknown = exchange('createPaymentLink', {}, { status: 400, kind: 'probe' });
  const foreign = { ...control.request.asked, branch_no: '999999' };
  const check = (asked: typeof foreign, beside: Parameters<typeof readResultOfRoles>[1][string] = unknown) =>
    readResultOfRoles('links.foreign-branch', {
      ...{ probe: exchange('createPaymentLink', body('createPaymentLink'), { asked, kind: 'probe' }), control },
      ...{ branches, unknown: beside },
    });
  expect(check(foreign)).toBe('broken');
  // The branch is on the list after all; or the bank accepts any branch.
  const [own] = (body('listBranches') as { data: { branches: { no: string }[] } }).data.branches;
  expect(check({ ...foreign, branch_no: String(own?.no) })).toBe('untested');
  expect(check(foreign, control)).toBe('untested');
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
