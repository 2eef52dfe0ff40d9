/** Tests which clauses are blamed: the clauses of both bugs at one operation, under any seed, and no clause that only shows a consequence. */
import { expect, test } from '@playwright/test';
import { incidents, type Incident } from '../../../../fixtures/banks/incidents/index.ts';
import { findByName } from '../../../../fixtures/banks/lib/describe.ts';
import type { ClauseId } from '../../../../openapi/clauses/index.ts';
import type { Report } from '../../../../reports/model/report.ts';
import { runIncident } from '../run-mutant.ts';
import { thoroughUnless } from '../../support/thorough.ts';

const findIncident = (name: string): Incident => findByName(incidents, 'incident', name);

const listBlamedClauses = ({ findings }: Report): readonly string[] =>
  [...new Set(findings.map(({ clause }) => clause))].sort();

/** Two bugs that end one operation in a server error, each for a value of its own. */
const incidentPairs = [
  ['order-ids-beyond-32-bits-crash', 'long-order-ids-crash'],
  ['amounts-below-one-crash', 'order-ids-in-latin-1'],
  ['contracts-of-the-third-account-crash', 'contracts-of-small-loans-crash'],
  ['ipv6-customers-crash', 'unapproved-disbursements-crash'],
  ['quote-breaks-the-statement', 'thousands-crash-the-label'],
  ['plan-of-one-branch-crashes', 'emoji-cut-in-half'],
] as const;

// One pair of each area shows the mechanism.
for (const [index, [name, other]] of incidentPairs.entries())
  test(`${name} and ${other} are both named at one bank`, thoroughUnless(index % 5 === 0), async () => {
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

/** Bugs that some seeds only warned about, or did not find. */
const seedsByIncident = [
  ['quote-breaks-the-statement', 2],
  ['turkish-letters-in-language-codes', 3],
] as const;

for (const [name, seed] of seedsByIncident)
  test(`${name} breaks its clause under the seed ${seed}`, thoroughUnless(seed === 3), async () => {
    const { findings } = await runIncident(findIncident(name), [], seed);
    const failed = findings.filter(({ verdict }) => verdict === 'fail').map(({ clause }) => clause);
    expect(failed).toEqual([findIncident(name).clause]);
  });

test('Mixed-up answers of the locator break their clause under a seed that once found nothing', async () => {
  const { findings } = await runIncident(findIncident('answers-mixed-up'), [], 2);
  const failed = findings.filter(({ verdict }) => verdict === 'fail').map(({ clause }) => clause);
  expect(failed).toContain('atms.no-distance');
});

/** Bugs whose consequences look like other bugs. */
const incidentsWithConsequences: readonly (readonly [name: string, ...clauses: ClauseId[]])[] = [
  ['like-disbursements-dropped', 'loans.outcome.reached'],
  ['made-and-refused-by-the-retry', 'loans.outcome.not-of-a-refused'],
  ['ids-unique-per-second', 'loans.application.id.distinct'],
  ['order-id-key-truncated', 'loans.application.id.distinct'],
  ['outcome-key-truncated', 'loans.outcome.application-id', 'loans.outcome.application-id.echo'],
  ['outcomes-mixed-up', 'loans.outcome.application-id', 'loans.outcome.application-id.echo'],
  ['cents-never-final-in-swahili', 'loans.outcome.reached'],
  ['columns-swapped-by-district', 'atms.latitude.range', 'atms.no.one-place'],
  ['midnight-is-24', 'links.link.end-date.exists'],
];

for (const [index, [name, ...clauses]] of incidentsWithConsequences.entries())
  test(`Only the broken clauses of ${name} are reported`, thoroughUnless(index % 3 === 0), async () => {
    expect(listBlamedClauses(await runIncident(findIncident(name)))).toEqual(clauses);
  });
