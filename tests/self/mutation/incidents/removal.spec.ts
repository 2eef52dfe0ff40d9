/** Each mechanism is needed: without its scenario the proof names the incidents that it misses. */
import { expect, test } from '@playwright/test';
import { incidents } from '../../../../fixtures/banks/incidents/index.ts';
import { findByName } from '../../../../fixtures/banks/lib/describe.ts';
import { decideIncidentOutcome } from '../outcomes.ts';
import { runIncident } from '../run-mutant.ts';
import { THOROUGH_ONLY } from '../../support/thorough.ts';

/** Incidents that only one scenario notices, or two; the matrix of the proof shows that they are noticed with the scenario. */
const scenariosByIncident: Readonly<Record<string, readonly string[]>> = {
  'loan-independence': ['contracts-keyed-by-account', 'early-miss-cached'],
  'loan-oldest': ['applications-fall-out-of-memory'],
  'kept-applications': ['loan-rolled-back-after-the-answer'],
  'offers-taken': ['offers-pile-up'],
  'outcomes-reached': [
    'queue-blocked-by-refusal',
    'final-only-after-the-next',
    'one-decline-blocks-the-client',
    'first-status-cached',
  ],
  'compressed-atms compressed-payment-links': ['compressed-twice'],
  'refusals-loans': ['order-ids-of-20-characters', 'false-purpose-counts-as-missing'],
  'refusals-payment-links': ['merchants-with-an-ampersand-refused', 'second-branch-missing-in-links'],
  'contract-race': ['two-contracts-at-once'],
  'isolation-payment-links': ['installments-of-the-request-beside'],
  'repetition-payment-links': ['branches-nameless-after-a-stranger'],
  'taken-each-time-loans': [
    'third-machine-without-currencies',
    'fifth-machine-without-products',
    'second-machine-with-older-rules',
  ],
  'taken-each-time-payment-links': ['third-machine-without-merchants', 'closing-branch-refused-every-other-time'],
  'disbursed-at-times': ['second-machine-without-contracts'],
  'soak-links': ['seconds-without-padding'],
};

for (const [scenario, names] of Object.entries(scenariosByIncident))
  test(`Without ${scenario} the proof misses incidents, and names them`, THOROUGH_ONLY, async () => {
    test.setTimeout(120_000);
    for (const incident of names.map((name) => findByName(incidents, 'incident', name))) {
      const { name, outcome, found } = decideIncidentOutcome(
        incident,
        await runIncident(incident, scenario.split(' ')),
      );
      expect([name, outcome, found]).toEqual([name, 'silent', []]);
    }
  });
