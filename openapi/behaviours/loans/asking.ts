/** Asking for an outcome changes nothing: the limit falls as it does where nobody asks before the outcome is at rest. */
import { defineLevels } from '../../clauses/clause.ts';
import { offerField } from '../../clauses/loans.ts';
import { makePendingTest } from '../../history/outcome-texts.ts';
import { broken, compared, kept, notTested } from '../behaviour.ts';
import type { Judged } from '../evidence.ts';
import { formatCents, readTimes, series, type Series } from './account-limits.ts';
import { computeDueAmount, isUnexplainedByFee, MIN_CHANGES, readId, readLedger, type Step } from './limit-rule.ts';
import { listTexts, readOutcome } from './outcome-history.ts';

type Query = Judged<'queryDisbursement'>;

/** Returns the queries for the disbursement of a step, in order of time. */
const listQueries = ({ disbursed }: Step, { outcomes }: Series): readonly Query[] =>
  outcomes.filter((one) => readId(one) === readId(disbursed)).toSorted((a, b) => readTimes(a).from - readTimes(b).from);

/** `open`: the first two queries were in flight together. `at rest`: all queries were alone, and the first outcome is final. */
function findWayOfAsking(step: Step, evidence: Series): 'open' | 'at rest' | 'other' {
  const queries = listQueries(step, evidence);
  const [first] = queries;
  if (first === undefined || step.amounts.length > 1) return 'other';
  const together = queries.findIndex((query, nth) => {
    const next = queries[nth + 1];
    return next !== undefined && readTimes(next).from < readTimes(query).until;
  });
  if (together === 0) return 'open';
  return together > 0 || makePendingTest(listTexts(evidence.outcomes))(readOutcome(first)) ? 'other' : 'at rest';
}

export const askingCostsNothing = compared({
  id: 'loans.limit.asking-costs-nothing',
  clause: defineLevels('loans').money(
    offerField('avaliable_limit'),
    'A disbursement that is queried twice at once while it is open lowers the limit as one that is queried only at rest.',
  ),
  control: 'At least three disbursements that are queried only at rest lower the limit by the same rule.',
  evidence: series,
  judge(evidence) {
    const ledger = readLedger(evidence, (step) => findWayOfAsking(step, evidence) === 'at rest');
    if (typeof ledger === 'string') return notTested(ledger);
    const { steps, rule } = ledger;
    const asked = steps.filter((step) => findWayOfAsking(step, evidence) === 'open');
    const changed = asked.filter((step) => isUnexplainedByFee(step, rule));
    const resting = steps.filter((step) => findWayOfAsking(step, evidence) === 'at rest');
    const [step] = changed;
    const [same] = asked.filter((one) => !changed.includes(one));
    if (step === undefined)
      return same === undefined
        ? notTested('no disbursement was queried twice at once while it was open')
        : kept(same.by, { contrast: rule.fitting[0].by, count: asked.length });
    const changedAtRest = resting.filter((one) => isUnexplainedByFee(one, rule));
    // A single change may be another transaction on the account, but not where asking does not always change the limit.
    const mostAtRest = same === undefined ? MIN_CHANGES - 1 : 0;
    if (changed.length < MIN_CHANGES || changedAtRest.length > mostAtRest)
      return notTested('asking does not decide by how much the limit falls');
    return broken(step.by, {
      contrast: rule.fitting[0].by,
      pointer: '/data/infos/*/avaliable_limit',
      expected: `${formatCents(step.limit - computeDueAmount(step, rule))} left of ${formatCents(step.limit)}, as after ${rule.fitting.length} disbursements that were queried only at rest`,
      received: `${formatCents(step.limit - step.fall)} after two queries at once`,
      count: changed.length,
    });
  },
});
