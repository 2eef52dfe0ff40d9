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

/**
 * Takes up to `count` applications without a contract that offer the account. Each disburses its own amount if that lies between
 * `least` and `most`, and otherwise `most`.
 */
function takeUnused(ledger: AccountLedger, account: string, count: number, least: number, most: number) {
  const draws = ledger.tools.loans.unused().flatMap((application): Draw[] => {
    const offer = application.offers.find((one) => one.account === account);
    const { amount } = application.terms;
    return offer === undefined
      ? []
      : [{ application, offer, amount: amount >= least && amount <= most ? amount : most }];
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
  const within = share < 1 ? [] : takeUnused(ledger, account, WITHIN_COUNT, 0, share);
  await disburseAtOnce(ledger, within);
  if (inRow.length === 0) return;
  const limit = getLimit();
  const part = Math.min(roundDown(limit * SHARE_BEYOND), target.caps.amount);
  const above = part < 1 ? [] : takeUnused(ledger, account, ABOVE_COUNT, part, limit);
  if (above.length > 1 && sumCents(above) <= toCents(limit))
    return run.unexercised(parallel.parallelWithinLimit.id, needsHigherCap(Math.ceil(limit * SHARE_BEYOND)));
  const atOnce = await disburseAtOnce(ledger, above);
  if (atOnce.length > 0) run.compare(parallel.parallelWithinLimit, { ...listLimitSeries(run.session), inRow, atOnce });
}
