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
  readApplicationId,
  readLedger,
  type DisbursementInterval,
} from './limit-rule.ts';
import { listTexts, readOutcome } from './outcome-history.ts';

type Query = Judged<'queryDisbursement'>;

/** Returns the queries for the first disbursement of an interval, in order of time. */
const listQueries = ({ disbursed }: DisbursementInterval, { outcomes }: LimitEvidence): readonly Query[] =>
  outcomes
    .filter((query) => readApplicationId(query) === readApplicationId(disbursed))
    .toSorted((a, b) => readTimes(a).from - readTimes(b).from);

/**
 * How a disbursement was queried.
 * - `twice at once`: the first two queries were in flight together.
 * - `only at rest`: no two queries were in flight together, and the first query returned a final outcome.
 * - `otherwise`: all others, and each interval with several disbursements.
 */
type QueryPattern = 'twice at once' | 'only at rest' | 'otherwise';

function findQueryPattern(interval: DisbursementInterval, evidence: LimitEvidence): QueryPattern {
  const queries = listQueries(interval, evidence);
  const [first] = queries;
  if (first === undefined || interval.amounts.length > 1) return 'otherwise';
  const firstOverlap = queries.findIndex((query, nth) => {
    const next = queries[nth + 1];
    return next !== undefined && readTimes(next).from < readTimes(query).until;
  });
  if (firstOverlap === 0) return 'twice at once';
  const isPending = makePendingTest(listTexts(evidence.outcomes));
  return firstOverlap > 0 || isPending(readOutcome(first)) ? 'otherwise' : 'only at rest';
}

export const askingCostsNothing = compared({
  id: 'loans.limit.asking-costs-nothing',
  clause: defineLevels('loans').money(
    offerField('avaliable_limit'),
    'A disbursement that is queried twice at once while it is open lowers the limit as one that is queried only at rest.',
  ),
  control: 'At least three disbursements that are queried only at rest lower the limit by the same rule.',
  evidence: limitEvidence,
  judge(evidence) {
    const hasPattern = (pattern: QueryPattern) => (interval: DisbursementInterval) =>
      findQueryPattern(interval, evidence) === pattern;
    const ledger = readLedger(evidence, hasPattern('only at rest'));
    if (typeof ledger === 'string') return notTested(ledger);
    const { intervals, rule } = ledger;
    const queriedAtOnce = intervals.filter(hasPattern('twice at once'));
    const queriedAtRest = intervals.filter(hasPattern('only at rest'));
    const changed = queriedAtOnce.filter((interval) => isUnexplainedByFee(interval, ledger));
    const [firstChanged] = changed;
    const firstUnchanged = queriedAtOnce.find((interval) => !changed.includes(interval));
    if (firstChanged === undefined)
      return firstUnchanged === undefined
        ? notTested('no disbursement was queried twice at once while it was open')
        : kept(firstUnchanged.after, { contrast: rule.fitting[0].after, count: queriedAtOnce.length });
    const changedAtRest = queriedAtRest.filter((interval) => isUnexplainedByFee(interval, ledger));
    // A single change at rest may be another transaction on the account.
    // No change at rest is allowed if queries at once do not always change the limit.
    const maxChangedAtRest = firstUnchanged === undefined ? MIN_CHANGES - 1 : 0;
    if (changed.length < MIN_CHANGES || changedAtRest.length > maxChangedAtRest)
      return notTested('asking does not decide by how much the limit falls');
    const { limit, decrease } = firstChanged;
    const due = computeDueDecrease(firstChanged, rule);
    return broken(firstChanged.after, {
      contrast: rule.fitting[0].after,
      pointer: '/data/infos/*/avaliable_limit',
      expected: `${formatCents(limit - due)} left of ${formatCents(limit)}, as after ${rule.fitting.length} disbursements that were queried only at rest`,
      received: `${formatCents(limit - decrease)} after two queries at once`,
      count: changed.length,
    });
  },
});
