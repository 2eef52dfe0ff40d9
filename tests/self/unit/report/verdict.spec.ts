/** Tests how levels, counts and answers become verdicts, reasons and an exit status. */
import { expect, test } from '@playwright/test';
import { clauseClasses, type ClauseClass } from '../../../../openapi/clauses/clause.ts';
import { areas } from '../../../../openapi/model/exchange.ts';
import type { JournalLine } from '../../../../openapi/model/journal.ts';
import { toJunit } from '../../../../reports/formats/junit.ts';
import { decideClause } from '../../../../reports/build/verdict.ts';
import { compareFindings } from '../../../../reports/build/findings.ts';
import { writeBadge } from '../../../../reports/formats/gitlab.ts';
import { writeAnnotations } from '../../../../reports/formats/github.ts';
import { renderHtml } from '../../../../reports/formats/html/index.ts';
import { writeSummary } from '../../../../reports/formats/markdown.ts';
import { chooseSignal, describeGate, locateReport } from '../../../../reports/formats/overview.ts';
import { writeTerminalSummary } from '../../../../reports/formats/terminal.ts';
import type { RunFacts } from '../../../../reports/model/description.ts';
import type { Finding, Report } from '../../../../reports/model/report.ts';
import {
  makeAnswerJournal,
  makeJournalOfCalls,
  makeFindingLine,
  reportOfLines,
  makeLines,
  RUN_FACTS,
  smallCatalogue,
  makeSoundJournal,
  soundReport,
  makeJournalOfTested,
} from '../../support/reports/sample-report.ts';

const strictSettings: Partial<RunFacts> = { suite: { ...RUN_FACTS.suite, strict: true } };
const breakClause = (clause: string): JournalLine[] =>
  makeLines(makeFindingLine({ clause, pointer: '/data', kind: 'type' }));
const makeFault = (message: string, scenario: string | null = null) => ({ scenario, message });
const findClause = (report: Report, id: string) => report.clauses.find((clause) => clause.id === id);

const makeUnexercised = (clause: string, why: string): JournalLine[] => makeLines({ line: 'unexercised', clause, why });

type Counts = Partial<Parameters<typeof decideClause>[0]>;
for (const [title, counts, verdicts] of [
  ['is not tested', {}, ['inconclusive', 'inconclusive', 'inconclusive']],
  ['was tested', { exercised: 1 }, ['pass', 'pass', 'inconclusive']],
  ['was broken', { exercised: 5, broken: 1 }, ['fail', 'warning', 'inconclusive']],
  ['was broken, and no other answer tested it', { broken: 1 }, ['fail', 'warning', 'inconclusive']],
  ['was observed', { observed: 1, broken: 1 }, ['fail', 'warning', 'observed']],
  ['is of an area that was not selected', { isSelected: false }, Array(3).fill('not-applicable')],
] satisfies [string, Counts, unknown][])
  test(`A clause that ${title} has the verdict ${[...verdicts].join(', ')} as must, should, open`, () => {
    const noAnswers = { isSelected: true, exercised: 0, broken: 0, observed: 0 };
    const levels = ['must', 'should', 'open'] as const;
    expect(levels.map((level) => decideClause({ ...noAnswers, ...counts, level }))).toEqual(verdicts);
  });

