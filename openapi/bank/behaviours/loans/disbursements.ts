/** Judges that the bank makes no forbidden disbursement, and makes a disbursement of exactly the available limit. */
import { type Clause, defineLevels } from '../../../clauses/clause.ts';
import { disbursementRequestField, offerField, outcomeField, statesSource } from '../../clauses/loans.ts';
import { hasErrors, isEffectUnknown, readIdText } from '../../../history/answers.ts';
import type { Answered } from '../../../model/history.ts';
import { isConclusive, isPending } from '../../history/outcome-texts.ts';
import { isRefusal } from '../../../model/outcome.ts';
import { areEqualAsDoubles } from '../../../util/ids.ts';
import { broken, compared, kept, notTested } from '../../../behaviours/behaviour.ts';
import { list, optional, reply, type Judged } from '../../../behaviours/evidence.ts';
import { readApplicationId, readOutcome } from './outcome-history.ts';

/** True if an answer names the application of its request, or no application. Compares the ids as doubles. */
function isAboutRequestedApplication({ data, exchange }: Pick<Answered, 'data' | 'exchange'>): boolean {
  const answeredId = readIdText(data['application_id']);
  return answeredId === null || areEqualAsDoubles(answeredId, exchange.request.asked['application_id']);
}

const { money, secure } = defineLevels('loans');
const disbursementReply = reply('disburse');
const queryReply = reply('queryDisbursement');
const RESULT_POINTER = '/data/result';
const UNKNOWN_IDS = 'loans.unknown-ids';

type Query = Judged<'queryDisbursement'>;
type DisbursementAnswer = Judged<'disburse'>;

const hasSucceeded = ({ accepted, body }: Query): boolean => accepted && !hasErrors(body);
/** True if `outcome` has the outcome text of a successful disbursement. */
const hasTextOfSuccess = (outcome: Query, success: Query): boolean =>
  hasSucceeded(success) && outcome.accepted && readOutcome(outcome) === readOutcome(success);

/** A disbursement has no outcome only if this many queries with pauses are refused, because the bank may update its data late. */
const MIN_OUTCOME_QUERIES = 2;

/**
 * Defines a clause about a forbidden disbursement (`probe`). The clause is broken if the bank accepts the disbursement, and the last
 * outcome (`after`) has the text of a successful disbursement (`made`). `isApplicationUnknown`: the application does not exist. Then
 * an accepted disbursement that never gets an outcome breaks the clause too.
 */
const defineForbidden = <const Id extends string>(
  id: Id,
  clause: Clause,
  openQuestion: string,
  isApplicationUnknown = false,
) =>
  compared({
    id,
    clause,
    control: 'The same disbursement without the mistake is accepted.',
    evidence: { probe: disbursementReply, control: disbursementReply, made: queryReply, after: list(queryReply) },
    asks: { point: UNKNOWN_IDS, question: openQuestion },
    judge({ probe: forbiddenDisbursement, control: validDisbursement, made: successfulOutcome, after: outcomesAfter }) {
      if (isEffectUnknown(forbiddenDisbursement))
        return notTested('the bank did not say whether it accepted the disbursement');
      if (!validDisbursement.accepted) return notTested('the bank did not accept a disbursement without the mistake');
      if (!forbiddenDisbursement.accepted) return kept(forbiddenDisbursement, { contrast: validDisbursement });
      const lastOutcome = outcomesAfter.at(-1);
      if (lastOutcome === undefined) return notTested('the outcome of the disbursement is unknown');
      const neverGetsOutcome =
        isApplicationUnknown && outcomesAfter.length >= MIN_OUTCOME_QUERIES && outcomesAfter.every(isRefusal);
      const isSuccessTextKnown = hasSucceeded(successfulOutcome) && !isPending(readOutcome(successfulOutcome));
      if (!isSuccessTextKnown && !neverGetsOutcome)
        return notTested('the outcome of a successful disbursement is unknown');
      if (!neverGetsOutcome && !hasTextOfSuccess(lastOutcome, successfulOutcome))
        return kept(forbiddenDisbursement, { contrast: validDisbursement });
      return broken(forbiddenDisbursement, {
        expected: 'a refusal, or an outcome that is no success',
        contrast: validDisbursement,
      });
    },
  });

