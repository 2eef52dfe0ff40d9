/**
 * Judges the available limit after disbursements, failures and repeated steps. Worked example, in cents, without a fee:
 *
 *   limit before   what the bank did                    limit after
 *          10000   disbursement of 3000                        7000   a decrease of 3000, as the rule says
 *           7000   disbursement of 1000 that fails             7000   kept; 6000 breaks `loans.limit.failure-costs-nothing`
 *           7000   refusal of a repeated disbursement          7000   kept; 4000 breaks `loans.repeated-step.costs-nothing`
 *           7000   disbursement of 500                         6400   a decrease of 600: a contradiction of the rule
 *
 * Two contradictions break `loans.limit.ledger`. A single one may be another transaction on the account. It is tested again with
 * an equal disbursement (see `findOpenContradiction`).
 */
import { defineLevels } from '../../../clauses/clause.ts';
import { offerField } from '../../clauses/loans.ts';
import { getOperationName } from '../../../contract/operations.ts';
import { hasErrors } from '../../../history/answers.ts';
import type { OperationId } from '../../../model/exchange.ts';
import { isDefinitiveRefusal } from '../../../model/outcome.ts';
import { groupBy } from '../../../util/group-by.ts';
import { broken, compared, kept, notTested } from '../../../behaviours/behaviour.ts';
import { list, reply, type Judged } from '../../../behaviours/evidence.ts';
import {
  formatCents,
  limitEvidence,
  readInput,
  readIntervals,
  readLimit,
  readTimes,
  selectWithin,
  type Interval,
  type LimitEvidence,
} from './account-limits.ts';
import {
  computeDueDecrease,
  doDecreasesEvenOut,
  findRule,
  getReadAt,
  isBetweenEqualReadings,
  isDisbursement,
  isUnexplainedByFee,
  readApplicationId,
  readDisbursementIntervals,
  readLedger,
  sumCents,
  MIN_CHANGES,
  MIN_HOLD_MS,
  NO_RULE_TEXT,
  UNSTEADY_LIMIT_TEXT,
  type DisbursementInterval,
  type Rule,
} from './limit-rule.ts';

export { haveUnsteadyLimits } from './account-limits.ts';

const LIMIT_POINTER = '/data/infos/*/avaliable_limit';

/** Returns the first interval in which the limit changed; undefined if it changed in fewer than two intervals. */
function findRepeatedChange(intervals: readonly Interval[]): Interval | undefined {
  const changed = intervals.filter(({ decrease }) => decrease !== 0n);
  return changed.length >= MIN_CHANGES ? changed[0] : undefined;
}

/** Returns the inputs of the disbursements of an interval that may explain their effect, as one text. */
const describeInputs = ({ loanType, changes }: DisbursementInterval): string => {
  const inputs = changes
    .filter(isDisbursement)
    .map((disbursement) =>
      ['amount', 'customer_ip', 'contract_approved'].map((name) => readInput(disbursement, name)).join(' '),
    );
  return [loanType, ...inputs.toSorted()].join(', ');
};

interface Contradictions {
  readonly rule: Rule;
  /** How many intervals follow the rule exactly. */
  readonly followingCount: number;
  /** The intervals that no fee explains. */
  readonly unexplained: readonly DisbursementInterval[];
  /** The only unexplained interval, if no later disbursement had the same inputs. */
  readonly open: DisbursementInterval | undefined;
}

const shareChange = (a: Interval, b: Interval): boolean => a.changes.some((change) => b.changes.includes(change));

/**
 * Keeps the interval with the fewest changes of those that contain the same disbursement. A disbursement is in several intervals if
 * the limit of each loan type is read separately.
 */
function leaveOutSameChanges(intervals: readonly DisbursementInterval[]): readonly DisbursementInterval[] {
  const distinct: DisbursementInterval[] = [];
  for (const interval of intervals.toSorted((a, b) => a.changes.length - b.changes.length))
    if (!distinct.some((shorter) => shareChange(shorter, interval))) distinct.push(interval);
  return distinct;
}