/** Runs without a verdict, with their exit status and what their reasons name. */
const unjudgedRuns: readonly (readonly [JournalLine[], Partial<RunFacts>, exit: number, names: RegExp])[] = [
  [
    makeSoundJournal(),
    { errors: [makeFault('out of order\nat a place', 'A scenario')] },
    3,
    /“A scenario”: out of order$/,
  ],
  [[...makeSoundJournal(), ...makeLines({ line: 'error', scenario: 's', message: 'm' })], {}, 3, /in “s”: m$/],
  [
    makeSoundJournal(),
    { interrupted: 'its time was up.' },
    2,
    /^The run ended early: its time was up\. 22 requests were sent, and nothing was created\.$/,
  ],
  [[], { configuration: ['SEED is no number.'] }, 2, /^Nothing was judged, .* is wrong: SEED is no number\.$/],
  [
    makeAnswerJournal('createPaymentLink', 200, 'declined', { body: '{}' }),
    {},
    2,
    /^No documented request of createPaymentLink succeeded/,
  ],
  [makeSoundJournal(), { incomplete: ['Of 3 shards, 2 is missing.'] }, 2, /^Of 3 shards, 2 is missing\.$/],
  [
    [...makeJournalOfTested((id) => id !== 'loans.rate'), ...makeUnexercised('loans.rate', 'No accounts.')],
    {},
    2,
    /^1 clause of Revolving Loans was not tested \(loans\.rate\): No accounts\.$/,
  ],
];

for (const [journal, facts, exitStatus, names] of unjudgedRuns)
  test(`An inconclusive run ends with exit status ${exitStatus}, and its reason matches ${names.source}`, () => {
    const report = reportOfLines(journal, facts);
    expect(report).toMatchObject({ verdict: 'inconclusive', gate: { pass: false, exitStatus } });
    expect(report.reasons.join(' ')).toMatch(names);
  });

test('With AREAS, the verdict names the selected areas, and needs no other area', () => {
  const of = (selectedAreas: RunFacts['target']['areas'], journal = makeSoundJournal()) =>
    reportOfLines(journal, { target: { ...RUN_FACTS.target, areas: selectedAreas } });
  const report = of(
    ['atms'],
    makeJournalOfCalls((operation) => operation === 'findAtms'),
  );
  expect(report).toMatchObject({ verdict: 'conformant', headline: 'conformant (ATM locator only)' });
  expect(report.operations.map(({ id }) => id)).toEqual(['findAtms']);
  expect(findClause(report, 'loans.rate')).toMatchObject({
    verdict: 'not-applicable',
    why: 'The area “revolving loans” was not selected.',
  });
  expect(of(['loans', 'payment-links']).headline).toBe('conformant (revolving loans and payment links only)');
  expect(of(areas).headline).toBe('conformant');
});

test('A warning fails the gate only with STRICT, and never changes the verdict', () => {
  const journal = [...makeSoundJournal(), ...breakClause('service.content-type')];
  expect(reportOfLines(journal).gate).toMatchObject({ pass: true, exitStatus: 0 });
  expect(reportOfLines(journal, strictSettings)).toMatchObject({
    verdict: 'conformant',
    gate: { pass: false, exitStatus: 1, reasons: ['1 warning: service.content-type, and STRICT=1 is set'] },
  });
});

const brokenMust = [...makeSoundJournal(), ...breakClause('loans.rate')];
const brokenShould = [...makeSoundJournal(), ...breakClause('service.content-type')];
for (const [title, journal, facts, exitStatus] of [
  ['a run with a broken must clause and a fault of the suite', brokenMust, { errors: [makeFault('m')] }, 1],
  [
    'an interrupted run with a warning and STRICT',
    brokenShould,
    { ...strictSettings, interrupted: 'its time was up.' },
    1,
  ],
  ['a run with a broken must clause and a leaked secret', brokenMust, { leaks: ['junit.xml'] }, 3],
] satisfies [string, JournalLine[], Partial<RunFacts>, number][])
  test(`The exit status of ${title} is ${exitStatus}`, () => {
    expect(reportOfLines(journal, facts).gate).toMatchObject({ pass: false, exitStatus });
  });

test('The JUnit file of an empty, misconfigured or interrupted run has one error', () => {
  for (const report of [
    reportOfLines([]),
    reportOfLines([], { configuration: ['SEED is no number.'] }),
    reportOfLines(makeSoundJournal(), { interrupted: 'its time was up.' }),
  ]) {
    expect(toJunit(report)).toMatch(/<testsuites [^>]* errors="1"/);
  }
  expect(toJunit(soundReport)).toMatch(/<testsuites [^>]* errors="0"/);
});

