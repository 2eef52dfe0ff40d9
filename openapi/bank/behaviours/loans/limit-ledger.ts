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
  getLaterReadingTime,
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
  type FeeRule,
} from './limit-rule.ts';

export { haveUnsteadyLimits } from './account-limits.ts';

const LIMIT_POINTER = '/data/infos/*/avaliable_limit';

/** Returns the first interval in which the limit changed; undefined if it changed in fewer than two intervals. */
function findRepeatedChange(intervals: readonly Interval[]): Interval | undefined {
  const changedIntervals = intervals.filter(({ decreaseCents }) => decreaseCents !== 0n);
  return changedIntervals.length >= MIN_CHANGES ? changedIntervals[0] : undefined;
}

/** Returns the inputs of the disbursements of an interval that may explain their effect, as one text. */
const describeInputs = ({ loanType, changes }: DisbursementInterval): string => {
  const inputTexts = changes
    .filter(isDisbursement)
    .map((disbursement) =>
      ['amount', 'customer_ip', 'contract_approved'].map((name) => readInput(disbursement, name)).join(' '),
    );
  return [loanType, ...inputTexts.toSorted()].join(', ');
};

interface Contradictions {
  readonly rule: FeeRule;
  /** How many intervals follow the rule exactly. */
  readonly followingCount: number;
  /** The intervals that no fee explains. */
  readonly unexplainedIntervals: readonly DisbursementInterval[];
  /** The only unexplained interval, if no later disbursement had the same inputs. */
  readonly untestedContradiction: DisbursementInterval | undefined;
}

const shareChange = (interval: Interval, otherInterval: Interval): boolean =>
  interval.changes.some((change) => otherInterval.changes.includes(change));

/**
 * Keeps the interval with the fewest changes of those that contain the same disbursement. A disbursement is in several intervals if
 * the limit of each loan type is read separately.
 */
function leaveOutSameChanges(intervals: readonly DisbursementInterval[]): readonly DisbursementInterval[] {
  const distinctIntervals: DisbursementInterval[] = [];
  for (const interval of intervals.toSorted((a, b) => a.changes.length - b.changes.length))
    if (!distinctIntervals.some((keptInterval) => shareChange(keptInterval, interval)))
      distinctIntervals.push(interval);
  return distinctIntervals;
}

/** Compares all disbursements with the rule. Returns the reason if there is no rule. */
function findContradictions(evidence: LimitEvidence): Contradictions | string {
  const ledger = readLedger(evidence);
  if (typeof ledger === 'string') return ledger;
  const { successfulIntervals, usualIntervals, rule } = ledger;
  const intervalsByAccount = [...groupBy(usualIntervals, ({ accountId }) => accountId).values()];
  const unexplainedIntervals = leaveOutSameChanges(
    intervalsByAccount
      .filter((intervalsOfAccount) => !doDecreasesEvenOut(intervalsOfAccount, rule))
      .flat()
      .filter((interval) => !interval.isDisturbed && isUnexplainedByFee(interval, ledger)),
  );
  const [singleContradiction] = unexplainedIntervals.length === 1 ? unexplainedIntervals : [];
  const isTestedAgain =
    singleContradiction !== undefined &&
    successfulIntervals.some(
      (laterInterval) =>
        getLaterReadingTime(laterInterval) > getLaterReadingTime(singleContradiction) &&
        describeInputs(laterInterval) === describeInputs(singleContradiction),
    );
  const followingCount = usualIntervals.filter(
    (interval) => interval.decreaseCents === computeDueDecrease(interval, rule),
  ).length;
  return {
    rule,
    followingCount,
    unexplainedIntervals,
    untestedContradiction: isTestedAgain ? undefined : singleContradiction,
  };
}

/** Returns the disbursements of a single contradiction, which must be made again to test the rule; null if there is none. */
export function findOpenContradiction(evidence: LimitEvidence): readonly Judged<'disburse'>[] | null {
  const contradictions = findContradictions(evidence);
  if (typeof contradictions === 'string') return null;
  return contradictions.untestedContradiction?.changes.filter(isDisbursement) ?? null;
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
    const { rule, followingCount, unexplainedIntervals, untestedContradiction } = contradictions;
    const { fittingIntervals } = rule;
    if (untestedContradiction !== undefined) return notTested(NOT_REPEATED_TEXT);
    const [firstContradiction] = unexplainedIntervals;
    if (firstContradiction === undefined || unexplainedIntervals.length < MIN_CHANGES)
      return kept(fittingIntervals[0].readingAfter, { count: followingCount });
    const { limitCents, decreaseCents, amountsCents } = firstContradiction;
    return broken(firstContradiction.readingAfter, {
      contrast: firstContradiction.firstDisbursement,
      pointer: LIMIT_POINTER,
      expected: `${formatCents(limitCents - computeDueDecrease(firstContradiction, rule))} left of ${formatCents(limitCents)} after a disbursement of ${amountsCents.map(formatCents).join(' and at the same time ')}, as ${fittingIntervals.length} others show`,
      received: formatCents(limitCents - decreaseCents),
      count: unexplainedIntervals.length,
    });
  },
});