/** Compares all disbursements with the rule. Returns the reason if there is no rule. */
function findContradictions(evidence: LimitEvidence): Contradictions | string {
  const ledger = readLedger(evidence);
  if (typeof ledger === 'string') return ledger;
  const { successful, intervals, rule } = ledger;
  const intervalsByAccount = [...groupBy(intervals, ({ account }) => account).values()];
  const unexplained = leaveOutSameChanges(
    intervalsByAccount
      .filter((ofAccount) => !doDecreasesEvenOut(ofAccount, rule))
      .flat()
      .filter((interval) => !interval.isDisturbed && isUnexplainedByFee(interval, ledger)),
  );
  const [single] = unexplained.length === 1 ? unexplained : [];
  const isMadeAgain =
    single !== undefined &&
    successful.some(
      (later) => getReadAt(later) > getReadAt(single) && describeInputs(later) === describeInputs(single),
    );
  const followingCount = intervals.filter(
    (interval) => interval.decrease === computeDueDecrease(interval, rule),
  ).length;
  return { rule, followingCount, unexplained, open: isMadeAgain ? undefined : single };
}

/** Returns the disbursements of a single contradiction, which must be made again to test the rule; null if there is none. */
export function findOpenContradiction(evidence: LimitEvidence): readonly Judged<'disburse'>[] | null {
  const contradictions = findContradictions(evidence);
  if (typeof contradictions === 'string') return null;
  return contradictions.open?.changes.filter(isDisbursement) ?? null;
}

const { money } = defineLevels('loans');
const NOT_REPEATED_TEXT =
  'a disbursement changed the limit in a way that no other shows, and nobody could make such a disbursement again';

export const limitLedger = compared({
  id: 'loans.limit.ledger',
  clause: money(
    offerField('avaliable_limit'),
    'All disbursements lower the available limit of their account by the same rule, to the cent.',
  ),
  control: 'At least three single disbursements lower the limit by the same rule.',
  evidence: limitEvidence,
  judge(evidence) {
    const contradictions = findContradictions(evidence);
    if (typeof contradictions === 'string') return notTested(contradictions);
    const { rule, followingCount, unexplained, open } = contradictions;
    const { fitting } = rule;
    if (open !== undefined) return notTested(NOT_REPEATED_TEXT);
    const [first] = unexplained;
    if (first === undefined || unexplained.length < MIN_CHANGES)
      return kept(fitting[0].after, { count: followingCount });
    const { limit, decrease, amounts } = first;
    return broken(first.after, {
      contrast: first.disbursed,
      pointer: LIMIT_POINTER,
      expected: `${formatCents(limit - computeDueDecrease(first, rule))} left of ${formatCents(limit)} after a disbursement of ${amounts.map(formatCents).join(' and at once ')}, as ${fitting.length} others show`,
      received: formatCents(limit - decrease),
      count: unexplained.length,
    });
  },
});

/** True if another disbursement from the account failed before this one: the bank may still hold its amount. */
function hasEarlierFailure(
  { account, disbursed }: DisbursementInterval,
  { disbursed: disbursements, outcomes }: LimitEvidence,
): boolean {
  const failedIds = new Set(outcomes.filter(({ body }) => hasErrors(body)).map(readApplicationId));
  return disbursements.some(
    (earlier) =>
      failedIds.has(readApplicationId(earlier)) &&
      readInput(earlier, 'account_id') === account &&
      readTimes(earlier).from < readTimes(disbursed).from,
  );
}

/**
 * True if the bank may hold the amount of a failed disbursement for a while and correct the limit later. The conditions, in order:
 *
 *   the limit grew by exactly the amount, and nothing failed before   no: the bank held no other amount
 *   the limit decreased and was not read some seconds later           yes
 *   the first outcome already had the errors                          no
 *   another failure left the limit as it was                          no
 *   in all other cases                                                yes
 */
function mayBeGivenBack(
  interval: DisbursementInterval,
  failures: readonly DisbursementInterval[],
  evidence: LimitEvidence,
): boolean {
  const { account, amounts, disbursed, decrease } = interval;
  const { looks: loanAnswers, outcomes } = evidence;
  if (decrease === -sumCents(amounts) && !hasEarlierFailure(interval, evidence)) return false;
  const readings = loanAnswers.filter((answer) => readLimit(answer, account) !== null);
  const lastReadAt = Math.max(...readings.map(({ exchange }) => exchange.startedAt));
  if (decrease > 0n && lastReadAt - disbursed.exchange.startedAt < MIN_HOLD_MS) return true;
  const firstOutcome = outcomes.find((outcome) => readApplicationId(outcome) === readApplicationId(disbursed));
  if (hasErrors(firstOutcome?.body)) return false;
  return !failures.some((failure) => failure.decrease === 0n && failure.limit > 0n);
}

