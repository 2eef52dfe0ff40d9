/** Checks that an operation that accepted one request answers all its documented requests. */
import type { Check } from '../../model/check.ts';
import { isAnswered, type Outcome } from '../../model/outcome.ts';
import type { ClauseId } from '../../clauses/index.ts';
import { operationIds, type OperationId } from '../../model/exchange.ts';
import { mergeFindings } from '../../notes/generators.ts';

/**
 * Makes a check that an operation never has `outcome` after it accepted a request. Without `outcome`, the check only records the
 * test.
 */
const checkNoOutcome = (operation: OperationId, clause: ClauseId, outcome?: Outcome): Check => ({
  clause,
  operation,
  unit: 'requests',
  *of({ notes }, tested) {
    const requests = notes('answer').filter(({ fact }) => fact.operation === operation);
    const accepted = requests.find(({ fact }) => isAnswered(fact));
    if (accepted === undefined) return;
    tested(accepted, { count: requests.length });
    const failed = requests.filter(({ fact }) => fact.outcome === outcome && fact.isRetryable !== true);
    const expected = 'an answer like the ones to other requests of this kind';
    yield* mergeFindings(
      failed.map((by) => {
        const received = `${by.fact.what.replace(/\.$/, '')}, on ${failed.length} of ${requests.length} requests`;
        return { by, contrast: accepted, expected, received };
      }),
    );
  },
});

export const answerChecks: readonly Check[] = operationIds.flatMap((operation) => [
  checkNoOutcome(operation, 'service.stays-up'),
  checkNoOutcome(operation, 'service.answers', 'lost'),
  checkNoOutcome(operation, 'service.no-server-error', 'crashed'),
]);