const warningFinding = makeFindingLine({
  clause: 'service.content-type',
  operation: 'findAtms',
  pointer: 'response/header/content-type',
  exchange: 'findAtms-1',
});

/** Returns a report with one warning of this class. With `expires`, KNOWN tolerates the warning up to that day. */
function reportOnClass(of: ClauseClass, failOn: readonly ClauseClass[], expires?: string, more = {}): Report {
  const { clause, pointer } = warningFinding;
  const entry = { clause, operation: 'GET /api/v1/atms', pointer, reason: 'It is known.', owner: 'The team', ...more };
  return reportOfLines(
    [...makeSoundJournal(), ...makeLines(warningFinding)],
    {
      suite: { ...RUN_FACTS.suite, failOn },
      ...(expires === undefined ? {} : { baselineFiles: { known: [{ ...entry, expires }] } }),
    },
    {
      ...smallCatalogue,
      clauses: { ...smallCatalogue.clauses, [clause]: { ...smallCatalogue.clauses[clause]!, class: of } },
    },
  );
}

test('A warning fails the gate if FAIL_ON names its class, unless KNOWN tolerates it', () => {
  for (const of of clauseClasses) {
    expect(reportOnClass(of, clauseClasses).gate).toMatchObject({
      exitStatus: 1,
      reasons: [`1 ${of} warning: service.content-type, and FAIL_ON is ${clauseClasses.join()}`],
    });
    const otherClasses = clauseClasses.filter((findingClass) => findingClass !== of);
    expect(reportOnClass(of, otherClasses).gate.exitStatus).toBe(0);
    expect(reportOnClass(of, [of], '2025-02-01').gate.exitStatus).toBe(0);
  }
  expect(reportOnClass('money', [], '2025-01-01').gate).toMatchObject({
    exitStatus: 1,
    reasons: [expect.stringMatching(/expired on/)],
  });
  expect(reportOnClass('money', [], '2025-02-01', { pointer: 'response/body' }).gate).toMatchObject({
    exitStatus: 0,
    reasons: [expect.anything(), expect.stringMatching(/did not show any more .*STRICT=1/)],
  });
});

test('The headline counts security and money warnings by their class, and other warnings without', () => {
  expect(reportOnClass('security', [])).toMatchObject({
    headline: 'conformant, with 1 security warning',
    securityWarnings: 1,
    gate: { exitStatus: 0 },
  });
  expect(reportOnClass('money', [])).toMatchObject({
    headline: 'conformant, with 1 money warning',
    securityWarnings: 0,
  });
  expect(reportOnClass('robustness', []).headline).toBe('conformant, with 1 warning');
});

const readSignals = (report: Report) => [
  chooseSignal(report),
  (JSON.parse(writeBadge(report)) as { color: string; isError: boolean }).color,
  writeSummary(report).slice(3, 5),
  /<h1 class="(\w+)"/.exec(renderHtml(report))?.[1],
  // The code of the colour stands before the letter m.
  writeTerminalSummary(report, { color: true }).split('Verdict')[0]?.slice(-3, -1),
  /<testsuites [^>]*failures="(\d+)"/.exec(toJunit(report))?.[1],
  /^::(\w+)/.exec(writeAnnotations(report))?.[1],
];
const warned = reportOnClass('robustness', ['money']);
for (const [title, report, signals] of [
  ['conformant without warnings: green', soundReport, ['pass', 'brightgreen', '🟢', 'pass', '32', '0', undefined]],
  ['conformant with warnings: amber', warned, ['warning', 'orange', '🟠', 'warning', '33', '0', 'warning']],
  [
    'conformant with a warning that fails the gate: red',
    reportOnClass('money', ['money']),
    ['fail', 'red', '🔴', 'fail', '31', '1', 'error'],
  ],
  ['non-conformant: red', reportOfLines(brokenMust), ['fail', 'red', '🔴', 'fail', '31', '1', 'error']],
  [
    'inconclusive',
    reportOfLines(makeSoundJournal(), { interrupted: 'its time was up.' }),
    ['inconclusive', 'yellow', '🟡', 'inconclusive', '33', '0', 'error'],
  ],
] as const)
  test(`All formats show the same colour for a report that is ${title}`, () => {
    expect(readSignals(report)).toEqual(signals);
  });

