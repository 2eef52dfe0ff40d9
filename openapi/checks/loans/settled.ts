/** Outcomes of disbursements as the last word: judged by what the run was told of others until then. */
import type { Answered } from '../../model/check.ts';
import { hasErrors } from '../../history/answer-data.ts';
import { isFollowed, isPending, type Told } from '../../history/outcome-texts.ts';

export const resultOf = ({ data }: Answered): unknown => data['result'];
/** The application that was asked about. */
export const applicationOf = ({ exchange }: Answered): string => String(exchange.request.asked['application_id']);

/** Queries as they are looked through for texts that were followed by others. */
const toldIn = (queries: readonly Answered[]): readonly Told[] =>
  queries.map((query) => ({
    values: query.exchange.request.asked,
    result: String(resultOf(query)),
    at: query.exchange.startedAt,
  }));

/** Whether an outcome neither says that it is not the last word nor was followed by another one, and whether it has no errors. */
export function settledBy(told: readonly Answered[]) {
  const wasFollowed = isFollowed(toldIn(told));
  const isSettled = (reply: Answered): boolean =>
    reply.accepted && !isPending(resultOf(reply)) && !wasFollowed(resultOf(reply));
  return {
    wasFollowed,
    isSettled,
    isMade: (reply: Answered): boolean => isSettled(reply) && !hasErrors(reply.body),
  };
}
