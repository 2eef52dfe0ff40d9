/** Tests how the caps are divided among the scenarios, and what the plan says of small caps. */
import { expect, test } from '@playwright/test';
import { divideCaps } from '../../../../fixtures/run/session/budget.ts';
import { FOREIGN_BANK_ENV } from '../../support/configuration.ts';
import { describePlan } from '../../../../fixtures/run/config/plan.ts';
import { createdKinds, createdResources, makeForEachKind } from '../../../../openapi/api.ts';
import { readTarget } from '../../../../fixtures/run/config/target.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import { examineBank } from '../../support/examine.ts';
import { loadScenarios } from '../../../index.ts';
import { closeAllServers } from '../../support/servers.ts';

test.afterEach(closeAllServers);

test('The shares of all scenarios add up to each cap, and of a small cap the most valuable scenarios get one each', () => {
  const scenarios = loadScenarios();
  const weights = scenarios.map(({ details }) => details.creates ?? {});
  for (const kind of createdKinds)
    for (const cap of [0, 1, 3, 7, 60, 400]) {
      const shares = divideCaps(weights, { ...makeForEachKind(() => cap), amount: 1 }).map((part) => part[kind]);
      const scenariosWithWeight = weights.filter((weight) => (weight[kind] ?? 0) > 0).length;
      expect([kind, cap, shares.reduce((sum, value) => sum + value, 0)]).toEqual([kind, cap, cap]);
      expect([kind, cap, shares.filter((value) => value > 0).length]).toEqual([
        kind,
        cap,
        Math.min(cap, scenariosWithWeight),
      ]);
    }
  const smallCaps = divideCaps(weights, { applications: 3, disbursements: 1, links: 1, amount: 1 });
  const flow = smallCaps[scenarios.findIndex(({ id }) => id === 'loan-flow')];
  expect(flow).toEqual({ applications: 1, disbursements: 1, links: 0 });
});

for (const [caps, verdict, reason] of [
  [createdKinds.map((kind) => createdResources[kind].smallest), 'conformant', 'allows'],
  [[1, 1, 1], 'inconclusive', 'and MAX_APPLICATIONS (1) was used up'],
] as const)
  test(`Caps of ${caps.join(', ')} (applications, disbursements, links) lead to the verdict ${verdict}`, async () => {
    const variables = createdKinds.map((kind, at) => [createdResources[kind].variable, String(caps[at])] as const);
    const env = { ...Object.fromEntries(variables), AREAS: 'loans,payment-links', RUNS: '2' };
    const report = await examineBank(createBank(), { seed: 2, env });
    expect([report.verdict, report.reasons.join(' ')]).toEqual([verdict, expect.stringContaining(reason)]);
  });

test('The plan names the caps that are too small for the selected areas and operations, and no other caps', () => {
  const renderPlan = (env: Record<string, string>): string => describePlan(readTarget(env, null)).join('\n');
  const smallCaps = { MAX_APPLICATIONS: '1', MAX_DISBURSEMENTS: '0', MAX_LINKS: '0' };
  const renamed = /header fields with other names/;
  for (const [env, says, not = /too small/] of [
    [
      {},
      /^at most .*contracts without a cap[^]*^the run also sends requests that the bank should refuse: .*OVER_LIMIT=0.*PROBE_CREDENTIALS=0/m,
    ],
    [{ READ_ONLY: '1' }, /^only GET requests [^\n]*nothing is created\.$/],
    [{ MAX_APPLICATIONS: '0', MAX_DISBURSEMENTS: '0' }, /too small/, /(?:most|,) 0 |contracts/],
    [{ ...FOREIGN_BANK_ENV, READ_ONLY: '1' }, renamed],
    [{ ...FOREIGN_BANK_ENV, PROBE_CREDENTIALS: '0' }, /./, renamed],
    [{ ...smallCaps, AREAS: 'payment-links' }, /too small for a full verdict, .* at least MAX_LINKS=1\.$/m, /MAX_APP/],
    [{ ...smallCaps, OPERATIONS: 'requestLoan' }, /at least MAX_APPLICATIONS=2\.$/m, /MAX_LINKS/],
    [{ ...smallCaps, OPERATIONS: 'validateLoan' }, /^nothing is created/m],
  ] as readonly (readonly [Record<string, string>, RegExp, RegExp?])[]) {
    expect(renderPlan(env)).toMatch(says);
    expect(renderPlan(env)).not.toMatch(not);
  }
});