test('The JUnit file shows a warning that does not fail the gate in its test case and as a property', () => {
  const text = toJunit(warned);
  expect(text).toContain('<system-out>Broken: The statement of service.content-type.\nwarning (robustness)\n');
  expect(text).toMatch(/<property name="service.content-type at GET [^"]*" value="Broken: The statement [^"]*"\/>/);
  expect(text).toMatch(/<property name="gate" value="Gate passed: [^"]*"\/>/);
});

test('Terminal, page and summary say how many clauses of the gate were not tested, and where the reasons stand', () => {
  const untested = '1 of 2 consistency clauses was not tested';
  const strict = reportOfLines(makeSoundJournal(), strictSettings);
  expect(describeGate(strict).untestedNote).toBe(untested);
  expect(writeTerminalSummary(strict, { color: false, path: 'out/a.html' })).toContain(
    `${untested}: out/a.html#not-tested says why\n`,
  );
  expect(renderHtml(strict)).toContain(`<a href="#not-tested">${untested}</a>`);
  expect(renderHtml(strict)).toMatch(/<details class="fold" id="not-tested">[^]*links\.unique<\/a> \(consistency\)/);
  expect(writeSummary(strict)).toContain(`${untested}: see “Not tested”.`);
  expect(writeSummary(strict)).toMatch(/<summary>Not tested<\/summary>[^]*links&#46;unique/);
  expect(describeGate(soundReport).untestedNote).toBe('');
});

test('Findings are sorted: failures before warnings, then by class, then by the number of answers', () => {
  const finding = (id: string, verdict: Finding['verdict'], of: ClauseClass, answers: number): Finding =>
    ({ ...warned.findings[0]!, id, verdict, class: of, answers }) satisfies Finding;
  const inOrder = [
    finding('e', 'fail', 'consistency', 1),
    finding('d', 'warning', 'security', 1),
    finding('c', 'warning', 'money', 2),
    finding('b', 'warning', 'consistency', 9),
    finding('f', 'warning', 'consistency', 3),
    finding('a', 'warning', 'robustness', 10),
  ];
  const shuffled = inOrder.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  expect(shuffled.toSorted(compareFindings).map(({ id }) => id)).toEqual(inOrder.map(({ id }) => id));
  // The report has this order, and not that of the document, in which the offers come before the links.
  const offer = makeFindingLine({ clause: 'service.content-type', operation: 'requestLoan', pointer: '/data' });
  const link = makeFindingLine({ clause: 'links.unique', operation: 'createPaymentLink', pointer: '/data/order_id' });
  const { findings } = reportOfLines(
    [...makeSoundJournal(), ...makeLines(offer, link)],
    {},
    {
      ...smallCatalogue,
      clauses: {
        ...smallCatalogue.clauses,
        'links.unique': { ...smallCatalogue.clauses['links.unique']!, class: 'security' },
      },
    },
  );
  expect(findings.map(({ clause }) => clause)).toEqual(['links.unique', 'service.content-type']);
});

test('A report folder that begins with a dash is written as a path, not as an option', () => {
  const report = reportOfLines(makeSoundJournal());
  const locateIn = (folder: string): string =>
    locateReport({ ...report, suite: { ...report.suite, settings: { REPORT_DIR: folder } } });
  expect(locateIn('-mine/')).toBe('./-mine/conformance.json');
  expect(locateIn('mine')).toBe('mine/conformance.json');
});
