/** Judges that an operation exists: the bank does not answer its path like a path that does not exist. */
import { operations } from '../../contract/operations.ts';
import { describeAnswer } from '../../history/answers.ts';
import { operationIds, type OperationId } from '../../api.ts';
import { getBodyText } from '../../model/exchange.ts';
import type { RequestResult } from '../../model/history.ts';
import { isRejection, isThrottled } from '../../model/outcome.ts';
import { broken, compared, notTested } from '../behaviour.ts';
import { list, reply, word } from '../evidence.ts';

type AnyAnswer = Pick<RequestResult, 'outcome' | 'status' | 'exchange'>;

/**
 * Describes an answer by its status and its words. Leaves out numbers, ids, `nonsense` and words of the path, because an answer may
 * repeat them.
 */
export function digestAnswer({ exchange: { answer, request }, status }: AnyAnswer, nonsense: string): string {
  const pathWords = request.path.split(/[/?=&]/).filter((part) => part.length > 3);
  const text = pathWords
    .reduce((shortened, part) => shortened.replaceAll(part, ''), getBodyText(answer))
    .replaceAll(nonsense, '');
  const remainingWords = text.replace(/[0-9a-f-]{8,}|\d+|-/gi, '').split(/[\s,{}]+/);
  return `${status} ${remainingWords.toSorted().join(' ')}`;
}

/** True if the bank refuses a request without credentials in another way than a path that does not exist. */
export const refusesBeforeRouting = (stranger: AnyAnswer, invented: AnyAnswer, nonsense: string): boolean =>
  isRejection(stranger) &&
  !isThrottled(stranger.exchange.answer) &&
  digestAnswer(stranger, nonsense) !== digestAnswer(invented, nonsense);

/** Other operations must refuse at least this many requests without credentials. A single refusal may be an accident. */
export const MIN_REFUSED_WITHOUT_CREDENTIALS = 2;

/**
 * Compares these answers:
 * - `refused`: the request at the documented path,
 * - `invented`: the request at an invented path,
 * - `stranger`: the request without credentials,
 * - `elsewhere`: a request for a second operation at an invented path,
 * - `turnedAway`: requests for this second operation without credentials.
 * `nonsense`: the invented part of a path.
 */
const defineMissingOperation = (id: OperationId) =>
  compared({
    id: operations[id].clauses.path,
    control: 'An invented path gets the same answer, and other operations refuse clients without credentials.',
    evidence: {
      ...{ refused: reply(), invented: reply(), stranger: reply(), elsewhere: reply() },
      ...{ turnedAway: list(reply()), nonsense: word },
    },
    judge({ refused, invented, stranger, elsewhere, turnedAway, nonsense }) {
      const areAnswersEqual = [invented, stranger].every(
        (answer) => digestAnswer(answer, nonsense) === digestAnswer(refused, nonsense),
      );
      if (!areAnswersEqual) return notTested('the bank answers an undocumented path in another way');
      const areOthersFound = turnedAway.every((answer) => refusesBeforeRouting(answer, elsewhere, nonsense));
      if (turnedAway.length < MIN_REFUSED_WITHOUT_CREDENTIALS || !areOthersFound)
        return notTested('the bank does not refuse clients without credentials at its other operations');
      return broken(refused, {
        pointer: 'request/path',
        kind: 'refused',
        expected: 'an operation at the documented path',
        received: `${describeAnswer(refused)}, exactly as for an undocumented path`,
        contrast: invented,
      });
    },
  });

export const missingOperations = Object.fromEntries(
  operationIds.map((id) => [id, defineMissingOperation(id)]),
) as Readonly<Record<OperationId, ReturnType<typeof defineMissingOperation>>>;
