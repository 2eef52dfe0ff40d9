/** Disbursements, failures and repeated steps change the available limit by one rule, or not at all. */
import { defineLevels } from '../../clauses/clause.ts';
import { offerField } from '../../clauses/loans.ts';
import { getOperationName } from '../../contract/operations.ts';
import { hasErrors } from '../../history/answers.ts';
import type { OperationId } from '../../model/exchange.ts';
import { isDefinitiveRefusal } from '../../model/outcome.ts';
import { groupBy } from '../../util/group-by.ts';
import { broken, compared, kept, notTested } from '../behaviour.ts';
import { list, reply, type Judged } from '../evidence.ts';
import {
  formatCents,
  readInput,
  readLimit,
  readSpans,
  readTimes,
  selectWithin,
  series,
  type Series,
  type Span,
} from './account-limits.ts';
import {
  computeDueAmount,
  findRule,
  getReadAt,
  isBetweenEqualReadings,
  isDisbursement,
  isMadeUpFor,
  isUnexplainedByFee,
  readId,
  readLedger,
  readSteps,
  sumCents,
  MIN_CHANGES,
  MIN_HOLD_MS,
  NO_RULE_TEXT,
  UNSTEADY_LIMIT_TEXT,
  type Rule,
  type Step,
} from './limit-rule.ts';

export { haveUnsteadyLimits } from './account-limits.ts';

/** Returns the first change of the limit; undefined if there is only one. */
function findRepeatedChange<S extends Span>(spans: readonly S[]): S | undefined {
  const changed = spans.filter(({ fall }) => fall !== 0n);
  return changed.length >= MIN_CHANGES ? changed[0] : undefined;
}

/** The values of a disbursement that may explain its effect. */
const readRow = (step: Step): string =>
  [
    step.kind,
    ...step.changes
      .filter(isDisbursement)
      .map((one) => ['amount', 'customer_ip', 'contract_approved'].map((name) => readInput(one, name)).join(' '))
      .toSorted(),
  ].join(', ');

interface Contradictions {
  readonly rule: Rule;
  /** How many steps follow the rule exactly. */
  readonly following: number;
  readonly unexplained: readonly Step[];
  /** A single contradiction whose row was not disbursed again since. */
  readonly open: Step | undefined;
}

const shareChange = (a: Span, b: Span): boolean => a.changes.some((change) => b.changes.includes(change));

/** Keeps the shortest of the steps with the same disbursement: the readings of each kind of applications may show it. */
function leaveOutSameChanges(steps: readonly Step[]): readonly Step[] {
  const kept: Step[] = [];
  for (const step of steps.toSorted((a, b) => a.changes.length - b.changes.length))
    if (!kept.some((shorter) => shareChange(shorter, step))) kept.push(step);
  return kept;
}

/** Compares all disbursements with the rule that single ones show. Returns the reason if there is no rule. */
function findContradictions(evidence: Series): Contradictions | string {
  const ledger = readLedger(evidence);
  if (typeof ledger === 'string') return ledger;
  const { successful, steps, rule } = ledger;
  const unexplained = leaveOutSameChanges(
    [...groupBy(steps, ({ account }) => account).values()]
      .filter((own) => !isMadeUpFor(own, rule))
      .flatMap((own) => own.filter((one) => !one.isDisturbed && isUnexplainedByFee(one, rule))),
  );
  const [single] = unexplained.length === 1 ? unexplained : [];
  const isAskedAgain =
    single !== undefined &&
    successful.some((step) => getReadAt(step) > getReadAt(single) && readRow(step) === readRow(single));
  const following = steps.filter((step) => step.fall === computeDueAmount(step, rule)).length;
  return { rule, following, unexplained, open: isAskedAgain ? undefined : single };
}

/** Returns the disbursements of a single contradiction that must be asked again; null if there is none. */
export function findOpenContradiction(evidence: Series): readonly Judged<'disburse'>[] | null {
  const found = findContradictions(evidence);
  return (typeof found === 'string' ? undefined : found.open)?.changes.filter(isDisbursement) ?? null;
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
  evidence: series,
  judge(evidence) {
    const found = findContradictions(evidence);
    if (typeof found === 'string') return notTested(found);
    const { rule, following, unexplained, open } = found;
    const { fitting } = rule;
    if (open !== undefined) return notTested(NOT_REPEATED_TEXT);
    const [one] = unexplained;
    if (one === undefined || unexplained.length < MIN_CHANGES) return kept(fitting[0].by, { count: following });
    return broken(one.by, {
      contrast: one.disbursed,
      pointer: '/data/infos/*/avaliable_limit',
      expected: `${formatCents(one.limit - computeDueAmount(one, rule))} left of ${formatCents(one.limit)} after a disbursement of ${one.amounts.map(formatCents).join(' and at once ')}, as ${fitting.length} others show`,
      received: formatCents(one.limit - one.fall),
      count: unexplained.length,
    });
  },
});

/** True if another disbursement from the account failed before this one: the bank may still hold its amount. */
function hasFailedBefore({ account, disbursed }: Step, { disbursed: all, outcomes }: Series): boolean {
  const failed = new Set(outcomes.filter((one) => hasErrors(one.body)).map(readId));
  return all.some(
    (one) =>
      failed.has(readId(one)) &&
      readInput(one, 'account_id') === account &&
      readTimes(one).from < readTimes(disbursed).from,
  );
}

