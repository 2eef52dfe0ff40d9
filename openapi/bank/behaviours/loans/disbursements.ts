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
const disbursement = reply('disburse');
const query = reply('queryDisbursement');
const RESULT_POINTER = '/data/result';
const UNKNOWN_IDS = 'loans.unknown-ids';

type Query = Judged<'queryDisbursement'>;
type Disbursed = Judged<'disburse'>;

const isMade = ({ accepted, body }: Query): boolean => accepted && !hasErrors(body);
/** True if `outcome` has the outcome text of a successful disbursement. */
const hasTextOfSuccess = (outcome: Query, success: Query): boolean =>
  isMade(success) && outcome.accepted && readOutcome(outcome) === readOutcome(success);

/** A disbursement has no outcome only if this many queries with pauses are refused, because the bank may update its data late. */
const MIN_OUTCOME_QUERIES = 2;

/**
 * Defines a clause about a forbidden disbursement (`probe`). The clause is broken if the bank accepts the disbursement, and the last
 * outcome (`after`) has the text of a successful disbursement (`made`). `isOfNobody`: the application does not exist. Then an
 * accepted disbursement that never gets an outcome breaks the clause too.
 */
const defineForbidden = <const Id extends string>(id: Id, clause: Clause, question: string, isOfNobody = false) =>
  compared({
    id,
    clause,
    control: 'The same disbursement without the mistake is accepted.',
    evidence: { probe: disbursement, control: disbursement, made: query, after: list(query) },
    asks: { point: UNKNOWN_IDS, question },
    judge({ probe, control, made, after }) {
      if (isEffectUnknown(probe)) return notTested('the bank did not say whether it accepted the disbursement');
      if (!control.accepted) return notTested('the bank did not accept a disbursement without the mistake');
      if (!probe.accepted) return kept(probe, { contrast: control });
      const last = after.at(-1);
      if (last === undefined) return notTested('the outcome of the disbursement is unknown');
      const hasNoOutcome = isOfNobody && after.length >= MIN_OUTCOME_QUERIES && after.every(isRefusal);
      if ((!isMade(made) || isPending(readOutcome(made))) && !hasNoOutcome)
        return notTested('the outcome of a successful disbursement is unknown');
      if (!hasNoOutcome && !hasTextOfSuccess(last, made)) return kept(probe, { contrast: control });
      return broken(probe, { expected: 'a refusal, or an outcome that is no success', contrast: control });
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
const asksForOutcome = { point: UNKNOWN_IDS, question: 'the outcome of an unknown application' } as const;

export const unknownOutcome = compared({
  ...outcomeClause,
  control: 'The same query for a known application returns its outcome.',
  evidence: { probe: query, control: query },
  asks: asksForOutcome,
  judge({ probe, control }) {
    if (!control.accepted) return notTested('the outcome of a known application is unknown');
    if (!probe.accepted && !isRefusal(probe)) return notTested('the bank neither answered the query nor refused it');
    // A pending or failed outcome may have a text that all applications share.
    if (probe.accepted && (isPending(readOutcome(control)) || hasErrors(control.body)))
      return notTested('the outcome of a known application may have the text of all others');
    if (!probe.accepted || readOutcome(probe) !== readOutcome(control)) return kept(probe, { contrast: control });
    return broken(probe, {
      pointer: RESULT_POINTER,
      expected: 'no outcome of another application',
      received: String(readOutcome(probe)),
      contrast: control,
    });
  },
});

/** The lowest possible id. */
const ZERO_ID = '0';
const removeLeadingZeros = (id: string): string => id.replace(/^0+(?=\d)/, '');

/**
 * True if a query with a similar id returned the outcome of another application. Example: the run opened application 123.
 * The query for 12 must not return the outcome of 123 or of 127. `isOfRun`: the run opened the application that the answer names.
 */
function hasOutcomeOfOther(similar: Query, control: Query, isOfRun: boolean): boolean {
  const beginning = readApplicationId(control).slice(0, -1);
  const answeredId = String(similar.data.application_id);
  const requestedId = readApplicationId(similar);
  const isRequested = [beginning, requestedId].some((id) => removeLeadingZeros(id) === removeLeadingZeros(answeredId));
  if (isRequested) return false;
  const isSimilar = beginning !== '' && answeredId.startsWith(beginning);
  return isSimilar || isOfRun || (requestedId === ZERO_ID && /^\d+$/.test(answeredId));
}

/** `opened`: the loan answers of the run with the application that the answer names. */
export const similarOutcome = compared({
  ...outcomeClause,
  way: 'similar',
  control: 'The query with the exact id returns the outcome of the application.',
  evidence: { similar: query, control: query, opened: list(reply('requestLoan')) },
  asks: asksForOutcome,
  judge({ similar, control, opened }) {
    if (!similar.accepted && !isRefusal(similar))
      return notTested('the bank neither answered the query nor refused it');
    if (!hasOutcomeOfOther(similar, control, opened.length > 0)) return kept(similar, { contrast: control });
    return broken(similar, {
      pointer: '/data/application_id',
      expected: 'no outcome of an application with another id',
      received: String(similar.data.application_id),
      contrast: control,
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
    refused: disbursement,
    outcome: query,
    made: query,
    before: optional(query),
    opened: list(reply('requestLoan')),
  },
  judge({ refused, outcome, made, before, opened }) {
    if (!isMade(made) || isPending(readOutcome(made)))
      return notTested('the outcome of a successful disbursement is unknown');
    // The outcome may be about another application that the bank paid.
    if ((outcome.accepted && !isAboutRequestedApplication(outcome)) || opened.length > 1)
      return notTested('the outcome may be that of another application');
    // An outcome text proves nothing if the application already had this text before the disbursement.
    const isPaid = (answer: Query): boolean => hasTextOfSuccess(answer, made) && !hasErrors(answer.body);
    if (before !== undefined && isPaid(before))
      return notTested('the outcome text was the same before the disbursement');
    if (!isPaid(outcome))
      return isRefusal(outcome) || (outcome.accepted && !isPending(readOutcome(outcome)))
        ? kept(outcome, { contrast: refused })
        : notTested('the refused disbursement had no final outcome');
    return broken(outcome, {
      pointer: RESULT_POINTER,
      expected: 'no outcome in the words of a disbursement that was made',
      received: String(readOutcome(outcome)),
      contrast: refused,
    });
  },
});

export const overLimit = compared({
  id: 'loans.over-limit',
  // prettier-ignore
  clause: money(offerField('avaliable_limit'), 'The bank refuses a disbursement above the available limit, or gives it another outcome text than a disbursement within the limit.'),
  control: 'A disbursement within the limit is made.',
  evidence: { above: disbursement, outcome: optional(query), usual: query },
  judge({ above, outcome, usual }) {
    if (!isMade(usual)) return notTested('no disbursement within the limit was made');
    if ([outcome, usual].some((answer) => isPending(answer?.data.result))) return notTested('an outcome was not final');
    if (!isRefusal(above) && outcome?.accepted !== true && (outcome === undefined || !isRefusal(outcome)))
      return notTested('the bank did not say whether it made the disbursement above the limit');
    if (outcome?.accepted !== true || readOutcome(outcome) !== readOutcome(usual))
      return kept(outcome ?? above, { contrast: usual });
    // Pending disbursements may share one text, and the answer may be about another application.
    if (!isConclusive(readOutcome(outcome)) || !isAboutRequestedApplication(outcome))
      return notTested('the outcome text does not say that the disbursement was made');
    return broken(outcome, {
      pointer: RESULT_POINTER,
      expected: 'a refusal, or another outcome than within the limit',
      received: String(outcome.data.result),
      contrast: usual,
    });
  },
});

/** At least this many disbursements of the exact limit must fail, and at least this many of one cent less must succeed. */
const MIN_LIMIT_REPETITIONS = 2;

const readAccount = ({ exchange }: Disbursed): string => String(exchange.request.asked['account_id']);

/**
 * `exact`: disbursements of the exact limit. `less`: of one cent less. `outcome`: the outcomes of both. `below`: outcomes of failed
 * disbursements below the limit. If a disbursement of the limit fails with the same text, the limit is not the reason.
 */
export const disbursementAtLimit = compared({
  id: 'loans.disbursement.at-limit',
  // prettier-ignore
  clause: money(offerField('avaliable_limit'), 'If the bank makes a disbursement of one cent less than the available limit, it also makes a disbursement of exactly the limit.'),
  control: 'A disbursement of one cent less than the limit is made.',
  evidence: { exact: list(disbursement), less: list(disbursement), outcome: list(query), below: list(query) },
  judge({ exact, less, outcome: outcomes, below }) {
    const outcomeOf = (disbursed: Disbursed): Query | undefined =>
      outcomes.find((answer) => readApplicationId(answer) === readApplicationId(disbursed));
    const hasOtherReason = (failure: Query): boolean =>
      below.some((failureBelow) => readOutcome(failureBelow) === readOutcome(failure));
    const findResult = (disbursed: Disbursed): 'made' | 'not made' | 'unknown' => {
      if (isRefusal(disbursed)) return 'not made';
      const outcome = outcomeOf(disbursed);
      if (!disbursed.accepted || outcome?.accepted !== true) return 'unknown';
      if (!hasErrors(outcome.body)) return 'made';
      return hasOtherReason(outcome) ? 'unknown' : 'not made';
    };
    const last = exact.at(-1);
    const resultsOfExact = exact.map(findResult);
    if (last === undefined || resultsOfExact.includes('unknown'))
      return notTested('it is unknown whether exactly the limit was disbursed');
    if (findResult(last) === 'made') return kept(last);
    if (
      Math.min(exact.length, less.length) < MIN_LIMIT_REPETITIONS ||
      resultsOfExact.includes('made') ||
      !less.every((disbursed) => findResult(disbursed) === 'made')
    )
      return notTested('less than the limit was not always disbursed, or exactly the limit not always refused');
    // An account may allow only a few disbursements a day: after it refused its exact limit, it must accept a smaller amount.
    const hasLaterSmaller = (refused: Disbursed): boolean =>
      less.some(
        (later) =>
          readAccount(later) === readAccount(refused) && later.exchange.startedAt >= refused.exchange.startedAt,
      );
    if (!exact.some(hasLaterSmaller))
      return notTested('no account accepted a smaller amount after it refused its limit');
    const outcome = outcomeOf(last);
    return broken(last, {
      pointer: 'request/body/amount',
      expected: 'exactly the available limit to be disbursed, as a cent less is',
      ...(outcome === undefined ? {} : { received: `the outcome ${String(readOutcome(outcome))}` }),
      contrast: less.at(-1),
    });
  },
});
