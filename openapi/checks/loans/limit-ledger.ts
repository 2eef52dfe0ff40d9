/**
 * Checks how disbursements reduce the available limit of their account. The bank may choose whether, when and with which fee.
 * Single disbursements show this rule, and all disbursements must follow it. All sums are in cents.
 */
import { hasErrors } from '../../history/answer-data.ts';
import { isPending } from '../../history/outcome-texts.ts';
import type { Answered, Check, Compared } from '../../model/check.ts';
import { isRefusal } from '../../model/outcome.ts';
import { getEntries } from '../../rules/entries.ts';
import { groupBy } from '../../util/group-by.ts';
import { isSameId } from '../../util/ids.ts';

/** At least this many different amounts must fit a rule exactly: two amounts always fit some rule with a fee. */
const MIN_FITTING_AMOUNTS = 3;
/** At least this many disbursements must contradict the rule: a single one may be another transaction on the account. */
const MIN_CONTRADICTING_DISBURSEMENTS = 2;

/** Disbursements from one account between two queries of its available limit. */
interface Step {
  readonly at: number;
  /** The query of the available limit after the disbursements. */
  readonly by: Answered;
  readonly disbursed: Answered;
  readonly amounts: readonly bigint[];
  readonly amount: bigint;
  readonly before: bigint;
  /** The available limit fell by this many cents more than the amount. */
  readonly beyond: bigint;
}

const parseCents = (text: string, pattern: RegExp): bigint | null => {
  const [, whole = '', cents = ''] = pattern.exec(text) ?? [];
  return whole === '' ? null : BigInt(whole.replaceAll(/\D/g, '') + cents.padEnd(2, '0'));
};
/** Reads the available limit in cents, with any digit grouping; null if the text is not an amount. */
const readLimit = (look: Answered, account: unknown): bigint | null => {
  const offer = getEntries(look.data['infos']).find((one) => isSameId(one['account_id'], account));
  return parseCents(String(offer?.['avaliable_limit']).trim(), /^(\d[\d.,' ]*)[.,](\d\d)$/);
};
const readInput = ({ exchange }: Answered, name: string): string => String(exchange.request.asked[name]);
const formatCents = (cents: bigint): string => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;

/** Reads the effect of one disbursement. `unsteady` if the limit changes without a disbursement; null if the effect is unknown. */
function readLedgerStep({ all }: Compared, at: number): Step | 'unsteady' | null {
  const [by, sent] = [all('after').at(-1), all('disbursed')];
  const taken = sent.filter(({ accepted }) => accepted);
  const [disbursed] = taken;
  if (by === undefined || disbursed === undefined) return null;
  const [before = [], after = []] = [all('before'), all('after')].map((looks) => [
    ...new Set(looks.map((one) => readLimit(one, readInput(disbursed, 'account_id')))),
  ]);
  const ids = new Set(taken.map((one) => readInput(one, 'application_id')));
  const outcomes = all('outcome').filter((one) => ids.has(readInput(one, 'application_id')));
  const isOver = outcomes.every(({ accepted, data }) => accepted && !isPending(data['result']));
  const isKnown = sent.every((one) => one.accepted || isRefusal(one)) && outcomes.length >= ids.size && isOver;
  if (before.length > 1 || after.length > 1 || !isKnown) return 'unsteady';
  const amounts = taken.flatMap((one) => parseCents(readInput(one, 'amount'), /^(\d+)(?:\.(\d\d?))?$/) ?? []);
  if (before[0] == null || after[0] == null || outcomes.some(({ body }) => hasErrors(body))) return null;
  // If one application has two disbursements, the effect of the second is unknown.
  if (ids.size < taken.length || amounts.length < taken.length) return null;
  const amount = amounts.reduce((sum, one) => sum + one);
  return { at, by, disbursed, amounts, amount, before: before[0], beyond: before[0] - after[0] - amount };
}

/** True if no fee explains the step: neither a fee that grows with the amount, nor a fee that starts at a higher amount. */
function isUnexplainedByFee({ at, amounts, amount, beyond }: Step, fee: bigint, fitting: readonly Step[]): boolean {
  const more = beyond - fee * BigInt(amounts.length);
  // The bank may show at most a maximum: the shown limit changes only below the maximum.
  if (more === 0n || !fitting.some((one) => one.at < at)) return false;
  // The limit fell by less than the amount, or the bank subtracted one amount twice.
  if (beyond < 0n || amounts.some((one) => more === one || more === one + fee)) return true;
  if (amounts.length > 1 || more < 0n || !fitting.some((one) => one.at > at)) return false;
  return fitting.some((one) => one.amount <= amount) && fitting.some((one) => one.amount >= amount);
}

export const limitLedgerCheck: Check = {
  clause: 'loans.limit.ledger',
  *of(history, tested) {
    const all = history.compared('loans.limit.ledger').map(readLedgerStep);
    const steps = all.filter((one) => one !== null && one !== 'unsteady');
    const single = groupBy(
      steps.filter(({ amounts, beyond }) => amounts.length === 1 && beyond >= 0n),
      ({ beyond }) => beyond,
    );
    const isRule = (same: readonly Step[]): boolean =>
      new Set(same.map(({ amount }) => amount)).size >= MIN_FITTING_AMOUNTS;
    const [fee, fitting] = [...single].find(([, same]) => isRule(same)) ?? [];
    if (fee === undefined || fitting === undefined || all.includes('unsteady')) return;
    const unexplained = steps.filter((one) => isUnexplainedByFee(one, fee, fitting));
    for (const { by } of [...fitting, ...unexplained]) tested(by);
    const dueOf = ({ amount, amounts }: Step): bigint => amount + fee * BigInt(amounts.length);
    // If bookings are late, the next steps correct the limit.
    const isMadeUpFor = steps.reduce((sum, one) => sum + one.amount + one.beyond - dueOf(one), 0n) === 0n;
    const [one] = unexplained;
    if (one === undefined || unexplained.length < MIN_CONTRADICTING_DISBURSEMENTS || isMadeUpFor) return;
    yield {
      by: one.by,
      contrast: one.disbursed,
      pointer: '/data/infos/*/avaliable_limit',
      expected: `${formatCents(one.before - dueOf(one))} left of ${formatCents(one.before)} after a disbursement of ${one.amounts.map(formatCents).join(' and at once ')}, as ${fitting.length} others show`,
      received: formatCents(one.before - one.amount - one.beyond),
      count: unexplained.length,
    };
  },
};
