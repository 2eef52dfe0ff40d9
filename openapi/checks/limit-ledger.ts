/**
 * What disbursements take off the available limit of their account. Whether they take anything, when, and what fee comes on top
 * is left to the target: clean single disbursements show its rule, and the others are held to it. All sums are in whole cents.
 */
import { hasErrors } from '../history/answer-data.ts';
import type { Answered } from '../history/answered.ts';
import { isRefusal } from '../history/describe.ts';
import { isPending } from '../history/outcome-texts.ts';
import { entriesOf } from '../rules/entries.ts';
import { groupBy } from '../util/group-by.ts';
import { sameId } from '../util/ids.ts';
import type { Check, Compared } from './check.ts';

/** Clean disbursements of different amounts that have to fit a rule to the cent: two always fit one with a fee. */
const MIN_FITTING = 3;
/** Disbursements that have to contradict it: one may be a movement that others made on the account. */
const MIN_CONTRADICTING = 2;

/** What was disbursed of one account between two looks at its limit. */
interface Step {
  /** The look after it. */
  readonly by: Answered;
  readonly disbursed: Answered;
  readonly amounts: readonly bigint[];
  /** All of them. */
  readonly amount: bigint;
  readonly before: bigint;
  readonly after: bigint;
  /** What the limit fell by beyond the amount. */
  readonly beyond: bigint;
}

const inCents = (text: string, pattern: RegExp): bigint | null => {
  const [, whole = '', cents = ''] = pattern.exec(text) ?? [];
  return whole === '' ? null : BigInt(whole.replaceAll(/\D/g, '') + cents.padEnd(2, '0'));
};

/** A limit in cents, whatever its signs and grouping; null where it is no such text. */
const limitIn = (look: Answered, account: unknown): bigint | null => {
  const offer = entriesOf(look.data['infos']).find((one) => sameId(one['account_id'], account));
  return inCents(String(offer?.['avaliable_limit']).trim(), /^(\d[\d.,' ]*)[.,](\d\d)$/);
};

const amountOf = ({ exchange }: Answered): bigint | null =>
  inCents(String(exchange.request.asked['amount']), /^(\d+)(?:\.(\d\d?))?$/);
const applicationOf = ({ exchange }: Answered): unknown => exchange.request.asked['application_id'];

const made = ({ accepted, body, data }: Answered): boolean =>
  accepted && !hasErrors(body) && !isPending(data['result']);

/** `unsteady` where the limit moved with nothing between; null where it is not known what was disbursed. */
function stepOf({ all }: Compared): Step | 'unsteady' | null {
  const [by, disbursements] = [all('after').at(-1), all('disbursed')];
  const taken = disbursements.filter(({ accepted }) => accepted);
  const [disbursed] = taken;
  if (by === undefined || disbursed === undefined) return null;
  const account = disbursed.exchange.request.asked['account_id'];
  const [before, after] = [all('before'), all('after')].map((looks) => looks.map((one) => limitIn(one, account)));
  if (before?.[0] == null || after?.[0] == null) return null;
  if ([...before].some((one) => one !== before[0]) || after.some((one) => one !== after[0])) return 'unsteady';
  const isKnown = disbursements.every((one) => one.accepted || isRefusal(one));
  const isMade = taken.every((one) =>
    all('outcome').some((of) => sameId(applicationOf(of), applicationOf(one)) && made(of)),
  );
  const isOnce = new Set(taken.map(applicationOf)).size === taken.length;
  const amounts = taken.map(amountOf).filter((one) => one !== null);
  if (!isKnown || !isMade || !isOnce || amounts.length < taken.length) return null;
  const amount = amounts.reduce((sum, one) => sum + one, 0n);
  const beyond = before[0] - after[0] - amount;
  return { by, disbursed, amounts, amount, before: before[0], after: after[0], beyond };
}

const written = (cents: bigint): string => {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

/** True of what no fee explains, whether it grows with the amount, or begins after some disbursements. */
function isUnexplained(
  { amounts, amount, beyond }: Step,
  fee: bigint,
  before: readonly Step[],
  later: readonly Step[],
): boolean {
  // A limit may be shown up to some sum alone: it falls from then on.
  if (before.length === 0) return false;
  if (beyond < 0n) return true;
  const more = beyond - fee * BigInt(amounts.length);
  // One of them is counted once more.
  if (amounts.some((one) => more === one || more === one + fee)) return true;
  if (amounts.length > 1 || more <= 0n || later.length === 0) return false;
  const fitting = [...before, ...later];
  return fitting.some((one) => one.amount <= amount) && fitting.some((one) => one.amount >= amount);
}

export const limitLedger: Check = {
  clause: 'loans.limit.ledger',
  *of(history, tested) {
    const all = history.compared('loans.limit.ledger').map(stepOf);
    const steps = all.filter((one) => one !== null && one !== 'unsteady');
    const single = groupBy(
      steps.filter(({ amounts }) => amounts.length === 1),
      ({ beyond }) => beyond,
    );
    const fitting = [...single.values()].find(
      (same) => new Set(same.map(({ amount }) => amount)).size >= MIN_FITTING && (same[0]?.beyond ?? -1n) >= 0n,
    );
    const fee = fitting?.[0]?.beyond;
    if (fitting === undefined || fee === undefined || all.includes('unsteady')) return;
    const dueOf = ({ amount, amounts }: Step): bigint => amount + fee * BigInt(amounts.length);
    const odd = steps.filter((one, at) => {
      const isBefore = (other: Step): boolean => steps.indexOf(other) < at;
      const [before, later] = [fitting.filter(isBefore), fitting.filter((other) => !isBefore(other))];
      return one.before - dueOf(one) !== one.after && isUnexplained(one, fee, before, later);
    });
    for (const { by } of [...fitting, ...odd]) tested(by);
    // What is only written down late is made up for by the next ones.
    const isMadeUpFor = steps.reduce((sum, one) => sum + one.before - dueOf(one) - one.after, 0n) === 0n;
    const [one] = odd;
    if (one === undefined || odd.length < MIN_CONTRADICTING || isMadeUpFor) return;
    const what = one.amounts.map(written).join(' and at once ');
    yield {
      by: one.by,
      contrast: one.disbursed,
      pointer: '/data/infos/*/avaliable_limit',
      expected: `${written(one.before - dueOf(one))} left of ${written(one.before)} after a disbursement of ${what}, by the rule of ${fitting.length} others`,
      received: written(one.after),
      count: odd.length,
    };
  },
};
