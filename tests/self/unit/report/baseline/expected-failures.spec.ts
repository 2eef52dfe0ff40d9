import path from 'node:path';
import { expect, test } from '@playwright/test';
import { stringify } from 'yaml';
import { editAt } from '../../../../../fixtures/banks/lib/intercept.ts';
import { missing } from '../../../../../fixtures/banks/lib/mutators.ts';
import type { Handler } from '../../../../../fixtures/banks/lib/mutant.ts';
import { createBank } from '../../../../../fixtures/reference-bank/bank.ts';
import { readBaselineFiles } from '../../../../../fixtures/config/baseline-files.ts';
import { inProcess } from '../../../support/command.ts';
import { examine } from '../../../support/examine.ts';
import { tempFile } from '../../../support/temp-dir.ts';
import { knownCommand } from '../../../../../reports/cli/known.ts';
import { summary } from '../../../../../reports/formats/terminal.ts';
import type { KnownEntry } from '../../../../../reports/model/contents.ts';

test.describe.configure({ mode: 'parallel' });
/** ATMs without their names. */
const nameless = (): Handler => editAt('findAtms', '/data/*/atm_name', missing)(createBank());

const entry: KnownEntry = {
  clause: 'atms.name',
  operation: 'GET /api/v1/atms',
  pointer: '/data/*/atm_name',
  reason: 'Ticket 4711',
  owner: 'The ATM team',
  expires: '2999-12-31',
};

/** The report on the ATM locator of a bank with these known findings, its exit status, and what the terminal says. */
async function run(bank: Handler, known: readonly KnownEntry[]) {
  const file = tempFile('known-findings.yaml', stringify({ known }));
  const report = await examine(bank, { env: { AREAS: 'atms', RUNS: '3', KNOWN: file } });
  return { status: report.gate.exitStatus, report, out: summary(report, { color: false }) };
}

test('A known finding is shown as known and does not fail the gate; the verdict stays', async () => {
  const { status, out, report } = await run(nameless(), [entry]);
  expect(status, out).toBe(0);
  expect(report).toMatchObject({
    verdict: 'non-conformant',
    gate: { pass: true },
    against: { known: [{ state: 'tolerated' }] },
  });
  expect(report.findings.map(({ clause, known }) => [clause, known?.owner])).toEqual([['atms.name', 'The ATM team']]);
});

test('A finding that is not known fails the gate beside one that is', async () => {
  const bank = editAt('findAtms', '/data/*/atm_city', missing)(nameless());
  const { status, out, report } = await run(bank, [entry]);
  expect(status, out).toBe(1);
  expect(report.gate.reasons.join()).toContain('1 clause of the document broken, and 1 more that known findings allow');
});

test('An expired entry fails the gate and says so', async () => {
  const { status, out } = await run(nameless(), [{ ...entry, expires: '2020-01-31' }]);
  expect(status, out).toBe(1);
  expect(out).toContain('expired on 2020-01-31');
});

test('A stale entry fails the gate and says so: its clause was put to the test there and held', async () => {
  const { status, out, report } = await run(createBank(), [entry]);
  expect(status, out).toBe(1);
  expect(report.verdict).toBe('conformant');
  expect(out).toContain('is stale');
});

test('An entry whose clause nothing put to the test is neither stale nor a fault', async () => {
  const { status, out, report } = await run(createBank(), [
    {
      ...entry,
      clause: 'loans.offer.limit',
      operation: 'POST /api/bank/revolving-loans/v1/loans',
      pointer: '/data/infos/*/avaliable_limit',
    },
  ]);
  expect(status, out).toBe(0);
  expect(report.against?.known?.[0]?.state).toBe('not tested');
});

test('An entry of a rule is not stale where only another operation was put to the test', async () => {
  const rule = { ...entry, clause: 'service.content-type', pointer: 'response/header/content-type' };
  const { status, out, report } = await run(createBank(), [
    { ...rule, operation: 'POST /api/bank/card/paybylink/v1/payment-links' },
    { ...rule, clause: 'service.no-server-error', operation: 'GET /api/bank/card/paybylink/v1/merchants' },
  ]);
  expect(report.clauses.find(({ id }) => id === rule.clause)?.exercised).toBeGreaterThan(0);
  expect([status, report.against?.known?.map(({ state }) => state)], out).toEqual([0, ['not tested', 'not tested']]);
});

