/** Tests the tables of the report: operations, answers to open points, created resources, and exchanges. */
import { expect, test } from '@playwright/test';
import { writeCreatedCsv } from '../../../../reports/formats/created-csv.ts';
import type { Report } from '../../../../reports/model/report.ts';
import { makeEntryLine, foldJournal, makeLines, makeSoundJournal } from '../../support/reports/sample-report.ts';

type LooseLine = Readonly<Record<string, unknown>>;

/** Returns the report from the sound journal with these lines added. */
const makeReportWith = (...more: readonly LooseLine[]): Report =>
  foldJournal([...makeSoundJournal(), ...makeLines(...more)]);

test('An operation shows its requests, statuses, successes and latencies', () => {
  const report = makeReportWith(
    makeEntryLine('x1', 'findAtms', { kind: 'probe', status: 400, outcome: 'refused', ms: 30 }),
    makeEntryLine('x2', 'findAtms', { status: null, outcome: 'lost', ms: 900 }),
  );
  expect(report.operations.at(-1)).toEqual({
    id: 'findAtms',
    area: 'atms',
    method: 'GET',
    path: '/api/v1/atms',
    requests: 4,
    positives: 3,
    probes: 1,
    successes: 2,
    outcomes: { accepted: 2, lost: 1 },
    statuses: { 200: 2, 400: 1 },
    unanswered: 1,
    ways: {
      flow: { requests: 3, exchange: 'findAtms-1' },
      property: { requests: 0, exchange: null },
      probe: { requests: 1, exchange: 'x1' },
    },
    spread: [10, 20, 30],
    latencyMs: { p50: 20, p95: 30, max: 30 },
  });
});

test('Observations are grouped by question, and a question with two answers is not consistent', () => {
  const seen = (question: string, answer: string): LooseLine => ({
    line: 'observation',
    point: 'service.success-status',
    operation: 'requestLoan',
    answer,
    exchange: 'requestLoan-1',
    question,
  });
  const { observations } = foldJournal(
    makeLines(seen('amount', '400'), seen('amount', '400'), seen('amount', '422'), seen('currency', '400')),
  );
  expect(observations).toMatchObject([
    { about: 'amount', value: '400', count: 2, consistent: false },
    { about: 'amount', value: '422', count: 1, consistent: false },
    { about: 'currency', value: '400', count: 1, consistent: true },
  ]);
});

test('Created objects are listed and summed by currency, and possibly created ones are listed', () => {
  const made = (what: string, id: string, amount?: number): LooseLine => ({
    line: 'created',
    what,
    id,
    exchange: 'x',
    ...(amount === undefined ? {} : { amount, currency: 'EUR' }),
  });
  const perhaps = { ...made('link', 'a, description', 5), perhaps: true };
  const report = foldJournal(
    makeLines(made('application', '1'), made('disbursement', '1', 0.1), made('disbursement', '2', 0.2), perhaps),
  );
  expect(report.createdResources).toMatchObject({
    counts: { application: 1, contract: 0, disbursement: 2, link: 0 },
    amounts: [{ what: 'disbursement', currency: 'EUR', total: 0.3 }],
    items: { length: 4 },
  });
  expect(writeCreatedCsv(report).split('\r\n').slice(-3)).toEqual([
    'disbursement,2,0.2,EUR,x,yes',
    'link,"a, description",5,EUR,x,perhaps',
    '',
  ]);
});
