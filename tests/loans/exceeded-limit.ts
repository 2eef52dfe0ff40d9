/** Disburses more than an earlier disbursement left of the limit. */
import type { Reply } from '../../fixtures/runner/index.ts';
import { failureCostsNothing } from '../../openapi/bank/behaviours/loans/limit-ledger.ts';
import { roundDown, toCents, type AccountLedger, type Disbursement, type DisbursementPair } from './account-ledger.ts';
import { findIpOfOtherFamily, needsHigherCap } from './compared-disbursements.ts';

/** A disbursement of this share of the limit is possible once, but not twice. */
const SHARE_ABOVE_HALF = 0.6;
/** The smallest limit at which the share is a whole amount. */
const MIN_LIMIT = 20;

/** Opens two applications that offer the same account, if possible the account with the smallest limit. Together they exceed it. */
export async function openPairAboveLimit(ledger: AccountLedger): Promise<DisbursementPair | null> {
  const { run, target } = ledger.tools;
  const getShare = (limit: number): number => Math.min(roundDown(limit * SHARE_ABOVE_HALF), target.caps.amount);
  const isPossible = (limit: number): boolean => limit >= MIN_LIMIT && toCents(2 * getShare(limit)) > toCents(limit);
  const smallest = ledger.listLimits().findLast((limit) => limit >= MIN_LIMIT) ?? 0;
  if (smallest > 0 && !isPossible(smallest))
    run.unexercised(failureCostsNothing, needsHigherCap(Math.ceil(smallest * SHARE_ABOVE_HALF)));
  if (!isPossible(smallest)) return null;
  const amount = getShare(smallest);
  const pair = await ledger.openPair(amount, isPossible);
  if (pair === null) return null;
  const [{ offer }] = pair;
  const limit = ledger.accounts.get(offer.account)?.limit ?? 0;
  if (amount <= limit && toCents(2 * amount) > toCents(limit)) return pair;
  // Some banks disburse only the amount of the application, or hold this amount from its contract on.
  return ledger.openPair(getShare(limit), (_, account) => account === offer.account);
}

/** The amount of a reading is that of a disbursement above the limit, divided by this number. */
const READING_DIVISOR = 20;

/** A third application is opened only if at least this many applications are left, besides those that are reserved. */
const MIN_APPLICATIONS_FOR_THIRD = 14;

/** Opens a third application like `older`, with the order_id and the cents of the plan: a failure must not depend on them. */
async function openThird(ledger: AccountLedger, { amount, offer }: Disbursement): Promise<Disbursement | null> {
  const { loans, target } = ledger.tools;
  const planned = await loans.nextTerms();
  const wishedAmount = Math.min(amount + (planned.amount % 1), target.caps.amount);
  return ledger.openForAccount(offer.account, Number(wishedAmount.toFixed(2)), {
    ...ledger.terms,
    order: planned.order,
  });
}

/** Disbursements from one account, sent one after the other, that together exceed its limit. */
export interface ExceededAccount {
  readonly account: string;
  readonly inRow: readonly Reply<'disburse'>[];
}

/**
 * Sends two or three disbursements from one account, one after the other. The first is within the limit; the second and the third
 * exceed what is left. All contracts are approved before. Returns null if the first disbursement did not succeed.
 */
export async function exceedLimit(
  ledger: AccountLedger,
  reservedApplications: number,
): Promise<ExceededAccount | null> {
  const { loans, run } = ledger.tools;
  const pair = await openPairAboveLimit(ledger);
  if (pair === null) return null;
  const [older, newer] = pair;
  const approve = async ({ application, offer }: Disbursement): Promise<boolean> =>
    (await loans.approve(application, offer)).accepted;
  const hasThird = run.budget.countLeft('applications') - reservedApplications >= MIN_APPLICATIONS_FOR_THIRD;
  if (!(await approve(older))) return null;
  // If the contract lowers the limit, this loan answer shows it.
  const third = await openThird(ledger, older);
  // The second disbursement has the newest contract of the account, because a newer contract might end an older one.
  if (hasThird && third !== null && !(await approve(third))) return null;
  if (!(await approve(newer))) return null;
  // The first failure has the address of the disbursement before, so that the address cannot be its reason.
  const customer = { ip: loans.ip(0) };
  const result = await ledger.disburse([{ ...older, customer }], { queryTiming: 'at rest' });
  if (result === null || result.accepted.length === 0 || result.hasFailed) return null;
  const otherIp = findIpOfOtherFamily(run.session, customer.ip, ledger.normalOutcome?.data.result);
  const last = hasThird && third !== null ? { ...third, customer: { ip: otherIp } } : null;
  const failedReplies = await disburseAboveLimit(ledger, { ...newer, customer }, last);
  return { account: older.offer.account, inRow: [...result.sent, ...failedReplies] };
}

/**
 * Sends one or two disbursements above the limit, and reads the limit twice before and after each disbursement. Returns the first answer.
 */
async function disburseAboveLimit(
  ledger: AccountLedger,
  first: Disbursement,
  second: Disbursement | null,
): Promise<readonly Reply<'disburse'>[]> {
  const sent: Reply<'disburse'>[] = [];
  const { account } = first.offer;
  // The disbursements at the same time use applications for such an amount: see `disburseInParallel`.
  const small = Math.max(1, roundDown(first.amount / READING_DIVISOR));
  const before = await ledger.readLimit(account, small, 2);
  let after = before;
  for (const disbursement of [first, second]) {
    const result =
      disbursement === null || after === null ? null : await ledger.disburse([disbursement], { overLimit: true });
    sent.push(...(result?.sent ?? []));
    if (result?.hasFailed !== true) break;
    after = await ledger.readLimit(account, small, 2);
  }
  if (before === null || after === null || after >= before) return sent.slice(0, 1);
  // The bank may raise the limit again a little later.
  await ledger.tools.run.session.waiting.waitUntilDataIsVisible();
  await ledger.readLimit(account, small);
  return sent.slice(0, 1);
}
