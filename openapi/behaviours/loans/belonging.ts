/** An answer is about the application of its request: ids, accounts and outcomes belong to this application. */
import { defineLevels } from '../../clauses/clause.ts';
import { offerField } from '../../clauses/loans.ts';
import type { OperationId } from '../../clauses/areas.ts';
import type { ClauseId } from '../../clauses/index.ts';
import { isAnswered } from '../../model/outcome.ts';
import type { RecordByKind, Run } from '../../model/record.ts';
import { groupBy } from '../../util/group-by.ts';
import { findContradictions, keptIfRepeated, mergeBroken } from '../agreement.ts';
import { broken, compared, kept, notTested, ofRun, type Verdict } from '../behaviour.ts';
import { reply } from '../evidence.ts';

const { expected, money } = defineLevels('loans');

/** No answer has the id of another application or account of this run. The schema already checks the field in each answer. */
const defineOwnId = (id: ClauseId, operation: OperationId) =>
  ofRun({
    id,
    operation,
    unit: 'answers',
    control: 'Another loan answer of the run has the id in the answer.',
    judge({ applications, accounts, otherApplications }) {
      const [opened, offered] = [applications, accounts].map((all) => new Map(all.map((one) => [one.id, one])));
      return otherApplications.flatMap((by): readonly Verdict[] => {
        const { asked, answered } = by;
        const contrast = opened?.get(answered) ?? offered?.get(answered);
        if (by.operation !== operation || contrast === undefined || opened?.has(asked) !== true) return [];
        return [
          broken(by, {
            contrast,
            pointer: '/data/application_id',
            kind: 'run',
            expected: `"${asked}", the application that was asked about`,
            received: `"${answered}", ${opened.has(answered) ? 'another application' : 'an account'} of this run`,
          }),
        ];
      });
    },
  });

export const contractOwnId = defineOwnId('loans.contract.application-id', 'approveContract');
export const disbursementOwnId = defineOwnId('loans.disbursement.application-id', 'disburse');
export const outcomeOwnId = defineOwnId('loans.outcome.application-id', 'queryDisbursement');

const listErrorsWithoutData = ({ outcomesWithoutData, disbursed }: Run) =>
  outcomesWithoutData.map((by) => ({
    by,
    contrast: disbursed.find(({ application, at }) => application === by.application && at < by.from),
  }));

const WITHOUT_DATA = 'errors, and no data';

/** After a disbursement, `data` is missing. */
export const errorsBesideData = ofRun({
  id: 'loans.outcome.data',
  operation: 'queryDisbursement',
  unit: 'answers',
  control: 'The bank accepted the disbursement before the query.',
  judge: (run) =>
    listErrorsWithoutData(run).flatMap(({ by, contrast }) =>
      contrast === undefined
        ? []
        : broken(by, {
            contrast,
            pointer: '/data',
            kind: 'missing',
            expected: 'a field that is there',
            received: WITHOUT_DATA,
          }),
    ),
});

/** Before a disbursement, errors without data are a refusal. */
export const outcomeRefusedByStatus = ofRun({
  id: 'service.refusal-status',
  operation: 'queryDisbursement',
  unit: 'answers',
  control: 'The bank accepted no disbursement before the query.',
  judge: (run) =>
    listErrorsWithoutData(run).flatMap(({ by, contrast }) =>
      contrast === undefined
        ? broken(by, { kind: 'disguised', expected: 'a status of 4xx for a refusal', received: WITHOUT_DATA })
        : [],
    ),
});

export const sameIdAgain = compared({
  id: 'loans.disbursement.application-id.echo',
  control: 'The bank accepts the same disbursement twice.',
  evidence: { first: reply('disburse'), second: reply('disburse') },
  judge({ first, second }) {
    if (!first.accepted || !second.accepted) return notTested('the bank did not accept a disbursement twice');
    const [before, answered] = [first.data.application_id, second.data.application_id];
    if (answered === before) return kept(second, { contrast: first });
    return broken(second, {
      pointer: '/data/application_id',
      expected: `"${String(before)}", as the first time`,
      received: `"${String(answered)}"`,
      contrast: first,
    });
  },
});

export const sameReference = ofRun({
  id: 'loans.offer.account.same-reference',
  clause: expected(offerField('account'), 'One account has the same reference in every loan answer.'),
  operation: 'requestLoan',
  control: 'The bank offers the same account at least twice.',
  judge({ accounts }) {
    const changed = findContradictions(accounts, ({ id }) => id, (a, b) => a.reference === b.reference); // prettier-ignore
    const found = changed.map(({ by, contrast, count }) =>
      broken(by, {
        contrast,
        pointer: '/data/infos/*/account',
        expected: 'one reference for one account',
        received: 'another reference than before',
        count,
      }),
    );
    return [...keptIfRepeated(accounts, ({ id }) => id, NO_ACCOUNT_TWICE), ...found];
  },
});

