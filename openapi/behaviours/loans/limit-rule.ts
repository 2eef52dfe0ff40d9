/**
 * How disbursements lower the available limit of their account. The bank may choose whether, when and with which fee. Single
 * disbursements show this rule, and all disbursements must follow the rule. All amounts are in cents.
 */
import { hasErrors } from '../../history/answers.ts';
import { groupBy } from '../../util/group-by.ts';
import { toIdText } from '../../util/ids.ts';
import { maskNumbers } from '../../util/truncate.ts';
import type { Judged } from '../evidence.ts';
import {
  readAmount,
  readInput,
  readKind,
  readSpans,
  readTimes,
  type Look,
  type Series,
  type Span,
} from './account-limits.ts';

/** At least this many different amounts must fit a rule exactly, because a rule with a fee fits any two amounts. */
const MIN_FITTING_AMOUNTS = 3;
/** A single unexpected change of a limit may be another transaction on the account. */
export const MIN_CHANGES = 2;
/** A single change counts only if this many readings of the limit before it, and as many after it, are equal. */
const MIN_EQUAL_LIMIT_READINGS = 2;

/** Milliseconds until the limit after a failure is read again. */
export const MIN_HOLD_MS = 3000;

/** Disbursements of one account, between two readings of its limit. */
export interface Step extends Span {
  readonly kind: string;
  /** The kinds of all its applications. */
  readonly kinds: readonly string[];
  /** The last reading of the limit after the disbursements. */
  readonly by: Look;
  readonly disbursed: Judged<'disburse'>;
  readonly amounts: readonly bigint[];
  /** The sum of the disbursements without errors. */
  readonly made: bigint;
  readonly hasFailed: boolean;
  /** The outcome texts. */
  readonly texts: readonly string[];
}

export const sumCents = (amounts: readonly bigint[]): bigint => amounts.reduce((all, one) => all + one, 0n);
export const isDisbursement = (one: Span['changes'][number]): one is Judged<'disburse'> => one.operation === 'disburse';
export const readId = (one: Pick<Look, 'exchange'>): string => readInput(one, 'application_id');

/** What contracts alone do to the limit. */
type ContractEffect = 'none' | 'unknown' | 'lower';

function findContractEffect(spans: readonly Span[]): ContractEffect {
  const alone = spans.filter(({ changes }) => changes.length > 0 && !changes.some(isDisbursement));
  if (alone.length === 0) return 'unknown';
  return alone.every(({ fall }) => fall === 0n) ? 'none' : 'lower';
}

/** True if a contract may explain a change of the limit: of another application, before the first reading, or for another amount. */
function mayContractMatter({ before, changes }: Span, ids: ReadonlySet<string>, { looks, contracts }: Series): boolean {
  const inside = changes.filter((one) => !isDisbursement(one));
  const areApplied = changes.filter(isDisbursement).every((one) => {
    const { amount } = one.exchange.request.asked;
    const opening = looks.find((look) => toIdText(look.data.application_id) === readId(one));
    return readAmount(opening?.exchange.request.asked['amount'] ?? amount) === readAmount(amount);
  });
  const isEarlier = (one: Series['contracts'][number]): boolean =>
    one.accepted && ids.has(readId(one)) && readTimes(one).from < readTimes(before).until;
  return !areApplied || inside.some((one) => !ids.has(readId(one))) || contracts.some(isEarlier);
}

/** Returns the disbursements between two readings of the limit; null if their effect alone is not known. */
function readStep(span: Span, evidence: Series, contractEffect: ContractEffect): Step | null {
  const accepted = span.changes.filter(isDisbursement);
  const [disbursed] = accepted;
  const ids = new Set(accepted.map(readId));
  const isRepeated = evidence.disbursed.some(
    (earlier) => ids.has(readId(earlier)) && readTimes(earlier).from < readTimes(span.before).until,
  );
  const amounts = accepted.flatMap((one) => readAmount(one.exchange.request.asked['amount']) ?? []);
  // If one application has two disbursements, the effect of the second is unknown: the bank may repeat its first answer.
  if (isRepeated || ids.size < accepted.length) return null;
  if (disbursed === undefined || amounts.length < accepted.length) return null;
  const findOpening = (id: string) => evidence.looks.find((look) => toIdText(look.data.application_id) === id);
  const last = [...ids].map((id) => evidence.outcomes.findLast((one) => readId(one) === id));
  const failed = last.map((one) => hasErrors(one?.body));
  const hasFailed = failed.includes(true);
  const made = sumCents(amounts.filter((_, nth) => failed[nth] === false));
  const kinds = [...ids].map((id) => readKind(findOpening(id) ?? span.after));
  const [kind = ''] = kinds;
  const mayMatter = contractEffect !== 'none' && mayContractMatter(span, ids, evidence);
  const hasContract = span.changes.some((one) => !isDisbursement(one));
  // A failure may give back what its contract held.
  const isUnclear = hasFailed
    ? contractEffect === 'lower' || (contractEffect === 'unknown' && (hasContract || span.fall < 0n))
    : mayMatter;
  if (isUnclear) return null;
  const texts = last.flatMap((one) => (one === undefined ? [] : maskNumbers(String(one.data.result))));
  return { ...span, kind, kinds, by: span.after, disbursed, amounts, made, hasFailed, texts };
}

