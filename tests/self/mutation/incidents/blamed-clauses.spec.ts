/** Tests which clauses are blamed: the clauses of both bugs at one operation, under any seed, and no clause that only shows a consequence. */
import { expect, test } from '@playwright/test';
import { incidents, type Incident } from '../../../../fixtures/banks/incidents/index.ts';
import { findByName } from '../../../../fixtures/banks/lib/describe.ts';
import type { ClauseId } from '../../../../openapi/clauses/index.ts';
import type { Report } from '../../../../reports/model/report.ts';
import { runIncident } from '../run-mutant.ts';

const findIncident = (name: string): Incident => findByName(incidents, 'incident', name);

const listBlamedClauses = ({ findings }: Report): readonly string[] =>
  [...new Set(findings.map(({ clause }) => clause))].sort();

/** Two bugs that end one operation in a server error, each for a value of its own. */
const incidentPairs = [
  ['order-ids-beyond-32-bits-crash', 'long-order-ids-crash'],
  ['plan-of-one-branch-crashes', 'emoji-cut-in-half'],
] as const;

// One pair of each area shows the mechanism.
for (const [name, other] of incidentPairs)
  test(`${name} and ${other} are both named at one bank`, async () => {
    const [one, two] = [findIncident(name), findIncident(other)];
    const report = await runIncident({ ...one, mutate: (bank, clock) => one.mutate(two.mutate(bank, clock), clock) });
    const failed = report.findings.filter(({ verdict }) => verdict === 'fail').map(({ clause }) => clause);
    expect(failed).toEqual(expect.arrayContaining([one.clause, two.clause]));
  });

test('A merchant is not blamed for its currency', async () => {
  const [one, two] = [findIncident('small-languages-crash'), findIncident('foreign-yen-crash')];
  const report = await runIncident({ ...one, mutate: (bank, clock) => one.mutate(two.mutate(bank, clock), clock) });
  expect(listBlamedClauses(report)).not.toContain('links.link.request.merchant-no');
});

test('Mixed-up answers of the locator break their clause under a seed that once found nothing', async () => {
  const { findings } = await runIncident(findIncident('answers-mixed-up'), [], 2);
  const failed = findings.filter(({ verdict }) => verdict === 'fail').map(({ clause }) => clause);
  expect(failed).toContain('atms.no-distance');
});

/** Bugs whose consequences look like other bugs. */
const incidentsWithConsequences: readonly (readonly [name: string, ...clauses: ClauseId[]])[] = [
  ['like-disbursements-dropped', 'loans.outcome.reached'],
  ['order-id-key-truncated', 'loans.application.id.distinct'],
  ['cents-never-final-in-swahili', 'loans.outcome.reached'],
];

for (const [name, ...clauses] of incidentsWithConsequences)
  test(`Only the broken clauses of ${name} are reported`, async () => {
    expect(listBlamedClauses(await runIncident(findIncident(name)))).toEqual(clauses);
  });
