/** Makes notes about every answer, for checks over several exchanges. */
import type { Features, AnswerFact } from '../model/facts.ts';
import { isRetryable, isAnswered, type Outcome } from '../model/outcome.ts';
import { getOrderIdType, type Exchange } from '../model/exchange.ts';
import { getEntries, readMember } from '../rules/entries.ts';
import { toIdText } from '../util/ids.ts';
import { truncate } from '../util/truncate.ts';

/** Inputs that are new in each request. */
const INPUTS_NEW_EACH_TIME = new Set(['application_id', 'order_id', 'personal_description']);

/** Returns the inputs of a request, without inputs that are new in each request. */
export function getRepeatableInputs({ asked, body }: Exchange['request']): Features {
  const features: Record<string, string> = {};
  for (const [name, value] of Object.entries(asked))
    if (!INPUTS_NEW_EACH_TIME.has(name)) features[name] = String(value);
  if ('order_id' in asked) features['type of order_id'] = getOrderIdType({ body }) ?? 'integer';
  if ('personal_description' in asked)
    features['length of personal_description'] = String(String(asked['personal_description']).length);
  return features;
}

function findSubjectId({ operation, request: { asked } }: Exchange): string | undefined {
  const id = operation === 'requestLoan' ? asked['order_id'] : asked['application_id'];
  return id === undefined ? undefined : toIdText(id);
}

function findApplicationState({ operation }: Exchange, body: unknown): string | undefined {
  if (operation === 'requestLoan')
    return getEntries(readMember(readMember(body, 'data'), 'infos')).length === 0 ? 'no offers' : undefined;
  if (operation !== 'queryDisbursement') return undefined;
  const text = String(readMember(readMember(body, 'data'), 'result')).replaceAll(/\d+/g, '…');
  const errors = readMember(body, 'errors');
  return truncate(Array.isArray(errors) && errors.length > 0 ? `${text} with errors` : text);
}

export function listAnswerFacts(exchange: Exchange, outcome: Outcome, body?: unknown): readonly AnswerFact[] {
  const { answer, failure, operation } = exchange;
  const wasAnswered = isAnswered({ outcome });
  const [subject, state] = [findSubjectId(exchange), wasAnswered ? findApplicationState(exchange, body) : undefined];
  return [
    {
      rule: 'answer',
      operation,
      outcome,
      at: exchange.startedAt,
      what: answer === null ? (failure?.message ?? 'no answer') : `status ${answer.status}`,
      status: answer?.status ?? null,
      asked: getRepeatableInputs(exchange.request),
      ...(isRetryable(answer) && !wasAnswered && outcome !== 'lost' ? { isRetryable: true } : {}),
      ...(subject === undefined ? {} : { subject }),
      ...(state === undefined ? {} : { state }),
    },
  ];
}