/** True if another disbursement from the account failed before this one: the bank may still hold its amount. */
function hasEarlierFailure(
  { accountId, firstDisbursement }: DisbursementInterval,
  { disbursed: disbursements, outcomes }: LimitEvidence,
): boolean {
  const failedApplicationIds = new Set(outcomes.filter(({ body }) => hasErrors(body)).map(readApplicationId));
  return disbursements.some(
    (disbursement) =>
      failedApplicationIds.has(readApplicationId(disbursement)) &&
      readInput(disbursement, 'account_id') === accountId &&
      readTimes(disbursement).sentAt < readTimes(firstDisbursement).sentAt,
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
  const { accountId, amountsCents, firstDisbursement, decreaseCents } = interval;
  const { looks: loanAnswers, outcomes } = evidence;
  if (decreaseCents === -sumCents(amountsCents) && !hasEarlierFailure(interval, evidence)) return false;
  const loanAnswersWithLimit = loanAnswers.filter((answer) => readLimit(answer, accountId) !== null);
  const lastReadingMs = Math.max(...loanAnswersWithLimit.map(({ exchange }) => exchange.startedAt));
  if (decreaseCents > 0n && lastReadingMs - firstDisbursement.exchange.startedAt < MIN_HOLD_MS) return true;
  const firstOutcome = outcomes.find((outcome) => readApplicationId(outcome) === readApplicationId(firstDisbursement));
  if (hasErrors(firstOutcome?.body)) return false;
  return !failures.some((failure) => failure.decreaseCents === 0n && failure.limitCents > 0n);
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
    const failures = intervals.filter(({ hasFailed, amountsCents }) => hasFailed && amountsCents.length === 1);
    const unchangedFailure = failures.find(
      (failure) => failure.decreaseCents === 0n && isBetweenEqualReadings(failure),
    );
    const failuresWithChange = failures.filter(
      ({ decreaseCents, isDisturbed }) => decreaseCents !== 0n && !isDisturbed,
    );
    const lastingChanges = failuresWithChange.filter((failure) => !mayBeGivenBack(failure, failures, evidence));
    const provenChange =
      lastingChanges.find(isBetweenEqualReadings) ??
      (lastingChanges.length >= MIN_CHANGES ? lastingChanges[0] : undefined);
    if (provenChange === undefined && failuresWithChange.length > 0)
      return notTested(
        lastingChanges.length === 0
          ? 'the bank may give back the limit of a failed disbursement later'
          : 'the limit was not read twice before the failure and twice after it',
      );
    if (provenChange === undefined)
      return unchangedFailure === undefined
        ? notTested('no disbursement failed between equal readings of the limit')
        : kept(unchangedFailure.readingAfter, { count: failures.length });
    return broken(provenChange.readingAfter, {
      contrast: provenChange.firstDisbursement,
      pointer: LIMIT_POINTER,
      expected: `${formatCents(provenChange.limitCents)}, as before the disbursement that failed`,
      received: formatCents(provenChange.limitCents - provenChange.decreaseCents),
    });
  },
});

/**
 * True if a repeated request must leave the limit as it was: the bank refused it, or it is a validation, which asks only whether a
 * disbursement is possible. If the bank accepts the repetition of another step, it may be a new step.
 */
const mustLeaveLimit = (repeatedAnswer: Judged<OperationId>): boolean =>
  isDefinitiveRefusal(repeatedAnswer) || (repeatedAnswer.accepted && repeatedAnswer.operation === 'validateLoan');

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
    const examinedRepeats = repeats.filter(mustLeaveLimit);
    const accountIds = new Set(repeats.map((repeat) => readInput(repeat, 'account_id')));
    const intervals = readIntervals(evidence, examinedRepeats);
    if (intervals === null) return notTested(UNSTEADY_LIMIT_TEXT);
    if (!(readDisbursementIntervals(evidence, intervals) ?? []).some(({ decreaseCents }) => decreaseCents > 0n))
      return notTested('no disbursement lowered the limit');
    const testedIntervals = intervals.filter(
      (interval) =>
        accountIds.has(interval.accountId) &&
        interval.changes.length === 0 &&
        selectWithin(interval, examinedRepeats).length > 0,
    );
    const undisturbedIntervals = testedIntervals.filter(({ isDisturbed }) => !isDisturbed);
    const changedInterval =
      findRepeatedChange(undisturbedIntervals) ??
      undisturbedIntervals.find((interval) => interval.decreaseCents !== 0n && isBetweenEqualReadings(interval));
    const unchangedInterval = testedIntervals.find(({ decreaseCents }) => decreaseCents === 0n);
    if (changedInterval === undefined)
      return unchangedInterval === undefined
        ? notTested('no step was repeated between equal readings of the limit')
        : kept(unchangedInterval.readingAfter, { count: testedIntervals.length });
    const operationNames = new Set(
      selectWithin(changedInterval, examinedRepeats).map(({ operation }) => getOperationName(operation)),
    );
    return broken(changedInterval.readingAfter, {
      contrast: changedInterval.readingBefore,
      pointer: LIMIT_POINTER,
      expected: `${formatCents(changedInterval.limitCents)}, as before the step was repeated`,
      received: `${formatCents(changedInterval.limitCents - changedInterval.decreaseCents)} after ${[...operationNames].join(', ')} was sent again`,
    });
  },
});
