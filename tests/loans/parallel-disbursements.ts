/** Sends disbursements from one account at the same time: together within its limit, and then together above its limit. */
import { type Reply } from '../../fixtures/runner/index.ts';
import * as parallel from '../../openapi/bank/behaviours/loans/parallel-disbursements.ts';
import { listLimitSeries, roundDown, toCents, type AccountLedger, type Disbursement } from './account-ledger.ts';
import { findIpOfOtherFamily, needsHigherCap } from './compared-disbursements.ts';

/** The numbers of applications that disburse at the same time: within the limit, and above it. */
const WITHIN_COUNT = 6;
const ABOVE_COUNT = 3;
const MIN_COUNT = 2;
/** A disbursement of this share of the limit is possible once, but not twice. */
const SHARE_ABOVE_HALF = 0.6;

const isOfKind = ({ terms }: AccountLedger, { application }: Disbursement): boolean =>
  (['commercial_disbursement', 'disbursement_purpose', 'currency'] as const).every(
    (name) => application.terms[name] === terms[name],
  );

interface Selection {
  readonly count: number;
  /** A disbursement has the amount of its application, if this amount is within the two bounds, and `defaultAmount` if not. */
  readonly minAmount: number;
  readonly maxAmount: number;
  readonly defaultAmount: number;
}

/**
 * Chooses applications without a contract that offer the account. Opens applications for `defaultAmount` instead of those whose
 * disbursement the bank would refuse because of its amount, and if there are fewer than two.
 */
async function chooseDisbursements(
  ledger: AccountLedger,
  account: string,
  selection: Selection,
): Promise<readonly Disbursement[]> {
  const unused = listUnusedOfKind(ledger, account, selection);
  const usable = unused
    .filter(({ application, amount }) => ledger.tools.loans.mayDisburse(application, amount))
    .slice(0, selection.count);
  if (usable.length >= MIN_COUNT && usable.length === unused.length) return usable;
  const opened = await Promise.all(
    Array.from({ length: selection.count - usable.length }, () =>
      ledger.openForAccount(account, selection.defaultAmount),
    ),
  );
  return [...usable, ...opened.filter((disbursement) => disbursement !== null)];
}

/**
 * Lists disbursements for the applications without a contract that offer the account. Those of exactly the amount of their application
 * come first.
 */
function listUnusedOfKind(
  ledger: AccountLedger,
  account: string,
  { minAmount, maxAmount, defaultAmount }: Selection,
): readonly Disbursement[] {
  const disbursements = ledger.listUnused().flatMap((application): Disbursement[] => {
    const offer = application.offers.find((candidate) => candidate.account === account);
    const { amount: appliedAmount } = application.terms;
    const amount = appliedAmount >= minAmount && appliedAmount <= maxAmount ? appliedAmount : defaultAmount;
    return offer === undefined ? [] : [{ application, offer, amount }];
  });
  const isApplied = ({ application, amount }: Disbursement): boolean => application.terms.amount === amount;
  return disbursements
    .filter((disbursement) => isOfKind(ledger, disbursement))
    .toSorted((a, b) => Number(isApplied(b)) - Number(isApplied(a)));
}

const sumCents = (disbursements: readonly Disbursement[]): number =>
  disbursements.reduce((sum, { amount }) => sum + toCents(amount), 0);

/** Gives the last disbursement a customer address of the other family than the first ones, which exceed the limit without the last. */
function useBothFamilies({ normalOutcome, tools }: AccountLedger, disbursements: readonly Disbursement[]) {
  const ip = tools.loans.ip(0);
  const otherIp = findIpOfOtherFamily(tools.run.session, ip, normalOutcome?.data.result);
  return disbursements.map((disbursement, nth) => ({
    ...disbursement,
    customer: { ip: nth === ABOVE_COUNT - 1 ? otherIp : ip },
  }));
}

/** Makes the disbursements at the same time and reads the limit. After an unusual change, waits and reads the limit again. */
async function disburseAtOnce(
  ledger: AccountLedger,
  disbursements: readonly Disbursement[],
): Promise<readonly Reply<'disburse'>[]> {
  const { loans, run } = ledger.tools;
  const approved: Disbursement[] = [];
  for (const disbursement of disbursements)
    if ((await loans.approve(disbursement.application, disbursement.offer)).accepted) approved.push(disbursement);
  const [first] = approved;
  if (first === undefined || approved.length < MIN_COUNT) return [];
  ledger.unusualDisbursements.length = 0;
  const result = await ledger.disburse(approved);
  if (result === null) return [];
  const readLimit = () => ledger.readLimit(first.offer.account, first.amount);
  if ((await readLimit()) !== null && ledger.unusualDisbursements.length > 0) {
    await run.session.waiting.waitUntilDataIsVisible();
    await readLimit();
  }
  return result.sent.filter(({ outcome }) => outcome !== 'not-sent');
}

/** Chooses disbursements that together exceed the limit of the account. */
async function chooseAbove(ledger: AccountLedger, account: string): Promise<readonly Disbursement[]> {
  const { caps } = ledger.tools.target;
  const limit = ledger.accounts.get(account)?.limit ?? 0;
  const minAmount = Math.min(roundDown(limit * SHARE_ABOVE_HALF), caps.amount);
  if (minAmount < 1) return [];
  const maxAmount = Math.min(limit, caps.amount);
  return chooseDisbursements(ledger, account, { count: ABOVE_COUNT, minAmount, maxAmount, defaultAmount: minAmount });
}

/** `inRow`: disbursements from this account, one after the other, that exceeded its limit. Its limit was read twice before. */
export async function disburseInParallel(
  ledger: AccountLedger,
  account: string,
  inRow: readonly Reply<'disburse'>[],
): Promise<void> {
  const { run, target } = ledger.tools;
  const getLimit = (): number => ledger.accounts.get(account)?.limit ?? 0;
  // The limit does not fall below zero. So it must cover each disbursement twice, to show which ones the bank counts twice.
  const amountWithin = Math.min(roundDown(getLimit() / (2 * WITHIN_COUNT)), target.caps.amount);
  const within =
    amountWithin < 1
      ? []
      : await chooseDisbursements(ledger, account, {
          count: WITHIN_COUNT,
          minAmount: 0,
          maxAmount: amountWithin,
          defaultAmount: amountWithin,
        });
  await disburseAtOnce(ledger, within);
  const above = target.overLimit && inRow.length > 0 ? await chooseAbove(ledger, account) : [];
  // The loan answers of applications that were opened for the next disbursements confirm the limit too.
  await ledger.confirmLimit(account, Math.max(1, amountWithin));
  const reportNotTested = (why: string): void => run.unexercised(parallel.parallelWithinLimit, why);
  if (!target.overLimit) return;
  if (inRow.length === 0)
    return reportNotTested('no disbursements, one after the other, exceeded the limit of an account');
  const limit = getLimit();
  if (above.length > 1 && sumCents(above) <= toCents(limit))
    return reportNotTested(needsHigherCap(Math.ceil(limit * SHARE_ABOVE_HALF)));
  const atOnce = await disburseAtOnce(ledger, useBothFamilies(ledger, above));
  await ledger.confirmLimit(account, above[0]?.amount ?? 1);
  if (atOnce.length === 0)
    return reportNotTested('fewer than two applications got a contract for one account and a final outcome');
  run.compare(parallel.parallelWithinLimit, { ...listLimitSeries(run.session), inRow, atOnce });
}
