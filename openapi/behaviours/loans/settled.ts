/** Decides from the outcome texts of a run which outcomes are final. */
import type { Judged } from '../evidence.ts';
import { hasErrors } from '../../history/answers.ts';
import { makeFollowedTest, isPending, type OutcomeQuery } from '../../history/outcome-texts.ts';

export type OutcomeReply = Pick<Judged<'queryDisbursement'>, 'accepted' | 'body' | 'exchange'> & {
  readonly data: { readonly result?: unknown };
};

export const readOutcome = ({ data }: Pick<OutcomeReply, 'data'>): unknown => data.result;
export const readApplicationId = ({ exchange }: Pick<OutcomeReply, 'exchange'>): string =>
  String(exchange.request.asked['application_id']);

const listTexts = (queries: readonly OutcomeReply[]): readonly OutcomeQuery[] =>
  queries.map((query) => ({
    values: query.exchange.request.asked,
    result: String(readOutcome(query)),
    at: query.exchange.startedAt,
  }));

/** Returns tests for outcomes. `isSettled`: not pending, and never followed by another text. `isMade`: settled without errors. */
export function makeOutcomeTests(told: readonly OutcomeReply[]) {
  const wasFollowed = makeFollowedTest(listTexts(told));
  const isSettled = (reply: OutcomeReply): boolean =>
    reply.accepted && !isPending(readOutcome(reply)) && !wasFollowed(readOutcome(reply));
  return {
    wasFollowed,
    isSettled,
    isMade: (reply: OutcomeReply): boolean => isSettled(reply) && !hasErrors(reply.body),
  };
}