// prettier-ignore
export const unknownApplication = defineForbidden('loans.unknown-application.disbursement', money(disbursementRequestField('application_id'), 'The bank refuses a disbursement request for an application that does not exist.'), 'a disbursement for an unknown application', true);
// prettier-ignore
export const unknownAccount = defineForbidden('loans.unknown-account.disbursement', money(disbursementRequestField('account_id'), 'The bank refuses a disbursement request for an account that it did not offer.'), 'a disbursement to an unknown account');
// prettier-ignore
export const amountPositive = defineForbidden('loans.amount-positive.disbursement', money(disbursementRequestField('amount'), 'The bank makes no disbursement of an amount of zero or less.'), 'an amount of zero or below');

const outcomeClause = {
  id: 'loans.unknown-application.outcome',
  clause: secure(
    outcomeField('application_id'),
    'If an application does not exist, the bank does not return the outcome of another application.',
  ),
} as const;
const outcomeQuestion = { point: UNKNOWN_IDS, question: 'the outcome of an unknown application' } as const;

export const unknownOutcome = compared({
  ...outcomeClause,
  control: 'The same query for a known application returns its outcome.',
  evidence: { probe: queryReply, control: queryReply },
  asks: outcomeQuestion,
  judge({ probe: unknownQuery, control: knownQuery }) {
    if (!knownQuery.accepted) return notTested('the outcome of a known application is unknown');
    if (!unknownQuery.accepted && !isRefusal(unknownQuery))
      return notTested('the bank neither answered the query nor refused it');
    // A pending or failed outcome may have a text that all applications share.
    if (unknownQuery.accepted && (isPending(readOutcome(knownQuery)) || hasErrors(knownQuery.body)))
      return notTested('the outcome of a known application may have the same text as all outcomes');
    if (!unknownQuery.accepted || readOutcome(unknownQuery) !== readOutcome(knownQuery))
      return kept(unknownQuery, { contrast: knownQuery });
    return broken(unknownQuery, {
      pointer: RESULT_POINTER,
      expected: 'no outcome of another application',
      received: String(readOutcome(unknownQuery)),
      contrast: knownQuery,
    });
  },
});

/** The lowest possible id. */
const ZERO_ID = '0';
const removeLeadingZeros = (id: string): string => id.replace(/^0+(?=\d)/, '');

/**
 * True if a query with a similar id returned the outcome of another application. Example: the run opened application 123.
 * The query for 12 must not return the outcome of 123 or of 127. `wasOpenedInRun`: the run opened the application that the answer
 * names.
 */
function hasOutcomeOfOther(similarQuery: Query, exactQuery: Query, wasOpenedInRun: boolean): boolean {
  const idWithoutLastDigit = readApplicationId(exactQuery).slice(0, -1);
  const answeredId = String(similarQuery.data.application_id);
  const requestedId = readApplicationId(similarQuery);
  const isRequested = [idWithoutLastDigit, requestedId].some(
    (id) => removeLeadingZeros(id) === removeLeadingZeros(answeredId),
  );
  if (isRequested) return false;
  const isSimilar = idWithoutLastDigit !== '' && answeredId.startsWith(idWithoutLastDigit);
  return isSimilar || wasOpenedInRun || (requestedId === ZERO_ID && /^\d+$/.test(answeredId));
}

