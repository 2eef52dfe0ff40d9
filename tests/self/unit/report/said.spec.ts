/** The texts of a report: one unit for counts, one exchange for value and command, security warnings and tolerated ones marked. */
import { expect, test } from '@playwright/test';
import { clauseClasses, type ClauseClass } from '../../../../openapi/clauses/clause.ts';
import { readSet } from '../../../../openapi/clauses/requirement-sets.ts';
import { toCtrf } from '../../../../reports/formats/ctrf.ts';
import { annotate } from '../../../../reports/formats/github.ts';
import { describeTested } from '../../../../reports/text/phrases.ts';
import { foldReport } from '../../../../reports/fold/index.ts';
import { renderHtml } from '../../../../reports/formats/html/index.ts';
import { writeSummary } from '../../../../reports/formats/markdown.ts';
import { toJunit } from '../../../../reports/formats/junit.ts';
import { toSarif } from '../../../../reports/formats/sarif.ts';
import { summarize } from '../../../../reports/formats/terminal.ts';
import type { Catalogue } from '../../../../reports/model/catalogue.ts';
import type { Report } from '../../../../reports/model/report.ts';
import { body } from '../../support/judge-harness.ts';
import { runHarness } from '../../support/scenario-harness.ts';
import { closeAll } from '../../support/servers.ts';
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
  soundReport,
} from '../../support/reports/sample-report.ts';

/** Returns the small catalogue with one expectation of another class. */
const makeCatalogue = (of: ClauseClass): Catalogue => ({
  ...smallCatalogue,
  clauses: {
    ...smallCatalogue.clauses,
    'service.content-type': { ...smallCatalogue.clauses['service.content-type']!, class: of },
  },
});
const warning = makeFindingLine({
  clause: 'service.content-type',
  operation: 'findAtms',
  pointer: 'response/header/content-type',
  kind: 'label',
  expected: 'application/json',
  received: 'text/html',
  exchange: 'findAtms-1',
});
const knownWarning = {
  clause: warning.clause,
  operation: 'GET /api/v1/atms',
  pointer: warning.pointer,
  reason: 'The next release cures it.',
  owner: 'The gateway team',
};
test.afterEach(closeAll);

const renderSummary = (report: Report): string => summarize(report, { color: false });
const reportOnClass = (of: ClauseClass, failOn: readonly ClauseClass[] = [], more: object = {}): Report =>
  foldJournal(
    [...makeSoundJournal(), ...makeLines(warning)],
    { suite: { ...RUN_FACTS.suite, failOn }, ...more },
    makeCatalogue(of),
  );

test('Security warnings are named in the headline and counted', () => {
  const report = reportOnClass('security');
  expect([report.headline, report.securityWarnings]).toEqual(['conformant, with 1 security warning', 1]);
  expect(renderHtml(report)).toContain('Conformant, with 1 security warning</h1>');
  expect(renderSummary(report)).toContain('Verdict: conformant, with 1 security warning');
  expect(report.gate.exitStatus).toBe(0);
  expect(reportOnClass('money')).toMatchObject({ headline: 'conformant', securityWarnings: 0 });
});

for (const of of clauseClasses)
  test(`Every rendering names the class of warnings of class ${of}, and they fail the gate if FAIL_ON names the class`, () => {
    const report = reportOnClass(of);
    expect(report.findings).toMatchObject([{ verdict: 'warning', class: of }]);
    expect(report.clauses.find(({ id }) => id === warning.clause)?.class).toBe(of);
    expect(renderSummary(report)).toContain(`warning (${of}) service.content-type`);
    expect(renderHtml(report)).toContain(`warning (${of})`);
    expect(toJunit(report)).toContain(`class: ${of}`);
    expect(writeSummary(report)).toContain(`| warning &#40;${of}&#41; |`);
    expect(annotate(report)).toContain(`warning (${of})`);
    expect(JSON.parse(toSarif(report))).toMatchObject({
      runs: [{ tool: { driver: { rules: [{ properties: { tags: [of] } }] } } }],
    });
    expect(JSON.parse(toCtrf(report))).toMatchObject({
      results: { tests: expect.arrayContaining([expect.objectContaining({ tags: ['should', 'service', of] })]) },
    });
    expect(reportOnClass(of, ['money', 'security', 'consistency', 'robustness']).gate).toMatchObject({
      exitStatus: 1,
      reasons: [`1 ${of} warning, and FAIL_ON names ${of}`],
    });
    const others = clauseClasses.filter((entry) => entry !== of);
    expect(reportOnClass(of, others).gate.exitStatus).toBe(0);
    const tolerated = { baselineFiles: { known: [{ ...knownWarning, expires: '2025-02-01' }] } };
    expect(reportOnClass(of, [of], tolerated).gate.exitStatus).toBe(0);
  });

