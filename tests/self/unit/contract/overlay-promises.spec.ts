/** Tests that requirements of an overlay are judged as separate clauses. */
import { expect, test } from '@playwright/test';
import { runConformance } from '../../support/command.ts';
import { makeOverlay } from '../../support/configuration.ts';
import { THOROUGH_ONLY } from '../../support/thorough.ts';
import { makeTempFile } from '../../support/temp-dir.ts';

const judgeUnderOverlay = (overlay: string, areas = 'atms') =>
  runConformance({ OVERLAY: makeTempFile('overlay.yaml', overlay), AREAS: areas, RUNS: '1', SEED: '1' });

const readVendorClauses = ({ report }: Awaited<ReturnType<typeof judgeUnderOverlay>>) =>
  report?.clauses.filter(({ id }) => id.startsWith('vendor.')).map(({ id, verdict }) => [id, verdict]);

test('Seven requirements of an overlay that the reference bank breaks are seven findings, and its other parts are ignored', async () => {
  const run = await judgeUnderOverlay(`overlay: 1.0.0
info: { title: Acme }
::error::of-an-overlay: !acme "x"
actions:
  - { target: $, update: { externalDocs: { url: https://acme.example }, x-audience: public } }
  - target: $.paths
    update: { /health: { summary: Health, get: { operationId: health, responses: { 204: { description: none } } } } }
  - target: $.paths['/api/v1/atms']
    update: { parameters: [], head: { responses: { 204: { description: none } } } }
  - target: $.paths['/api/v1/atms'].get.responses
    update: { 202: { description: later } }
  - target: $.components.schemas.Atm
    update:
      required: [atm_phone]
      properties:
        atm_no: { x-internal: true, maxLength: 20 }
        atm_name: { maxLength: 3, format: date-time }
        atm_city: { pattern: '^[0-9]+$' }
        atm_district: { enum: [Old Town] }
        atm_latitude: { exclusiveMaximum: -200 }
        # JavaScript decides this pattern by backtracking.
        atm_address: { pattern: '^(\\S+ ?)+;$' }
        atm_phone: { type: string }
`);
  expect(run.status, run.out).toBe(1);
  expect(run.report?.headline).toBe('non-conformant (ATM locator only) to the document as changed by “Acme”');
  expect(run.report?.findings.map(({ clause, pointer }) => [clause, pointer]).sort()).toEqual(
    [
      ['address.pattern', 'address'],
      ['city.pattern', 'city'],
      ['district.enum', 'district'],
      ['latitude.exclusive-maximum', 'latitude'],
      ['name.format', 'name'],
      ['name.max-length', 'name'],
      ['phone.required', 'phone'],
    ].map(([clause, field]) => [`vendor.find-atms.data.atm-${clause}`, `/data/*/atm_${field}`]),
  );
  expect(readVendorClauses(run)).toContainEqual(['vendor.find-atms.data.atm-no.max-length', 'pass']);
  expect(run.report?.clauses.find(({ id }) => id === 'atms.name')?.verdict).toBe('pass');
  expect(run.out).toContain('The overlay says of atm_name: maxLength 3.');
  expect(run.out).not.toContain('of-an-overlay');
});

test(
  'A stricter pattern in an overlay is a clause of its own; a replaced pattern of the document is not applicable',
  THOROUGH_ONLY,
  async () => {
    const run = await judgeUnderOverlay(
      makeOverlay(
        { target: '$.components.schemas.FiveDecimals', update: { pattern: '^9\\.[0-9]{5}$' } },
        {
          target: '$.components.schemas.Offer',
          update: { properties: { account_id: { pattern: '^x' }, avaliable_limit: { pattern: '\\.[0-9]{2}$' } } },
        },
      ),
      'loans',
    );
    expect(run.status, run.out).toBe(1);
    const offers = 'vendor.request-loan.data.infos';
    const of = (id: string) => run.report?.clauses.find((clause) => clause.id === id);
    expect(run.report?.findings.map(({ clause }) => clause).sort()).toEqual([
      `${offers}.account-id.pattern`,
      `${offers}.commission-rate.pattern`,
      `${offers}.interest-rate.pattern`,
    ]);
    // Beside a `$ref`, both patterns apply. A changed shared format replaces the old one.
    for (const id of [
      'loans.offer.account-id.digits',
      'loans.offer.limit.decimals',
      `${offers}.avaliable-limit.pattern`,
    ])
      expect([id, of(id)?.verdict]).toEqual([id, 'pass']);
    for (const id of ['loans.offer.interest-rate.decimals', 'loans.offer.commission-rate.decimals'])
      expect(of(id)).toMatchObject({ verdict: 'not-applicable', why: 'The overlay “Acme” says something else here.' });
    expect(run.report?.reasons).toHaveLength(1);
  },
);