test('An entry of a warning that no longer occurs is stale', async () => {
  const rule = { ...entry, clause: 'service.content-type', pointer: 'response/header/content-type' };
  const { status, out } = await run(createBank(), [rule]);
  expect([status, out]).toEqual([1, expect.stringContaining('is stale')]);
});

const none = { overlay: null, pins: null, known: null, baseline: null, latencyFactor: null };

for (const [what, text, fault] of [
  ['no list', 'findings: []', 'holds no list under known'],
  ['an entry without an owner', stringify({ known: [{ ...entry, owner: undefined }] }), 'owner is missing'],
  ['an owner without a name', stringify({ known: [{ ...entry, owner: ' ' }] }), 'owner is missing'],
  ['an entry that is none', stringify({ known: [null] }), '(number 1) in which clause is missing'],
  ['a day that is none', stringify({ known: [{ ...entry, expires: 'soon' }] }), 'whose expires is no day'],
  [
    'an owner to be named',
    stringify({ known: [{ ...entry, owner: ' To be named ' }] }),
    'whose owner is still to be named',
  ],
  [
    'an unknown clause',
    stringify({ known: [{ ...entry, clause: 'atms.colour' }] }),
    'the clause "atms.colour", which does not exist',
  ],
  ['a clause of every object', stringify({ known: [{ ...entry, clause: 'constructor' }] }), 'which does not exist'],
  ['an unknown operation', stringify({ known: [{ ...entry, operation: 'GET /api/v1/atm' }] }), 'which does not exist'],
  ['a day that there is not', stringify({ known: [{ ...entry, expires: '2027-02-30' }] }), 'whose expires is no day'],
] as const)
  test(`A file of known findings with ${what} is a fault of the configuration`, () => {
    expect(readBaselineFiles({ ...none, known: tempFile('known-findings.yaml', text) })).toEqual({
      baselineFiles: undefined,
      faults: [expect.stringContaining(fault)],
    });
  });

for (const [name, text] of [
  ['pins', '{"format":"bank-open-api-conformance/1"}'],
  ['pins', '{"format":"bank-open-api-dialect/1","points":[null],"target":{},"startedAt":""}'],
  ['baseline', '{"format":"bank-open-api-dialect/1"}'],
  ['baseline', '{"format":"bank-open-api-conformance/1","clauses":null}'],
] as const)
  test(`${name.toUpperCase()} that names ${text} is a fault of the configuration`, () => {
    expect(readBaselineFiles({ ...none, [name]: tempFile('named.json', text) })).toEqual({
      baselineFiles: undefined,
      faults: [expect.stringContaining(`${name.toUpperCase()} names a file that is no`)],
    });
  });

test('The file can be written from a report, and then tolerates what the report found', async () => {
  const first = await run(nameless(), []);
  expect(first.status, first.out).toBe(1);
  const from = tempFile('conformance.json', JSON.stringify(first.report));
  const to = path.join(path.dirname(from), 'known.yaml');
  expect(await inProcess(knownCommand, from, '--owner', 'QA', '--out', to)).toMatchObject({ status: 0 });
  // Without an owner it waits for one.
  await inProcess(knownCommand, from, '--out', `${to}.new`);
  expect(readBaselineFiles({ ...none, known: `${to}.new` }).faults).toEqual([
    expect.stringContaining('whose owner is still to be named'),
  ]);
  const env = { AREAS: 'atms', RUNS: '3', KNOWN: to, BASELINE: from };
  const report = await examine(nameless(), { env });
  expect([report.gate.exitStatus, report.verdict]).toEqual([0, 'non-conformant']);
  expect(report.against?.changes?.findings).toEqual({ fresh: [], gone: [] });
});
