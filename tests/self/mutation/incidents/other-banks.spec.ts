/** Puts incidents into conformant banks that behave unlike the reference bank: the suite must notice them there too. */
import { expect, test } from '@playwright/test';
import { incidents } from '../../../../fixtures/banks/incidents/index.ts';
import { findByName } from '../../../../fixtures/banks/lib/describe.ts';
import type { ClauseId } from '../../../../openapi/clauses/index.ts';
import type { BehaviourChange } from '../../../../fixtures/reference-bank/options/index.ts';
import { runIncident } from '../run-mutant.ts';
import { thoroughUnless } from '../../support/thorough.ts';

/** An incident, the clause that the report has to name, and the bank's choices. */
const incidentsOnOtherBanks: readonly (readonly [name: string, clause: ClauseId, behaviour: BehaviourChange])[] = [
  [
    'unknown-applications-acknowledged',
    'loans.unknown-application.disbursement',
    { loans: { outcome: { processingQueries: 9 } } },
  ],
  ['refused-retry-fails-the-first', 'loans.outcome.final', { loans: { outcome: { processingQueries: 3 } } }],
  [
    'ids-parsed-as-doubles',
    'loans.contract.request.application-id',
    { loans: { applicationId: { width: 19 } }, requests: { numberTexts: 'tolerated' } },
  ],
  ['contracts-in-the-order-of-offers-only', 'loans.offer.is-taken', { loans: { offers: { minimum: 1, maximum: 2 } } }],
  ['fifth-machine-without-products', 'loans.application.refusal-explained', { loans: { rules: { minimum: '5000' } } }],
  [
    'closing-branch-refused-every-other-time',
    'links.link.refusal-explained',
    { paymentLinks: { rules: { minimum: '500' } } },
  ],
];

for (const [index, [name, clause, behaviour]] of incidentsOnOtherBanks.entries())
  test(
    `${name} shows at a bank with ${JSON.stringify(behaviour).replace(/[{}"]/g, '')}`,
    thoroughUnless(index % 3 === 0),
    async () => {
      const { findings } = await runIncident({ ...findByName(incidents, 'incident', name), behaviour });
      expect([...new Set(findings.map((finding) => finding.clause))]).toEqual([clause]);
    },
  );
