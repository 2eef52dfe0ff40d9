/** Incidents at banks that conform in another way than the reference bank: what shows them hangs on nothing of its own. */
import { expect, test } from '@playwright/test';
import { incidents } from '../../../../fixtures/banks/incidents/index.ts';
import { namedIn } from '../../../../fixtures/banks/lib/describe.ts';
import type { BehaviourChange } from '../../../../fixtures/reference-bank/options/index.ts';
import { runIncident } from '../run-mutant.ts';

/** What a bank chose, and an incident there, of which the clause has to be named. */
const pairs: readonly (readonly [name: string, behaviour: BehaviourChange])[] = [
  ['unknown-applications-acknowledged', { loans: { outcome: { processingQueries: 9 } } }],
  ['refused-retry-fails-the-first', { loans: { outcome: { processingQueries: 3 } } }],
  ['fifth-machine-without-products', { loans: { rules: { minimum: '5000' } } }],
  ['third-machine-without-merchants', { paymentLinks: { rules: { minimum: '500' } } }],
  ['closing-branch-answered-false-every-other-time', { paymentLinks: { rules: { minimum: '500' } } }],
  ['closing-branch-answered-false-every-other-time', { paymentLinks: { rules: { languages: ['tr'] } } }],
];

for (const [name, behaviour] of pairs)
  test(`${name} shows at a bank with ${JSON.stringify(behaviour).replace(/[{}"]/g, '')}`, async () => {
    const incident = namedIn(incidents, 'incident', name);
    const { findings } = await runIncident({ ...incident, behaviour });
    expect(findings.map(({ clause }) => clause)).toContain(incident.clause);
  });
