import { limits, scenario, test } from '../../fixtures/runner/index.ts';
import { AccountLedger, roundDown } from './account-ledger.ts';
import { exceedLimit } from './exceeded-limit.ts';
import { drawSingles, listFlagWishes } from './limit-ledger.ts';

/** Parts of the smallest limit: with a larger disbursement after them, they show how much a disbursement lowers it. */
const SMALL_PARTS = [10, 20];
/** Small and large disbursements, and those that come again because their effect is unusual. */
const MOST_SINGLES = 9;

// Runs first: other scenarios use the limits up.
test(
  'Disbursements from untouched accounts, and two that are more than the limit together, with contracts before either',
  ...scenario(
    'loan-used-limit',
    { area: 'loans', exclusive: true, creates: { applications: 12, disbursements: 8 } },
    async (tools) => {
      const { loans, run, target } = tools;
      const terms = await loans.terms();
      const ledger = new AccountLedger(tools, terms);
      await ledger.open(terms.amount);
      const smallest = ledger.listLimits().at(-1);
      if (smallest === undefined) return;
      const { account } = smallest;
      const small = SMALL_PARTS.map((part) => ({ amount: roundDown(smallest.limit / part), kind: terms, account }));
      await drawSingles(ledger, small, small.length);
      await drawSingles(ledger, [...listFlagWishes(ledger, [])], MOST_SINGLES);
      if (run.session.shard.total === 1) run.compare(limits.limitLedger, ledger.record());
      if (target.overLimit) await exceedLimit(ledger);
      else run.unexercised('loans.limit.failure-costs-nothing', 'OVER_LIMIT=0');
    },
  ),
);
