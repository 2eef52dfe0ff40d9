import path from 'node:path';
import { expect, test } from '@playwright/test';
import type { Log } from 'sarif';
import { stringify } from 'yaml';
import { editMemberAt } from '../../../../../fixtures/banks/lib/intercept.ts';
import { set, remove } from '../../../../../fixtures/banks/lib/mutators.ts';
import { onEveryNth } from '../../../../../fixtures/banks/lib/triggers.ts';
import type { Handler } from '../../../../../fixtures/banks/lib/mutant.ts';
import { createBank } from '../../../../../fixtures/reference-bank/bank.ts';
import { readBaselineFiles } from '../../../../../fixtures/config/baseline-files.ts';
import { runInProcess } from '../../../support/command.ts';
import { examineBank } from '../../../support/examine.ts';
import { makeTempFile } from '../../../support/temp-dir.ts';
import { knownCommand } from '../../../../../reports/cli/known.ts';
import { annotate } from '../../../../../reports/formats/github.ts';
import { toJunit } from '../../../../../reports/formats/junit.ts';
import { toSarif } from '../../../../../reports/formats/sarif.ts';
import { renderComparisons } from '../../../../../reports/formats/html/sections/baseline.ts';
import { summarize } from '../../../../../reports/formats/terminal.ts';
import type { KnownEntry } from '../../../../../reports/model/contents.ts';

test.describe.configure({ mode: 'parallel' });
const KNOWN_ENTRY: KnownEntry = {
  clause: 'atms.name',
  operation: 'GET /api/v1/atms',
  pointer: '/data/*/atm_name',
  reason: 'Ticket 4711',
  owner: 'The ATM team',
  expires: '2999-12-31',
};

/** Runs the ATM locator with known findings; returns the report, the exit status, and the terminal's text. */
async function foldWithKnown(bank: Handler, known: readonly KnownEntry[]) {
  const file = makeTempFile('known-findings.yaml', stringify({ known }));
  const report = await examineBank(bank, { env: { AREAS: 'atms', RUNS: '3', KNOWN: file } });
  return { status: report.gate.exitStatus, report, out: summarize(report, { color: false }) };
}

const contentType = { ...KNOWN_ENTRY, clause: 'service.content-type', pointer: 'response/header/content-type' };
const removeNames = editMemberAt('findAtms', '/data/*/atm_name', remove);
const removeCities = editMemberAt('findAtms', '/data/*/atm_city', remove);

type Row = readonly [
  title: string,
  bank: Handler,
  known: readonly KnownEntry[],
  exit: number,
  said: RegExp,
  states: string,
];
const rows: readonly Row[] = [
  [
    'A known finding is shown as known and does not fail the gate; the verdict stays',
    removeNames(createBank()),
    [KNOWN_ENTRY],
    0,
    /^Verdict: non-conformant[^]*tolerated until 2999-12-31/m,
    'tolerated',
  ],
  [
    'An unknown finding beside a known one fails the gate',
    removeCities(removeNames(createBank())),
    [KNOWN_ENTRY],
    1,
    /1 clause of the document broken, and 1 more that known findings allow/,
    'tolerated',
  ],
  [
    'An expired entry fails the gate and says so',
    removeNames(createBank()),
    [{ ...KNOWN_ENTRY, expires: '2020-01-31' }],
    1,
    /expired on 2020-01-31/,
    'expired',
  ],
  [
    'A stale entry fails the gate and says so: its clause was tested there and kept',
    createBank(),
    [KNOWN_ENTRY],
    1,
    /^Verdict: conformant[^]*is stale/m,
    'stale',
  ],
  ['An entry for a warning that no longer occurs is stale', createBank(), [contentType], 1, /is stale/, 'stale'],
  [
    'An entry for a clause untested at its place is neither stale nor a fault',
    createBank(),
    [
      {
        ...KNOWN_ENTRY,
        clause: 'loans.offer.limit',
        operation: 'POST /api/bank/revolving-loans/v1/loans',
        pointer: '/data/infos/*/avaliable_limit',
      },
      // A rule that was tested, but at another operation.
      { ...contentType, operation: 'POST /api/bank/card/paybylink/v1/payment-links' },
      {
        ...contentType,
        clause: 'service.no-server-error',
        operation: 'GET /api/bank/card/paybylink/v1/merchants',
      },
    ],
    0,
    /^Verdict: conformant/m,
    'not tested,not tested,not tested',
  ],
];

for (const [title, bank, known, exit, said, states] of rows)
  test(title, async () => {
    const { status, out, report } = await foldWithKnown(bank, known);
    expect([status, out]).toEqual([exit, expect.stringMatching(said)]);
    expect(report.gate.pass).toBe(exit === 0);
    expect(report.against?.known?.map(({ state }) => state).join()).toBe(states);
    expect(report.findings.flatMap((finding) => finding.known?.owner ?? [])).toEqual(
      states === 'tolerated' ? ['The ATM team'] : [],
    );
    expect(report.clauses.find(({ id }) => id === 'service.content-type')?.exercised).toBeGreaterThan(0);
  });