test('The class comes from the catalogue, for any requirement set', () => {
  const requirements = { set: '2026.1', digest: '', frozen: true };
  const { clauses } = foldReport({ lines: [], run: { ...RUN_FACTS, suite: { ...RUN_FACTS.suite, requirements } } });
  const classOf = (id: string) => clauses.find((clause) => clause.id === id)?.class;
  expect(
    ['loans.disbursement.once', 'service.odd-input', 'loans.credentials.token', 'atms.no.one-place'].map(classOf),
  ).toEqual(['money', 'robustness', 'security', 'consistency']);
  expect(Object.values(readSet().requirements).some((requirement) => 'class' in requirement)).toBe(false);
});

test('The tested share of the behaviour is shown beside the verdict, with the largest gap', () => {
  const said = (clauses: readonly Partial<Report['clauses'][number]>[]) =>
    describeTested({ clauses: clauses as Report['clauses'] });
  const clause = { level: 'must', verdict: 'pass', area: 'loans', places: [], why: null } as const;
  const missed = { ...clause, level: 'should', verdict: 'inconclusive', why: 'MAX_LINKS is 0.' } as const;
  const inContract = { ...clause, places: [{ operation: null, pointers: ['/data'], exercised: 1, broken: 0 }] };
  expect(said([clause, inContract])).toBe('1 of 1 behaviour clause tested.');
  expect(
    said([
      clause,
      { ...clause, verdict: 'fail' },
      missed,
      { ...missed, area: 'payment-links' },
      { ...missed, area: 'payment-links' },
      { ...missed, level: 'open' },
      { ...missed, verdict: 'not-applicable' },
    ]),
  ).toBe('2 of 5 behaviour clauses tested; the largest gap: 2 of Pay-by-Link (MAX_LINKS is 0).');
  const sentence = describeTested(soundReport);
  expect(sentence).toMatch(/^0 of 0 behaviour clauses tested\.$/);
  for (const text of [
    renderSummary(soundReport),
    renderHtml(soundReport),
    writeSummary(soundReport).replaceAll('&#46;', '.'),
  ])
    expect(text).toContain(sentence);
});

test('A stale or expired known warning fails the gate like any other, and a tolerated finding is marked', () => {
  const entry = (expires: string, pointer = knownWarning.pointer) => ({
    baselineFiles: { known: [{ ...knownWarning, expires, pointer }] },
  });
  for (const more of [entry('2025-01-01'), entry('2025-02-01', 'response/body')])
    expect(reportOnClass('money', [], more).gate).toMatchObject({
      exitStatus: 1,
      reasons: [expect.stringMatching(/is stale|expired on/)],
    });
  const tolerated = reportOnClass('money', [], entry('2025-02-01'));
  expect(renderSummary(tolerated)).toContain('warning (money, tolerated until 2025-02-01) service.content-type');
  expect(renderHtml(tolerated)).toContain('<strong>Tolerated</strong> until 2025-02-01');
  expect(toJunit(tolerated)).toContain('tolerated until 2025-02-01: The next release cures it.');
});

