/** Disbursements of several applications from one account at once lower its limit by their sum, and not below zero. */
import { defineLevels } from '../../clauses/clause.ts';
import { offerField, statesSource } from '../../clauses/loans.ts';
import { hasErrors } from '../../history/answers.ts';
import { makePendingTest } from '../../history/outcome-texts.ts';
import { isRejection, isThrottled } from '../../model/outcome.ts';
import { broken, compared, kept, notTested, type Verdict } from '../behaviour.ts';
import { list, reply, type Judged } from '../evidence.ts';
import {
  formatCents,
  readAmount,
  readInput,
  readSpans,
  readTimes,
  series,
  type Series,
  type Span,
} from './account-limits.ts';
import {
  computeDueAmount,
  isBetweenEqualReadings,
  isDisbursement,
  isUnexplainedByFee,
  MIN_HOLD_MS,
  readBeyond,
  readId,
  readLedger,
  sumCents,
  type Rule,
  type Step,
} from './limit-rule.ts';
import { listTexts, readOutcome } from './outcome-history.ts';

type Disbursement = Judged<'disburse'>;

const { money } = defineLevels('loans');
const LIMIT_POINTER = '/data/infos/*/avaliable_limit';

/** True if each of the disbursements was in flight together with another one. */
const wereAtOnce = (disbursed: readonly Disbursement[]): boolean =>
  disbursed.length > 1 &&
  disbursed.every((one) =>
    disbursed.some((other) => {
      const [a, b] = [readTimes(one), readTimes(other)];
      return other !== one && a.from < b.until && b.from < a.until;
    }),
  );

const joinAmounts = (amounts: readonly bigint[]): string => amounts.map(formatCents).join(', ');

/** Returns all sums of some of the amounts, each with the fee: what the limit falls by if the bank forgets the others. */
function listPartialSums(amounts: readonly bigint[], fee: bigint): ReadonlySet<bigint> {
  const sums = new Set([0n]);
  for (const amount of amounts) for (const sum of [...sums]) sums.add(sum + amount + fee);
  return sums;
}

/** True if the limit fell as if the bank had forgotten some of the disbursements, or had counted one twice. */
const isMiscounted = (step: Step, rule: Rule): boolean =>
  isUnexplainedByFee(step, rule) &&
  (listPartialSums(step.amounts, rule.fee).has(step.fall) ||
    step.amounts.some((amount) => readBeyond(step) - rule.fee * BigInt(step.amounts.length) === amount + rule.fee));

/** True if the limit was the same some seconds after the disbursements: a bank may book later, or show the limit of before. */
const isLasting = (step: Step, spans: readonly Span[]): boolean =>
  spans.some(
    ({ account, changes, fall, limit, after }) =>
      account === step.account &&
      changes.length === 0 &&
      fall === 0n &&
      limit === step.limit - step.fall &&
      after.exchange.startedAt - step.by.exchange.startedAt >= MIN_HOLD_MS,
  );

export const parallelSum = compared({
  id: 'loans.parallel-disbursements.sum',
  clause: money(
    offerField('avaliable_limit'),
    'Disbursements of several applications at once lower the limit of their account by their sum.',
  ),
  control:
    'At least three single disbursements lower the limit by the same rule, and equal limits come before and after.',
  evidence: series,
  judge(evidence) {
    const ledger = readLedger(evidence, ({ amounts }) => amounts.length === 1);
    if (typeof ledger === 'string') return notTested(ledger);
    const { steps, rule } = ledger;
    const parallel = steps.filter(({ changes }) => wereAtOnce(changes.filter(isDisbursement)));
    const tested = parallel.filter(isBetweenEqualReadings);
    const [first] = tested;
    if (first === undefined)
      return notTested('no disbursements at once were made between two equal readings of the limit each');
    const spans = readSpans(evidence) ?? [];
    const miscounted = tested.filter((step) => isMiscounted(step, rule));
    const step = miscounted.find((one) => isLasting(one, spans));
    if (step === undefined)
      return miscounted.length > 0
        ? notTested('the limit after disbursements at once was not read again some seconds later')
        : kept(first.by, { contrast: first.disbursed, count: tested.length });
    return broken(step.by, {
      contrast: step.disbursed,
      pointer: LIMIT_POINTER,
      expected: `${formatCents(step.limit - computeDueAmount(step, rule))} left of ${formatCents(step.limit)} after disbursements of ${joinAmounts(step.amounts)} at once, as ${rule.fitting.length} single ones show`,
      received: formatCents(step.limit - step.fall),
    });
  },
});