test('Renderings for machines say that a known finding is tolerated', async () => {
  const { report } = await foldWithKnown(removeNames(createBank()), [KNOWN_ENTRY]);
  const { results = [] } = (JSON.parse(toSarif(report)) as Log).runs[0]!;
  expect(results.map(({ level, suppressions }) => [level, suppressions])).toEqual([
    ['error', [{ kind: 'external', justification: 'Ticket 4711' }]],
  ]);
  expect(annotate(report)).toMatch(/^::notice [^\n]*\n$/);
  expect(toJunit(report)).toMatch(/<system-out>broken \([^)]*tolerated until 2999-12-31\): /);
});

test('An entry that names a value allows only this value at its place', async () => {
  const numbers = editMemberAt('findAtms', '/data/*/atm_name', set(7));
  const bank = () => editMemberAt('findAtms', '/data/*/atm_name', set(true), onEveryNth(3))(numbers(createBank()));
  const [number, flag] = [
    { ...KNOWN_ENTRY, value: '12' },
    { ...KNOWN_ENTRY, value: 'true' },
  ];
  const one = await foldWithKnown(bank(), [number]);
  expect([one.status, one.report.findings[0]?.known]).toEqual([1, undefined]);
  expect(one.report.findings[0]?.values.map(({ value }) => value).sort()).toEqual(['7', 'true']);
  const both = await foldWithKnown(bank(), [number, flag]);
  expect([both.status, both.report.findings[0]?.known?.owner]).toEqual([0, 'The ATM team']);
  const stale = await foldWithKnown(numbers(createBank()), [number, flag]);
  expect(stale.out.replaceAll(/\s+/g, ' ')).toContain('this finding did not show with the value true');
  expect(String(renderComparisons(stale.report))).toContain('with the value <code>true</code>');
  expect([stale.status, stale.report.against?.known?.map(({ state }) => state)]).toEqual([1, ['tolerated', 'stale']]);
});

const noFiles = { overlay: null, pins: null, known: null, baseline: null, latencyFactor: null };

const withEntry = (change: Partial<Record<keyof KnownEntry, unknown>>): string =>
  stringify({ known: [{ ...KNOWN_ENTRY, ...change }] });

for (const [what, text, fault] of [
  ['no list', 'findings: []', 'holds no list under known'],
  ['an entry without an owner', withEntry({ owner: undefined }), 'owner is missing'],
  ['an owner without a name', withEntry({ owner: ' ' }), 'owner is missing'],
  ['an invalid entry', stringify({ known: [null] }), '(number 1) in which clause is missing'],
  ['an invalid day', withEntry({ expires: 'soon' }), 'whose expires is no day'],
  ['an owner to be named', withEntry({ owner: ' To be named ' }), 'whose owner is still to be named'],
  ['an unknown clause', withEntry({ clause: 'atms.colour' }), 'the clause "atms.colour", which does not exist'],
  ['the name of a built-in property as a clause', withEntry({ clause: 'constructor' }), 'which does not exist'],
  ['an unknown operation', withEntry({ operation: 'GET /api/v1/atm' }), 'which does not exist'],
  ['a day that does not exist', withEntry({ expires: '2027-02-30' }), 'whose expires is no day'],
] as const)
  test(`A file of known findings with ${what} is a configuration fault`, () => {
    expect(readBaselineFiles({ ...noFiles, known: makeTempFile('known-findings.yaml', text) })).toEqual({
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
  test(`${name.toUpperCase()} that names ${text} is a configuration fault`, () => {
    expect(readBaselineFiles({ ...noFiles, [name]: makeTempFile('named.json', text) })).toEqual({
      baselineFiles: undefined,
      faults: [expect.stringContaining(`${name.toUpperCase()} names a file that is no`)],
    });
  });

test('A HAR in place of a file of an earlier run is named, with the command for it', () => {
  const har = makeTempFile('traffic.har', JSON.stringify({ log: { version: '1.2', entries: [] } }));
  for (const name of ['pins', 'known', 'baseline'])
    expect(readBaselineFiles({ ...noFiles, [name]: har }).faults).toEqual([
      `${name.toUpperCase()} names a file that is a HAR recording: judge it with npm run judge.`,
    ]);
});

test('The file can be written from a report, and then tolerates the findings of the report', async () => {
  const first = await foldWithKnown(removeNames(createBank()), []);
  expect(first.status, first.out).toBe(1);
  const from = makeTempFile('conformance.json', JSON.stringify(first.report));
  const to = path.join(path.dirname(from), 'known.yaml');
  expect(await runInProcess(knownCommand, from, '--owner', 'QA', '--out', to)).toMatchObject({ status: 0 });
  // An entry without an owner has a place for one.
  await runInProcess(knownCommand, from, '--out', `${to}.new`);
  expect(readBaselineFiles({ ...noFiles, known: `${to}.new` }).faults).toEqual([
    expect.stringMatching(/whose owner is still to be named \(a person or a team\):.* known.* --owner <name>/),
  ]);
  const env = { AREAS: 'atms', RUNS: '3', KNOWN: to, BASELINE: from };
  const report = await examineBank(removeNames(createBank()), { env });
  expect([report.gate.exitStatus, report.verdict]).toEqual([0, 'non-conformant']);
  expect(report.against?.changes?.findings).toEqual({ fresh: [], gone: [] });
});
