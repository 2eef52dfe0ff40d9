/** What a report says, its reasons and of findings: one unit for counts, one exchange for value and command, security by itself, tolerance as such. */
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { passing, refusing } from '../../../../fixtures/banks/lib/serving.ts';
import { refusal } from '../../../../fixtures/banks/lib/exchange.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import { fold } from '../../../../reports/fold/index.ts';
import { renderHtml } from '../../../../reports/formats/html/index.ts';
import { jobSummary } from '../../../../reports/formats/markdown.ts';
import { junit } from '../../../../reports/formats/junit.ts';
import { sarif } from '../../../../reports/formats/sarif.ts';
import { summary } from '../../../../reports/formats/terminal.ts';
import type { Catalogue } from '../../../../reports/model/catalogue.ts';
import type { Report } from '../../../../reports/model/report.ts';
import { examine } from '../../support/examine.ts';
import { body } from '../../support/judge-harness.ts';
import { runHarness } from '../../support/scenario-harness.ts';
import { closeAll } from '../../support/servers.ts';
import {
  entryLine,
  faultyReport,
  findingLine,
  folded,
  lines,
  record,
  run,
  smallCatalogue,
  soundJournal,
} from '../../support/reports/sample-report.ts';

/** The small catalogue in which one expectation is about security. */
const catalogue: Catalogue = {
  ...smallCatalogue,
  clauses: {
    ...smallCatalogue.clauses,
    'service.content-type': { ...smallCatalogue.clauses['service.content-type']!, class: 'security' },
  },
};
const warning = findingLine({
  clause: 'service.content-type',
  operation: 'findAtms',
  pointer: 'response/header/content-type',
  kind: 'label',
  expected: 'application/json',
  received: 'text/html',
  exchange: 'findAtms-1',
});
const known = {
  clause: warning.clause,
  operation: 'GET /api/v1/atms',
  pointer: warning.pointer,
  reason: 'The next release cures it.',
  owner: 'The gateway team',
};
test.afterEach(closeAll);

const plain = (report: Report): string => summary(report, { color: false });
const judged = (more: object = {}, suite: object = {}, used = catalogue): Report =>
  folded([...soundJournal(), ...lines(warning)], { suite: { ...run.suite, ...suite }, ...more }, used);

test('Security warnings stand in the headline and are counted', () => {
  const report = judged();
  expect([report.headline, report.securityWarnings]).toEqual(['conformant, with 1 security warning', 1]);
  expect(renderHtml(report)).toContain('Conformant, with 1 security warning</h1>');
  expect(plain(report)).toContain('Verdict: conformant, with 1 security warning');
  expect(report.gate.exitStatus).toBe(0);
  expect(judged({}, {}, smallCatalogue)).toMatchObject({ headline: 'conformant', securityWarnings: 0 });
});

test('FAIL_ON=security fails the gate, unless somebody answers for the warning', () => {
  expect(judged({}, { failOn: ['security'] }).gate).toMatchObject({
    exitStatus: 1,
    reasons: ['1 security warning, and FAIL_ON names security'],
  });
  const tolerated = { baselineFiles: { known: [{ ...known, expires: '2025-02-01' }] } };
  expect(judged(tolerated, { failOn: ['security'] }).gate.exitStatus).toBe(0);
});

test('A known entry of a warning that is stale or expired fails the gate as any other, and a tolerated finding says so', () => {
  for (const [expires, pointer] of [
    ['2025-01-01', known.pointer],
    ['2025-02-01', 'response/body'],
  ] as const)
    expect(judged({ baselineFiles: { known: [{ ...known, expires, pointer }] } }).gate).toMatchObject({
      exitStatus: 1,
      reasons: [expect.stringMatching(/is stale|expired on/)],
    });
  const tolerated = judged({ baselineFiles: { known: [{ ...known, expires: '2025-02-01' }] } });
  expect(plain(tolerated)).toContain('warning (tolerated until 2025-02-01) service.content-type');
  expect(renderHtml(tolerated)).toContain('<strong>Tolerated</strong> until 2025-02-01');
  expect(junit(tolerated)).toContain('tolerated until 2025-02-01: The next release cures it.');
});

