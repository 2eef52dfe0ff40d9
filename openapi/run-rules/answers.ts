/** Whether positive requests of a kind that the target accepts are answered at all, and with one success status. */
import type { ClauseId } from '../clauses.ts';
import type { Exchange, OperationId } from '../exchange.ts';
import { header } from '../exchange.ts';
import type { Settlement, Sighting } from '../facts.ts';
import type { Outcome } from '../judge.ts';
import { Docket, groupBy, of } from './docket.ts';

export interface AnswerFact {
  readonly rule: 'answer';
  readonly operation: OperationId;
  /** `wait` is a 5xx (or 429) that says when to come again. */
  readonly how: 'accepted' | 'refused' | 'server-error' | 'wait' | 'none';
  /** The status, or why there is none. */
  readonly what: string;
}

export function answerFacts(exchange: Exchange, outcome: Outcome): readonly AnswerFact[] {
  const { answer, failure, operation } = exchange;
  const what = answer === null ? (failure?.message ?? 'no answer') : `status ${answer.status}`;
  const comesAgain = answer !== null && header(answer, 'retry-after') !== undefined;
  const how =
    outcome === 'no-answer'
      ? 'none'
      : outcome === 'failed'
        ? comesAgain
          ? 'wait'
          : 'server-error'
        : outcome === 'succeeded' || outcome === 'unsuccessful'
          ? 'accepted'
          : 'refused';
  return [{ rule: 'answer', operation, how, what }];
}

const clauseOf = { none: 'service.answers', 'server-error': 'service.no-server-error' } as const satisfies Record<string, ClauseId>;

export function settleAnswers(sightings: readonly Sighting[]): Settlement {
  const docket = new Docket();
  for (const seen of groupBy(of(sightings, 'answer'), ({ fact }) => fact.operation).values()) {
    const accepted = seen.find(({ fact }) => fact.how === 'accepted');
    if (accepted === undefined) continue;
    const { operation } = accepted.fact;
    for (const how of ['none', 'server-error'] as const) {
      docket.exercise(clauseOf[how], operation, seen.length, accepted.exchange);
      const failed = seen.filter(({ fact }) => fact.how === how);
      const [first] = failed;
      if (first === undefined) continue;
      docket.break({
        clause: clauseOf[how],
        operation,
        pointer: 'response/status',
        expected: 'an answer like the ones to other requests of this kind',
        received: `${first.fact.what}, on ${failed.length} of ${seen.length} requests`,
        exchange: first.exchange,
        contrast: accepted.exchange,
      });
    }
  }
  return docket.settlement();
}
