/** Tests how the report is built from the lines of the logs: clauses, findings and tables. */
import { expect, test } from '@playwright/test';
import type { JournalLine } from '../../../../openapi/model/journal.ts';
import type { Report } from '../../../../reports/model/report.ts';
import { writeCreatedCsv } from '../../../../reports/write-report.ts';
import { expectLinear } from '../linear-time.ts';
import {
  makeEntryLine,
  makeFindingLine,
  reportOfLines,
  makeLines,
  makeRecord,
  smallCatalogue,
  makeSoundJournal,
  soundReport,
  makeJournalOfTested,
} from '../../support/reports/sample-report.ts';

type LooseLine = Readonly<Record<string, unknown>>;

const findClause = (report: Report, id: string) => report.clauses.find((clause) => clause.id === id)!;
const makeReportWith = (...more: readonly LooseLine[]): Report =>
  reportOfLines([...makeSoundJournal(), ...makeLines(...more)]);
const tooLongFinding = makeFindingLine();

test('A thousand equal violations at one place are one finding with the count 1001', () => {
  const violations = Array.from({ length: 1000 }, (_, at) => ({ ...tooLongFinding, exchange: `none-${at}` }));
  const report = makeReportWith(tooLongFinding, ...violations, { ...tooLongFinding, kind: 'missing' });
  expect(report.findings).toMatchObject([
    {
      kind: 'format',
      count: 1001,
      id: 'loans.rate requestLoan /data/infos/*/interest_rate format',
      verdict: 'fail',
      operation: 'POST /api/bank/revolving-loans/v1/loans',
      exchange: 'requestLoan-1',
      curl: expect.stringContaining('https://bank.example/sandbox/api/bank/revolving-loans/v1/loans'),
    },
    { kind: 'missing', count: 1 },
  ]);
  expect(findClause(report, 'loans.rate')).toMatchObject({ verdict: 'fail', broken: 1001, exercised: 1001 });
  expect(report.gate).toMatchObject({ pass: false, exitStatus: 1 });
});

const refusedExchange = {
  ...tooLongFinding,
  clause: 'loans.order-id',
  pointer: 'request/body/order_id',
  kind: 'refused',
  contrast: 'requestLoan-2',
};
for (const [title, report, findings] of [
  [
    'A refused documented request is no finding if its clause was kept elsewhere in the run',
    makeReportWith(refusedExchange),
    [],
  ],
  [
    'A refused documented request is a finding if its clause was never kept in the run',
    reportOfLines([...makeJournalOfTested((id) => id !== 'loans.order-id'), ...makeLines(refusedExchange)]),
    [{ clause: 'loans.order-id', verdict: 'fail', contrast: 'requestLoan-2' }],
  ],
] satisfies [string, Report, object[]][])
  test(title, () => {
    expect(report.findings).toHaveLength(findings.length);
    expect(report.findings).toMatchObject(findings);
    expect(report.verdict).toBe(
      report.findings.some(({ verdict }) => verdict === 'fail') ? 'non-conformant' : 'conformant',
    );
  });

test('A log without the end of its scenario is a fault of the suite, unless the run was interrupted', () => {
  const journalWithoutEnd = makeSoundJournal().slice(0, -1);
  const errors = [{ scenario: 'Everything is as documented' }];
  expect(reportOfLines(journalWithoutEnd)).toMatchObject({ verdict: 'inconclusive', errors });
  const interrupted = 'it was interrupted.';
  expect(reportOfLines(journalWithoutEnd, { interrupted })).toMatchObject({
    verdict: 'inconclusive',
    errors: [],
    interrupted,
  });
});

test('The order of the scenarios does not change the report', () => {
  const scenario = (id: string, finding: LooseLine): JournalLine[] =>
    makeLines({ line: 'scenario', scenario: id, title: id }, finding, { line: 'end', scenario: id, durationMs: 1 });
  const [a, b] = [scenario('a', tooLongFinding), scenario('b', { ...tooLongFinding, kind: 'missing' })];
  const { scenarios: _, ...reportOfAB } = reportOfLines([...a, ...b]);
  const { scenarios: __, ...reportOfBA } = reportOfLines([...b, ...a]);
  expect(reportOfAB).toEqual(reportOfBA);
});

