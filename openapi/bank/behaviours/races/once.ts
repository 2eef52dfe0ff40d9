/**
 * Judges that two identical concurrent requests have the same result as the same two requests in sequence. Example: the bank refuses
 * the second of two identical disbursements in sequence. If it accepts two concurrent ones, the clause is broken.
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
export type End = 'refused' | 'same';
export type IdField = 'application_id' | 'order_id' | undefined;

interface Answer {
  readonly accepted: boolean;
  readonly outcome: Outcome | 'not-sent';
  readonly data: object;
}

/** An answer of a pair. */
interface PairAnswer extends Answer {
  readonly exchange: Exchange;
}

const readCreatedId = ({ data }: Answer, field: IdField): unknown =>
  (data as Readonly<Record<string, unknown>>)[field ?? ''];
const haveSameId = (a: Answer, b: Answer, field: IdField): boolean =>
  field !== undefined && a.accepted && b.accepted && readCreatedId(a, field) === readCreatedId(b, field);

/** Returns whether the second request was refused or got the same id as the first request; null for any other result. */
export function classifySecond(first: Answer, second: Answer, field: IdField): End | null {
  if (!first.accepted) return null;
  if (isRefusal(second)) return 'refused';
  return haveSameId(first, second, field) ? 'same' : null;
}

const haveSameInputs = (first: PairAnswer, second: PairAnswer): boolean =>
  JSON.stringify(first.exchange.request.asked) === JSON.stringify(second.exchange.request.asked);

export const wereInFlightTogether = ({ ticks: a }: Exchange, { ticks: b }: Exchange): boolean =>
  a !== undefined && b !== undefined && a[0] < b[1] && b[0] < a[1];

/** Returns why two simultaneous requests cannot be judged; null if they can be judged. */
function findObstacle(first: PairAnswer, second: PairAnswer): string | null {
  if (!wereInFlightTogether(first.exchange, second.exchange))
    return 'the two requests were not in flight at the same time';
  if (!first.accepted && !second.accepted) return 'neither of the two requests at the same time was accepted';
  return [first, second].every((answer) => answer.accepted || isRefusal(answer))
    ? null
    : 'one of the two requests at the same time was neither accepted nor refused';
}

/**
 * `inSequence`: pairs, one request after the other. `atOnce`: two concurrent requests. `swapped`: pairs in sequence in the other order.
 * If the two requests of a pair differ, these pairs show that the bank accepts both. `again`: a pair in sequence after the bank
 * accepted two concurrent requests, because a rate limit may explain earlier refusals.
 */
function makeRaceEvidence<O extends OperationId>(operation: O) {
  const pair = { first: reply(operation), second: reply(operation) };
  return { inSequence: list(pair), swapped: list(pair), atOnce: pair, again: optional(pair) };
}
export type Race<O extends OperationId> = ComparedBehaviour<string, ReturnType<typeof makeRaceEvidence<O>>>;

function defineRace<const Id extends string, O extends OperationId>(
  id: Id,
  clause: Clause,
  operation: O,
  end: End,
  field?: IdField,
) {
  const contradiction =
    end === 'refused'
      ? {
          expected:
            'one of two requests at the same time to be refused: the second is refused if it is sent after the first',
          received: 'both were accepted',
        }
      : {
          expected: `one ${field} for two requests at the same time: the second gets that of the first if it is sent later`,
          received: `two values of ${field}`,
        };
  return compared({
    id,
    clause,
    control:
      end === 'refused'
        ? 'The bank refuses the second of two such requests that are sent one after the other.'
        : 'The second of two such requests that are sent one after the other gets the id of the first.',
    evidence: makeRaceEvidence(operation),
    judge({ inSequence: pairs, swapped, atOnce: { first, second }, again }) {
      const obstacle = findObstacle(first, second);
      if (obstacle !== null) return notTested(obstacle);
      if (!haveSameInputs(first, second) && swapped.length === 0)
        return notTested('the bank may refuse the second request also alone');
      const inSequence = [...pairs, ...swapped];
      const ends = inSequence.map((sequence) => classifySecond(sequence.first, sequence.second, field));
      if (ends.length < SEQUENTIAL_PAIRS || ends.some((actual) => actual !== end))
        return notTested('pairs one after the other did not all have this result');
      const ids = new Set(inSequence.map((sequence) => readCreatedId(sequence.second, field)));
      if (end === 'same' && ids.size < SEQUENTIAL_PAIRS) return notTested('different pairs got the same id');
      const contrast = inSequence[0]?.second;
      const refused = [first, second].find((answer) => !answer.accepted);
      if (refused !== undefined || haveSameId(first, second, field)) return kept(refused ?? second, { contrast });
      if (end === 'refused' && (again === undefined || classifySecond(again.first, again.second, field) !== 'refused'))
        return notTested('the second of a pair one after the other was not refused again');
      return broken(second, { ...contradiction, contrast, concurrent: first });
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

const loan = reply('requestLoan');
const disbursement = reply('disburse');
/** Two disbursements of one application, between two loan answers that offer the same account. */
const measuredPair = { before: loan, first: disbursement, second: disbursement, after: loan };

/** The bank may accept two identical concurrent disbursements and make one: only the limit shows whether both were made. */
export const disbursementEffectOnce = compared({
  ...disbursementClause,
  way: 'effect',
  control: 'The second of two disbursements in a row is refused, and the limit falls once.',
  evidence: { inSequence: list(measuredPair), atOnce: measuredPair },
  judge({ inSequence, atOnce }) {
    const { first, second, after } = atOnce;
    if (
      !inSequence.every((pair) => pair.first.accepted && isRefusal(pair.second)) ||
      inSequence.length < SEQUENTIAL_PAIRS
    )
      return notTested('the second of two identical disbursements in a row was not always refused');
    const obstacle = findObstacle(first, second);
    if (obstacle !== null) return notTested(obstacle);
    const refused = [first, second].find((answer) => !answer.accepted);
    if (refused !== undefined) return kept(refused);
    const readDecrease = (pair: typeof atOnce): bigint | null => {
      const account = pair.first.exchange.request.asked['account_id'];
      const [limitBefore, limitAfter] = [readLimit(pair.before, account), readLimit(pair.after, account)];
      return limitBefore === null || limitAfter === null ? null : limitBefore - limitAfter;
    };
    const [usualDecrease, ...otherDecreases] = new Set(inSequence.map(readDecrease));
    const decrease = readDecrease(atOnce);
    if (usualDecrease == null || usualDecrease <= 0n || otherDecreases.length > 0 || decrease === null)
      return notTested('one disbursement does not always lower the limit by the same amount');
    if (decrease === usualDecrease) return kept(after);
    if (decrease !== 2n * usualDecrease) return notTested('the limit fell neither once nor twice');
    return broken(second, {
      expected: `a limit that falls by ${formatCents(usualDecrease)}, as after one disbursement`,
      received: `both were accepted, and the limit fell by ${formatCents(decrease)}`,
      contrast: inSequence[0]?.second,
      concurrent: first,
    });
  },
});
