/** Tests known findings: what KNOWN tolerates, which files it refuses, and the command that writes them. */
import path from 'node:path';
import type { Log } from 'sarif';
import { stringify } from 'yaml';
import { readBaselineFiles } from '../../../../../fixtures/run/config/baseline-files.ts';
import { judgeKnownEntries } from '../../../../../reports/baseline/expected-failures.ts';
import { knownCommand } from '../../../../../reports/cli/known.ts';
import { writeAnnotations } from '../../../../../reports/formats/github.ts';
import { toJunit } from '../../../../../reports/formats/junit.ts';
import { toSarif } from '../../../../../reports/formats/sarif.ts';
import { writeTerminalSummary } from '../../../../../reports/formats/terminal.ts';
import type { KnownEntry, Report } from '../../../../../reports/model/report.ts';
import { runInProcess } from '../../../support/command.ts';
import { reportOfLines, makeFindingLine, makeLines, makeSoundJournal } from '../../../support/reports/sample-report.ts';
import { expect, test } from '../../../support/reports/samples.ts';
import { makeTempFile } from '../../../support/temp-dir.ts';

const RATE_ENTRY: KnownEntry = {
  clause: 'loans.rate',
  operation: 'POST /api/bank/revolving-loans/v1/loans',
  pointer: '/data/infos/*/interest_rate',
  reason: 'Ticket 4711',
  owner: 'The loans team',
  expires: '2999-12-31',
};
const buildReportWithKnown = (findings: readonly object[], known: readonly KnownEntry[]): Report =>
  reportOfLines([...makeSoundJournal(), ...makeLines(...(findings as never[]))], { baselineFiles: { known } });

const wrongRateFinding = makeFindingLine();
const missingRateFinding = makeFindingLine({ received: 'null', exchange: 'requestLoan-2' });
const wrongDistanceFinding = makeFindingLine({
  clause: 'atms.distance',
  operation: 'findAtms',
  pointer: '/data/*/atm_distance',
  exchange: 'findAtms-1',
});
const [numbers, nulls] = [
  { ...RATE_ENTRY, form: 'a decimal number as text' },
  { ...RATE_ENTRY, form: 'null' },
];
const toleratedReport = buildReportWithKnown([wrongRateFinding], [RATE_ENTRY]);

const loansErrors = { ...RATE_ENTRY, clause: 'loans.errors' };
const elsewhere = { ...RATE_ENTRY, operation: 'GET /api/v1/atms' };
const expired = { ...RATE_ENTRY, expires: '2020-01-31' };
const bothRates = [wrongRateFinding, missingRateFinding];
/** Findings and the entries of KNOWN; then the exit status, what the terminal says, and the state of each entry. */
const knownFindingRows: readonly (readonly [string, Report, exit: number, said: RegExp, states: string])[] = [
  [
    'a finding that KNOWN tolerates',
    toleratedReport,
    0,
    /^Verdict: non-conformant[^]*tolerated until 2999-12-31/m,
    'tolerated',
  ],
  [
    'a tolerated and a new finding',
    buildReportWithKnown([wrongRateFinding, wrongDistanceFinding], [RATE_ENTRY]),
    1,
    /the bank breaks 1 clause of the document: atms\.distance; 1 more broken clause is tolerated by KNOWN/,
    'tolerated',
  ],
  [
    'a tolerated finding in a run that ended early',
    buildReportWithKnown([wrongRateFinding, { line: 'interrupted', why: 'its time was up.' }], [RATE_ENTRY]),
    2,
    /^Gate failed: known findings tolerate each broken clause, but a part of the bank could not be tested/m,
    'tolerated',
  ],
  [
    'an expired entry of KNOWN',
    buildReportWithKnown([wrongRateFinding], [expired]),
    1,
    /expired on 2020-01-31/,
    'expired',
  ],
  [
    'an entry of KNOWN whose clause was kept',
    buildReportWithKnown([], [RATE_ENTRY]),
    0,
    /conformant[^]*did not show any more/,
    'stale',
  ],
  [
    'entries of KNOWN whose clause was not tested at their operation',
    buildReportWithKnown([], [loansErrors, elsewhere]),
    0,
    /^Verdict: conformant/m,
    'not tested,not tested',
  ],
  [
    'a tolerated finding that also shows at another operation',
    buildReportWithKnown(
      [wrongRateFinding, { ...wrongRateFinding, operation: 'findAtms', exchange: 'findAtms-1' }],
      [RATE_ENTRY],
    ),
    1,
    /the bank breaks 1 clause of the document: loans.rate \(at GET \/api\/v1\/atms; tolerated elsewhere\)/,
    'tolerated',
  ],
  [
    'two forms of wrong values, of which KNOWN tolerates one,',
    buildReportWithKnown(bothRates, [numbers]),
    1,
    /^Gate failed: the bank breaks 1 clause of the document: loans.rate \(a decimal number as text and null; tolerated is a decimal number as text\)/m,
    'tolerated',
  ],
  [
    'an entry of KNOWN without a form',
    buildReportWithKnown(bothRates, [RATE_ENTRY]),
    0,
    /1 known finding without a form tolerates every value \(loans.rate\)/,
    'tolerated',
  ],
  [
    'entries of KNOWN for all forms of wrong values',
    buildReportWithKnown(bothRates, [numbers, nulls]),
    0,
    /^Gate passed: the bank is non-conformant, but known findings tolerate 1 broken clause/m,
    'tolerated,tolerated',
  ],
  [
    'an entry of KNOWN for a form that no longer shows',
    buildReportWithKnown([wrongRateFinding], [numbers, nulls]),
    0,
    /1 known finding did not show any more/,
    'tolerated,stale',
  ],
];

