/** Disburses more than an earlier disbursement left of the limit. */
import type { Reply } from '../../fixtures/runner/index.ts';
import { roundDown, toCents, type AccountLedger, type Draw, type DrawPair } from './account-ledger.ts';
import { needsHigherCap } from './compared-disbursements.ts';

const FAILURE = 'loans.limit.failure-costs-nothing';
/** Two disbursements of this share of the limit are more than the limit; one of them is less. */
const SHARE_BEYOND = 0.6;
/** The smallest limit at which the share is a whole amount. */
const MIN_LIMIT = 20;

/** Opens two applications that offer the same account, preferably the account with the smallest limit. */
export async function openBeyond(ledger: AccountLedger): Promise<DrawPair | null> {
  const { run, target } = ledger.tools;
  const getShare = (limit: number): number => Math.min(roundDown(limit * SHARE_BEYOND), target.caps.amount);
  const isPossible = (limit: number): boolean => limit >= MIN_LIMIT && toCents(2 * getShare(limit)) > toCents(limit);
  const smallest = ledger.listLimits().findLast((limit) => limit >= MIN_LIMIT) ?? 0;
  if (smallest > 0 && !isPossible(smallest))
    run.unexercised(FAILURE, needsHigherCap(Math.ceil(smallest * SHARE_BEYOND)));
  if (!isPossible(smallest)) return null;
  const amount = getShare(smallest);
  const pair = await ledger.openTogether(amount, isPossible);
  if (pair === null) return null;
  const [{ offer }] = pair;
  const limit = ledger.accounts.get(offer.account)?.limit ?? 0;
  if (amount <= limit && toCents(2 * amount) > toCents(limit)) return pair;
  // Some banks disburse only the amount of the application, or hold this amount from its contract on.
  return ledger.openTogether(getShare(limit), (_, account) => account === offer.account);
}

/** If fewer applications are left, besides those that others need, no third one is opened. */
const MIN_LEFT_FOR_THIRD = 14;

/** Disbursements from an account in a row that together exceed its limit. */
export interface Exceeded {
  readonly account: string;
  readonly inRow: readonly Reply<'disburse'>[];
}

/**
 * Sends two or three disbursements, one after the other: the second and the third exceed the limit together with the first. All
 * have contracts before. Null if the first one was not made. `kept`: how many applications others need.
 */
export async function exceedLimit(ledger: AccountLedger, kept: number): Promise<Exceeded | null> {
  const { loans, run } = ledger.tools;
  const pair = await openBeyond(ledger);
  if (pair === null) return null;
  const [older, newer] = pair;
  const hasThird = run.budget.left('applications') - kept >= MIN_LEFT_FOR_THIRD;
  const third = hasThird ? await ledger.openWith(newer.offer.account, newer.amount) : null;
  // The second disbursement has the newest contract of the account, because a newer contract might end an older one.
  for (const { application, offer } of [older, ...(third === null ? [] : [third]), newer])
    if (!(await loans.approve(application, offer)).accepted) return null;
  // Shows whether contracts alone lower the limit.
  await ledger.look(older.offer.account, older.amount);
  const made = await ledger.disburse([older], ledger.chooseRest());
  if (made === null || made.accepted.length === 0 || made.hasFailed) return null;
  const failed = await failInTurn(ledger, newer, third);
  return { account: older.offer.account, inRow: [...made.sent, ...failed] };
}

/** Sends one or two disbursements above the limit, and reads the limit twice before and after each. Returns the first reply. */
async function failInTurn(
  ledger: AccountLedger,
  first: Draw,
  second: Draw | null,
): Promise<readonly Reply<'disburse'>[]> {
  const sent: Reply<'disburse'>[] = [];
  const { account } = first.offer;
  const small = roundDown(first.amount / 10);
  const before = await ledger.look(account, small, 2);
  let after = before;
  for (const draw of [first, second]) {
    const failed = draw === null || after === null ? null : await ledger.disburse([draw], { overLimit: true });
    sent.push(...(failed?.sent ?? []));
    if (failed?.hasFailed !== true) break;
    after = await ledger.look(account, small, 2);
  }
  if (before === null || after === null || after >= before) return sent.slice(0, 1);
  // The bank may raise the limit again a little later.
  await ledger.tools.run.session.waiting.visible();
  await ledger.look(account, small);
  return sent.slice(0, 1);
}