/** `opened`: the loan answers of the run with the application that the answer names. */
export const similarOutcome = compared({
  ...outcomeClause,
  way: 'similar',
  control: 'The query with the exact id returns the outcome of the application.',
  evidence: { similar: queryReply, control: queryReply, opened: list(reply('requestLoan')) },
  asks: outcomeQuestion,
  judge({ similar: similarQuery, control: exactQuery, opened: openingAnswers }) {
    if (!similarQuery.accepted && !isRefusal(similarQuery))
      return notTested('the bank neither answered the query nor refused it');
    if (!hasOutcomeOfOther(similarQuery, exactQuery, openingAnswers.length > 0))
      return kept(similarQuery, { contrast: exactQuery });
    return broken(similarQuery, {
      pointer: '/data/application_id',
      expected: 'no outcome of an application with another id',
      received: String(similarQuery.data.application_id),
      contrast: exactQuery,
    });
  },
});

/** `before`: the outcome before the refused disbursement. `opened`: the loan answers with its application. */
export const refusedNotMade = compared({
  id: 'loans.outcome.not-of-a-refused',
  // prettier-ignore
  clause: money(statesSource, 'A refused disbursement never gets the outcome text of a successful disbursement.'),
  control: 'A successful disbursement has a final outcome text.',
  evidence: {
    refused: disbursementReply,
    outcome: queryReply,
    made: queryReply,
    before: optional(queryReply),
    opened: list(reply('requestLoan')),
  },
  judge({
    refused: refusedDisbursement,
    outcome,
    made: successfulOutcome,
    before: outcomeBefore,
    opened: openingAnswers,
  }) {
    if (!hasSucceeded(successfulOutcome) || isPending(readOutcome(successfulOutcome)))
      return notTested('the outcome of a successful disbursement is unknown');
    // The outcome may be about another application that the bank paid.
    if ((outcome.accepted && !isAboutRequestedApplication(outcome)) || openingAnswers.length > 1)
      return notTested('the outcome may belong to a different application');
    // An outcome text proves nothing if the application already had this text before the disbursement.
    const isPaid = (query: Query): boolean => hasTextOfSuccess(query, successfulOutcome) && !hasErrors(query.body);
    if (outcomeBefore !== undefined && isPaid(outcomeBefore))
      return notTested('the outcome text was the same before the disbursement');
    const isFinal = isRefusal(outcome) || (outcome.accepted && !isPending(readOutcome(outcome)));
    if (!isPaid(outcome))
      return isFinal
        ? kept(outcome, { contrast: refusedDisbursement })
        : notTested('the refused disbursement had no final outcome');
    return broken(outcome, {
      pointer: RESULT_POINTER,
      expected: 'no outcome in the words of a disbursement that was made',
      received: String(readOutcome(outcome)),
      contrast: refusedDisbursement,
    });
  },
});

export const overLimit = compared({
  id: 'loans.over-limit',
  // prettier-ignore
  clause: money(offerField('avaliable_limit'), 'The bank refuses a disbursement above the available limit, or gives it another outcome text than a disbursement within the limit.'),
  control: 'A disbursement within the limit is made.',
  evidence: { above: disbursementReply, outcome: optional(queryReply), usual: queryReply },
  judge({ above: disbursementAboveLimit, outcome: outcomeAboveLimit, usual: outcomeWithinLimit }) {
    if (!hasSucceeded(outcomeWithinLimit)) return notTested('no disbursement within the limit was made');
    if ([outcomeAboveLimit, outcomeWithinLimit].some((query) => isPending(query?.data.result)))
      return notTested('an outcome was not final');
    const isQueryAnswered =
      outcomeAboveLimit !== undefined && (outcomeAboveLimit.accepted || isRefusal(outcomeAboveLimit));
    if (!isRefusal(disbursementAboveLimit) && !isQueryAnswered)
      return notTested('the bank did not say whether it made the disbursement above the limit');
    if (outcomeAboveLimit?.accepted !== true || readOutcome(outcomeAboveLimit) !== readOutcome(outcomeWithinLimit))
      return kept(outcomeAboveLimit ?? disbursementAboveLimit, { contrast: outcomeWithinLimit });
    // Pending disbursements may share one text, and the answer may be about another application.
    if (!isConclusive(readOutcome(outcomeAboveLimit)) || !isAboutRequestedApplication(outcomeAboveLimit))
      return notTested('the outcome text does not say that the disbursement was made');
    return broken(outcomeAboveLimit, {
      pointer: RESULT_POINTER,
      expected: 'a refusal, or a different outcome than that of a disbursement within the limit',
      received: String(outcomeAboveLimit.data.result),
      contrast: outcomeWithinLimit,
    });
  },
});

