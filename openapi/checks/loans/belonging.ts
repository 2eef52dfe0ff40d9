/** Checks that an answer is about the application of its request: ids, accounts and outcomes belong to this application. */
import type { Check } from '../../model/check.ts';
import type { ClauseId } from '../../clauses/index.ts';
import type { OperationId } from '../../clauses/areas.ts';
import { isAnswered } from '../../model/outcome.ts';
import { groupBy } from '../../util/group-by.ts';
import { checkComparison } from '../check.ts';
import { findContradictions, mergeFindings, noteCheck } from '../../notes/generators.ts';

/** The clause for the answer field that names the application. */
const clauseByOperation: Partial<Record<OperationId, ClauseId>> = {
  approveContract: 'loans.contract.application-id',
  disburse: 'loans.disbursement.application-id',
  queryDisbursement: 'loans.outcome.application-id',
};

/** Checks that no answer has the id of another application or account of this run. */
const foreignIdChecks = Object.entries(clauseByOperation).map(([operation, clause]): Check => ({
  clause,
  operation: operation as OperationId,
  *of({ notes }) {
    const applications = new Map(notes('application').map((one) => [one.fact.id, one]));
    const accounts = new Map(notes('account').map((one) => [one.fact.id, one]));
    for (const by of notes('other-application')) {
      const { asked, answered } = by.fact;
      const contrast = applications.get(answered) ?? accounts.get(answered);
      if (by.fact.operation !== operation || contrast === undefined || !applications.has(asked)) continue;
      yield {
        by,
        contrast,
        pointer: '/data/application_id',
        kind: 'run',
        expected: `"${asked}", the application that was asked about`,
        received: `"${answered}", ${applications.has(answered) ? 'another application' : 'an account'} of this run`,
      };
    }
  },
}));

/**
 * Makes a check for errors without data. After a disbursement, `data` is missing; before it, the answer is a refusal with a 2xx
 * status.
 */
const checkErrorsBesideData = (isDisbursed: boolean): Check => ({
  clause: isDisbursed ? 'loans.outcome.data' : 'service.refusal-status',
  operation: 'queryDisbursement',
  *of({ notes }) {
    for (const by of notes('outcome-without-data')) {
      const { application, from } = by.fact;
      const contrast = notes('disbursed').find(({ fact }) => fact.application === application && fact.at < from);
      if ((contrast !== undefined) !== isDisbursed) continue;
      const broken = isDisbursed
        ? { pointer: '/data', expected: 'a field that is there', kind: 'missing', contrast }
        : { expected: 'a status of 4xx for a refusal', kind: 'disguised' };
      yield { by, ...broken, received: 'errors, and no data' };
    }
  },
});

/** At least this many queries of a lost disbursement must be refused. */
const MIN_MISSED_QUERIES = 2;
/** At least this many disbursements must be lost: somebody may have deleted a single one by hand. */
const MIN_LOST_DISBURSEMENTS = 2;
/** Inputs that may differ between two comparable disbursements: ids, and the IP address of the customer. */
const UNCOMPARED_INPUTS = new Set(['application_id', 'account_id', 'customer_ip']);

/**
 * Finds lost disbursements. A disbursement is lost if the bank knows an earlier one with the same values, and a later one of at
 * least the same amount. Then neither the values, nor a daily limit, nor time explains the loss.
 */
