/** Tests OPERATIONS: a run of a few operations sends only requests that they need, and its verdict names them. */
import { expect, test } from '@playwright/test';
import { findMutant } from '../../../../fixtures/banks/mutants/index.ts';
import type { Handler } from '../../../../fixtures/banks/lib/mutant.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import { ConfigurationError, readTarget } from '../../../../fixtures/run/config/target.ts';
import { examineBank } from '../../support/examine.ts';

function makeBankWithPaths(...faults: readonly string[]): { bank: Handler; requestedPaths: Set<string> } {
  const requestedPaths = new Set<string>();
  const bank = faults.map(findMutant).reduce<Handler>((mutated, { mutate }) => mutate(mutated), createBank());
  const fetch = (request: Request): Promise<Response> | Response => {
    requestedPaths.add(new URL(request.url).pathname.replace(/.*\/v1\//, '').replaceAll(/\d+/g, '…'));
    return bank.fetch(request);
  };
  return { bank: { ...bank, fetch }, requestedPaths };
}

for (const [selected, paths, headline] of [
  ['findAtms', ['atms'], 'conformant (only operation findAtms)'],
  [
    'approveContract,listBranches',
    ['validations', 'loans', 'contracts', 'merchants', 'merchants/…/branches'],
    'conformant (only operations approveContract and listBranches)',
  ],
] as const)
  test(`With OPERATIONS=${selected}, only ${paths.join(', ')} get requests, and the verdict names the operations`, async () => {
    const { bank, requestedPaths } = makeBankWithPaths('create-payment-link-order-id-missing');
    const report = await examineBank(bank, { env: { OPERATIONS: selected, RUNS: '2' } });
    expect([...requestedPaths].filter((path) => !(paths as readonly string[]).includes(path))).toEqual([]);
    expect(paths.filter((path) => !requestedPaths.has(path))).toEqual([]);
    expect([report.verdict, report.headline, report.errors]).toEqual(['conformant', headline, []]);
    expect(report.operations.map(({ id }) => id).join(',')).toBe(selected);
    expect(report.clauses.find(({ id }) => id === 'links.link.order-id')?.verdict).toBe('not-applicable');
  });

test('With OPERATIONS=requestLoan, an answer without application_id is a finding', async () => {
  const { bank } = makeBankWithPaths('request-loan-application-id-missing');
  const report = await examineBank(bank, { env: { OPERATIONS: 'requestLoan', RUNS: '2' } });
  expect([report.headline, report.findings[0]?.clause]).toEqual([
    'non-conformant (only operation requestLoan)',
    'loans.application.id',
  ]);
});

test('OPERATIONS or AREAS that contradict each other or READ_ONLY are a configuration fault', () => {
  for (const env of [
    { AREAS: 'atms', OPERATIONS: 'disburse' },
    { AREAS: 'loans', READ_ONLY: '1' },
    { OPERATIONS: 'queryDisbursement,createPaymentLink', READ_ONLY: '1' },
  ])
    expect(() => readTarget(env, null)).toThrow(ConfigurationError);
});
