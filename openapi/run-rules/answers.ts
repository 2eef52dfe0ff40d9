/** Whether positive requests of a kind that the target accepts are answered at all. */
import type { FactRecord, Features, AnswerFact } from '../model/facts.ts';
import type { RunRuleResult } from '../model/finding.ts';
import { comesAgain, isAnswered, type Outcome } from '../model/outcome.ts';
import type { ClauseId } from '../clauses/index.ts';
import { orderIdType, type Exchange } from '../model/exchange.ts';
import { entriesOf, member } from '../rules/entries.ts';
import { idText } from '../util/ids.ts';
import { truncate } from '../util/truncate.ts';
import { groupBy } from '../util/group-by.ts';
import { ResultCollector, recordsOf } from './result-collector.ts';

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

const clauseOf = { lost: 'service.answers', crashed: 'service.no-server-error' } as const satisfies Record<
  string,
  ClauseId
>;

export function evaluateAnswers(records: readonly FactRecord[]): RunRuleResult {
  const results = new ResultCollector();
  for (const seen of groupBy(recordsOf(records, 'answer'), ({ fact }) => fact.operation).values()) {
    const accepted = seen.find(({ fact }) => isAnswered(fact));
    if (accepted === undefined) continue;
    const { operation } = accepted.fact;
    results.exercise('service.stays-up', operation, seen.length, accepted.exchange);
    for (const outcome of ['lost', 'crashed'] as const) {
      results.exercise(clauseOf[outcome], operation, seen.length, accepted.exchange);
      const failed = seen.filter(({ fact }) => fact.outcome === outcome && fact.comesAgain !== true);
      const [first] = failed;
      if (first === undefined) continue;
      results.break({
        clause: clauseOf[outcome],
        operation,
        pointer: 'response/status',
        expected: 'an answer like the ones to other requests of this kind',
        received: `${first.fact.what.replace(/\.$/, '')}, on ${failed.length} of ${seen.length} requests`,
        exchange: first.exchange,
        contrast: accepted.exchange,
        count: failed.length,
        unit: 'requests',
      });
    }
  }
  return results.result();
}
