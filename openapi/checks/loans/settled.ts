/** Whether outcomes of disbursements are final, by the texts that the run saw until then. */
import type { Answered } from '../../model/check.ts';
import { hasErrors } from '../../history/answer-data.ts';
import { isFollowed, isPending, type Told } from '../../history/outcome-texts.ts';

export const resultOf = ({ data }: Answered): unknown => data['result'];
/** The application that was asked about. */
export const applicationOf = ({ exchange }: Answered): string => String(exchange.request.asked['application_id']);

/** Queries as `isFollowed` reads them. */
const toldIn = (queries: readonly Answered[]): readonly Told[] =>
  queries.map((query) => ({
    values: query.exchange.request.asked,
    result: String(resultOf(query)),
    at: query.exchange.startedAt,
  }));

/** Whether an outcome is final: neither provisional nor followed by another; and whether it is without errors. */
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
