/** Checks that contracts are accepted for offered accounts. */
import type { Came, Check } from '../model/check.ts';
import { describeAnswer, isSameText } from '../history/describe.ts';
import { isRefusal } from '../model/outcome.ts';
import { toInteger } from '../util/ids.ts';
import { checkComparison } from './check.ts';

/** The inputs of a contract. */
type Values = Readonly<Record<string, unknown>>;

/** Returns whether the ids of a contract stay the same when a program reads them as doubles and writes them again. */
export function predictLoss(values: Values): 'surely' | 'perhaps' | 'never' {
  const ids = ['application_id', 'account_id'].flatMap((name) => toInteger(String(values[name])) ?? []);
  const inShort = ids.every((id) => String(Number(id)) === String(id));
  const inFull = ids.every((id) => Number.isFinite(Number(id)) && BigInt(Number(id)) === id);
  return inShort && inFull ? 'surely' : inShort || inFull ? 'perhaps' : 'never';
}

/** At least this many contracts must be refused before lost digits of ids can be the reason. */
const MIN_CONTRACTS = 8;
/** If fewer choices of the accepted contracts among all are possible, chance may explain the choice: C(12, 4). */
const MIN_WAYS = 495;

const countWaysToChoose = (some: number, of: number): number =>
  some === 0 ? 1 : (countWaysToChoose(some - 1, of - 1) * of) / some;

/** True if exactly the contracts whose ids a double keeps are accepted; `perhaps` if there are too few contracts. */
export function hasLostDigits(refused: readonly Values[], accepted: readonly Values[]): boolean | 'perhaps' {
  if (refused.length < MIN_CONTRACTS || refused.some((values) => predictLoss(values) === 'surely')) return false;
  if (accepted.some((values) => predictLoss(values) === 'never')) return false;
  return countWaysToChoose(accepted.length, accepted.length + refused.length) < MIN_WAYS ? 'perhaps' : true;
}

const getAskedValues = ({ exchange }: Came): Values => exchange.request.asked;

const clause = 'loans.offer.is-taken';

export const contractChecks: readonly Check[] = [
  checkComparison(clause, ({ one, all }) => {
    const [lossy, kept, again] = [all('lossy'), all('kept'), one('again')];
    if (again === undefined || ![...lossy, again].every(isRefusal) || !kept.every(({ accepted }) => accepted))
      return null;
    if (hasLostDigits(lossy.map(getAskedValues), kept.map(getAskedValues)) !== true) return null;
    return {
      by: again,
      holds: false,
      expected: 'a contract with any ids, also with ids that a double cannot hold exactly',
      received: `${describeAnswer(again)} for ${lossy.length} contracts with such ids; the bank accepts the other ${kept.length}`,
    };
  }),
  checkComparison(clause, ({ one, all }) => {
    const [disowned, beside, stranger, account] = [all('disowned'), all('beside'), one('stranger'), one('account')];
    const by = disowned.at(-1);
    if (by === undefined || stranger === undefined || account === undefined) return null;
    if (!disowned.every((reply) => isRefusal(reply) && isSameText(reply, stranger))) return null;
    // The refusal must be about the application: a refusal for another reason has other words.
    if (!isRefusal(account) || isSameText(account, stranger) || !beside.every(({ accepted }) => accepted)) return null;
    return {
      by,
      holds: false,
      expected: 'a contract request that finds the application',
      received: `${describeAnswer(by)}, with the text for an application that does not exist`,
      contrast: beside.at(-1),
    };
  }),
];
