/**
 * Judges that two identical concurrent requests have the same result as the same two requests in sequence. Example: the bank refuses
 * the second of two identical disbursements in sequence. If it accepts two concurrent disbursements, the clause is broken.
 */
import { type Clause, defineLevels } from '../../../clauses/clause.ts';
import { statesSource } from '../../clauses/loans.ts';
import { linkRequestField } from '../../clauses/payment-links.ts';
import type { Exchange, OperationId } from '../../../model/exchange.ts';
import { isRefusal, type Outcome } from '../../../model/outcome.ts';
import { formatCents, readLimit } from '../loans/account-limits.ts';
import { broken, compared, kept, notTested, type ComparedBehaviour } from '../../../behaviours/behaviour.ts';
import { list, optional, reply } from '../../../behaviours/evidence.ts';

/** This many pairs of requests, sent in sequence, must have the same result, because a single result may be an accident. */
export const SEQUENTIAL_PAIRS = 2;
export const CONCURRENT_PAIRS = 2;
/** Each pair has its own entity. One more pair is sent one after the other at the end. */
export const ENTITY_COUNT = SEQUENTIAL_PAIRS + CONCURRENT_PAIRS + 1;

/** The result of the second request: it was refused, or it got the same id as the first request. */
export type SecondResult = 'refused' | 'same';
export type IdField = 'application_id' | 'order_id' | undefined;

interface RaceAnswer {
  readonly accepted: boolean;
  readonly outcome: Outcome | 'not-sent';
  readonly data: object;
}

/** An answer of a pair. */
interface PairAnswer extends RaceAnswer {
  readonly exchange: Exchange;
}

const readCreatedId = ({ data }: RaceAnswer, idField: IdField): unknown =>
  (data as Readonly<Record<string, unknown>>)[idField ?? ''];
const haveSameId = (answer: RaceAnswer, otherAnswer: RaceAnswer, idField: IdField): boolean =>
  idField !== undefined &&
  answer.accepted &&
  otherAnswer.accepted &&
  readCreatedId(answer, idField) === readCreatedId(otherAnswer, idField);

/** Returns whether the second request was refused or got the same id as the first request; null for any other result. */
export function classifySecond(
  firstAnswer: RaceAnswer,
  secondAnswer: RaceAnswer,
  idField: IdField,
): SecondResult | null {
  if (!firstAnswer.accepted) return null;
  if (isRefusal(secondAnswer)) return 'refused';
  return haveSameId(firstAnswer, secondAnswer, idField) ? 'same' : null;
}

const haveSameInputs = (firstAnswer: PairAnswer, secondAnswer: PairAnswer): boolean =>
  JSON.stringify(firstAnswer.exchange.request.asked) === JSON.stringify(secondAnswer.exchange.request.asked);

export const wereInFlightTogether = ({ ticks }: Exchange, { ticks: otherTicks }: Exchange): boolean =>
  ticks !== undefined && otherTicks !== undefined && ticks[0] < otherTicks[1] && otherTicks[0] < ticks[1];

/** Returns why two simultaneous requests cannot be judged; null if they can be judged. */
function findObstacle(firstAnswer: PairAnswer, secondAnswer: PairAnswer): string | null {
  if (!wereInFlightTogether(firstAnswer.exchange, secondAnswer.exchange))
    return 'the two requests were not in flight at the same time';
  if (!firstAnswer.accepted && !secondAnswer.accepted)
    return 'neither of the two requests at the same time was accepted';
  return [firstAnswer, secondAnswer].every((answer) => answer.accepted || isRefusal(answer))
    ? null
    : 'one of the two requests at the same time was neither accepted nor refused';
}

/**
 * `inSequence`: pairs, one request after the other. `atOnce`: two concurrent requests. `swapped`: pairs in sequence in the other order.
 * If the two requests of a pair differ, these pairs show that the bank accepts both. `again`: a pair in sequence after the bank
 * accepted two concurrent requests, because a rate limit may explain earlier refusals.
 */
function makeRaceEvidence<O extends OperationId>(operation: O) {
  const pairReplies = { first: reply(operation), second: reply(operation) };
  return {
    inSequence: list(pairReplies),
    swapped: list(pairReplies),
    atOnce: pairReplies,
    again: optional(pairReplies),
  };
}
export type Race<O extends OperationId> = ComparedBehaviour<string, ReturnType<typeof makeRaceEvidence<O>>>;

