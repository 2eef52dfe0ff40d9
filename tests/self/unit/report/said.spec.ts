/**
 * Tests the texts of a report: every output says the same about a finding, counts have one unit, and value and command come from
 * one exchange.
 */
import { expect, test } from '@playwright/test';
import { clauseClasses, type ClauseClass } from '../../../../openapi/clauses/clause.ts';
import { describeTestedClauses } from '../../../../reports/text/phrases.ts';
import { renderHtml } from '../../../../reports/formats/html/index.ts';
import { readText, renderings } from '../../support/reports/renderings.ts';
import type { Report } from '../../../../reports/model/report.ts';
import {
  makeEntryLine,
  faultyReport,
  makeFindingLine,
  foldJournal,
  makeLines,
  makeRecord,
  RUN_FACTS,
  smallCatalogue,
  makeSoundJournal,
} from '../../support/reports/sample-report.ts';

const warningFinding = makeFindingLine({
  clause: 'service.content-type',
  operation: 'findAtms',
  pointer: 'response/header/content-type',
  kind: 'label',
  expected: 'application/json',
  received: 'text/html',
  exchange: 'findAtms-1',
});

/** Returns the report with one warning of this class. */
function reportOnClass(of: ClauseClass, failOn: readonly ClauseClass[] = [], expires?: string, more = {}): Report {
  const known = {
    clause: warningFinding.clause,
    operation: 'GET /api/v1/atms',
    pointer: warningFinding.pointer,
    reason: 'The next release cures it.',
    owner: 'The gateway team',
    ...more,
  };
  const clause = { ...smallCatalogue.clauses['service.content-type']!, class: of };
  return foldJournal(
    [...makeSoundJournal(), ...makeLines(warningFinding)],
    {
      suite: { ...RUN_FACTS.suite, failOn },
      ...(expires === undefined ? {} : { baselineFiles: { known: [{ ...known, expires }] } }),
    },
    { ...smallCatalogue, clauses: { ...smallCatalogue.clauses, 'service.content-type': clause } },
  );
}

test('Security warnings are named in the headline and counted', () => {
  const report = reportOnClass('security');
  expect([report.headline, report.securityWarnings]).toEqual(['conformant, with 1 security warning', 1]);
  expect(renderHtml(report)).toContain('Conformant, with 1 security warning</h1>');
  expect(readText('terminal', report)).toContain('Verdict: conformant, with 1 security warning');
  expect(report.gate.exitStatus).toBe(0);
  expect(reportOnClass('money')).toMatchObject({ headline: 'conformant', securityWarnings: 0 });
});

test('Warnings fail the gate if FAIL_ON names their class, unless they are tolerated', () => {
  for (const of of clauseClasses) {
    expect(reportOnClass(of, clauseClasses).gate).toMatchObject({
      exitStatus: 1,
      reasons: [`1 ${of} warning, and FAIL_ON names ${of}`],
    });
    const others = clauseClasses.filter((one) => one !== of);
    expect(reportOnClass(of, others).gate.exitStatus).toBe(0);
    expect(reportOnClass(of, [of], '2025-02-01').gate.exitStatus).toBe(0);
  }
  for (const stale of [
    reportOnClass('money', [], '2025-01-01'),
    reportOnClass('money', [], '2025-02-01', { pointer: 'response/body' }),
  ])
    expect(stale.gate).toMatchObject({ exitStatus: 1, reasons: [expect.stringMatching(/is stale|expired on/)] });
});

const brokenFinding = makeFindingLine();
const smallFinding = {
  ...brokenFinding,
  exchange: 'small',
  received: '"2.5"',
  instance: '/data/infos/3/interest_rate',
};

/** Three wrong values in one answer and one in another, for which a smaller request was found. Both occurred again. */
const countedReport = foldJournal([
  ...makeSoundJournal().slice(0, -1),
  ...makeLines(
    ...[0, 1, 2].map((at) => ({ ...brokenFinding, instance: `/data/infos/${at}/interest_rate` })),
    makeEntryLine('small', 'requestLoan', {
      exercised: ['loans.rate'],
      breaks: [smallFinding],
      entries: { '/data/infos/*': 30 },
      request: { ...makeRecord('x', 'requestLoan').request, body: '{"amount":1}' },
    }),
    {
      ...brokenFinding,
      line: 'counterexample',
      counterexample: { input: {}, state: 'minimal', shrinks: 1, exchange: 'small' },
      replay: 's1#loans#0',
    },
    {
      ...brokenFinding,
      line: 'classification',
      classification: { as: 'deterministic', broken: 11, exercised: 20, again: 4, of: 4, why: 'it showed each time' },
    },
    { line: 'end', scenario: 's1', durationMs: 1 },
  ),
]);

test('Counts are of answers, with the values beside them; value, place and command come from one exchange', () => {
  expect(countedReport.findings).toMatchObject([
    {
      count: 4,
      answers: 2,
      exercised: 3,
      exchange: 'small',
      received: '"2.5"',
      instance: '/data/infos/3/interest_rate',
      curl: expect.stringContaining('{"amount":1}'),
    },
  ]);
  expect(countedReport.clauses.find(({ id }) => id === 'loans.rate')).toMatchObject({ exercised: 3, broken: 2 });
});

const moneyReport = reportOnClass('money');
const toleratedReport = reportOnClass('money', [], '2025-02-01');
for (const [what, report, phrase, names] of [
  ['the class', moneyReport, 'warning (money)', ['terminal', 'page', 'summary', 'annotations']],
  ['the class', moneyReport, 'class: money', ['junit']],
  ['the class as a tag', moneyReport, '"money"', ['sarif']],
  [
    'a tolerated finding',
    toleratedReport,
    'warning (money, tolerated until 2025-02-01)',
    ['terminal', 'page', 'summary'],
  ],
  ['a tolerated finding', toleratedReport, 'tolerated until 2025-02-01: The next release cures it.', ['junit']],
  ['how often it was seen', countedReport, 'in 2 of 3 answers (4 of 30 values)', Object.keys(renderings)],
  ['the repeated requests', countedReport, 'it showed each time (4 of 4 times)', ['terminal', 'page', 'junit']],
] as const)
  test(`The renderings say the same of ${what}: ${phrase}`, () => {
    for (const name of names) expect(readText(name, report), name).toContain(phrase);
  });

test('The tested share of the behaviour is shown with the largest gap', () => {
  const clause = { level: 'must', verdict: 'pass', area: 'loans', places: [], why: null } as const;
  const missed = { ...clause, verdict: 'inconclusive', area: 'payment-links', why: 'MAX_LINKS is 0.' } as const;
  const clauses = [clause, { ...clause, level: 'open' }, missed, missed] as unknown as Report['clauses'];
  expect(describeTestedClauses({ clauses })).toMatch(/^1 of 3 .* 2 of Pay-by-Link \(MAX_LINKS is 0\)\.$/);
});

test('The page says that an exchange was not kept', () => {
  const page = renderHtml({ ...faultyReport, exchanges: {} });
  expect(page).toContain('Its exchange was not kept.');
  expect(page).not.toContain('not on this page; see conformance.json');
});
