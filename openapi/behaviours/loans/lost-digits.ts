/** The bank accepts contracts with any ids, also with ids that a double cannot hold exactly. */
import { describeAnswer } from '../../history/answers.ts';
import type { Answered } from '../../model/history.ts';
import { isRefusal } from '../../model/outcome.ts';
import { toInteger } from '../../util/ids.ts';
import { broken, compared, notTested } from '../behaviour.ts';
import { list, reply } from '../evidence.ts';

type Values = Readonly<Record<string, unknown>>;

export function predictLostDigits(values: Values): 'surely' | 'perhaps' | 'never' {
  const ids = ['application_id', 'account_id'].flatMap((name) => toInteger(String(values[name])) ?? []);
  const inShort = ids.every((id) => String(Number(id)) === String(id));
  const inFull = ids.every((id) => Number.isFinite(Number(id)) && BigInt(Number(id)) === id);
  return inShort && inFull ? 'surely' : inShort || inFull ? 'perhaps' : 'never';
}

/** Lost digits of ids can be the reason only if at least this many contracts were refused. */
const MIN_REFUSED_CONTRACTS = 8;
/** If the accepted contracts can be chosen in fewer ways than this, they may be accepted by chance: C(12, 4) ways. */
const MIN_POSSIBLE_CHOICES = 495;

const countWaysToChoose = (some: number, of: number): number =>
  some === 0 ? 1 : (countWaysToChoose(some - 1, of - 1) * of) / some;

/** True if the bank accepts exactly the contracts whose ids a double can hold. `perhaps` if there are too few contracts. */
export function hasLostDigits(refused: readonly Values[], accepted: readonly Values[]): boolean | 'perhaps' {
  if (refused.length < MIN_REFUSED_CONTRACTS || refused.some((values) => predictLostDigits(values) === 'surely'))
    return false;
  if (accepted.some((values) => predictLostDigits(values) === 'never')) return false;
  return countWaysToChoose(accepted.length, accepted.length + refused.length) < MIN_POSSIBLE_CHOICES ? 'perhaps' : true;
}

const getRequestedValues = ({ exchange }: Pick<Answered, 'exchange'>): Values => exchange.request.asked;

const contract = reply('approveContract');

/** `lossy`: refused contracts. `taken`: accepted contracts. `again`: the last refused contract, requested again. */
export const contractWithAnyDigits = compared({
  id: 'loans.offer.is-taken',
  control: 'The bank accepts contracts whose ids a double can hold.',
  evidence: { lossy: list(contract), taken: list(contract), again: contract },
  judge({ lossy, taken, again }) {
    if (![...lossy, again].every(isRefusal) || !taken.every(({ accepted }) => accepted))
      return notTested('the contracts were not refused and accepted as before');
    if (hasLostDigits(lossy.map(getRequestedValues), taken.map(getRequestedValues)) !== true)
      return notTested('the digits of the ids do not decide which contracts are refused');
    return broken(again, {
      expected: 'a contract with any ids, also with ids that a double cannot hold exactly',
      received: `${describeAnswer(again)} for ${lossy.length} contracts with such ids; the bank accepts the other ${taken.length}`,
    });
  },
});