/** Reads the disbursements whose effect on the limit is known; null if no account has a steady limit. */
export function readSteps(evidence: Series, spans = readSpans(evidence)): readonly Step[] | null {
  if (spans === null) return null;
  const contractEffect = findContractEffect(spans);
  return spans.flatMap((span) => readStep(span, evidence, contractEffect) ?? []);
}

/**
 * Leaves out steps after a failure that may have lowered the limit: the bank may give this amount back at any time. Leaves out
 * nothing if all known failures left the limit as it was, nor after a failure whose amount the limit no longer lacks.
 */
export function leaveOutAfterFailures(steps: readonly Step[], { disbursed, outcomes }: Series): readonly Step[] {
  const known = steps.filter(({ amounts, hasFailed, limit }) => hasFailed && amounts.length === 1 && limit > 0n);
  if (known.length > 0 && known.every(({ fall }) => fall === 0n)) return steps;
  const isSettled = ({ hasFailed, limit, fall, made }: Step): boolean => hasFailed && limit > 0n && fall === made;
  const settled = new Set(steps.filter(isSettled).flatMap(({ changes }) => changes.filter(isDisbursement).map(readId)));
  const failed = new Set(outcomes.filter((one) => hasErrors(one.body) && !settled.has(readId(one))).map(readId));
  return steps.filter(
    ({ account, by, changes }) =>
      !disbursed.some(
        (one) =>
          failed.has(readId(one)) &&
          readInput(one, 'account_id') === account &&
          !changes.includes(one) &&
          readTimes(one).from < readTimes(by).from,
      ),
  );
}

export const getReadAt = ({ by }: Step): number => readTimes(by).from;

export interface Rule {
  readonly fee: bigint;
  readonly fitting: readonly [Step, ...Step[]];
}

const getCurrency = (kind: string): string => kind.split(' ').at(-1) ?? '';
const readCurrency = ({ kind }: Step): string => getCurrency(kind);
export const readBeyond = ({ fall, amounts }: Step): bigint => fall - sumCents(amounts);

/** Returns the fee of each disbursement of a step if all have the same; null if they cannot have the same. */
function readFee(step: Step): bigint | null {
  const [beyond, count] = [readBeyond(step), BigInt(step.amounts.length)];
  return beyond >= 0n && beyond % count === 0n ? beyond / count : null;
}

/**
 * Finds the fee that disbursements of enough different amounts have in common. A fee is an amount of one currency; without a fee,
 * the rule is the same in all currencies. Several disbursements between two readings show the rule too, but only beside single ones.
 */
export function findRule(steps: readonly Step[]): Rule | undefined {
  const clean = steps.filter((one) => !one.hasFailed && !one.isDisturbed && readFee(one) !== null);
  const nameRule = (step: Step): string => {
    const fee = readFee(step);
    return fee === 0n ? 'no fee' : `${fee} ${readCurrency(step)}`;
  };
  const alike = [...groupBy(clean, nameRule).values()].filter((same) =>
    same.some(({ amounts }) => amounts.length === 1),
  );
  const countAmounts = (same: readonly Step[]): number => new Set(same.map(({ amounts }) => amounts.join(' '))).size;
  const [fitting] = alike.toSorted((a, b) => countAmounts(b) - countAmounts(a));
  if (fitting === undefined || countAmounts(fitting) < MIN_FITTING_AMOUNTS) return undefined;
  return { fee: readFee(fitting[0]) ?? 0n, fitting };
}

export const computeDueAmount = ({ amounts }: Step, { fee }: Rule): bigint =>
  sumCents(amounts) + fee * BigInt(amounts.length);

