/** Whether positive requests of a kind that the target accepts are answered at all. */
import type { Check } from '../model/check.ts';
import type { Features, AnswerFact } from '../model/facts.ts';
import { comesAgain, isAnswered, type Outcome } from '../model/outcome.ts';
import type { ClauseId } from '../clauses/index.ts';
import { operationIds, orderIdType, type Exchange, type OperationId } from '../model/exchange.ts';
import { entriesOf, member } from '../rules/entries.ts';
import { idText } from '../util/ids.ts';
import { truncate } from '../util/truncate.ts';

const fresh = new Set(['application_id', 'order_id', 'personal_description']);

/** The features of a request. */
export function featuresOf({ asked, body }: Exchange['request']): Features {
  const features: Record<string, string> = {};
  for (const [name, value] of Object.entries(asked)) if (!fresh.has(name)) features[name] = String(value);
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
  const { data, errors } = (body ?? {}) as { data?: { result?: unknown } | null; errors?: unknown };
  return truncate(
    `${String(data?.result).replaceAll(/\d+/g, '…')}${Array.isArray(errors) && errors.length > 0 ? ' with errors' : ''}`,
  );
}

export function answerFacts(exchange: Exchange, outcome: Outcome, body?: unknown): readonly AnswerFact[] {
  const { answer, failure, operation } = exchange;
  const what = answer === null ? (failure?.message ?? 'no answer') : `status ${answer.status}`;
  const [subject, state] = [subjectOf(exchange), isAnswered({ outcome }) ? stateOf(exchange, body) : undefined];
  return [
    {
      rule: 'answer',
      operation,
      outcome,
      at: exchange.startedAt,
      what,
      status: answer?.status ?? null,
      asked: featuresOf(exchange.request),
      ...(comesAgain(answer) && !isAnswered({ outcome }) && outcome !== 'lost' ? { comesAgain: true } : {}),
      ...(subject === undefined ? {} : { subject }),
      ...(state === undefined ? {} : { state }),
    },
  ];
}

/** Of the requests of an operation that is accepted at times: that they are answered, and that the service goes on. */
const answersComing = (operation: OperationId, clause: ClauseId, outcome?: Outcome): Check => ({
  clause,
  operation,
  unit: 'requests',
  *of({ notes }, tested) {
    const seen = notes('answer').filter(({ fact }) => fact.operation === operation);
    const accepted = seen.find(({ fact }) => isAnswered(fact));
    if (accepted === undefined) return;
    tested(accepted, { count: seen.length });
    const isFailed = ({ fact }: (typeof seen)[number]): boolean => fact.outcome === outcome && fact.comesAgain !== true;
    const failed = outcome === undefined ? [] : seen.filter(isFailed);
    const [by] = failed;
    if (by === undefined) return;
    yield {
      by,
      contrast: accepted,
      expected: 'an answer like the ones to other requests of this kind',
      received: `${by.fact.what.replace(/\.$/, '')}, on ${failed.length} of ${seen.length} requests`,
      count: failed.length,
    };
  },
});

export const answerChecks: readonly Check[] = operationIds.flatMap((operation) => [
  answersComing(operation, 'service.stays-up'),
  answersComing(operation, 'service.answers', 'lost'),
  answersComing(operation, 'service.no-server-error', 'crashed'),
]);