export const failureCostsNothing = compared({
  id: 'loans.limit.failure-costs-nothing',
  clause: money(
    offerField('avaliable_limit'),
    'A disbursement that fails leaves the available limit of its account as it was, neither lower nor higher.',
  ),
  control: 'Successful disbursements lower the limit of the account.',
  evidence: limitEvidence,
  judge(evidence) {
    const intervals = readDisbursementIntervals(evidence);
    if (intervals === null) return notTested(UNSTEADY_LIMIT_TEXT);
    if (findRule(intervals) === undefined) return notTested(NO_RULE_TEXT);
    const failures = intervals.filter(({ hasFailed, amounts }) => hasFailed && amounts.length === 1);
    const unchanged = failures.find((failure) => failure.decrease === 0n && isBetweenEqualReadings(failure));
    const changed = failures.filter(({ decrease, isDisturbed }) => decrease !== 0n && !isDisturbed);
    const lasting = changed.filter((failure) => !mayBeGivenBack(failure, failures, evidence));
    const proof = lasting.find(isBetweenEqualReadings) ?? (lasting.length >= MIN_CHANGES ? lasting[0] : undefined);
    if (proof === undefined && changed.length > 0)
      return notTested(
        lasting.length === 0
          ? 'the bank may give back the limit of a failed disbursement later'
          : 'the limit was not read twice before the failure and twice after it',
      );
    if (proof === undefined)
      return unchanged === undefined
        ? notTested('no disbursement failed between equal readings of the limit')
        : kept(unchanged.after, { count: failures.length });
    return broken(proof.after, {
      contrast: proof.disbursed,
      pointer: LIMIT_POINTER,
      expected: `${formatCents(proof.limit)}, as before the disbursement that failed`,
      received: formatCents(proof.limit - proof.decrease),
    });
  },
});

/**
 * True if a repeated request must leave the limit as it was: the bank refused it, or it is a validation, which asks only whether a
 * disbursement is possible. If the bank accepts the repetition of another step, it may be a new step.
 */
const mustCostNothing = (repeat: Judged<OperationId>): boolean =>
  isDefinitiveRefusal(repeat) || (repeat.accepted && repeat.operation === 'validateLoan');

/** `repeats`: steps that were sent again after the disbursement of their application had a final outcome. */
export const repeatCostsNothing = compared({
  id: 'loans.repeated-step.costs-nothing',
  clause: money(
    offerField('avaliable_limit'),
    'A repeated check, and each repeated step that the bank refuses, leave the available limit as it was.',
  ),
  control: 'A disbursement lowers the limit of its account.',
  evidence: { ...limitEvidence, repeats: list(reply()) },
  judge({ repeats, ...evidence }) {
    const examined = repeats.filter(mustCostNothing);
    const accounts = new Set(repeats.map((repeat) => readInput(repeat, 'account_id')));
    const intervals = readIntervals(evidence, examined);
    if (intervals === null) return notTested(UNSTEADY_LIMIT_TEXT);
    if (!(readDisbursementIntervals(evidence, intervals) ?? []).some(({ decrease }) => decrease > 0n))
      return notTested('no disbursement lowered the limit');
    const tested = intervals.filter(
      (interval) =>
        accounts.has(interval.account) && interval.changes.length === 0 && selectWithin(interval, examined).length > 0,
    );
    const undisturbed = tested.filter(({ isDisturbed }) => !isDisturbed);
    const changed =
      findRepeatedChange(undisturbed) ??
      undisturbed.find((interval) => interval.decrease !== 0n && isBetweenEqualReadings(interval));
    const unchanged = tested.find(({ decrease }) => decrease === 0n);
    if (changed === undefined)
      return unchanged === undefined
        ? notTested('no step was repeated between equal readings of the limit')
        : kept(unchanged.after, { count: tested.length });
    const names = new Set(selectWithin(changed, examined).map(({ operation }) => getOperationName(operation)));
    return broken(changed.after, {
      contrast: changed.before,
      pointer: LIMIT_POINTER,
      expected: `${formatCents(changed.limit)}, as before the step was repeated`,
      received: `${formatCents(changed.limit - changed.decrease)} after ${[...names].join(', ')} was sent again`,
    });
  },
});
