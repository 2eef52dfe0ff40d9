import { expect, test } from '@playwright/test';
import { percentiles } from '../../../../reports/fold/tables.ts';
import { createdCsv } from '../../../../reports/formats/created-csv.ts';
import { entryLine, folded, lines, soundJournal } from '../../support/reports/sample-report.ts';

test('An operation shows its requests, statuses, successes and latencies', () => {
  const more = lines(
    entryLine('x1', 'findAtms', { kind: 'probe', status: 400, outcome: 'refused', ms: 30 }),
    entryLine('x2', 'findAtms', { status: null, outcome: 'lost', ms: 900 }),
  );
  const report = folded([...soundJournal(), ...more]);
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

test('Percentiles are values that were measured', () => {
  const hundred = Array.from({ length: 100 }, (_, at) => 100 - at);
  expect(percentiles(hundred)).toEqual({ p50: 50, p95: 95, max: 100 });
  expect(percentiles([7])).toEqual({ p50: 7, p95: 7, max: 7 });
  expect(percentiles([])).toBeNull();
});

test('Observations are grouped by question, and a question with two answers is not consistent', () => {
  const seen = (question: string | undefined, answer: string): Record<string, unknown> => ({
    line: 'observation',
    point: 'service.success-status',
    operation: 'requestLoan',
    answer,
    exchange: 'requestLoan-1',
    ...(question === undefined ? {} : { question }),
  });
  const report = folded(
    lines(seen('amount', '400'), seen('amount', '400'), seen('amount', '422'), seen('currency', '400')),
  );
  expect(report.observations.map(({ about, value, count, consistent }) => [about, value, count, consistent])).toEqual([
    ['amount', '400', 2, false],
    ['amount', '422', 1, false],
    ['currency', '400', 1, true],
  ]);
});

test('What the run created is listed and summed by currency, and what it perhaps created is listed', () => {
  const made = (what: string, id: string, amount?: number): Record<string, unknown> => ({
    line: 'created',
    what,
    id,
    exchange: 'x',
    ...(amount === undefined ? {} : { amount, currency: 'EUR' }),
  });
  const perhaps = { ...made('link', 'a, description', 5), perhaps: true };
  const report = folded(
    lines(made('application', '1'), made('disbursement', '1', 0.1), made('disbursement', '2', 0.2), perhaps),
  );
  const { createdResources } = report;
  expect(createdResources.counts).toEqual({ application: 1, contract: 0, disbursement: 2, link: 0 });
  expect(createdResources.amounts).toEqual([{ what: 'disbursement', currency: 'EUR', total: 0.3 }]);
  expect(createdResources.items).toHaveLength(4);
  expect(createdCsv(report).split('\r\n').slice(-3)).toEqual([
    'disbursement,2,0.2,EUR,x,yes',
    'link,"a, description",5,EUR,x,perhaps',
    '',
  ]);
});

test('Of the evidence stays what the report refers to, and the first of each kind', () => {
  const unneeded = entryLine('unneeded', 'findAtms');
  const report = folded([...soundJournal(), ...lines(unneeded)]);
  expect(Object.keys(report.exchanges)).toHaveLength(12);
  expect(report.exchanges).not.toHaveProperty('unneeded');
});
