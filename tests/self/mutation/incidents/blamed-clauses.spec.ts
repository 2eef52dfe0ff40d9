/** Tests which clauses are blamed: the clauses of both bugs at one operation, and no clause that only shows a consequence. */
import { expect, test } from '@playwright/test';
import { incidents, type Incident } from '../../../../fixtures/banks/incidents/index.ts';
import { findByName } from '../../../../fixtures/banks/lib/describe.ts';
import { crashWhen } from '../../../../fixtures/banks/lib/effects.ts';
import type { Change } from '../../../../fixtures/banks/lib/mutant.ts';
import type { ClauseId } from '../../../../openapi/clauses/index.ts';
import type { Area } from '../../../../openapi/model/exchange.ts';
import type { Report } from '../../../../reports/model/report.ts';
import { runIncident } from '../run-mutant.ts';

const findIncident = (name: string): Incident => findByName(incidents, 'incident', name);

const listBlamedClauses = ({ findings }: Report): readonly string[] =>
  [...new Set(findings.map(({ clause }) => clause))].sort();

/** Runs the suite in one area of a bank with two bugs. */
const runWithBoth = (area: Area, one: Change, other: Change): Promise<Report> =>
  runIncident({
    ...findIncident('html-page-with-status-200'),
    area,
    mutate: (bank, clock) => one(other(bank, clock), clock),
  });

/** Two bugs that end one operation in a server error, each for a value of its own. */
const crashingPairs: readonly (readonly [area: Area, clauses: readonly ClauseId[], one: Change, other: Change])[] = [
  [
    'loans',
    ['loans.application.request.order-id.integer', 'loans.application.request.order-id.text'],
    crashWhen('requestLoan', ({ sent: { order_id: id } }) => typeof id === 'number' && id >= 2 ** 31),
    crashWhen('requestLoan', ({ sent: { order_id: id } }) => String(id).length > 36),
  ],
  [
    'payment-links',
    ['links.link.request.amount', 'links.link.request.personal-description'],
    crashWhen('createPaymentLink', ({ sent }) => Number(sent['amount']) >= 1000),
    crashWhen('createPaymentLink', ({ sent }) => /[\u{10000}-\u{10ffff}]/u.test(String(sent['personal_description']))),
  ],
];

for (const [area, clauses, one, other] of crashingPairs)
  test(`Two crashes at one operation of ${area} are both named`, async () => {
    const { findings } = await runWithBoth(area, one, other);
    const failed = findings.filter(({ verdict }) => verdict === 'fail').map(({ clause }) => clause);
    expect(failed).toEqual(expect.arrayContaining([...clauses]));
  });

test('A merchant is not blamed for its currency', async () => {
  const report = await runWithBoth(
    'payment-links',
    crashWhen('createPaymentLink', ({ sent }) => /^[a-z]{2}$/.test(String(sent['language_code']))),
    crashWhen('createPaymentLink', ({ sent }) => sent['currency_code'] === 'JPY' && sent['is_domestic'] === false),
  );
  expect(listBlamedClauses(report)).not.toContain('links.link.request.merchant-no');
});

/** Bugs whose consequences look like other bugs. */
const incidentsWithConsequences: readonly (readonly [name: string, ...clauses: ClauseId[]])[] = [
  ['made-and-refused-by-the-retry', 'loans.outcome.not-of-a-refused'],
  ['midnight-is-24', 'links.link.end-date.exists'],
];

for (const [name, ...clauses] of incidentsWithConsequences)
  test(`Only the broken clauses of ${name} are reported`, async () => {
    expect(listBlamedClauses(await runIncident(findIncident(name)))).toEqual(clauses);
  });