test('The cost of building a report is proportional to the length of the run', () => {
  const exercised = Object.keys(smallCatalogue.clauses);
  const linesOf = (scenarios: number): JournalLine[] =>
    Array.from({ length: scenarios }, (_, n) => [
      ...makeLines({ line: 'scenario', scenario: `${n}`, title: 't' }),
      ...Array.from({ length: 100 }, (_, m) =>
        makeLines(makeEntryLine(`${n}-${m}`, 'findAtms', { ms: m, exercised }), {
          ...tooLongFinding,
          exchange: `${n}-${m}`,
          kind: `${m % 50}`,
        }),
      ).flat(),
    ]).flat();
  expect(reportOfLines(linesOf(40)).requests).toBe(4000);
  expectLinear('exchanges', reportOfLines, linesOf, 40);
});

test('A clause that one answer left undecided is not tested, although other answers kept it', () => {
  const report = makeReportWith(
    makeEntryLine('undecided', 'createPaymentLink', { undecided: ['links.token-in-link'] }),
  );
  expect(findClause(soundReport, 'links.token-in-link').verdict).toBe('pass');
  expect(findClause(report, 'links.token-in-link')).toMatchObject({
    verdict: 'inconclusive',
    exercised: 0,
  });
});

test('A finding counts its values and its answers, and takes value, place and curl line from its smallest exchange', () => {
  const smallFinding = {
    ...tooLongFinding,
    exchange: 'small',
    received: '"2.5"',
    instance: '/data/infos/3/interest_rate',
  };
  const { findings, clauses } = makeReportWith(
    ...[0, 1, 2].map((at) => ({ ...tooLongFinding, instance: `/data/infos/${at}/interest_rate` })),
    makeEntryLine('small', 'requestLoan', {
      exercised: ['loans.rate'],
      breaks: [smallFinding],
      request: { ...makeRecord('x', 'requestLoan').request, body: '{"amount":1}' },
    }),
    {
      ...tooLongFinding,
      line: 'counterexample',
      counterexample: { input: {}, state: 'minimal', shrinks: 1, exchange: 'small' },
      replay: 's1#loans#0',
    },
  );
  const { received, instance } = smallFinding;
  expect(findings).toMatchObject([{ count: 4, answers: 2, exercised: 3, exchange: 'small', received, instance }]);
  expect(findings[0]?.curl).toContain('{"amount":1}');
  expect(clauses.find(({ id }) => id === 'loans.rate')).toMatchObject({ exercised: 3, broken: 2 });
});

test('created.csv lists created resources first, then those that were perhaps created, then refused requests', () => {
  const send = (exchange: string, what: string, id: string, amount?: number): LooseLine => ({
    line: 'creation-sent',
    ...{ what, id, exchange },
    ...(amount === undefined ? {} : { amount, currency: 'EUR' }),
  });
  const create = (...sent: Parameters<typeof send>): LooseLine => ({ ...send(...sent), line: 'created' });
  const report = reportOfLines(
    makeLines(
      send('a', 'link', 'a, description', 5),
      ...[send('b', 'application', 'O-1'), create('b', 'application', '1')],
      // The bank answered only the second of two sendings.
      ...[
        send('c', 'disbursement', '1', 0.1),
        send('c', 'disbursement', '1', 0.1),
        create('c', 'disbursement', '1', 0.1),
      ],
      ...[send('d', 'application', 'O-2'), { line: 'creation-refused', exchange: 'd' }],
      ...[send('e', 'disbursement', '2', 0.2), create('e', 'disbursement', '2', 0.2)],
    ),
  );
  expect(report.createdResources).toMatchObject({
    counts: { application: 1, contract: 0, disbursement: 2, link: 0 },
    amounts: [{ what: 'disbursement', currency: 'EUR', total: 0.3 }],
  });
  expect(writeCreatedCsv(report).split('\r\n')).toEqual([
    'what,id,amount,currency,exchange,state',
    'application,1,,,b,created',
    'disbursement,1,0.1,EUR,c,created',
    'disbursement,2,0.2,EUR,e,created',
    'disbursement,1,0.1,EUR,c,perhaps',
    'link,"a, description",5,EUR,a,perhaps',
    'application,O-2,,,d,refused',
    '',
  ]);
});