/**
 * True if the bank may hold the amount of a failed disbursement for a while: the failure did not stand in the first answer, and
 * no other failure left the limit as it was, or a lower limit was not read again some seconds later.
 */
function mayBeGivenBack(step: Step, failures: readonly Step[], evidence: Series): boolean {
  const { account, amounts, disbursed, fall: change } = step;
  const { looks, outcomes } = evidence;
  // The bank gave back this amount twice: it held no other, because a contract alone holds none.
  if (change === -sumCents(amounts) && !hasFailedBefore(step, evidence)) return false;
  const readings = looks.filter((look) => readLimit(look, account) !== null);
  const lastReadAt = Math.max(...readings.map(({ exchange }) => exchange.startedAt));
  if (change > 0n && lastReadAt - disbursed.exchange.startedAt < MIN_HOLD_MS) return true;
  const first = outcomes.find((one) => readId(one) === readId(disbursed));
  return !hasErrors(first?.body) && !failures.some(({ fall, limit }) => fall === 0n && limit > 0n);
}

export const failureCostsNothing = compared({
  id: 'loans.limit.failure-costs-nothing',
  clause: money(
    offerField('avaliable_limit'),
    'A disbursement that fails leaves the available limit of its account as it was, neither lower nor higher.',
  ),
  control: 'Successful disbursements lower the limit of the account.',
  evidence: series,
  judge(evidence) {
    const steps = readSteps(evidence);
    if (steps === null) return notTested(UNSTEADY_LIMIT_TEXT);
    if (findRule(steps) === undefined) return notTested(NO_RULE_TEXT);
    const failures = steps.filter(({ hasFailed, amounts }) => hasFailed && amounts.length === 1);
    const steady = failures.find((one) => one.fall === 0n && isBetweenEqualReadings(one));
    const changes = failures.filter(({ fall, isDisturbed }) => fall !== 0n && !isDisturbed);
    const lasting = changes.filter((one) => !mayBeGivenBack(one, failures, evidence));
    const changed = lasting.find(isBetweenEqualReadings) ?? (lasting.length >= MIN_CHANGES ? lasting[0] : undefined);
    if (changed === undefined && changes.length > 0)
      return notTested(
        lasting.length === 0
          ? 'the bank may give back the limit of a failed disbursement later'
          : 'the limit was not read twice before the failure and twice after it',
      );
    if (changed === undefined)
      return steady === undefined
        ? notTested('no disbursement failed between equal readings of the limit')
        : kept(steady.by, { count: failures.length });
    return broken(changed.by, {
      contrast: changed.disbursed,
      pointer: '/data/infos/*/avaliable_limit',
      expected: `${formatCents(changed.limit)}, as before the disbursement that failed`,
      received: formatCents(changed.limit - changed.fall),
    });
  },
});

/** A check asks only whether a disbursement is possible. An accepted repetition of another step may be a new step. */
const mustCostNothing = (repeat: Judged<OperationId>): boolean =>
  isDefinitiveRefusal(repeat) || (repeat.accepted && repeat.operation === 'validateLoan');

/** `repeats`: steps of applications whose disbursement has a final outcome, sent again. */
export const repeatCostsNothing = compared({
  id: 'loans.repeated-step.costs-nothing',
  clause: money(
    offerField('avaliable_limit'),
    'A repeated check, and each repeated step that the bank refuses, leave the available limit as it was.',
  ),
  control: 'A disbursement lowers the limit of its account.',
  evidence: { ...series, repeats: list(reply()) },
  judge({ repeats: all, ...evidence }) {
    const repeats = all.filter(mustCostNothing);
    const accounts = new Set(all.map((one) => readInput(one, 'account_id')));
    const spans = readSpans(evidence, repeats);
    if (spans === null) return notTested(UNSTEADY_LIMIT_TEXT);
    if (!(readSteps(evidence, spans) ?? []).some(({ fall }) => fall > 0n))
      return notTested('no disbursement lowered the limit');
    const tested = spans.filter(
      (span) => accounts.has(span.account) && span.changes.length === 0 && selectWithin(span, repeats).length > 0,
    );
    const undisturbed = tested.filter(({ isDisturbed }) => !isDisturbed);
    const lower =
      findRepeatedChange(undisturbed) ?? undisturbed.find((span) => span.fall !== 0n && isBetweenEqualReadings(span));
    const steady = tested.find(({ fall }) => fall === 0n);
    if (lower === undefined)
      return steady === undefined
        ? notTested('no step was repeated between equal readings of the limit')
        : kept(steady.after, { count: tested.length });
    const sent = new Set(selectWithin(lower, repeats).map(({ operation }) => getOperationName(operation)));
    return broken(lower.after, {
      contrast: lower.before,
      pointer: '/data/infos/*/avaliable_limit',
      expected: `${formatCents(lower.limit)}, as before the step was repeated`,
      received: `${formatCents(lower.limit - lower.fall)} after ${[...sent].join(', ')} was sent again`,
    });
  },
});
