/** Puts incidents into conformant banks that behave unlike the reference bank: the suite must notice them there too. */
import { expect, test } from '@playwright/test';
import { incidents } from '../../../../fixtures/banks/incidents/index.ts';
import { findByName } from '../../../../fixtures/banks/lib/describe.ts';
import type { ClauseId } from '../../../../openapi/clauses/index.ts';
import type { BehaviourChange } from '../../../../fixtures/reference-bank/options/index.ts';
import { runIncident } from '../run-mutant.ts';

/** An incident, the clause that the report has to name, and the bank's choices. */
const incidentsOnOtherBanks: readonly (readonly [name: string, clause: ClauseId, behaviour: BehaviourChange])[] = [
  ['fifth-machine-without-products', 'loans.application.refusal-explained', { loans: { rules: { minimum: '5000' } } }],
  ['third-machine-without-merchants', 'links.link.refusal-explained', { paymentLinks: { rules: { minimum: '500' } } }],
];

for (const [name, clause, behaviour] of incidentsOnOtherBanks)
  test(`${name} shows at a bank with ${JSON.stringify(behaviour).replace(/[{}"]/g, '')}`, async () => {
    const { findings } = await runIncident({ ...findByName(incidents, 'incident', name), behaviour });
    expect([...new Set(findings.map((finding) => finding.clause))]).toEqual([clause]);
  });
