/** The bank accepts contracts and disbursements whatever the digits of their ids are: it chose these ids itself. */
import type { ClauseId } from '../../clauses/index.ts';
import { describeAnswer } from '../../history/answers.ts';
import type { Answered } from '../../model/history.ts';
import { isRefusal } from '../../model/outcome.ts';
import { groupDigits } from '../../util/counted.ts';
import { toInteger } from '../../util/ids.ts';
import { broken, compared, notTested } from '../behaviour.ts';
import { list, reply } from '../evidence.ts';

type Values = Readonly<Record<string, unknown>>;
/** Whether a bank with a mistake accepts a request with these ids. */
type Prediction = 'surely' | 'perhaps' | 'never';

/** A bank that reads ids as doubles knows only the ids that a double holds. */
export function predictLostDigits(values: Values): Prediction {
  const ids = ['application_id', 'account_id'].flatMap((name) => toInteger(String(values[name])) ?? []);
  const inShort = ids.every((id) => String(Number(id)) === String(id));
  const inFull = ids.every((id) => Number.isFinite(Number(id)) && BigInt(Number(id)) === id);
  return inShort && inFull ? 'surely' : inShort || inFull ? 'perhaps' : 'never';
}

const predictBits =
  (bits: bigint) =>
  ({ application_id: id }: Values): Prediction =>
    (toInteger(String(id)) ?? 0n) < 2n ** bits ? 'surely' : 'never';

/** Sizes of integers in programs, in bits: with a sign, and without one. */
const INTEGER_BITS = [31n, 32n] as const;

/** For each mistake with ids: which ids the bank refuses, and what it does with ids. */
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
/** If the accepted requests can be chosen in fewer ways than this, they may be accepted by chance: C(12, 4) ways. */
const MIN_POSSIBLE_CHOICES = 495;

const countWaysToChoose = (some: number, of: number): number =>
  some === 0 ? 1 : (countWaysToChoose(some - 1, of - 1) * of) / some;

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
const defineAnyDigits = <const Id extends ClauseId>(id: Id) =>
  compared({
    id,
    way: 'ids',
    control: 'The bank accepts such requests with other ids.',
    evidence: { refused: list(step), accepted: list(step), again: step },
    judge({ refused, accepted, again }) {
      if (![...refused, again].every(isRefusal) || !accepted.every((one) => one.accepted))
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
