/** Tests how the lines of a journal become clauses, findings and tables. */
import { expect, test } from '@playwright/test';
import type { JournalLine } from '../../../../openapi/model/journal.ts';
import type { Report } from '../../../../reports/model/report.ts';
import { describeFrequency } from '../../../../reports/text/phrases.ts';
import { expectLinear } from '../linear-time.ts';
import {
  makeEntryLine,
  makeFindingLine,
  foldJournal,
  makeLines,
  smallCatalogue,
  makeSoundJournal,
  soundReport,
  makeJournalOfTested,
} from '../../support/reports/sample-report.ts';

type LooseLine = Readonly<Record<string, unknown>>;

const findClause = (report: Report, id: string) => report.clauses.find((clause) => clause.id === id)!;
/** Returns the report from the sound journal with these lines added. */
const makeReportWith = (...more: readonly LooseLine[]): Report =>
  foldJournal([...makeSoundJournal(), ...makeLines(...more)]);
const tooLongFinding = makeFindingLine();

test('A journal without findings gives a conformant report', () => {
  expect(soundReport).toMatchObject({
    verdict: 'conformant',
    headline: 'conformant',
    requests: 22,
    findings: [],
    errors: [],
    reasons: [
      'All 11 operations succeeded, and 4 clauses of the document were kept in 22 requests.',
      '1 clause could not be tested, because no answer of the bank contained what it is about; this is allowed.',
    ],
    gate: { pass: true, exitStatus: 0, reasons: ['the bank is conformant'] },
    counts: { must: { pass: 4, inconclusive: 1 } },
  });
  expect(findClause(soundReport, 'service.content-type')).toMatchObject({ verdict: 'pass', exercised: 22 });
  expect(findClause(soundReport, 'service.success-status')).toMatchObject({
    verdict: 'observed',
    exchange: 'findAtms-1',
  });
});

test('Clauses have the order of the sections in the document', () => {
  expect(soundReport.clauses.map((clause) => clause.id)).toEqual([
    'service.content-type',
    'loans.rate',
    'links.token-in-link',
    'links.unique',
    'loans.order-id',
    'atms.distance',
    'service.success-status',
    'loans.errors',
  ]);
});

