/** Makes the records of one exchange: what behaviours compare with other exchanges of the run. */
import { getRepeatableInputs } from '../api.ts';
import { operations } from '../contract/operations.ts';
import { getBodyText, type Exchange } from '../model/exchange.ts';
import type { ExchangeRecord } from '../model/journal.ts';
import type { AddRecord } from '../model/operation.ts';
import { isAnswered, isRejection, isRetryable, isThrottled, type Outcome } from '../model/outcome.ts';
import type { RunRecord } from '../model/record.ts';
import { readMember } from '../rules/entries.ts';
import { toIdText } from '../util/ids.ts';
import { isErrorBody } from '../validation/envelope.ts';
import { findInformationLeak } from '../validation/information-leaks.ts';
import { getAnswerValidators } from '../validation/validators.ts';
import { quoteAnswer, readAnswer } from './answers.ts';
import { readList } from './list-records.ts';

function openRecords(exchange: string): { readonly records: RunRecord[]; readonly add: AddRecord } {
  const records: RunRecord[] = [];
  return { records, add: (kind, record) => void records.push({ kind, exchange, ...record } as unknown as RunRecord) };
}

/** Returns the records of what a request may have changed. An invalid request may change something too. */
export function readChanges(exchange: Exchange, outcome: Outcome): RunRecord[] {
  const { records, add } = openRecords(exchange.id);
  if (!isRejection({ outcome })) operations[exchange.operation].kept.change?.(exchange, add);
  return records;
}

/** Returns the records of an exchange; for an invalid request, only what it may have changed. */
export function readRecords(exchange: Exchange, outcome: Outcome, body: unknown): readonly RunRecord[] {
  const changes = readChanges(exchange, outcome);
  if (exchange.kind === 'probe') return changes;
  const { records, add } = openRecords(exchange.id);
  const { kept } = operations[exchange.operation];
  addAnswer(add, exchange, outcome, body);
  if (outcome === 'refused') kept.refused?.(exchange, add);
  if (outcome === 'accepted') {
    const data = readMember(body, 'data');
    kept.accepted?.({ exchange, data, body }, add);
    const list = readList(exchange, data);
    if (list !== null) add('lists', list);
  }
  return [...changes, ...records];
}

/** Adds the record of an answer: its outcome, and its inputs without ids that are new in each request. */
function addAnswer(add: AddRecord, exchange: Exchange, outcome: Outcome, body: unknown): void {
  const { answer, failure, operation, request } = exchange;
  const { kept, subject } = operations[operation];
  const wasAnswered = isAnswered({ outcome });
  const id = subject === null ? undefined : request.asked[subject];
  const state = wasAnswered ? kept.state?.(body) : undefined;
  add('answers', {
    operation,
    outcome,
    at: exchange.startedAt,
    what: answer === null ? (failure?.message ?? 'no answer') : `status ${answer.status}`,
    status: answer?.status ?? null,
    asked: getRepeatableInputs(request),
    ...(isRetryable(answer) && !wasAnswered && outcome !== 'lost' ? { isRetryable: true } : {}),
    ...(id === undefined ? {} : { subject: toIdText(id) }),
    ...(state === undefined ? {} : { state }),
  });
}

/** True for a 5xx, except a 501 after an undocumented HTTP method (RFC 9110, 15.6.2). */
export function isServerError({ operation, request, answer }: Exchange): boolean {
  if (answer === null || answer.status < 500 || answer.status > 599) return false;
  const hasDocumentedMethod = request.method === operations[operation].method;
  return answer.status !== 501 || hasDocumentedMethod;
}

/** Returns the record of an invalid request that has a positive control, or repeats one; else nothing. */
export function readProbe(
  { control, repeats }: Pick<ExchangeRecord, 'control' | 'repeats'>,
  exchange: Exchange,
  outcome: Outcome,
): readonly RunRecord<'probes'>[] {
  const { id, operation, answer } = exchange;
  if (control === undefined && repeats === undefined) return [];
  const probeResult = readAnswer(exchange, outcome);
  const isError = isServerError(exchange);
  const isDisguised = probeResult.body !== undefined && isErrorBody(probeResult.body, getAnswerValidators(exchange));
  return [
    {
      ...{ kind: 'probes', exchange: id, operation, status: probeResult.status },
      ...(control === undefined ? {} : { control }),
      ...(repeats === undefined ? {} : { repeats }),
      isServerError: isError,
      isThrottled: isThrottled(answer),
      isRetryable: isRetryable(answer),
      isDisguised,
      leak: probeResult.accepted ? null : findInformationLeak(getBodyText(answer)),
      what: isError || isDisguised ? quoteAnswer(probeResult, 'response/status') : '',
    },
  ];
}
