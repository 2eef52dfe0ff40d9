/** Disburses from several applications of one account at once: within its limit, and then together above it. */
import { parallel, type Reply } from '../../fixtures/runner/index.ts';
import { listLimitSeries, roundDown, toCents, type AccountLedger, type Draw } from './account-ledger.ts';
import { needsHigherCap } from './compared-disbursements.ts';

/** This many applications disburse at once. */
const WITHIN_COUNT = 4;
const ABOVE_COUNT = 3;
/** Two disbursements of this share of the limit are more than the limit; one of them is less. */
const SHARE_BEYOND = 0.6;

const isOfKind = ({ terms }: AccountLedger, { application }: Draw): boolean =>
  (['commercial_disbursement', 'disbursement_purpose', 'currency'] as const).every(
    (name) => application.terms[name] === terms[name],
  );

interface Wish {
  readonly count: number;
  /** A disbursement has the amount of its application if that is between these two, and otherwise `usual`. */
  readonly least: number;
  readonly most: number;
  readonly usual: number;
}

/** Takes applications without a contract that offer the account. */
function takeUnused(ledger: AccountLedger, account: string, { count, least, most, usual }: Wish): readonly Draw[] {
  const draws = ledger.listUnused().flatMap((application): Draw[] => {
    const offer = application.offers.find((one) => one.account === account);
    const { amount: own } = application.terms;
    const amount = own >= least && own <= most ? own : usual;
    return offer === undefined ? [] : [{ application, offer, amount }];
  });
  const ofKind = draws.filter((draw) => isOfKind(ledger, draw));
  // Applications for the disbursed amount come first: a bank may disburse no other amount.
  const isOwn = ({ application, amount }: Draw): boolean => application.terms.amount === amount;
  return ofKind.toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a))).slice(0, count);
}

const sumCents = (draws: readonly Draw[]): number => draws.reduce((sum, { amount }) => sum + toCents(amount), 0);

/** Makes the disbursements at once, and reads the limit twice. After an unexpected change, reads it again a little later. */
async function disburseAtOnce(ledger: AccountLedger, draws: readonly Draw[]): Promise<readonly Reply<'disburse'>[]> {
  const { loans, run } = ledger.tools;
  const approved: Draw[] = [];
  for (const draw of draws) if ((await loans.approve(draw.application, draw.offer)).accepted) approved.push(draw);
  const [first] = approved;
  if (first === undefined || approved.length < 2) return [];
  ledger.unusual.length = 0;
  const made = await ledger.disburse(approved);
  if (made === null) return [];
  const look = (count: number) => ledger.look(first.offer.account, first.amount, count);
  if ((await look(2)) !== null && ledger.unusual.length > 0) {
    await run.session.waiting.visible();
    await look(1);
  }
  return made.sent.filter(({ outcome }) => outcome !== 'not-sent');
}

/** The limit of the account was read twice before. `inRow`: disbursements from it that together exceeded its limit, in a row. */
export async function disburseInParallel(
  ledger: AccountLedger,
  account: string,
  inRow: readonly Reply<'disburse'>[],
): Promise<void> {
  const { run, target } = ledger.tools;
  const getLimit = (): number => ledger.accounts.get(account)?.limit ?? 0;
  const share = Math.min(roundDown(getLimit() / (WITHIN_COUNT + 1)), target.caps.amount);
  const within =
    share < 1 ? [] : takeUnused(ledger, account, { count: WITHIN_COUNT, least: 0, most: share, usual: share });
  await disburseAtOnce(ledger, within);
  const leaveOut = (why: string): void => run.unexercised(parallel.parallelWithinLimit.id, why);
  if (!target.overLimit) return;
  if (inRow.length === 0) return leaveOut('no disbursements in a row exceeded the limit of an account');
  const limit = getLimit();
  const part = Math.min(roundDown(limit * SHARE_BEYOND), target.caps.amount);
  const above =
    part < 1
      ? []
      : takeUnused(ledger, account, {
          count: ABOVE_COUNT,
          least: part,
          most: Math.min(limit, target.caps.amount),
          usual: part,
        });
  if (above.length > 1 && sumCents(above) <= toCents(limit))
    return leaveOut(needsHigherCap(Math.ceil(limit * SHARE_BEYOND)));
  const atOnce = await disburseAtOnce(ledger, above);
  if (atOnce.length === 0)
    return leaveOut('fewer than two applications got a contract for one account and a final outcome');
  run.compare(parallel.parallelWithinLimit, { ...listLimitSeries(run.session), inRow, atOnce });
}