type Result = 'made' | 'not made' | 'unknown';

/** Returns what became of a disbursement. A request that the bank throttled says nothing. */
function findResult(disbursed: Disbursement, { outcomes }: Series): Result {
  if (isThrottled(disbursed.exchange.answer)) return 'unknown';
  if (isRejection(disbursed)) return 'not made';
  const last = outcomes.findLast((one) => readId(one) === readId(disbursed));
  const isPending = makePendingTest(listTexts(outcomes));
  if (!disbursed.accepted || last?.accepted !== true || isPending(readOutcome(last))) return 'unknown';
  return hasErrors(last.body) ? 'not made' : 'made';
}

const readAmounts = (disbursed: readonly Disbursement[]): readonly bigint[] =>
  disbursed.flatMap((one) => readAmount(one.exchange.request.asked['amount']) ?? []);

/** Returns the span between two equal readings each with all these disbursements; undefined if there is none. */
const findSpan = (disbursed: readonly Disbursement[], spans: readonly Span[]): Span | undefined =>
  spans.find((span) => {
    const accepted = span.changes.filter(isDisbursement).map(readId);
    const wanted = disbursed.filter((one) => !isRejection(one));
    return (
      isBetweenEqualReadings(span) &&
      span.account === readInput(disbursed[0] as Disbursement, 'account_id') &&
      wanted.length > 0 &&
      wanted.length === accepted.length &&
      wanted.every((one) => accepted.includes(readId(one)))
    );
  });

const formatLimit = (cents: bigint): string => (cents < 0n ? `-${formatCents(-cents)}` : formatCents(cents));

/** Judges disbursements at once from the limit before the span. Those that are made must not exceed it together. */
function judgeExcess(span: Span, atOnce: readonly Disbursement[], evidence: Series): Verdict {
  const [first] = atOnce;
  const amounts = readAmounts(atOnce);
  if (sumCents(amounts) <= span.limit) return notTested('the disbursements at once do not exceed the limit');
  const results = atOnce.map((one) => findResult(one, evidence));
  if (results.includes('unknown')) return notTested('a disbursement at once had no final outcome');
  const rest = span.limit - span.fall;
  const made = atOnce.filter((_, nth) => results[nth] === 'made');
  const areTooManyMade = sumCents(readAmounts(made)) > span.limit;
  if (areTooManyMade && rest > 0n) return notTested('the limit does not show that the disbursements at once were made');
  if (!areTooManyMade && rest >= 0n) return kept(span.after, { contrast: first });
  return broken(span.after, {
    contrast: first,
    pointer: LIMIT_POINTER,
    expected: `disbursements of ${joinAmounts(amounts)} at once not to be all made from a limit of ${formatLimit(span.limit)}, as in a row`,
    received: `${made.length} made, and a limit of ${formatLimit(rest)}`,
  });
}

/** `inRow`: disbursements from one account that together exceed its limit, one after the other. `atOnce`: the same at once. */
export const parallelWithinLimit = compared({
  id: 'loans.parallel-disbursements.within-limit',
  clause: money(
    statesSource,
    'Disbursements of several applications that together exceed the limit of their account are not all made at once.',
  ),
  control: 'Such disbursements in a row are not all made, and equal limits come before and after.',
  evidence: { ...series, inRow: list(reply('disburse')), atOnce: list(reply('disburse')) },
  judge({ inRow, atOnce, ...evidence }) {
    const ledger = readLedger(evidence, ({ amounts }) => amounts.length === 1);
    if (typeof ledger === 'string') return notTested(ledger);
    const row = inRow.map((one) => findResult(one, evidence));
    if (row[0] !== 'made' || !row.includes('not made') || row.includes('unknown'))
      return notTested('disbursements in a row that together exceed the limit were all made, or none');
    const span = findSpan(atOnce, readSpans(evidence) ?? []);
    if (span === undefined || !wereAtOnce(atOnce))
      return notTested('no disbursements at once were made between two equal readings of the limit each');
    return judgeExcess(span, atOnce, evidence);
  },
});
