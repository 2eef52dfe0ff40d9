import { expect, test } from '@playwright/test';
import type { JournalLine } from '../../../../openapi/model/journal.ts';
import type { Report } from '../../../../reports/model/report.ts';
import { expectLinear } from '../linear-time.ts';
import {
  entryLine,
  findingLine,
  folded,
  lines,
  smallCatalogue,
  soundJournal,
  soundReport,
  testing,
} from '../../support/reports/sample-report.ts';

const clause = (report: Report, id: string): Report['clauses'][number] => report.clauses.find((one) => one.id === id)!;

const tooLong = findingLine();

test('An uneventful journal folds into a conformant report', () => {
  const report = soundReport;
  expect(report).toMatchObject({
    verdict: 'conformant',
    headline: 'conformant',
    requests: 22,
    findings: [],
    errors: [],
  });
  expect(report.reasons).toEqual([
    'All 11 operations succeeded, and 4 clauses of the document were kept in 22 requests.',
    '1 clause could not be tested, because no answer of the bank contained what it is about; this is allowed.',
  ]);
  expect(report.gate).toEqual({ pass: true, exitStatus: 0, reasons: ['the bank is conformant'] });
  expect(report.counts.must).toMatchObject({ pass: 4, inconclusive: 1 });
  expect(clause(report, 'service.content-type')).toMatchObject({ verdict: 'pass', exercised: 22 });
  expect(clause(report, 'service.success-status')).toMatchObject({ verdict: 'observed', exchange: 'findAtms-1' });
});