test('A thousand violations of one kind at one place are one finding with its count', () => {
  const many = Array.from({ length: 1000 }, (_, at) => ({ ...tooLongFinding, exchange: `none-${at}` }));
  const report = makeReportWith(tooLongFinding, ...many, { ...tooLongFinding, kind: 'missing' });
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

const expectationFinding = {
  ...tooLongFinding,
  clause: 'links.unique',
  operation: 'createPaymentLink',
  pointer: '/data/order_id',
};
const refusedExchange = {
  ...tooLongFinding,
  clause: 'loans.order-id',
  pointer: 'request/body/order_id',
  kind: 'refused',
  contrast: 'requestLoan-2',
};
const repeatedExchange = makeSoundJournal().filter(({ line }) => line === 'entry') as unknown as LooseLine[];
for (const [title, report, findings] of [
  [
    'Failures come before warnings, also before frequent ones',
    makeReportWith(expectationFinding, expectationFinding, tooLongFinding),
    [{ verdict: 'fail' }, { verdict: 'warning' }],
  ],
  ['A broken expectation is a warning', makeReportWith(expectationFinding), [{ level: 'should', verdict: 'warning' }]],
  ['An open point cannot be broken', makeReportWith({ ...tooLongFinding, clause: 'service.success-status' }), []],
  [
    'A refused documented request is no finding if it was accepted elsewhere in the run',
    makeReportWith(refusedExchange),
    [],
  ],
  [
    'A refused documented request that was never accepted is a finding',
    foldJournal([...makeJournalOfTested((id) => id !== 'loans.order-id'), ...makeLines(refusedExchange)]),
    [{ clause: 'loans.order-id', verdict: 'fail', contrast: 'requestLoan-2' }],
  ],
  [
    'A server error shown by a pair of requests is not counted among the accepted requests',
    makeReportWith(...repeatedExchange, { ...tooLongFinding, kind: 'server-error' }),
    [{ answers: 1, exercised: 1 }],
  ],
  [
    'Any other violation is counted',
    makeReportWith(...repeatedExchange, tooLongFinding),
    [{ answers: 1, exercised: 4 }],
  ],
] satisfies [string, Report, object[]][])
  test(title, () => {
    expect(report.findings).toHaveLength(findings.length);
    expect(report.findings).toMatchObject(findings);
    expect(report.verdict).toBe(
      report.findings.some(({ verdict }) => verdict === 'fail') ? 'non-conformant' : 'conformant',
    );
  });

test('The curl line about an unchecked credential sends the request that was accepted before it', () => {
  const lineOf = (pointer: string) =>
    makeReportWith({ ...tooLongFinding, kind: 'behaviour', pointer, contrast: 'requestLoan-2' }).findings[0]?.curl;
  const [one, other] = lineOf('request/header/Authorization')?.split(' --next ') ?? [];
  expect(`curl ${other}`).toBe(lineOf('response/status'));
  expect(one).toMatch(/^curl -sS -i https:/);
});

test('A counterexample and its REPLAY value belong to all findings at the same place', () => {
  const counterexample = { input: { amount: 1 }, state: 'minimal', shrinks: 3, exchange: 'requestLoan-2' };
  const joined = { ...tooLongFinding, line: 'counterexample', counterexample, replay: 'loan-requests#offers#3:1' };
  const report = makeReportWith(joined, tooLongFinding);
  expect(report.findings[0]).toMatchObject({ counterexample, replay: 'loan-requests#offers#3:1' });
  expect(Object.keys(report.exchanges)).toContain('requestLoan-2');
  const lost = { ...joined, counterexample: { ...counterexample, state: 'did not recur alone', input: null } };
  expect(makeReportWith(lost, tooLongFinding).findings[0]?.replay).toBe('requestLoan');
});

test('Clauses about several exchanges are decided when the report is made', () => {
  const seen: unknown[] = [];
  const catalogue: typeof smallCatalogue = {
    ...smallCatalogue,
    evaluateRun: (facts) => {
      seen.push(...facts);
      const exercised = { operation: 'createPaymentLink', count: 3, exchange: 'createPaymentLink-1' };
      return {
        exercised: [{ ...exercised, clause: 'links.unique' } as never],
        broken: [
          {
            ...tooLongFinding,
            clause: 'loans.errors',
            operation: 'queryDisbursement',
            pointer: '/errors',
            unit: 'comparisons',
          } as never,
        ],
        observed: [],
      };
    },
  };
  const made = makeEntryLine('made', 'createPaymentLink');
  const fact = { some: 'thing' };
  const entry = { ...made.entry, takenFromRun: { ...made.entry.takenFromRun, facts: [fact] } };
  const report = foldJournal([...makeSoundJournal(), ...makeLines({ ...made, entry })], {}, catalogue);
  expect(seen).toEqual([{ exchange: 'made', fact }]);
  expect(findClause(report, 'links.unique')).toMatchObject({ verdict: 'pass', exercised: 3 });
  expect(findClause(report, 'loans.errors')).toMatchObject({ verdict: 'fail', broken: 1 });
  expect(report.findings.map(describeFrequency)).toEqual(['in 1 comparison']);
});

test('A scenario without an end is a fault of the suite, unless the run was interrupted', () => {
  const torn = makeSoundJournal().slice(0, -1);
  const errors = [{ scenario: 'Everything is as documented' }];
  expect(foldJournal(torn)).toMatchObject({ verdict: 'inconclusive', errors });
  const interrupted = 'it was interrupted.';
  expect(foldJournal(torn, { interrupted })).toMatchObject({ verdict: 'inconclusive', errors: [], interrupted });
});

test('The order of the scenarios does not change the report', () => {
  const scenario = (id: string, finding: LooseLine): JournalLine[] =>
    makeLines({ line: 'scenario', scenario: id, title: id }, finding, { line: 'end', scenario: id, durationMs: 1 });
  const [a, b] = [scenario('a', tooLongFinding), scenario('b', { ...tooLongFinding, kind: 'missing' })];
  const { scenarios: _, ...one } = foldJournal([...a, ...b]);
  const { scenarios: __, ...other } = foldJournal([...b, ...a]);
  expect(one).toEqual(other);
});

test('The cost of folding a long run is proportional to its length', () => {
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
  expect(foldJournal(linesOf(40)).requests).toBe(4000);
  expectLinear('exchanges', foldJournal, linesOf, 40);
});

test('A clause that one answer left undecided is untested, unless another answer breaks it', () => {
  const report = makeReportWith(
    makeEntryLine('undecided', 'createPaymentLink', { undecided: ['links.token-in-link'] }),
  );
  expect(findClause(soundReport, 'links.token-in-link').verdict).toBe('pass');
  expect(findClause(report, 'links.token-in-link')).toMatchObject({
    verdict: 'inconclusive',
    exercised: 0,
    why: 'Its pattern takes too many steps on a text of the bank.',
  });
});

test('The judged share of long lists is named among the reasons, and changes no verdict', () => {
  const { verdict, reasons } = makeReportWith(
    makeEntryLine('findAtms-8', 'findAtms', { share: { judged: 1500, of: 60_000 } }),
    makeEntryLine('findAtms-9', 'findAtms', { share: { judged: 500, of: 20_000 } }),
  );
  expect(verdict).toBe('conformant');
  expect(reasons.at(-1)).toBe(
    '2,000 entries of 80,000 in the long lists of 2 answers were judged: a share of 2.5 %, drawn by the seed.',
  );
});
