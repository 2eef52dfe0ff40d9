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
      return otherApplications.flatMap((answer): readonly Verdict[] => {
        const { asked: requestedId, answered: answeredId } = answer;
        const contrast = applicationById.get(answeredId) ?? accountById.get(answeredId);
        if (answer.operation !== operation || contrast === undefined || !applicationById.has(requestedId)) return [];
        return [
          broken(answer, {
            contrast,
            pointer: '/data/application_id',
            kind: 'run',
            expected: `"${requestedId}", the application of the query`,
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
  outcomesWithoutData.map((answer) => ({
    answer,
    contrast: disbursed.find(({ application, at }) => application === answer.application && at < answer.from),
  }));

const WITHOUT_DATA = 'errors, and no data';

/** After a disbursement, an answer without `data` breaks the clause about `data`. */
export const errorsBesideData = ofRun({
  id: 'loans.outcome.data',
  operation: 'queryDisbursement',
  unit: 'answers',
  control: 'The bank accepted the disbursement before the query.',
  judge: (run) =>
    listErrorsWithoutData(run).flatMap(({ answer, contrast }) =>
      contrast === undefined
        ? []
        : broken(answer, {
            contrast,
            pointer: '/data',
            kind: 'missing',
            expected: 'a field that is there',
            received: WITHOUT_DATA,
          }),
    ),
});

/** If the bank accepted no disbursement before the query, an answer with `errors` and no `data` is a refusal. It needs status 4xx. */
export const outcomeRefusedByStatus = ofRun({
  id: 'service.refusal-status',
  operation: 'queryDisbursement',
  unit: 'answers',
  control: 'The bank accepted no disbursement before the query.',
  judge: (run) =>
    listErrorsWithoutData(run).flatMap(({ answer, contrast }) =>
      contrast === undefined
        ? broken(answer, { kind: 'disguised', expected: 'a status of 4xx for a refusal', received: WITHOUT_DATA })
        : [],
    ),
});

export const sameIdAfterRepeat = compared({
  id: 'loans.disbursement.application-id.echo',
  control: 'The bank accepts the same disbursement twice.',
  evidence: { first: reply('disburse'), second: reply('disburse') },
  judge({ first: firstAnswer, second: secondAnswer }) {
    if (!firstAnswer.accepted || !secondAnswer.accepted)
      return notTested('the bank did not accept a disbursement twice');
    const [firstId, secondId] = [firstAnswer.data.application_id, secondAnswer.data.application_id];
    if (secondId === firstId) return kept(secondAnswer, { contrast: firstAnswer });
    return broken(secondAnswer, {
      pointer: '/data/application_id',
      expected: `"${String(firstId)}", as the first time`,
      received: `"${String(secondId)}"`,
      contrast: firstAnswer,
    });
  },
});

export const sameReference = ofRun({
  id: 'loans.offer.account.same-reference',
  clause: expected(offerField('account'), 'One account has the same reference in every loan answer.'),
  operation: 'requestLoan',
  control: 'The bank offers the same account at least twice.',
  judge({ accounts }) {
    const changedReferences = findContradictions(accounts, ({ id }) => id, (a, b) => a.reference === b.reference); // prettier-ignore
    const findings = changedReferences.map(({ answer, contrast, count }) =>
      broken(answer, {
        contrast,
        pointer: '/data/infos/*/account',
        expected: 'one reference for one account',
        received: 'a different reference than before',
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
  const isHundredfold = (rate: number, otherRate: number): boolean =>
    rate > 0 &&
    otherRate > 0 &&
    Math.abs(Math.max(rate, otherRate) - 100 * Math.min(rate, otherRate)) <= 100 * MAX_RATE_ERROR;
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
    const findings = mergeBroken(
      wrongPairs.size < MIN_WRONG_RATE_PAIRS ? [] : contradictions,
      ({ answer, contrast }) => ({
        pointer: '/data/infos/*',
        expected: 'rates in the columns and the unit of another answer on the same account',
        received: String(describeRateContradiction(contrast.rates, answer.rates)),
      }),
    );
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
  const acceptedAnswers = answers.filter((answer) => answer.operation === 'disburse' && isAnswered(answer));
  const inputsByExchange = new Map(acceptedAnswers.map(({ exchange, asked: inputs }) => [exchange, inputs]));
  return disbursed.flatMap((disbursement) => {
    const inputs = inputsByExchange.get(disbursement.exchange);
    if (inputs === undefined) return [];
    const comparedInputs = Object.entries(inputs).filter(([name]) => !UNCOMPARED_INPUTS.has(name));
    return [{ ...disbursement, amount: Number(inputs['amount']), inputsText: JSON.stringify(comparedInputs.sort()) }];
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
  control: 'Earlier and later disbursements have an outcome.',
  judge(run) {
    const outcomesByApplication = groupBy(run.outcomes, ({ application }) => application);
    const missingByApplication = groupBy(run.missingOutcomes, ({ application }) => application);
    const disbursements = listAcceptedDisbursements(run);
    const disbursementsWithOutcome = disbursements.filter(({ application }) => outcomesByApplication.has(application));
    const lostDisbursements = disbursements.flatMap((disbursement) => {
      const { application, at: sentAt, inputsText, amount } = disbursement;
      const refusedQueries = missingByApplication.get(application) ?? [];
      const lastRefusedQuery = refusedQueries.toSorted((a, b) => a.from - b.from).at(-1);
      const hasOutcome = outcomesByApplication.has(application);
      if (lastRefusedQuery === undefined || refusedQueries.length < MIN_MISSED_QUERIES || hasOutcome) return [];
      const earlierDisbursement = disbursementsWithOutcome.find(
        (earlier) => earlier.at < sentAt && earlier.inputsText === inputsText,
      );
      const hasLaterOutcome = disbursementsWithOutcome.some(
        (laterDisbursement) =>
          laterDisbursement.at > sentAt &&
          laterDisbursement.amount >= amount &&
          outcomesByApplication.get(laterDisbursement.application)?.some(({ at }) => at < lastRefusedQuery.from),
      );
      if (earlierDisbursement === undefined || !hasLaterOutcome) return [];
      return [{ answer: lastRefusedQuery, contrast: outcomesByApplication.get(earlierDisbursement.application)?.[0] }];
    });
    return mergeBroken(lostDisbursements.length < MIN_LOST_DISBURSEMENTS ? [] : lostDisbursements, () => ({
      expected: 'the outcome of an accepted disbursement, as an earlier disbursement with the same values had it',
      received: 'a refusal',
    }));
  },
});
