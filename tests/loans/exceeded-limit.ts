/** Disburses more than an earlier disbursement left of the limit. */
import { limits } from '../../fixtures/runner/index.ts';
import { roundDown, toCents, type AccountLedger, type DrawPair } from './account-ledger.ts';
import { needsHigherCap } from './compared-disbursements.ts';

const FAILURE = 'loans.limit.failure-costs-nothing';
/** Two disbursements of this share each are more than the limit, and each alone is not. */
const SHARE_BEYOND = 0.6;
/** The smallest limit of which each share is a whole amount. */
const MIN_LIMIT = 20;

/** Opens two applications that offer one account, to disburse more than half its limit for each: the smallest limit, or another. */
export async function openBeyond(ledger: AccountLedger): Promise<DrawPair | null> {
  const { run, target } = ledger.tools;
  const shareOf = (limit: number): number => Math.min(roundDown(limit * SHARE_BEYOND), target.caps.amount);
  const isPossible = (limit: number): boolean => limit >= MIN_LIMIT && toCents(2 * shareOf(limit)) > toCents(limit);
  const smallest = ledger.listLimits().findLast((limit) => limit >= MIN_LIMIT) ?? 0;
  if (smallest > 0 && !isPossible(smallest))
    run.unexercised(FAILURE, needsHigherCap(Math.ceil(smallest * SHARE_BEYOND)));
  if (!isPossible(smallest)) return null;
  const amount = shareOf(smallest);
  const pair = await ledger.openTogether(amount, isPossible);
  if (pair === null) return null;
  const [{ offer }] = pair;
  const limit = ledger.accounts.get(offer.account)?.limit ?? 0;
  if (amount <= limit && toCents(2 * amount) > toCents(limit)) return pair;
  // Some banks disburse only the amount of the application, or hold this amount from its contract on.
  return ledger.openTogether(shareOf(limit), (_, account) => account === offer.account);
}

/** Disburses one after the other what is more than the limit together. Both have contracts before either is disbursed. */
export async function exceedLimit(ledger: AccountLedger): Promise<void> {
  const { loans, run } = ledger.tools;
  const pair = await openBeyond(ledger);
  if (pair === null) return;
  const [older, newer] = pair;
  for (const { application, offer } of pair) if (!(await loans.approve(application, offer)).accepted) return;
  const made = await ledger.disburse([older]);
  if (made === null || made.accepted.length === 0 || made.hasFailed) return;
  const { account } = newer.offer;
  const small = roundDown(older.amount / 10);
  const before = await ledger.look(account, small, 2);
  // Its contract is the newest of the account: a newer one might end it.
  const failed = await ledger.disburse([newer], { overLimit: true });
  if (failed?.hasFailed !== true || before === null) return;
  const after = await ledger.look(account, small, 2);
  if (after === null) return;
  const evidence = ledger.record();
  if (after < before) {
    // The bank may give back the limit a little later.
    await run.session.waiting.visible();
    await ledger.look(account, small);
  }
  const atEnd = ledger.record().looks.slice(evidence.looks.length);
  run.compare(limits.failureCostsNothing, { ...evidence, atEnd });
}