const NO_ACCOUNT_TWICE = 'no account was offered twice';

type Rates = NonNullable<RecordByKind['accounts']['rates']>;

/** At least this many different pairs of rates must be wrong, because a single pair may be wrong by chance. */
const MIN_WRONG_RATE_PAIRS = 2;
/** Half a unit of the fifth decimal place. */
const MAX_RATE_ERROR = 0.000_005;

/** Describes how the rates in two answers about one account contradict each other; null if they do not. */
function describeRateContradiction(rates: Rates, others: Rates): string | null {
  const { interest, commission } = rates;
  if (interest !== commission && interest === others.commission && commission === others.interest)
    return 'the rates of interest and commission, exchanged';
  const isHundredfold = (a: number, b: number): boolean =>
    a > 0 && b > 0 && Math.abs(Math.max(a, b) - 100 * Math.min(a, b)) <= 100 * MAX_RATE_ERROR;
  return isHundredfold(interest, others.interest) || isHundredfold(commission, others.commission)
    ? 'a hundred times the rate, or a hundredth of it'
    : null;
}

export const ratesStay = ofRun({
  id: 'loans.offer.rates-stay',
  // prettier-ignore
  clause: money(offerField(), 'The bank does not swap the interest rate and the commission rate of an account, and does not change their unit.'),
  operation: 'requestLoan',
  control: 'The bank offers the same account at least twice.',
  judge({ accounts }) {
    const rated = accounts.flatMap(({ exchange, id, rates }) => (rates === null ? [] : [{ exchange, id, rates }]));
    const confused = findContradictions(
      rated,
      ({ id }) => id,
      (a, b) => describeRateContradiction(a.rates, b.rates) === null,
    );
    const wrong = new Set(confused.map(({ contrast: { rates } }) => `${rates.interest} ${rates.commission}`));
    const found = mergeBroken(wrong.size < MIN_WRONG_RATE_PAIRS ? [] : confused, ({ by, contrast }) => ({
      pointer: '/data/infos/*',
      expected: 'rates in the columns and the unit of another answer on the same account',
      received: String(describeRateContradiction(contrast.rates, by.rates)),
    }));
    return [...keptIfRepeated(rated, ({ id }) => id, NO_ACCOUNT_TWICE), ...found];
  },
});

const MIN_MISSED_QUERIES = 2;
/** At least this many disbursements must be lost, because somebody may have deleted a single one by hand. */
const MIN_LOST_DISBURSEMENTS = 2;
/** Inputs that may differ between two comparable disbursements: ids, and the IP address of the customer. */
const UNCOMPARED_INPUTS = new Set(['application_id', 'account_id', 'customer_ip']);

function listMadeDisbursements({ answers, disbursed }: Run) {
  const accepted = answers.filter((one) => one.operation === 'disburse' && isAnswered(one));
  const inputs = new Map(accepted.map(({ exchange, asked }) => [exchange, asked]));
  return disbursed.flatMap((one) => {
    const asked = inputs.get(one.exchange);
    if (asked === undefined) return [];
    const values = Object.entries(asked).filter(([name]) => !UNCOMPARED_INPUTS.has(name));
    return [{ ...one, amount: Number(asked['amount']), values: JSON.stringify(values.sort()) }];
  });
}

/** Neither the values, nor a daily limit, nor time explains the loss of a disbursement between two that are known. */
export const disbursementFound = ofRun({
  id: 'loans.outcome.reached',
  operation: 'queryDisbursement',
  unit: 'answers',
  control: 'Disbursements before and after it have an outcome.',
  judge(run) {
    const outcomes = groupBy(run.outcomes, ({ application }) => application);
    const missing = groupBy(run.missingOutcomes, ({ application }) => application);
    const made = listMadeDisbursements(run);
    const found = made.filter(({ application }) => outcomes.has(application));
    const lost = made.flatMap((one) => {
      const misses = missing.get(one.application) ?? [];
      const by = misses.toSorted((a, b) => a.from - b.from).at(-1);
      if (by === undefined || misses.length < MIN_MISSED_QUERIES || outcomes.has(one.application)) return [];
      const earlier = found.find((other) => other.at < one.at && other.values === one.values);
      const hasLater = found.some(
        (other) =>
          other.at > one.at &&
          other.amount >= one.amount &&
          outcomes.get(other.application)?.some(({ at }) => at < by.from),
      );
      if (earlier === undefined || !hasLater) return [];
      return [{ by, contrast: outcomes.get(earlier.application)?.[0] }];
    });
    return mergeBroken(lost.length < MIN_LOST_DISBURSEMENTS ? [] : lost, () => ({
      expected: 'the outcome of a disbursement that was taken on, as of one before it with the same values',
      received: 'a refusal',
    }));
  },
});