test('Counts are of answers, with the values beside; value, place and command are of one exchange', () => {
  const broken = findingLine();
  const small = { ...broken, exchange: 'small', received: '"2.5"', instance: '/data/infos/3/interest_rate' };
  const { request } = record('x', 'requestLoan');
  const report = folded([
    ...soundJournal().slice(0, -1),
    ...lines(
      ...[0, 1, 2].map((at) => ({ ...broken, instance: `/data/infos/${at}/interest_rate` })),
      entryLine('small', 'requestLoan', {
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
  for (const text of [plain(report), renderHtml(report)]) expect(text).toContain('in 2 of 3 answers (4 values)');
  expect(report.clauses.find(({ id }) => id === 'loans.rate')).toMatchObject({ exercised: 3, broken: 2 });
});

test('Answers, their values and comparisons over the run are counted, and every rendering says the same', async () => {
  const offer = (body('requestLoan') as { data: { infos: object[] } }).data.infos[0];
  const wrong = { ...offer, interest_rate: '2.79' };
  const asked = { amount: 1250.5, currency: 'EUR', commercial_disbursement: true, disbursement_purpose: false };
  let [loans, lists] = [0, 0];
  // Of five loan answers with 30 offers each, the second has 25 wrong ones and the fourth one; of five lists two differ.
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
  const report = fold({ lines: journal, run });
  const of = (clause: string) => report.findings.find((one) => one.clause === clause);
  expect(of('loans.offer.interest-rate.decimals')).toMatchObject({ count: 26, answers: 2, exercised: 5, values: 150 });
  expect(of('links.lists-repeat')).toMatchObject({ count: 2, answers: 2, exercised: 4, unit: 'comparisons' });
  expect(report.clauses.find(({ id }) => id === 'links.lists-repeat')).toMatchObject({ exercised: 4, broken: 2 });
  for (const text of [plain(report), renderHtml(report), junit(report), sarif(report), jobSummary(report)]) {
    expect(text).toContain('in 2 of 5 answers (26 of 150 values)');
    expect(text).toContain('in 2 of 4 comparisons');
  }
});

test('A fault of the configuration in mid-run denies nothing that was judged, and what it tore is no fault of the suite', () => {
  const torn = lines({ line: 'scenario', scenario: 't', title: 'Torn' });
  const configuration = ['ACCESS_TOKEN_COMMAND ended with exit status 3: run it by hand.'];
  const { reasons, errors, gate } = fold({ lines: [...soundJournal(), ...torn], run: { ...run, configuration } });
  expect(reasons[0]).toBe(`Not all was judged, because the configuration is wrong: ${configuration[0]}`);
  expect([errors, gate.exitStatus]).toEqual([[], 2]);
});

test('The page says of a request whose application is used up that a replay opens another', () => {
  const worst = faultyReport.findings[0]!;
  const labelAt = (operation: string): boolean =>
    renderHtml({ ...faultyReport, findings: [{ ...worst, operation }] }).includes('where its application is used up');
  expect(labelAt('POST /api/bank/revolving-loans/v1/disbursements')).toBe(true);
  expect(labelAt('POST /api/bank/revolving-loans/v1/loans')).toBe(false);
});

test('The page does not send its reader to conformance.json for an exchange that is not there', () => {
  const page = renderHtml({ ...faultyReport, exchanges: {} });
  expect(page).toContain('Its exchange was not kept.');
  expect(page).not.toContain('not on this page; see conformance.json');
});

test('Where lists are refused, that is why there are no ids, and no missing data', async () => {
  const bank = refusing(createBank(), ['listInstallments'], () => refusal(403, 'Blocked'));
  const reasons = (await examine(bank, { env: { AREAS: 'payment-links' } })).reasons.join(' ');
  expect(reasons).toContain('because listInstallments never succeeded, where its ids come from');
  expect(reasons).not.toContain('not found');
});

test('Answers that came and cannot be read are not laid at the door of the load', async () => {
  const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
  const bank = passing(createBank(), async (response, nth) => {
    const whole = gzipSync(new Uint8Array(await response.arrayBuffer()));
    return new Response(nth % 4 === 0 ? whole : whole.subarray(0, whole.length / 2), { headers });
  });
  const reasons = (await examine(bank, { env: { AREAS: 'atms', RUNS: '5' } })).reasons.join(' ');
  expect(reasons).toContain('cannot be read');
  expect(reasons).not.toContain('RATE_LIMIT');
});

test('A cap of nothing was not used up', async () => {
  const report = await examine(createBank(), { env: { AREAS: 'loans', MAX_APPLICATIONS: '0' } });
  const said = [...report.reasons, ...report.clauses.map(({ why }) => why)].join(' ');
  expect(said).toContain('MAX_APPLICATIONS is 0');
  expect(said).not.toContain('(0) was used up');
});
