/** Sends disbursements from one account at the same time: together within its limit, and then together above its limit. */
import { type Reply } from '../../fixtures/runner/index.ts';
import * as parallel from '../../openapi/bank/behaviours/loans/parallel-disbursements.ts';
import { listLimitSeries, roundDown, toCents, type AccountLedger, type Disbursement } from './account-ledger.ts';
import { findIpOfOtherFamily, needsHigherCap } from './compared-disbursements.ts';

/** The numbers of applications that disburse at the same time: within the limit, and above it. */
const WITHIN_COUNT = 6;
const ABOVE_COUNT = 3;
/** A disbursement of this share of the limit is possible once, but not twice. */
const SHARE_ABOVE_HALF = 0.6;

const isOfKind = ({ terms }: AccountLedger, { application }: Disbursement): boolean =>
  (['commercial_disbursement', 'disbursement_purpose', 'currency'] as const).every(
    (name) => application.terms[name] === terms[name],
  );

const isAppliedAmount = ({ application, amount }: Disbursement): boolean => application.terms.amount === amount;

interface Selection {
  readonly count: number;
  /** A disbursement has the amount of its application, if this amount is within the two bounds, and `defaultAmount` if not. */
  readonly minAmount: number;
  readonly maxAmount: number;
  readonly defaultAmount: number;
}

/**
 * Chooses applications without a contract that offer the account. If the bank disburses only the whole amount of an application, opens
 * applications for `defaultAmount` if too few have a suitable amount.
 */
async function chooseDisbursements(
  ledger: AccountLedger,
  account: string,
  selection: Selection,
): Promise<readonly Disbursement[]> {
  const unused = chooseUnused(ledger, account, selection);
  if (!ledger.tools.loans.disbursesOnlyWhole()) return unused;
  const whole = unused.filter(isAppliedAmount);
  const opened = await Promise.all(
    Array.from({ length: selection.count - whole.length }, () =>
      ledger.openForAccount(account, selection.defaultAmount),
    ),
  );
  return [...whole, ...opened.filter((disbursement) => disbursement !== null)];
}

/** Chooses applications without a contract that offer the account. */
function chooseUnused(
  ledger: AccountLedger,
  account: string,
  { count, minAmount, maxAmount, defaultAmount }: Selection,
): readonly Disbursement[] {
  const disbursements = ledger.listUnused().flatMap((application): Disbursement[] => {
    const offer = application.offers.find((candidate) => candidate.account === account);
    const { amount: appliedAmount } = application.terms;
    const amount = appliedAmount >= minAmount && appliedAmount <= maxAmount ? appliedAmount : defaultAmount;
    return offer === undefined ? [] : [{ application, offer, amount }];
  });
  const disbursementsOfKind = disbursements.filter((disbursement) => isOfKind(ledger, disbursement));
  // Applications for exactly this amount come first: a bank may disburse no other amount.
  return disbursementsOfKind
    .toSorted((a, b) => Number(isAppliedAmount(b)) - Number(isAppliedAmount(a)))
    .slice(0, count);
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

/** Makes the disbursements at the same time and reads the limit twice. After an unusual change, waits and reads the limit again. */
async function disburseAtOnce(
  ledger: AccountLedger,
  disbursements: readonly Disbursement[],
): Promise<readonly Reply<'disburse'>[]> {
  const { loans, run } = ledger.tools;
  const approved: Disbursement[] = [];
  for (const disbursement of disbursements)
    if ((await loans.approve(disbursement.application, disbursement.offer)).accepted) approved.push(disbursement);
  const [first] = approved;
  if (first === undefined || approved.length < 2) return [];
  ledger.unusualDisbursements.length = 0;
  const result = await ledger.disburse(approved);
  if (result === null) return [];
  const readLimit = (count: number) => ledger.readLimit(first.offer.account, first.amount, count);
  if ((await readLimit(2)) !== null && ledger.unusualDisbursements.length > 0) {
    await run.session.waiting.waitUntilDataIsVisible();
    await readLimit(1);
  }
  return result.sent.filter(({ outcome }) => outcome !== 'not-sent');
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
  const reportNotTested = (why: string): void => run.unexercised(parallel.parallelWithinLimit, why);
  if (!target.overLimit) return;
  if (inRow.length === 0)
    return reportNotTested('no disbursements, one after the other, exceeded the limit of an account');
  const limit = getLimit();
  const amountAbove = Math.min(roundDown(limit * SHARE_ABOVE_HALF), target.caps.amount);
  const above =
    amountAbove < 1
      ? []
      : await chooseDisbursements(ledger, account, {
          count: ABOVE_COUNT,
          minAmount: amountAbove,
          maxAmount: Math.min(limit, target.caps.amount),
          defaultAmount: amountAbove,
        });
  if (above.length > 1 && sumCents(above) <= toCents(limit))
    return reportNotTested(needsHigherCap(Math.ceil(limit * SHARE_ABOVE_HALF)));
  const atOnce = await disburseAtOnce(ledger, useBothFamilies(ledger, above));
  if (atOnce.length === 0)
    return reportNotTested('fewer than two applications got a contract for one account and a final outcome');
  run.compare(parallel.parallelWithinLimit, { ...listLimitSeries(run.session), inRow, atOnce });
}
