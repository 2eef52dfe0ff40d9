/** Judges that the bank accepts contracts and disbursements with all ids that it gave, whatever their digits are. */
import type { FieldClauseId } from '../../../clauses/index.ts';
import { describeAnswer } from '../../../history/answers.ts';
import type { Answered } from '../../../model/history.ts';
import { isRefusal } from '../../../model/outcome.ts';
import { groupDigits } from '../../../util/counted.ts';
import { toInteger } from '../../../util/ids.ts';
import { broken, compared, notTested } from '../../../behaviours/behaviour.ts';
import { list, reply } from '../../../behaviours/evidence.ts';

type RequestIds = Readonly<Record<string, unknown>>;
/** Whether a bank with a certain mistake accepts a request with these ids. */
type Prediction = 'surely' | 'perhaps' | 'never';

/**
 * Predicts what a bank accepts that reads ids as doubles. Such a bank finds an id only if a double holds all digits of the id. The
 * bank may print the double in its shortest form or in full. `perhaps`: only one of the two prints has the digits of the id.
 */
export function predictLostDigits(requestIds: RequestIds): Prediction {
  const idNumbers = ['application_id', 'account_id'].flatMap((name) => toInteger(String(requestIds[name])) ?? []);
  const staysInShortForm = idNumbers.every((id) => String(Number(id)) === String(id));
  const staysInFull = idNumbers.every((id) => Number.isFinite(Number(id)) && BigInt(Number(id)) === id);
  if (staysInShortForm && staysInFull) return 'surely';
  return staysInShortForm || staysInFull ? 'perhaps' : 'never';
}

/** Predicts what a bank accepts that stores the application id in an integer of this many bits. */
const predictBits =
  (bits: bigint) =>
  ({ application_id: applicationId }: RequestIds): Prediction =>
    (toInteger(String(applicationId)) ?? 0n) < 2n ** bits ? 'surely' : 'never';

/** Sizes of integers in programs, in bits: with a sign, and without one. */
const INTEGER_BITS = [31n, 32n] as const;

/** For each mistake with ids: the refused ids in words, and the prediction of what the bank accepts. */
const predictionByMistake: Readonly<Record<string, (values: RequestIds) => Prediction>> = {
  'ids that a double cannot hold exactly': predictLostDigits,
  ...Object.fromEntries(
    INTEGER_BITS.map((bits) => [
      `an application_id of ${groupDigits(String(2n ** bits))} (2^${bits}) and above`,
      predictBits(bits),
    ]),
  ),
};

/** The digits of ids can be the reason only if at least this many requests were refused. */
const MIN_REFUSED = 8;
/** Of 12 requests, 4 can be chosen in 495 ways. With fewer possible choices, the bank may accept the right requests by chance. */
const MIN_POSSIBLE_CHOICES = 495;

/** Returns the binomial coefficient: in how many ways `k` of `n` items can be chosen. */
const countWaysToChoose = (k: number, n: number): number => (k === 0 ? 1 : (countWaysToChoose(k - 1, n - 1) * n) / k);

/** True if the bank accepts exactly the requests that a mistake predicts. `perhaps` if there are too few requests. */
function isExplainedBy(
  predict: (values: RequestIds) => Prediction,
  refusedIds: readonly RequestIds[],
  acceptedIds: readonly RequestIds[],
): boolean | 'perhaps' {
  if (refusedIds.length < MIN_REFUSED || refusedIds.some((requestIds) => predict(requestIds) === 'surely'))
    return false;
  if (acceptedIds.some((requestIds) => predict(requestIds) === 'never')) return false;
  return countWaysToChoose(acceptedIds.length, acceptedIds.length + refusedIds.length) < MIN_POSSIBLE_CHOICES
    ? 'perhaps'
    : true;
}

export const hasLostDigits = (
  refusedIds: readonly RequestIds[],
  acceptedIds: readonly RequestIds[],
): boolean | 'perhaps' => isExplainedBy(predictLostDigits, refusedIds, acceptedIds);

/** Returns which ids the bank refuses; undefined if no mistake explains exactly which requests it refuses. */
export const findRefusedIds = (
  refusedIds: readonly RequestIds[],
  acceptedIds: readonly RequestIds[],
): string | undefined =>
  Object.entries(predictionByMistake).find(
    ([, predict]) => isExplainedBy(predict, refusedIds, acceptedIds) === true,
  )?.[0];

const getRequestIds = ({ exchange }: Pick<Answered, 'exchange'>): RequestIds => exchange.request.asked;

const stepReply = reply('approveContract', 'disburse');

/** `again`: the last refused request, sent again. */
const defineAnyDigits = <const Id extends FieldClauseId>(id: Id) =>
  compared({
    id,
    way: 'ids',
    control: 'The bank accepts the same requests with different ids.',
    evidence: { refused: list(stepReply), accepted: list(stepReply), again: stepReply },
    judge({ refused: refusedAnswers, accepted: acceptedAnswers, again: repeatedRefusal }) {
      if (![...refusedAnswers, repeatedRefusal].every(isRefusal) || !acceptedAnswers.every((answer) => answer.accepted))
        return notTested('the requests were not refused and accepted as before');
      const refusedIdsText = findRefusedIds(refusedAnswers.map(getRequestIds), acceptedAnswers.map(getRequestIds));
      if (refusedIdsText === undefined)
        return notTested('the digits of the ids do not decide which requests are refused');
      return broken(repeatedRefusal, {
        expected: 'the request to be accepted with any ids that the bank gave',
        received: `${describeAnswer(repeatedRefusal)} for ${refusedAnswers.length} requests with ${refusedIdsText}; the bank accepts the other ${acceptedAnswers.length}`,
      });
    },
  });

export const anyDigits = {
  approveContract: defineAnyDigits('loans.offer.is-taken'),
  disburse: defineAnyDigits('loans.disbursement.refusal-explained'),
} as const;
