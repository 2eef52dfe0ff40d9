/** Judges contrasts: requests that differ in one thing, whose clause only the run knows. */
import { isClosedOnText } from '../history/answers.ts';
import type { Answered, Contrast } from '../model/history.ts';
import { isThrottled } from '../model/outcome.ts';
import { broken, kept, notTested, type Verdict } from './behaviour.ts';

/** At least this many refused requests and this many accepted requests are needed: a single answer may be an accident. */
export const MIN_ANSWERS_PER_GROUP = 2;
/** The kind of a finding if the bank never accepts a documented form. Another answer that tested the clause then refutes it. */
export const NEVER_ACCEPTED_KIND = 'refused';
const TEXT_POINTER = 'request/body/personal_description';

/** A throttled request is neither a refusal nor a server error. */
const isRefused = ({ outcome, status, exchange }: Answered, { kind, pointer }: Contrast['words']): boolean => {
  if (kind === 'server-error' && pointer === TEXT_POINTER && isClosedOnText(exchange)) return true;
  if (status === null || isThrottled(exchange.answer)) return false;
  return kind === 'server-error' ? outcome === 'crashed' : outcome !== 'accepted' && outcome !== 'malformed';
};

/** The clause is kept if the bank refused nothing, and not tested if it also accepts a nonsense value in that place. */
export function judgeContrast({ refused, accepted, nonsense, words }: Contrast): Verdict {
  const [last, contrast, first] = [refused.at(-1), accepted.at(-1), accepted[0]];
  if (last === undefined) return first === undefined ? notTested('no such request was accepted') : kept(first);
  if (Math.min(refused.length, accepted.length) < MIN_ANSWERS_PER_GROUP)
    return notTested('too few requests were refused and accepted by turns');
  if (nonsense.some((answer) => answer.accepted)) return notTested('the bank also accepts a value without a meaning');
  if (!refused.every((answer) => isRefused(answer, words)) || !accepted.every((answer) => answer.accepted))
    return notTested('the difference between the requests did not decide each answer');
  return broken(last, { contrast, expected: 'the documented request to be accepted', ...words });
}
