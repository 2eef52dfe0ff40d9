/** Judges that ids, accounts, rates and outcomes in an answer belong to the application of its request. */
import { defineLevels } from '../../../clauses/clause.ts';
import { offerField } from '../../clauses/loans.ts';
import type { OperationId } from '../../../clauses/areas.ts';
import type { FieldClauseId } from '../../../clauses/index.ts';
import { isAnswered } from '../../../model/outcome.ts';
import type { RecordByKind, Run } from '../../../model/record.ts';
import { groupBy } from '../../../util/group-by.ts';
import { findContradictions, keptIfRepeated, mergeBroken } from '../../../behaviours/agreement.ts';
import { outcomeClause } from './reached.ts';
import { broken, compared, kept, notTested, ofRun, type Verdict } from '../../../behaviours/behaviour.ts';
import { reply } from '../../../behaviours/evidence.ts';

const { expected, money } = defineLevels('loans');

/** Defines that no answer has the id of another application or account of this run. The schema checks the field in each answer. */
const defineRequestedId = <const Id extends FieldClauseId>(id: Id, operation: OperationId) =>
  ofRun({
    id,
    operation,
    unit: 'answers',
    control: 'Another loan answer of the run has the id in the answer.',
    judge({ applications, accounts, otherApplications }) {
      const applicationById = new Map(applications.map((application) => [application.id, application]));
      const accountById = new Map(accounts.map((account) => [account.id, account]));
      return otherApplications.flatMap((by): readonly Verdict[] => {
        const { asked: requestedId, answered: answeredId } = by;
        const contrast = applicationById.get(answeredId) ?? accountById.get(answeredId);
        if (by.operation !== operation || contrast === undefined || !applicationById.has(requestedId)) return [];
        return [
          broken(by, {
            contrast,
            pointer: '/data/application_id',
            kind: 'run',
            expected: `"${requestedId}", the application that was asked about`,
            received: `"${answeredId}", ${applicationById.has(answeredId) ? 'another application' : 'an account'} of this run`,
          }),
        ];
      });
    },
  });

export const contractOfRequestedApplication = defineRequestedId('loans.contract.application-id', 'approveContract');
export const disbursementOfRequestedApplication = defineRequestedId('loans.disbursement.application-id', 'disburse');
export const outcomeOfRequestedApplication = defineRequestedId('loans.outcome.application-id', 'queryDisbursement');

/** Returns the answers with errors and without data, each with an earlier disbursement of its application. */
const listErrorsWithoutData = ({ outcomesWithoutData, disbursed }: Run) =>
  outcomesWithoutData.map((by) => ({
    by,
    contrast: disbursed.find(({ application, at }) => application === by.application && at < by.from),
  }));

const WITHOUT_DATA = 'errors, and no data';

/** After a disbursement, an answer without `data` breaks the clause about `data`. */
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

/** Before a disbursement, errors without `data` are a refusal, and a refusal needs a status of 4xx. */
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

