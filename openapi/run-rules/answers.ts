/** Positive requests of an operation that the bank accepts are answered. */
import type { Check } from '../model/check.ts';
import type { Features, AnswerFact } from '../model/facts.ts';
import { comesAgain, isAnswered, type Outcome } from '../model/outcome.ts';
import type { ClauseId } from '../clauses/index.ts';
import { operationIds, orderIdType, type Exchange, type OperationId } from '../model/exchange.ts';
import { entriesOf, member } from '../rules/entries.ts';
import { idText } from '../util/ids.ts';
import { truncate } from '../util/truncate.ts';
import { inOne } from './notes.ts';

/** Inputs that are new in each request. */
const freshInputs = new Set(['application_id', 'order_id', 'personal_description']);

/** The inputs of a request, without ids that are new each time. */
export function featuresOf({ asked, body }: Exchange['request']): Features {
  const features: Record<string, string> = {};
  for (const [name, value] of Object.entries(asked)) if (!freshInputs.has(name)) features[name] = String(value);
  if ('order_id' in asked) features['type of order_id'] = orderIdType({ body }) ?? 'integer';
  if ('personal_description' in asked)
    features['length of personal_description'] = String(String(asked['personal_description']).length);
  return features;
}

function subjectOf({ operation, request: { asked } }: Exchange): string | undefined {
  const id = operation === 'requestLoan' ? asked['order_id'] : asked['application_id'];
  return id === undefined ? undefined : idText(id);
}

function stateOf({ operation }: Exchange, body: unknown): string | undefined {
  if (operation === 'requestLoan')
    return entriesOf(member(member(body, 'data'), 'infos')).length === 0 ? 'no offers' : undefined;
  if (operation !== 'queryDisbursement') return undefined;
  const text = String(member(member(body, 'data'), 'result')).replaceAll(/\d+/g, '…');
  const errors = member(body, 'errors');
  return truncate(Array.isArray(errors) && errors.length > 0 ? `${text} with errors` : text);
}

export function answerFacts(exchange: Exchange, outcome: Outcome, body?: unknown): readonly AnswerFact[] {
  const { answer, failure, operation } = exchange;
  const wasAnswered = isAnswered({ outcome });
  const [subject, state] = [subjectOf(exchange), wasAnswered ? stateOf(exchange, body) : undefined];
  return [
    {
      rule: 'answer',
      operation,
      outcome,
      at: exchange.startedAt,
      what: answer === null ? (failure?.message ?? 'no answer') : `status ${answer.status}`,
      status: answer?.status ?? null,
      asked: featuresOf(exchange.request),
      ...(comesAgain(answer) && !wasAnswered && outcome !== 'lost' ? { comesAgain: true } : {}),
      ...(subject === undefined ? {} : { subject }),
      ...(state === undefined ? {} : { state }),
    },
  ];
}

/** Once an operation accepted a request, no request of it ends in this outcome. Without an outcome: it is only exercised. */
const noOutcome = (operation: OperationId, clause: ClauseId, outcome?: Outcome): Check => ({
  clause,
  operation,
  unit: 'requests',
  *of({ notes }, tested) {
    const requests = notes('answer').filter(({ fact }) => fact.operation === operation);
    const accepted = requests.find(({ fact }) => isAnswered(fact));
    if (accepted === undefined) return;
    tested(accepted, { count: requests.length });
    const failed = requests.filter(({ fact }) => fact.outcome === outcome && fact.comesAgain !== true);
    const expected = 'an answer like the ones to other requests of this kind';
    yield* inOne(
      failed.map((by) => {
        const received = `${by.fact.what.replace(/\.$/, '')}, on ${failed.length} of ${requests.length} requests`;
        return { by, contrast: accepted, expected, received };
      }),
    );
  },
});

export const answerChecks: readonly Check[] = operationIds.flatMap((operation) => [
  noOutcome(operation, 'service.stays-up'),
  noOutcome(operation, 'service.answers', 'lost'),
  noOutcome(operation, 'service.no-server-error', 'crashed'),
]);