/** At least this many disbursements of the exact limit must fail, and at least this many of one cent less must succeed. */
const MIN_LIMIT_REPETITIONS = 2;

const readAccountId = ({ exchange }: DisbursementAnswer): string => String(exchange.request.asked['account_id']);

/**
 * `exact`: disbursements of the exact limit. `less`: of one cent less. `outcome`: the outcomes of both. `below`: outcomes of failed
 * disbursements below the limit. If a disbursement of the limit fails with the same text, the limit is not the reason.
 */
export const disbursementAtLimit = compared({
  id: 'loans.disbursement.at-limit',
  // prettier-ignore
  clause: money(offerField('avaliable_limit'), 'If the bank makes a disbursement of one cent less than the available limit, it also makes a disbursement of exactly the limit.'),
  control: 'A disbursement of one cent less than the limit is made.',
  evidence: {
    exact: list(disbursementReply),
    less: list(disbursementReply),
    outcome: list(queryReply),
    below: list(queryReply),
  },
  judge({ exact: exactDisbursements, less: smallerDisbursements, outcome: outcomes, below: failuresBelowLimit }) {
    const findOutcome = (disbursement: DisbursementAnswer): Query | undefined =>
      outcomes.find((outcome) => readApplicationId(outcome) === readApplicationId(disbursement));
    const hasOtherReason = (failure: Query): boolean =>
      failuresBelowLimit.some((failureBelowLimit) => readOutcome(failureBelowLimit) === readOutcome(failure));
    const findResult = (disbursement: DisbursementAnswer): 'made' | 'not made' | 'unknown' => {
      if (isRefusal(disbursement)) return 'not made';
      const outcome = findOutcome(disbursement);
      if (!disbursement.accepted || outcome?.accepted !== true) return 'unknown';
      if (!hasErrors(outcome.body)) return 'made';
      return hasOtherReason(outcome) ? 'unknown' : 'not made';
    };
    const lastExact = exactDisbursements.at(-1);
    const exactResults = exactDisbursements.map(findResult);
    if (lastExact === undefined || exactResults.includes('unknown'))
      return notTested('it is unknown whether the bank disbursed exactly the limit');
    if (findResult(lastExact) === 'made') return kept(lastExact);
    const repetitionCount = Math.min(exactDisbursements.length, smallerDisbursements.length);
    const areSmallerMade = smallerDisbursements.every((disbursement) => findResult(disbursement) === 'made');
    if (repetitionCount < MIN_LIMIT_REPETITIONS || exactResults.includes('made') || !areSmallerMade)
      return notTested(
        'the bank did not always disburse less than the limit, or did not always refuse exactly the limit',
      );
    // An account may allow only a few disbursements a day: after it refused its exact limit, it must accept a smaller amount.
    const acceptedSmallerLater = (refusedDisbursement: DisbursementAnswer): boolean =>
      smallerDisbursements.some(
        (smallerDisbursement) =>
          readAccountId(smallerDisbursement) === readAccountId(refusedDisbursement) &&
          smallerDisbursement.exchange.startedAt >= refusedDisbursement.exchange.startedAt,
      );
    if (!exactDisbursements.some(acceptedSmallerLater))
      return notTested('no account accepted a smaller amount after it refused its limit');
    const lastExactOutcome = findOutcome(lastExact);
    return broken(lastExact, {
      pointer: 'request/body/amount',
      expected: 'the bank to disburse exactly the available limit, as it disburses one cent less',
      ...(lastExactOutcome === undefined ? {} : { received: `the outcome ${String(readOutcome(lastExactOutcome))}` }),
      contrast: smallerDisbursements.at(-1),
    });
  },
});