export const sameIdAfterRepeat = compared({
  id: 'loans.disbursement.application-id.echo',
  control: 'The bank accepts the same disbursement twice.',
  evidence: { first: reply('disburse'), second: reply('disburse') },
  judge({ first, second }) {
    if (!first.accepted || !second.accepted) return notTested('the bank did not accept a disbursement twice');
    const [firstId, secondId] = [first.data.application_id, second.data.application_id];
    if (secondId === firstId) return kept(second, { contrast: first });
    return broken(second, {
      pointer: '/data/application_id',
      expected: `"${String(firstId)}", as the first time`,
      received: `"${String(secondId)}"`,
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
    const findings = changed.map(({ by, contrast, count }) =>
      broken(by, {
        contrast,
        pointer: '/data/infos/*/account',
        expected: 'one reference for one account',
        received: 'another reference than before',
        count,
      }),
    );
    return [...keptIfRepeated(accounts, ({ id }) => id, NO_ACCOUNT_TWICE), ...findings];
  },
});

const NO_ACCOUNT_TWICE = 'no account was offered twice';

type Rates = NonNullable<RecordByKind['accounts']['rates']>;

/** At least this many different pairs of rates must be wrong, because a single pair may be wrong by chance. */
const MIN_WRONG_RATE_PAIRS = 2;
/** Half a unit of the fifth decimal place. */
const MAX_RATE_ERROR = 0.000_005;

/** Describes how the rates in two answers about one account contradict each other; null if they do not. */
function describeRateContradiction(rates: Rates, otherRates: Rates): string | null {
  const { interest, commission } = rates;
  if (interest !== commission && interest === otherRates.commission && commission === otherRates.interest)
    return 'the rates of interest and commission, exchanged';
  const isHundredfold = (a: number, b: number): boolean =>
    a > 0 && b > 0 && Math.abs(Math.max(a, b) - 100 * Math.min(a, b)) <= 100 * MAX_RATE_ERROR;
  return isHundredfold(interest, otherRates.interest) || isHundredfold(commission, otherRates.commission)
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
    const accountsWithRates = accounts.flatMap(({ exchange, id, rates }) =>
      rates === null ? [] : [{ exchange, id, rates }],
    );
    const contradictions = findContradictions(
      accountsWithRates,
      ({ id }) => id,
      (a, b) => describeRateContradiction(a.rates, b.rates) === null,
    );
    const wrongPairs = new Set(
      contradictions.map(({ contrast: { rates } }) => `${rates.interest} ${rates.commission}`),
    );
    const findings = mergeBroken(wrongPairs.size < MIN_WRONG_RATE_PAIRS ? [] : contradictions, ({ by, contrast }) => ({
      pointer: '/data/infos/*',
      expected: 'rates in the columns and the unit of another answer on the same account',
      received: String(describeRateContradiction(contrast.rates, by.rates)),
    }));
    return [...keptIfRepeated(accountsWithRates, ({ id }) => id, NO_ACCOUNT_TWICE), ...findings];
  },
});

/** A disbursement is lost only if at least this many queries found no outcome. */
const MIN_MISSED_QUERIES = 2;
/** At least this many disbursements must be lost, because somebody may have deleted a single one by hand. */
const MIN_LOST_DISBURSEMENTS = 2;
/** Inputs that may differ between two comparable disbursements: ids, and the IP address of the customer. */
const UNCOMPARED_INPUTS = new Set(['application_id', 'account_id', 'customer_ip']);

/** Returns the accepted disbursements, with their amounts, and their compared inputs as one text. */
function listAcceptedDisbursements({ answers, disbursed }: Run) {
  const accepted = answers.filter((answer) => answer.operation === 'disburse' && isAnswered(answer));
  const inputsByExchange = new Map(accepted.map(({ exchange, asked: inputs }) => [exchange, inputs]));
  return disbursed.flatMap((disbursement) => {
    const inputs = inputsByExchange.get(disbursement.exchange);
    if (inputs === undefined) return [];
    const values = Object.entries(inputs).filter(([name]) => !UNCOMPARED_INPUTS.has(name));
    return [{ ...disbursement, amount: Number(inputs['amount']), values: JSON.stringify(values.sort()) }];
  });
}

/**
 * A disbursement is lost if all queries for it are refused, and
 * - an earlier disbursement with the same values has an outcome, so the values are not the reason,
 * - a later disbursement of at least the same amount has an outcome, so a daily limit is not the reason,
 * - this later outcome came before the last query for the lost disbursement, so time is not the reason.
 */
export const disbursementFound = ofRun({
  ...outcomeClause,
  operation: 'queryDisbursement',
  unit: 'answers',
  control: 'Disbursements before and after it have an outcome.',
  judge(run) {
    const outcomes = groupBy(run.outcomes, ({ application }) => application);
    const missingOutcomes = groupBy(run.missingOutcomes, ({ application }) => application);
    const disbursements = listAcceptedDisbursements(run);
    const found = disbursements.filter(({ application }) => outcomes.has(application));
    const lost = disbursements.flatMap((disbursement) => {
      const { application, at: sentAt, values, amount } = disbursement;
      const refusedQueries = missingOutcomes.get(application) ?? [];
      const by = refusedQueries.toSorted((a, b) => a.from - b.from).at(-1);
      if (by === undefined || refusedQueries.length < MIN_MISSED_QUERIES || outcomes.has(application)) return [];
      const earlier = found.find((candidate) => candidate.at < sentAt && candidate.values === values);
      const hasLater = found.some(
        (candidate) =>
          candidate.at > sentAt &&
          candidate.amount >= amount &&
          outcomes.get(candidate.application)?.some(({ at }) => at < by.from),
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