function defineRace<const Id extends string, O extends OperationId>(
  id: Id,
  clause: Clause,
  operation: O,
  expectedResult: SecondResult,
  idField?: IdField,
) {
  const faultTexts =
    expectedResult === 'refused'
      ? {
          expected:
            'one of two requests at the same time to be refused: the second is refused if it is sent after the first',
          received: 'both were accepted',
        }
      : {
          expected: `the same ${idField} for two requests at the same time, as for two such requests one after the other`,
          received: `two values of ${idField}`,
        };
  return compared({
    id,
    clause,
    control:
      expectedResult === 'refused'
        ? 'The bank refuses the second of two such requests that are sent one after the other.'
        : 'The second of two such requests that are sent one after the other gets the id of the first.',
    evidence: makeRaceEvidence(operation),
    judge({ inSequence: inSequencePairs, swapped: swappedPairs, atOnce: { first, second }, again: pairAfterwards }) {
      const obstacle = findObstacle(first, second);
      if (obstacle !== null) return notTested(obstacle);
      if (!haveSameInputs(first, second) && swappedPairs.length === 0)
        return notTested('the bank may refuse the second request even without the first request');
      const sequentialPairs = [...inSequencePairs, ...swappedPairs];
      const secondResults = sequentialPairs.map((pair) => classifySecond(pair.first, pair.second, idField));
      if (secondResults.length < SEQUENTIAL_PAIRS || secondResults.some((result) => result !== expectedResult))
        return notTested('not all pairs of requests that were sent one after the other had this result');
      const secondIds = new Set(sequentialPairs.map((pair) => readCreatedId(pair.second, idField)));
      if (expectedResult === 'same' && secondIds.size < SEQUENTIAL_PAIRS)
        return notTested('different pairs got the same id');
      const contrast = sequentialPairs[0]?.second;
      const refusedAnswer = [first, second].find((answer) => !answer.accepted);
      if (refusedAnswer !== undefined || haveSameId(first, second, idField))
        return kept(refusedAnswer ?? second, { contrast });
      if (
        expectedResult === 'refused' &&
        (pairAfterwards === undefined ||
          classifySecond(pairAfterwards.first, pairAfterwards.second, idField) !== 'refused')
      )
        return notTested(
          'the bank did not refuse the second request again when the requests were sent one after the other',
        );
      return broken(second, { ...faultTexts, contrast, concurrent: first });
    },
  });
}

const { money } = defineLevels('loans');
const { money: linkMoney } = defineLevels('payment-links');

// prettier-ignore
export const contractOnce = defineRace('loans.contract.once', money(statesSource, 'If the bank refuses to repeat a contract request, it accepts only one of two identical contract requests at the same time.'), 'approveContract', 'refused');
const disbursementClause = {
  id: 'loans.disbursement.once',
  clause: money(
    statesSource,
    'If the bank refuses to repeat a disbursement, it accepts only one of two identical disbursement requests at the same time.',
  ),
} as const;
export const disbursementOnce = defineRace(disbursementClause.id, disbursementClause.clause, 'disburse', 'refused');
// prettier-ignore
export const applicationOnce = defineRace('loans.application.once', money(statesSource, 'If the bank refuses a loan request with a used order_id, two loan requests with the same order_id at the same time open only one application.'), 'requestLoan', 'refused', 'application_id');
// prettier-ignore
export const sameApplication = defineRace('loans.application.same-at-once', money(statesSource, 'If a repeated order_id gets the same application again, two loan requests with the same order_id at the same time also get the same application.'), 'requestLoan', 'same', 'application_id');
// prettier-ignore
export const linkOnce = defineRace('links.link.once', linkMoney(linkRequestField(), 'If the bank refuses to repeat a payment link request, two identical payment link requests at the same time create only one link.'), 'createPaymentLink', 'refused', 'order_id');
// prettier-ignore
export const sameLink = defineRace('links.link.same-at-once', linkMoney(linkRequestField(), 'If a repeated payment link request gets the same link again, two identical requests at the same time also get the same link.'), 'createPaymentLink', 'same', 'order_id');

const loanReply = reply('requestLoan');
const disbursementReply = reply('disburse');
/** Two disbursements of one application, between two loan answers that offer the same account. */
const measuredPair = { before: loanReply, first: disbursementReply, second: disbursementReply, after: loanReply };

/** The bank may accept two identical concurrent disbursements and make one: only the limit shows whether both were made. */
export const disbursementEffectOnce = compared({
  ...disbursementClause,
  way: 'effect',
  control: 'The second of two disbursements in a row is refused, and the limit falls once.',
  evidence: { inSequence: list(measuredPair), atOnce: measuredPair },
  judge({ inSequence: sequentialPairs, atOnce: concurrentPair }) {
    const { first, second, after } = concurrentPair;
    const isSecondRefused = (pair: typeof concurrentPair): boolean => pair.first.accepted && isRefusal(pair.second);
    if (sequentialPairs.length < SEQUENTIAL_PAIRS || !sequentialPairs.every(isSecondRefused))
      return notTested('the second of two identical disbursements in a row was not always refused');
    const obstacle = findObstacle(first, second);
    if (obstacle !== null) return notTested(obstacle);
    const refusedAnswer = [first, second].find((answer) => !answer.accepted);
    if (refusedAnswer !== undefined) return kept(refusedAnswer);
    const readDecreaseCents = (pair: typeof concurrentPair): bigint | null => {
      const accountId = pair.first.exchange.request.asked['account_id'];
      const [limitBeforeCents, limitAfterCents] = [readLimit(pair.before, accountId), readLimit(pair.after, accountId)];
      return limitBeforeCents === null || limitAfterCents === null ? null : limitBeforeCents - limitAfterCents;
    };
    const [usualDecreaseCents, ...otherDecreases] = new Set(sequentialPairs.map(readDecreaseCents));
    const concurrentDecreaseCents = readDecreaseCents(concurrentPair);
    if (
      usualDecreaseCents == null ||
      usualDecreaseCents <= 0n ||
      otherDecreases.length > 0 ||
      concurrentDecreaseCents === null
    )
      return notTested('one disbursement does not always lower the limit by the same amount');
    if (concurrentDecreaseCents === usualDecreaseCents) return kept(after);
    if (concurrentDecreaseCents !== 2n * usualDecreaseCents) return notTested('the limit fell neither once nor twice');
    return broken(second, {
      expected: `a limit that falls by ${formatCents(usualDecreaseCents)}, as after one disbursement`,
      received: `both were accepted, and the limit fell by ${formatCents(concurrentDecreaseCents)}`,
      contrast: sequentialPairs[0]?.second,
      concurrent: first,
    });
  },
});
