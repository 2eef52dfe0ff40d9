/** Decides from the texts of a run whether outcomes of disbursements are final. */
import type { Answered } from '../../model/check.ts';
import { hasErrors } from '../../history/answer-data.ts';
import { isFollowed, isPending, type Told } from '../../history/outcome-texts.ts';

export const readResult = ({ data }: Answered): unknown => data['result'];
export const readApplicationId = ({ exchange }: Answered): string => String(exchange.request.asked['application_id']);

/** Converts queries for `isFollowed`. */
const listTexts = (queries: readonly Answered[]): readonly Told[] =>
  queries.map((query) => ({
    values: query.exchange.request.asked,
    result: String(readResult(query)),
    at: query.exchange.startedAt,
  }));

/** Returns tests for outcomes. `isSettled`: not pending, and no other text follows. `isMade`: settled without errors. */
export function inferSettled(told: readonly Answered[]) {
  const wasFollowed = isFollowed(listTexts(told));
  const isSettled = (reply: Answered): boolean =>
    reply.accepted && !isPending(readResult(reply)) && !wasFollowed(readResult(reply));
  return {
    wasFollowed,
    isSettled,
    isMade: (reply: Answered): boolean => isSettled(reply) && !hasErrors(reply.body),
  };
}