test('Clauses stand in the order of the sections of the document', () => {
  expect(soundReport.clauses.map((one) => one.id)).toEqual([
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

test('A thousand breaks of one kind at one place are one finding with its count', () => {
  const many = Array.from({ length: 1000 }, (_, at) => ({ ...tooLong, exchange: `none-${at}` }));
  const report = folded([...soundJournal(), ...lines(tooLong, ...many, { ...tooLong, kind: 'missing' })]);
  expect(report.findings.map(({ kind, count }) => ({ kind, count }))).toEqual([
    { kind: 'format', count: 1001 },
    { kind: 'missing', count: 1 },
  ]);
  expect(report.findings[0]).toMatchObject({
    id: 'loans.rate requestLoan /data/infos/*/interest_rate format',
    verdict: 'fail',
    operation: 'POST /api/bank/revolving-loans/v1/loans',
    exchange: 'requestLoan-1',
  });
  expect(report.findings[0]?.curl).toContain('https://bank.example/sandbox/api/bank/revolving-loans/v1/loans');
  expect(clause(report, 'loans.rate')).toMatchObject({ verdict: 'fail', broken: 1001, exercised: 1001 });
  expect(report.gate).toMatchObject({ pass: false, exitStatus: 1 });
});

test('Failures stand before warnings, however often a warning came', () => {
  const warning = { ...tooLong, clause: 'service.content-type', pointer: 'response/header/content-type' };
  const report = folded([...soundJournal(), ...lines(warning, warning, tooLong)]);
  expect(report.findings.map((one) => one.verdict)).toEqual(['fail', 'warning']);
});

test('A broken expectation is a warning and lets the run conform', () => {
  const warning = { ...tooLong, clause: 'links.unique', operation: 'createPaymentLink', pointer: '/data/order_id' };
  const report = folded([...soundJournal(), ...lines(warning)]);
  expect(report).toMatchObject({ verdict: 'conformant', gate: { pass: true } });
  expect(report.findings[0]).toMatchObject({ level: 'should', verdict: 'warning' });
});

test('A server error that a pair of requests shows is not counted among the requests that were taken', () => {
  const again = soundJournal().filter(({ line }) => line === 'entry');
  const often = (kind: string) => folded([...soundJournal(), ...again, ...lines({ ...tooLong, kind })]).findings[0];
  expect(often('server-error')).toMatchObject({ answers: 1, exercised: 1 });
  expect(often('format')?.exercised).toBeGreaterThan(1);
});

test('The curl line of a credential that was not looked at sends the request that was accepted before it', () => {
  const at = (pointer: string) => ({ ...tooLong, kind: 'behaviour', pointer, contrast: 'requestLoan-2' });
  const lineOf = (pointer: string) => folded([...soundJournal(), ...lines(at(pointer))]).findings[0]?.curl;
  const [one, other] = lineOf('request/header/Authorization')?.split(' --next ') ?? [];
  expect(`curl ${other}`).toBe(lineOf('response/status'));
  expect(one).toMatch(/^curl -sS -i https:/);
});

test('An open point cannot be broken', () => {
  const report = folded([...soundJournal(), ...lines({ ...tooLong, clause: 'service.success-status' })]);
  expect(report.findings).toEqual([]);
  expect(clause(report, 'service.success-status').verdict).toBe('observed');
});

test('A counterexample and its replay are joined to the findings at its place', () => {
  const counterexample = { input: { amount: 1 }, state: 'minimal', shrinks: 3, exchange: 'requestLoan-2' };
  const { line: _, ...at } = tooLong;
  const joined = { ...at, line: 'counterexample', counterexample, replay: 'loan-requests#offers#3:1' };
  const report = folded([...soundJournal(), ...lines(joined, tooLong)]);
  expect(report.findings[0]).toMatchObject({ counterexample, replay: 'loan-requests#offers#3:1' });
  expect(Object.keys(report.exchanges)).toContain('requestLoan-2');
  const lost = { ...joined, counterexample: { ...counterexample, state: 'did not recur alone', input: null } };
  expect(folded([...soundJournal(), ...lines(lost, tooLong)]).findings[0]?.replay).toBe('requestLoan');
});

test('A refused documented request is dropped where the same was accepted elsewhere in the run', () => {
  const refused = {
    ...tooLong,
    clause: 'loans.order-id',
    pointer: 'request/body/order_id',
    kind: 'refused',
    contrast: 'requestLoan-2',
  };
  expect(folded([...soundJournal(), ...lines(refused)]).findings).toEqual([]);
  const report = folded([...testing((id) => id !== 'loans.order-id'), ...lines(refused)]);
  expect(report.findings).toMatchObject([{ clause: 'loans.order-id', contrast: 'requestLoan-2' }]);
  expect(report.verdict).toBe('non-conformant');
});

test('What several exchanges show together is settled in the fold', () => {
  const seen: unknown[] = [];
  const catalogue: typeof smallCatalogue = {
    ...smallCatalogue,
    evaluateRun: (facts) => {
      seen.push(...facts);
      return {
        exercised: [
          {
            clause: 'links.unique',
            operation: 'createPaymentLink',
            count: 3,
            exchange: 'createPaymentLink-1',
          } as never,
        ],
        broken: [{ ...tooLong, clause: 'loans.errors', operation: 'queryDisbursement', pointer: '/errors' } as never],
        observed: [],
      };
    },
  };
  const made = entryLine('made', 'createPaymentLink');
  const fact = { some: 'thing' };
  const entry = { ...made.entry, takenFromRun: { ...made.entry.takenFromRun, facts: [fact] } };
  const report = folded([...soundJournal(), ...lines({ ...made, entry })], {}, catalogue);
  expect(seen).toEqual([{ exchange: 'made', fact }]);
  expect(clause(report, 'links.unique')).toMatchObject({ verdict: 'pass', exercised: 3 });
  expect(clause(report, 'loans.errors')).toMatchObject({ verdict: 'fail', broken: 1 });
});

test('A finding names the cache or the server that gave its answer, where the one beside it has another', () => {
  const answered = (id: string, ...headers: readonly (readonly [string, string])[]) =>
    entryLine(id, 'requestLoan', { response: { headers } });
  const receivedWith = (...headers: readonly (readonly [string, string])[]) =>
    folded([
      ...soundJournal(),
      ...lines(
        answered('beside', ['Server', 'envoy'], ['X-Served-By', 'node-1'], ['X-Cache', 'MISS']),
        answered('shown', ...headers),
        { ...tooLong, exchange: 'shown', contrast: 'beside' },
      ),
    ]).findings[0]?.received;
  expect(receivedWith(['server', 'envoy'], ['x-served-by', 'node-1'], ['Age', '0'])).toBe('"1.5"');
  expect(receivedWith(['age', '40'])).toBe('"1.5"; the answer says that it came from a cache (age: 40)');
  expect(receivedWith(['X-Cache', 'HIT from edge'])).toMatch(/from a cache \(x-cache: HIT from edge\)$/);
  expect(receivedWith(['x-served-by', 'node-2'])).toBe(
    '"1.5"; another server gave it than the answer beside it (x-served-by: node-2, not node-1)',
  );
});

test('A scenario that did not end is a fault of the suite, unless the run was interrupted', () => {
  const torn = soundJournal().slice(0, -1);
  expect(folded(torn)).toMatchObject({
    verdict: 'inconclusive',
    errors: [{ scenario: 'Everything is as documented' }],
  });
  const report = folded(torn, { interrupted: 'it was interrupted.' });
  expect(report).toMatchObject({ verdict: 'inconclusive', errors: [], interrupted: 'it was interrupted.' });
});

test('The order of the scenarios does not change the report', () => {
  const scenario = (id: string, finding: Record<string, unknown>): JournalLine[] =>
    lines({ line: 'scenario', scenario: id, title: id }, finding, { line: 'end', scenario: id, durationMs: 1 });
  const [a, b] = [scenario('a', tooLong), scenario('b', { ...tooLong, kind: 'missing' })];
  const { scenarios: _, ...one } = folded([...a, ...b]);
  const { scenarios: __, ...other } = folded([...b, ...a]);
  expect(one).toEqual(other);
});

test('A long run folds at a cost in proportion to its length', () => {
  const ids = Object.keys(smallCatalogue.clauses);
  const linesOf = (scenarios: number): JournalLine[] => {
    const long: JournalLine[] = [];
    for (let n = 0; n < scenarios; n += 1) {
      long.push(...lines({ line: 'scenario', scenario: `${n}`, title: 't' }));
      for (let m = 0; m < 400; m += 1) {
        long.push(
          ...lines(entryLine(`${n}-${m}`, 'findAtms', { ms: m, exercised: ids }), {
            ...tooLong,
            exchange: `${n}-${m}`,
            kind: `${m % 50}`,
          }),
        );
      }
    }
    return long;
  };
  expect(folded(linesOf(40)).requests).toBe(16_000);
  expectLinear('exchanges', folded, linesOf, 40);
});

test('A clause that one answer left undecided is not tested, whatever others say, unless it is broken', () => {
  const undecided = entryLine('undecided', 'createPaymentLink', { undecided: ['links.token-in-link'] });
  const report = folded([...soundJournal(), ...lines(undecided)]);
  expect(clause(soundReport, 'links.token-in-link').verdict).toBe('pass');
  expect(clause(report, 'links.token-in-link')).toMatchObject({
    verdict: 'inconclusive',
    exercised: 0,
    why: 'Its pattern takes too many steps on a text of the bank.',
  });
});

test('What share of long lists was looked at stands among the reasons, and keeps from no conclusion', () => {
  const { verdict, reasons } = folded([
    ...soundJournal(),
    ...lines(entryLine('findAtms-8', 'findAtms', { share: { judged: 1500, of: 60_000 } })),
    ...lines(entryLine('findAtms-9', 'findAtms', { share: { judged: 500, of: 20_000 } })),
  ]);
  expect(verdict).toBe('conformant');
  expect(reasons.at(-1)).toBe(
    '2,000 entries of 80,000 in the long lists of 2 answers were judged: a share of 2.5 %, drawn by the seed.',
  );
});
