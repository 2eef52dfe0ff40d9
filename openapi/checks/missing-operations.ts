/** Finds missing operations: the bank answers them like a path that does not exist, but has other operations of the same area. */
import type { RequestResult, Check } from '../model/check.ts';
import { operations } from '../contract/operations.ts';
import { describeAnswer } from '../history/describe.ts';
import { getBodyText, operationIds } from '../model/exchange.ts';
import { isRejection, isThrottled } from '../model/outcome.ts';
import { checkComparison } from './check.ts';

/**
 * Returns the status and the sorted words of an answer. Leaves out ids, numbers, `nonsense`, and words of the request, because the
 * answer may repeat them.
 */
export function digestAnswer({ exchange: { answer, request }, status }: RequestResult, nonsense: string): string {
  const words = request.path.split(/[/?=&]/).filter((word) => word.length > 3);
  const text = words.reduce((rest, word) => rest.replaceAll(word, ''), getBodyText(answer)).replaceAll(nonsense, '');
  const remaining = text.replace(/[0-9a-f-]{8,}|\d+|-/gi, '').split(/[\s,{}]+/);
  return `${status} ${remaining.toSorted().join(' ')}`;
}

/** True if the bank refuses a request without credentials in another way than a path that does not exist. */
export const refusesBeforeRouting = (stranger: RequestResult, invented: RequestResult, nonsense: string): boolean =>
  isRejection(stranger) &&
  !isThrottled(stranger.exchange.answer) &&
  digestAnswer(stranger, nonsense) !== digestAnswer(invented, nonsense);

/** At least this many requests without credentials must be refused at other operations: a single refusal may be an accident. */
export const MIN_REFUSED_WITHOUT_CREDENTIALS = 2;

export const missingOperationChecks: readonly Check[] = operationIds.map((id) =>
  checkComparison(operations[id].clauses.path, ({ one, all, about: { nonsense = '' } }) => {
    const [refused, invented, stranger] = [one('refused'), one('invented'), one('stranger')];
    const [elsewhere, turnedAway] = [one('elsewhere'), all('turnedAway')];
    if (refused === undefined || invented === undefined || stranger === undefined || elsewhere === undefined)
      return null;
    const isAlike = [invented, stranger].every(
      (answer) => digestAnswer(answer, nonsense) === digestAnswer(refused, nonsense),
    );
    const isRejectedElsewhere = turnedAway.every((answer) => refusesBeforeRouting(answer, elsewhere, nonsense));
    if (!isAlike || turnedAway.length < MIN_REFUSED_WITHOUT_CREDENTIALS || !isRejectedElsewhere) return null;
    return {
      by: refused,
      holds: false,
      pointer: 'request/path',
      kind: 'refused',
      expected: 'an operation at the documented path',
      received: `${describeAnswer(refused)}, exactly as for an undocumented path`,
      contrast: invented,
    };
  }),
);