const foundDisbursementCheck: Check = {
  clause: 'loans.outcome.reached',
  operation: 'queryDisbursement',
  *of({ notes }) {
    const accepted = notes('answer').filter(({ fact }) => fact.operation === 'disburse' && isAnswered(fact));
    const inputs = new Map(accepted.map(({ fact, exchange }) => [exchange, fact.asked]));
    const outcomes = groupBy(notes('outcome'), ({ fact }) => fact.application);
    const missing = groupBy(notes('outcome-missing'), ({ fact }) => fact.application);
    const made = notes('disbursed').flatMap(({ fact, exchange }) => {
      const asked = inputs.get(exchange);
      if (asked === undefined) return [];
      const values = Object.entries(asked).filter(([name]) => !UNCOMPARED_INPUTS.has(name));
      return [{ ...fact, amount: Number(asked['amount']), values: JSON.stringify(values.sort()) }];
    });
    const found = made.filter(({ application }) => outcomes.has(application));
    const lost = made.flatMap((one) => {
      const misses = missing.get(one.application) ?? [];
      const by = misses.toSorted((a, b) => a.fact.from - b.fact.from).at(-1);
      if (by === undefined || misses.length < MIN_MISSED_QUERIES || outcomes.has(one.application)) return [];
      const earlier = found.find((other) => other.at < one.at && other.values === one.values);
      const hasLater = found.some(
        (other) =>
          other.at > one.at &&
          other.amount >= one.amount &&
          outcomes.get(other.application)?.some(({ fact }) => fact.at < by.fact.from),
      );
      if (earlier === undefined || !hasLater) return [];
      const expected = 'the outcome of a disbursement that was taken on, as of one before it with the same values';
      return [{ by, contrast: outcomes.get(earlier.application)?.[0], expected, received: 'a refusal' }];
    });
    if (lost.length >= MIN_LOST_DISBURSEMENTS) yield* mergeFindings(lost);
  },
};

const referenceCheck = noteCheck('loans.offer.account.same-reference', 'requestLoan', function* ({ notes }, tested) {
  const expected = 'one reference for one account';
  yield* findContradictions(
    notes('account'),
    ({ fact }) => fact.id,
    (a, b) => a.fact.reference === b.fact.reference,
    () => ({ pointer: '/data/infos/*/account', expected, received: 'another reference than before' }),
    tested,
  );
});

/** At least this many different pairs of rates must be wrong: a single pair may be chance. */
const MIN_WRONG_RATE_PAIRS = 2;
/** Half a unit of the fifth decimal place. */
const MAX_RATE_ERROR = 0.000_005;

type Rates = readonly [interest: number, commission: number];

/** Describes how the rates in two answers about one account contradict each other; null if they do not. */
function describeRateContradiction(
  [interest, commission]: Rates,
  [otherInterest, otherCommission]: Rates,
): string | null {
  if (interest !== commission && interest === otherCommission && commission === otherInterest)
    return 'the rates of interest and commission, exchanged';
  const isHundredfold = (a: number, b: number): boolean =>
    a > 0 && b > 0 && Math.abs(Math.max(a, b) - 100 * Math.min(a, b)) <= 100 * MAX_RATE_ERROR;
  return isHundredfold(interest, otherInterest) || isHundredfold(commission, otherCommission)
    ? 'a hundred times the rate, or a hundredth of it'
    : null;
}

/** Checks that interest rate and commission rate are not swapped, and do not change between fractions and percentages. */
const rateCheck = noteCheck('loans.offer.rates-stay', 'requestLoan', function* ({ notes }, tested) {
  const rated = notes('account').flatMap(({ exchange, fact: { id, rates } }) =>
    rates === null ? [] : [{ exchange, id, rates }],
  );
  const expected = 'rates in the columns and the unit of another answer on the same account';
  const confused = [
    ...findContradictions(
      rated,
      ({ id }) => id,
      (a, b) => describeRateContradiction(a.rates, b.rates) === null,
      (first, by) => ({
        pointer: '/data/infos/*',
        expected,
        received: String(describeRateContradiction(first.rates, by.rates)),
      }),
      tested,
    ),
  ];
  const rates = new Set(confused.map(({ contrast }) => String(contrast.rates)));
  if (rates.size >= MIN_WRONG_RATE_PAIRS) yield* mergeFindings(confused);
});

export const belongingChecks: readonly Check[] = [
  checkComparison('loans.disbursement.application-id.echo', ({ one }) => {
    const [first, second] = [one('first'), one('second')];
    if (first?.accepted !== true || second?.accepted !== true) return null;
    const [before, answered] = [first, second].map(({ data }) => data['application_id']);
    return {
      by: second,
      holds: answered === before,
      pointer: '/data/application_id',
      expected: `"${String(before)}", as the first time`,
      received: `"${String(answered)}"`,
      contrast: first,
    };
  }),
  ...foreignIdChecks,
  checkErrorsBesideData(true),
  checkErrorsBesideData(false),
  foundDisbursementCheck,
  referenceCheck,
  rateCheck,
];
