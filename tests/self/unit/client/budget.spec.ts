import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { divideCaps, openBudget, openSharedBudget, type Budget } from '../../../../fixtures/session/budget.ts';
import { FOREIGN_BANK_ENV } from '../../support/configuration.ts';
import { describePlan } from '../../../../fixtures/config/plan.ts';
import {
  createdKinds,
  createdResources,
  makeForEachKind,
  MAX_REQUESTS_PER_CREATED,
} from '../../../../fixtures/config/variables/caps.ts';
import { readTarget } from '../../../../fixtures/config/target.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import { examineBank } from '../../support/examine.ts';
import { loadScenarios } from '../../../index.ts';
import { closeAllServers } from '../../support/servers.ts';

test.afterEach(closeAllServers);

test('The scenarios share each cap completely, and small caps go to the most valuable ones first', () => {
  const scenarios = loadScenarios();
  const weights = scenarios.map(({ details }) => details.creates ?? {});
  for (const kind of createdKinds)
    for (const cap of [0, 1, 3, 7, 60, 400]) {
      const shares = divideCaps(weights, { ...makeForEachKind(() => cap), amount: 1 }).map((part) => part[kind]);
      const wanting = weights.filter((weight) => (weight[kind] ?? 0) > 0).length;
      expect([kind, cap, shares.reduce((sum, value) => sum + value, 0)]).toEqual([kind, cap, cap]);
      expect([kind, cap, shares.filter((value) => value > 0).length]).toEqual([kind, cap, Math.min(cap, wanting)]);
    }
  const small = divideCaps(weights, { applications: 3, disbursements: 1, links: 1, amount: 1 });
  const flow = small[scenarios.findIndex(({ id }) => id === 'loan-flow')];
  expect(flow).toEqual({ applications: 1, disbursements: 1, links: 0 });
});

test('In any order of use, scenarios never hold more than all shares together', () => {
  const actions = ['take', 'takeAgain', 'giveBack', 'claim', 'claimAll', 'end'] as const;
  const action = fc.tuple(fc.nat(2), fc.constantFrom(...actions));
  fc.assert(
    fc.property(fc.array(fc.nat(4), { minLength: 3, maxLength: 3 }), fc.array(action), (shares, steps) => {
      const shared = openSharedBudget();
      const budgets = shares.map((links) => openBudget({ applications: 0, disbursements: 0, links }, shared));
      const cap = shares.reduce((sum, share) => sum + share, 0);
      const ended = new Set<number>();
      let [kept, sent] = [0, 0];
      for (const [which, what] of steps) {
        const budget = budgets[which] as Budget;
        if (what === 'end') {
          if (!ended.has(which)) budget.end();
          ended.add(which);
        } else if (what === 'claim') budget.claim('links', 2);
        else if (what === 'claimAll') budget.claim('links');
        else if (what !== 'giveBack') {
          if (!budget[what]('links')) continue;
          [kept, sent] = [kept + 1, sent + 1];
        } else if (kept > 0) {
          kept -= 1;
          budget.giveBack('links');
        }
        expect(kept).toBeLessThanOrEqual(cap);
        expect(sent).toBeLessThanOrEqual(cap * MAX_REQUESTS_PER_CREATED);
      }
    }),
  );
});

for (const [caps, verdict, reason] of [
  [createdKinds.map((kind) => createdResources[kind].smallest), 'conformant', 'allowed'],
  [[1, 1, 1], 'inconclusive', 'and MAX_APPLICATIONS (1) was used up'],
] as const)
  test(`Caps of ${caps.join(', ')} bring the verdict ${verdict}`, async () => {
    const own = createdKinds.map((kind, at) => [createdResources[kind].variable, String(caps[at])] as const);
    const env = { ...Object.fromEntries(own), AREAS: 'loans,payment-links', RUNS: '2' };
    const report = await examineBank(createBank(), { seed: 2, env });
    expect([report.verdict, report.reasons.join(' ')]).toEqual([verdict, expect.stringContaining(reason)]);
  });

test('The plan names exactly the caps that are too small for the judged clauses', () => {
  const announced = (env: Record<string, string>): string => describePlan(readTarget(env, null)).join('\n');
  const small = { MAX_APPLICATIONS: '1', MAX_DISBURSEMENTS: '0', MAX_LINKS: '0' };
  expect(announced({})).not.toContain('too small');
  expect(announced({})).toContain('contracts without a cap');
  expect(announced({ MAX_APPLICATIONS: '0', MAX_DISBURSEMENTS: '0' })).not.toMatch(/(?:most|,) 0 |contracts/);
  expect(announced({ READ_ONLY: '1' })).toBe(
    'Plan: only GET requests are sent to the embedded bank, and nothing is created.',
  );
  const renamed = 'CLIENT_ID and CLIENT_SECRET in header fields with other names';
  expect(announced({ ...FOREIGN_BANK_ENV, READ_ONLY: '1' })).toContain(renamed);
  expect(announced({ ...FOREIGN_BANK_ENV, PROBE_CREDENTIALS: '0' })).not.toContain(renamed);
  expect(announced({})).toMatch(/^Plan: refused on purpose: .*OVER_LIMIT=0.*PROBE_CREDENTIALS=0/m);
  expect(announced({ ...small, AREAS: 'payment-links' })).toMatch(
    /too small for a full verdict, .* at least MAX_LINKS=1\.$/m,
  );
  expect(announced({ ...small, OPERATIONS: 'requestLoan' })).toMatch(/at least MAX_APPLICATIONS=2\.$/m);
  expect(announced({ ...small, OPERATIONS: 'validateLoan' })).toMatch(/^Plan: nothing is created/m);
});