test('Counts are of answers, with the values beside them; value, place and command come from one exchange', () => {
  const broken = makeFindingLine();
  const small = { ...broken, exchange: 'small', received: '"2.5"', instance: '/data/infos/3/interest_rate' };
  const { request } = makeRecord('x', 'requestLoan');
  const report = foldJournal([
    ...makeSoundJournal().slice(0, -1),
    ...makeLines(
      ...[0, 1, 2].map((at) => ({ ...broken, instance: `/data/infos/${at}/interest_rate` })),
      makeEntryLine('small', 'requestLoan', {
        exercised: ['loans.rate'],
        breaks: [small],
        request: { ...request, body: '{"amount":1}' },
      }),
      {
        ...broken,
        line: 'counterexample',
        counterexample: { input: {}, state: 'minimal', shrinks: 1, exchange: 'small' },
        replay: 's1#loans#0',
      },
      { line: 'end', scenario: 's1', durationMs: 1 },
    ),
  ]);
  expect(report.findings).toMatchObject([
    {
      count: 4,
      answers: 2,
      exercised: 3,
      exchange: 'small',
      received: '"2.5"',
      instance: '/data/infos/3/interest_rate',
    },
  ]);
  expect(report.findings[0]?.curl).toContain('{"amount":1}');
  for (const text of [renderSummary(report), renderHtml(report)])
    expect(text).toContain('in 2 of 3 answers (4 values)');
  expect(report.clauses.find(({ id }) => id === 'loans.rate')).toMatchObject({ exercised: 3, broken: 2 });
});

test('Answers, their values and comparisons over the run are counted, and every rendering says the same', async () => {
  const offer = (body('requestLoan') as { data: { infos: object[] } }).data.infos[0];
  const wrong = { ...offer, interest_rate: '2.79' };
  const asked = { amount: 1250.5, currency: 'EUR', commercial_disbursement: true, disbursement_purpose: false };
  let [loans, lists] = [0, 0];
  // In five loan answers with 30 offers each, the second has 25 wrong offers, the fourth one; two of five lists differ.
  const { lines: journal } = await runHarness(
    async ({ bank }) => {
      for (let turn = 0; turn < 5; turn += 1) {
        await bank.requestLoan({ ...asked, order_id: `A-${turn}` });
        await bank.listBranches({ merchant_no: '7001' });
      }
    },
    {
      creates: { applications: 5 },
      answer: (operation) => {
        if (operation === 'listBranches') {
          const no = (lists += 1) > 3 ? 99 : 1;
          return { body: { data: { branches: [{ no, name: 'Main' }] } } };
        }
        const bad = [0, 25, 0, 1, 0][loans] ?? 0;
        loans += 1;
        const infos = Array.from({ length: 30 }, (_, at) => ({
          ...(at < bad ? wrong : offer),
          account_id: String(900 + at),
        }));
        return { body: { data: { application_id: String(loans), result: 'true', infos } } };
      },
    },
  );
  const report = foldReport({ lines: journal, run: RUN_FACTS });
  const of = (clause: string) => report.findings.find((one) => one.clause === clause);
  expect(of('loans.offer.interest-rate.decimals')).toMatchObject({
    count: 26,
    answers: 2,
    exercised: 5,
    exercisedValues: 150,
  });
  expect(of('links.lists-repeat')).toMatchObject({ count: 2, answers: 2, exercised: 4, unit: 'comparisons' });
  expect(report.clauses.find(({ id }) => id === 'links.lists-repeat')).toMatchObject({ exercised: 4, broken: 2 });
  for (const text of [
    renderSummary(report),
    renderHtml(report),
    toJunit(report),
    toSarif(report),
    writeSummary(report),
  ]) {
    expect(text).toContain('in 2 of 5 answers (26 of 150 values)');
    expect(text).toContain('in 2 of 4 comparisons');
  }
});

test('For a request with a used-up application the page says that a replay opens another application', () => {
  const worst = faultyReport.findings[0]!;
  const labelAt = (operation: string): boolean =>
    renderHtml({ ...faultyReport, findings: [{ ...worst, operation }] }).includes('where its application is used up');
  expect(labelAt('POST /api/bank/revolving-loans/v1/disbursements')).toBe(true);
  expect(labelAt('POST /api/bank/revolving-loans/v1/loans')).toBe(false);
});

test('The page does not refer to conformance.json for an exchange that is not there', () => {
  const page = renderHtml({ ...faultyReport, exchanges: {} });
  expect(page).toContain('Its exchange was not kept.');
  expect(page).not.toContain('not on this page; see conformance.json');
});
