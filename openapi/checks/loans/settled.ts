/** Decides from the outcome texts of a run which outcomes are final. */
import type { Answered } from '../../model/check.ts';
import { hasErrors } from '../../history/answer-data.ts';
import { makeFollowedTest, isPending, type OutcomeQuery } from '../../history/outcome-texts.ts';

export const readOutcome = ({ data }: Answered): unknown => data['result'];
export const readApplicationId = ({ exchange }: Answered): string => String(exchange.request.asked['application_id']);

/** Lists the outcome texts of queries for `makeFollowedTest`. */
const listTexts = (queries: readonly Answered[]): readonly OutcomeQuery[] =>
  queries.map((query) => ({
    values: query.exchange.request.asked,
    result: String(readOutcome(query)),
    at: query.exchange.startedAt,
  }));

/** Returns tests for outcomes. `isSettled`: not pending, and never followed by another text. `isMade`: settled without errors. */
export function makeOutcomeTests(told: readonly Answered[]) {
  const wasFollowed = makeFollowedTest(listTexts(told));
  const isSettled = (reply: Answered): boolean =>
    reply.accepted && !isPending(readOutcome(reply)) && !wasFollowed(readOutcome(reply));
  return {
    wasFollowed,
    isSettled,
    isMade: (reply: Answered): boolean => isSettled(reply) && !hasErrors(reply.body),
  };
}
