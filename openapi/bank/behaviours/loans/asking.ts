/**
 * Judges that a query of an outcome changes nothing. Compares disbursements that are queried twice at the same time while their
 * outcome is open with disbursements that are queried only after their outcome is final: both must lower the limit by one rule.
 */
import { defineLevels } from '../../../clauses/clause.ts';
import { offerField } from '../../clauses/loans.ts';
import { makePendingTest } from '../../history/outcome-texts.ts';
import { broken, compared, kept, notTested } from '../../../behaviours/behaviour.ts';
import type { Judged } from '../../../behaviours/evidence.ts';
import { formatCents, limitEvidence, readTimes, type LimitEvidence } from './account-limits.ts';
import {
  computeDueDecrease,
  isUnexplainedByFee,
  MIN_CHANGES,
  NO_RULE_TEXT,
  readApplicationId,
  readLedger,
  type DisbursementInterval,
} from './limit-rule.ts';
import { listOutcomeTexts, readOutcome } from './outcome-history.ts';

type Query = Judged<'queryDisbursement'>;

/** Returns the queries for the first disbursement of an interval, in order of time. */
const listQueries = ({ firstDisbursement }: DisbursementInterval, { outcomes }: LimitEvidence): readonly Query[] =>
  outcomes
    .filter((query) => readApplicationId(query) === readApplicationId(firstDisbursement))
    .toSorted((a, b) => readTimes(a).sentAt - readTimes(b).sentAt);

/**
 * How a disbursement was queried.
 * - `twice at once`: the first two queries were in flight together.
 * - `only at rest`: no two queries were in flight together, and the first query returned a final outcome.
 * - `otherwise`: all others, and each interval with several disbursements.
 */
type QueryPattern = 'twice at once' | 'only at rest' | 'otherwise';

function findQueryPattern(interval: DisbursementInterval, evidence: LimitEvidence): QueryPattern {
  const queries = listQueries(interval, evidence);
  const [firstQuery] = queries;
  if (firstQuery === undefined || interval.amountsCents.length > 1) return 'otherwise';
  const firstOverlapIndex = queries.findIndex((query, nth) => {
    const nextQuery = queries[nth + 1];
    return nextQuery !== undefined && readTimes(nextQuery).sentAt < readTimes(query).answeredAt;
  });
  if (firstOverlapIndex === 0) return 'twice at once';
  const isPending = makePendingTest(listOutcomeTexts(evidence.outcomes));
  return firstOverlapIndex > 0 || isPending(readOutcome(firstQuery)) ? 'otherwise' : 'only at rest';
}

const TOO_FEW_AT_REST_TEXT =
  'disbursements lowered the limit by one rule, but fewer than three of them were queried only at rest';

export const askingCostsNothing = compared({
  id: 'loans.limit.asking-costs-nothing',
  clause: defineLevels('loans').money(
    offerField('avaliable_limit'),
    'Two queries for an open disbursement at the same time do not change how much this disbursement lowers the limit.',
  ),
  control: 'At least three disbursements that are queried only at rest lower the limit by the same rule.',
  evidence: limitEvidence,
  judge(evidence) {
    const hasPattern = (pattern: QueryPattern) => (interval: DisbursementInterval) =>
      findQueryPattern(interval, evidence) === pattern;
    const ledger = readLedger(evidence, hasPattern('only at rest'));
    const hasOtherRule = ledger === NO_RULE_TEXT && typeof readLedger(evidence) !== 'string';
    if (typeof ledger === 'string') return notTested(hasOtherRule ? TOO_FEW_AT_REST_TEXT : ledger);
    const { usualIntervals, rule } = ledger;
    const queriedAtOnce = usualIntervals.filter(hasPattern('twice at once'));
    const queriedAtRest = usualIntervals.filter(hasPattern('only at rest'));
    const changedIntervals = queriedAtOnce.filter((interval) => isUnexplainedByFee(interval, ledger));
    const [firstChangedInterval] = changedIntervals;
    const firstUnchangedInterval = queriedAtOnce.find((interval) => !changedIntervals.includes(interval));
    if (firstChangedInterval === undefined)
      return firstUnchangedInterval === undefined
        ? notTested('no open disbursement was queried twice at the same time')
        : kept(firstUnchangedInterval.readingAfter, {
            contrast: rule.fittingIntervals[0].readingAfter,
            count: queriedAtOnce.length,
          });
    const changedAtRestIntervals = queriedAtRest.filter((interval) => isUnexplainedByFee(interval, ledger));
    // A single change at rest may be another transaction on the account.
    // No change at rest is allowed if queries at once do not always change the limit.
    const maxChangedAtRest = firstUnchangedInterval === undefined ? MIN_CHANGES - 1 : 0;
    const areChangesTooFew = changedIntervals.length < MIN_CHANGES;
    const isLimitChangedAtRest = changedAtRestIntervals.length > maxChangedAtRest;
    if (areChangesTooFew || isLimitChangedAtRest)
      return notTested('it is not clear that the queries change how much the limit falls');
    const { limitCents, decreaseCents } = firstChangedInterval;
    const dueCents = computeDueDecrease(firstChangedInterval, rule);
    return broken(firstChangedInterval.readingAfter, {
      contrast: rule.fittingIntervals[0].readingAfter,
      pointer: '/data/infos/*/avaliable_limit',
      expected: `${formatCents(limitCents - dueCents)} left of ${formatCents(limitCents)}, as after ${rule.fittingIntervals.length} disbursements that were queried only at rest`,
      received: `${formatCents(limitCents - decreaseCents)} after two queries at the same time`,
      count: changedIntervals.length,
    });
  },
});