/** A bank that makes a disbursement again, for example with each query, makes it at most so many times more. */
const MAX_REPEATS = 2;
/** Of more amounts than these, too many sums are possible. */
const MAX_SUMMED = 6;

/** True if `more` is what the bank subtracts when it makes some of the disbursements again, with or without their fee. */
function isSumOfRepeats(more: bigint, amounts: readonly bigint[], fee: bigint): boolean {
  if (more <= 0n || amounts.length > MAX_SUMMED) return false;
  const sumAll = (extra: bigint): ReadonlySet<bigint> =>
    amounts.reduce<ReadonlySet<bigint>>(
      (sums, amount) => {
        const repeats = Array.from({ length: MAX_REPEATS + 1 }, (_, times) => BigInt(times) * (amount + extra));
        return new Set([...sums].flatMap((sum) => repeats.map((repeated) => sum + repeated)));
      },
      new Set([0n]),
    );
  return sumAll(0n).has(more) || sumAll(fee).has(more);
}

/** True if no fee explains the step: neither a fee that grows with the amount, nor a fee that starts at a higher amount. */
export function isUnexplainedByFee(step: Step, { fee, fitting: all }: Rule): boolean {
  const { amounts, account } = step;
  const beyond = readBeyond(step);
  // A limit does not fall below zero.
  if (step.fall === step.limit && computeDueAmount(step, { fee, fitting: all }) > step.fall) return false;
  const fitting = all.filter((one) => one.account === account);
  const more = beyond - fee * BigInt(amounts.length);
  // The bank may show at most a maximum: then the shown limit falls by less than the amount until it is below the maximum.
  if (!fitting.some((one) => more > 0n || getReadAt(one) < getReadAt(step))) return false;
  // Another currency may be converted, but a disbursement always lowers the limit.
  const currencies = fitting.map(readCurrency);
  if (step.kinds.some((kind) => !currencies.includes(getCurrency(kind)))) return step.fall === 0n;
  if (more === 0n) return false;
  // The limit fell by less than the amount.
  if (beyond < 0n) return true;
  // Each kind of applications may have a fee of its own.
  const hasKnownFees = step.kinds.every((kind) => fitting.some((one) => one.kinds.includes(kind)));
  if (amounts.length > 1 && !hasKnownFees) return false;
  if (isSumOfRepeats(more, amounts, fee)) return true;
  if (!hasKnownFees || more < 0n) return false;
  const fitted = fitting.flatMap((one) => one.amounts);
  return (
    fitting.some((one) => getReadAt(one) > getReadAt(step)) &&
    amounts.every((amount) => fitted.some((one) => one <= amount) && fitted.some((one) => one >= amount))
  );
}

/** True if the next disbursements of the account corrected the limit, because the bank books late. */
export const isMadeUpFor = (steps: readonly Step[], rule: Rule): boolean =>
  sumCents(steps.map((one) => one.fall - computeDueAmount(one, rule))) === 0n;

export const isBetweenEqualReadings = ({ equalBefore, equalAfter }: Span): boolean =>
  Math.min(equalBefore, equalAfter) >= MIN_EQUAL_LIMIT_READINGS;

export const NO_RULE_TEXT = 'fewer than three disbursements lowered the limit by one rule';
export const UNSTEADY_LIMIT_TEXT = 'the limit changed without a disbursement, or a disbursement had no final outcome';

export interface Ledger {
  /** All steps without failures. */
  readonly successful: readonly Step[];
  /** The steps of these in words that steps of the rule have too. */
  readonly steps: readonly Step[];
  /** The rule that single disbursements show. */
  readonly rule: Rule;
}

/** Reads the ledger of all accounts; a text says why no rule is known. */
export function readLedger(evidence: Series, ruled: (step: Step) => boolean = () => true): Ledger | string {
  const all = readSteps(evidence);
  if (all === null) return UNSTEADY_LIMIT_TEXT;
  const successful = leaveOutAfterFailures(all, evidence).filter(({ hasFailed }) => !hasFailed);
  const rule = findRule(successful.filter(ruled));
  if (rule === undefined) return NO_RULE_TEXT;
  const { fitting } = rule;
  // A disbursement in other words may wait for something, such as the approval of its contract.
  const isUsual = ({ texts }: Step): boolean => texts.every((text) => fitting.some((one) => one.texts.includes(text)));
  return { successful, steps: successful.filter(isUsual), rule };
}
