/** Decides from the outcome texts of a run which outcomes are final. */
import type { Judged } from '../evidence.ts';
import { hasErrors } from '../../history/answers.ts';
import { makeFollowedTest, isPending, type OutcomeQuery } from '../../history/outcome-texts.ts';

type Query = Judged<'queryDisbursement'>;

export const readOutcome = ({ data }: Pick<Query, 'data'>): unknown => data.result;
export const readApplicationId = ({ exchange }: Pick<Query, 'exchange'>): string =>
  String(exchange.request.asked['application_id']);

const listTexts = (queries: readonly Query[]): readonly OutcomeQuery[] =>
  queries.map((query) => ({
    values: query.exchange.request.asked,
    result: String(readOutcome(query)),
    at: query.exchange.startedAt,
  }));

/** Returns tests for outcomes. `isSettled`: not pending, and never followed by another text. `isMade`: settled without errors. */
export function makeOutcomeTests(told: readonly Query[]) {
  const wasFollowed = makeFollowedTest(listTexts(told));
  const isSettled = (reply: Query): boolean =>
    reply.accepted && !isPending(readOutcome(reply)) && !wasFollowed(readOutcome(reply));
  return {
    wasFollowed,
    isSettled,
    isMade: (reply: Query): boolean => isSettled(reply) && !hasErrors(reply.body),
  };
}