for (const [title, report, exit, said, states] of knownFindingRows)
  test(`With ${title}, the gate ends with exit status ${exit}, and the terminal says why`, () => {
    expect([report.gate.exitStatus, report.gate.pass]).toEqual([exit, exit === 0]);
    expect(writeTerminalSummary(report, { color: false })).toMatch(said);
    expect(report.against?.known?.map(({ state }) => state).join()).toBe(states);
  });

const withEntry = (change: Partial<Record<keyof KnownEntry | 'value', unknown>>): string =>
  stringify({ known: [{ ...RATE_ENTRY, clause: 'atms.name', operation: 'GET /api/v1/atms', ...change }] });
const emptyHar = JSON.stringify({ log: { version: '1.2', entries: [] } });
const HAR_ADVICE = 'names a file that is a HAR recording: judge it with npm run judge.';

for (const [what, name, text, fault] of [
  ['no list', 'known', 'findings: []', 'holds no list under known'],
  ['an entry without an owner', 'known', withEntry({ owner: undefined }), 'owner is missing'],
  ['an invalid entry', 'known', stringify({ known: [null] }), '(number 1) in which clause is missing'],
  ['an owner to be named', 'known', withEntry({ owner: ' To be named ' }), 'whose owner is still to be named'],
  ['an unknown clause', 'known', withEntry({ clause: 'atms.colour' }), 'atms.colour", which does not exist'],
  ['the name of a built-in property', 'known', withEntry({ clause: 'constructor' }), 'which does not exist'],
  ['an unknown operation', 'known', withEntry({ operation: 'GET /api/v1/atm' }), 'which does not exist'],
  ['a form that is no text', 'known', withEntry({ form: null }), 'whose form is no text'],
  ['a day that does not exist', 'known', withEntry({ expires: '2027-02-30' }), 'whose expires is no day'],
  ['a HAR', 'known', emptyHar, HAR_ADVICE],
  ['a profile', 'baseline', '{"format":"bank-open-api-dialect/1"}', 'BASELINE names a file that is no'],
  ['no clauses', 'baseline', '{"format":"bank-open-api-conformance/1"}', 'BASELINE names a file that is no'],
  ['a HAR', 'baseline', emptyHar, HAR_ADVICE],
] as const)
  test(`A file with ${what} for ${name.toUpperCase()} is a configuration fault`, () => {
    const files = { overlay: null, known: null, baseline: null };
    expect(readBaselineFiles({ ...files, [name]: makeTempFile('named', text) })).toEqual({
      baselineFiles: undefined,
      faults: [expect.stringContaining(fault)],
    });
  });

test('SARIF, annotations and JUnit mark a finding that KNOWN tolerates as tolerated', () => {
  const { results = [] } = (JSON.parse(toSarif(toleratedReport)) as Log).runs[0]!;
  expect(results[0]?.suppressions).toEqual([{ kind: 'external', justification: 'Ticket 4711' }]);
  expect(writeAnnotations(toleratedReport)).toMatch(/^::notice [^\n]*\n$/);
  expect(toJunit(toleratedReport)).toMatch(/<system-out>Broken: [^\n]*\nfailure \([^)]*tolerated until 2999-12-31\)\n/);
});

test('The known command writes a file that tolerates the findings of its report, once it names an owner', async ({
  faulty,
}) => {
  const from = makeTempFile('conformance.json', JSON.stringify(faulty));
  const known = path.join(path.dirname(from), 'known.yaml');
  const files = { overlay: null, known, baseline: null };
  expect(await runInProcess(knownCommand, from, '--out', known)).toMatchObject({ status: 0 });
  // An entry without an owner has a placeholder for the owner.
  expect(readBaselineFiles(files).faults[0]).toMatch(
    /whose owner is still to be named \(a person or a team\):.* known.* --owner <name>/,
  );
  expect(await runInProcess(knownCommand, from, '--owner', 'QA', '--out', known)).toMatchObject({ status: 0 });
  const { known: entries } = readBaselineFiles(files).baselineFiles as { known: readonly KnownEntry[] };
  const states = judgeKnownEntries(entries, faulty.findings, faulty.clauses, faulty.startedAt.slice(0, 10));
  expect(new Set(states.map(({ state }) => state))).toEqual(new Set(['tolerated']));
});

test('A KNOWN file of an older version is read: the form comes from its example value, and the list may be empty', () => {
  const read = (text: string) => {
    const files = { overlay: null, known: makeTempFile('known.yaml', text), baseline: null };
    return readBaselineFiles(files).baselineFiles?.['known'];
  };
  const formOf = (value?: string) => (read(withEntry({ value })) as readonly KnownEntry[])[0]?.form;
  expect(['"12"', 'null', '9.75', undefined].map(formOf)).toEqual(['a text of digits', 'null', 'a number', undefined]);
  expect(read('known:\n')).toEqual([]);
  const text = `# Ticket 1\n${withEntry({})}${withEntry({ pointer: '' }).replace('known:\n', '')}`;
  expect(read(text)).toMatchObject([{ lines: [3, 8] }, { lines: [9, 14] }]);
});
