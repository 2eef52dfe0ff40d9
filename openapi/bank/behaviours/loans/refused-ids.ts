/** Judges that the bank accepts contracts and disbursements with all ids that it gave, whatever their digits are. */
import type { FieldClauseId } from '../../../clauses/index.ts';
import { describeAnswer } from '../../../history/answers.ts';
import type { Answered } from '../../../model/history.ts';
import { isRefusal } from '../../../model/outcome.ts';
import { groupDigits } from '../../../util/counted.ts';
import { toInteger } from '../../../util/ids.ts';
import { broken, compared, notTested } from '../../../behaviours/behaviour.ts';
import { list, reply } from '../../../behaviours/evidence.ts';

type Values = Readonly<Record<string, unknown>>;
/** Whether a bank with a certain mistake accepts a request with these ids. */
type Prediction = 'surely' | 'perhaps' | 'never';

/**
 * Predicts what a bank accepts that reads ids as doubles. Such a bank finds an id only if a double holds all digits of the id. The
 * bank may print the double in its shortest form or in full. `perhaps`: only one of the two prints has the digits of the id.
 */
export function predictLostDigits(values: Values): Prediction {
  const ids = ['application_id', 'account_id'].flatMap((name) => toInteger(String(values[name])) ?? []);
  const staysInShortForm = ids.every((id) => String(Number(id)) === String(id));
  const staysInFull = ids.every((id) => Number.isFinite(Number(id)) && BigInt(Number(id)) === id);
  if (staysInShortForm && staysInFull) return 'surely';
  return staysInShortForm || staysInFull ? 'perhaps' : 'never';
}

/** Predicts what a bank accepts that stores the application id in an integer of this many bits. */
const predictBits =
  (bits: bigint) =>
  ({ application_id: id }: Values): Prediction =>
    (toInteger(String(id)) ?? 0n) < 2n ** bits ? 'surely' : 'never';

/** Sizes of integers in programs, in bits: with a sign, and without one. */
const INTEGER_BITS = [31n, 32n] as const;

/** For each mistake with ids: the refused ids in words, and the prediction of what the bank accepts. */
const mistakes: Readonly<Record<string, (values: Values) => Prediction>> = {
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
  predict: (values: Values) => Prediction,
  refused: readonly Values[],
  accepted: readonly Values[],
): boolean | 'perhaps' {
  if (refused.length < MIN_REFUSED || refused.some((values) => predict(values) === 'surely')) return false;
  if (accepted.some((values) => predict(values) === 'never')) return false;
  return countWaysToChoose(accepted.length, accepted.length + refused.length) < MIN_POSSIBLE_CHOICES ? 'perhaps' : true;
}

export const hasLostDigits = (refused: readonly Values[], accepted: readonly Values[]): boolean | 'perhaps' =>
  isExplainedBy(predictLostDigits, refused, accepted);

/** Returns which ids the bank refuses; undefined if no mistake explains exactly which requests it refuses. */
export const findRefusedIds = (refused: readonly Values[], accepted: readonly Values[]): string | undefined =>
  Object.entries(mistakes).find(([, predict]) => isExplainedBy(predict, refused, accepted) === true)?.[0];

const getRequestedValues = ({ exchange }: Pick<Answered, 'exchange'>): Values => exchange.request.asked;

const step = reply('approveContract', 'disburse');

/** `again`: the last refused request, sent again. */
const defineAnyDigits = <const Id extends FieldClauseId>(id: Id) =>
  compared({
    id,
    way: 'ids',
    control: 'The bank accepts such requests with other ids.',
    evidence: { refused: list(step), accepted: list(step), again: step },
    judge({ refused, accepted, again }) {
      if (![...refused, again].every(isRefusal) || !accepted.every((answer) => answer.accepted))
        return notTested('the requests were not refused and accepted as before');
      const ids = findRefusedIds(refused.map(getRequestedValues), accepted.map(getRequestedValues));
      if (ids === undefined) return notTested('the digits of the ids do not decide which requests are refused');
      return broken(again, {
        expected: 'the request to be accepted with any ids that the bank gave',
        received: `${describeAnswer(again)} for ${refused.length} requests with ${ids}; the bank accepts the other ${accepted.length}`,
      });
    },
  });

export const anyDigits = {
  approveContract: defineAnyDigits('loans.offer.is-taken'),
  disburse: defineAnyDigits('loans.disbursement.refusal-explained'),
} as const;
