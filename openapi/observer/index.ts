/** Reads from one exchange what the bank does where the document is silent (open points). Judges nothing. */
import type { JsonObject } from '../contract/references.ts';
import { getQueryForm, operations } from '../contract/operations.ts';
import { getHeader, type Answer, type Exchange } from '../model/exchange.ts';
import { describeErrorBody, readUndocumentedParts } from './response-shape.ts';
import type { AttemptRecord, Judgement } from '../model/journal.ts';
import type { OpenPointAnswer } from '../model/observation.ts';
import { listFirstNames, shortenName } from '../util/truncate.ts';
import { isAnswered, isRejection, isThrottled } from '../model/outcome.ts';

/** Returns what `exchange` shows about open points. `earlier` are the earlier attempts to send the same request. */
export function observeExchange(
  exchange: Exchange,
  judgement: Judgement,
  earlier: readonly AttemptRecord[] = [],
): readonly OpenPointAnswer[] {
  const { answer } = exchange;
  const observations = earlier.flatMap(({ why, status, retryAfter }) =>
    why === 'throttled' ? observeThrottling(status, retryAfter) : [],
  );
  if (answer === null) return observations;
  if (exchange.kind === 'probe' && answer.status < 300 && answer.bytes.length === 0) return observations;
  if (isRejection(judgement) || judgement.outcome === 'crashed') observations.push(...observeRefusal(exchange, answer));
  else if (exchange.kind === 'positive' && isAnswered(judgement))
    observations.push(
      ...observeSuccess(exchange, answer, judgement.value),
      ...observeOperationPoints(exchange, judgement),
    );
  return observations;
}

function observeThrottling(status: number | null, retryAfter: string | undefined): OpenPointAnswer {
  const format = describeRetryAfter(retryAfter);
  return { point: 'service.rate-limit', question: 'after too many requests', answer: `${status} ${format}` };
}

function describeRetryAfter(header: string | undefined): string {
  if (header === undefined) return 'without Retry-After';
  return /^\s*\d+\s*$/.test(header) ? 'with Retry-After in seconds' : 'with Retry-After as a date';
}

function observeRefusal({ request }: Exchange, answer: Answer): readonly OpenPointAnswer[] {
  const observations: OpenPointAnswer[] = [{ point: 'service.error-status', answer: String(answer.status) }];
  // The answer to a HEAD never has a body (RFC 9110, 9.3.2).
  if (request.method !== 'HEAD') observations.push({ point: 'service.error-body', answer: describeErrorBody(answer) });
  if (isThrottled(answer)) observations.push(observeThrottling(answer.status, getHeader(answer, 'retry-after')));
  return observations;
}

/** Upper bounds of latencies in milliseconds, two for each power of ten, so that small changes of the load do not change the answer. */
const LATENCY_STEPS_MS = [10, 30, 100, 300, 1000, 3000, 10_000] as const;

const RATE_LIMIT_HEADER = /^(?:x-)?rate-?limit/;
const VERSION_HEADER = /^(?:deprecation|sunset|(?:x-)?api-version)$/;
const EVENT_NAME = /callback|webhook|notif|event/i;

function joinMatchingNames(names: readonly string[], pattern: RegExp, textForNone: string): string {
  const matching = names.filter((name) => pattern.test(name));
  return matching.length === 0 ? textForNone : listFirstNames(matching.map(shortenName));
}

/** True if a list of the answer is empty. */
function hasEmptyList(body: unknown): boolean {
  const { data } = body as { data?: unknown };
  const lists = Array.isArray(data) ? [data] : Object.values((data ?? {}) as JsonObject).filter(Array.isArray);
  return lists.some((list) => list.length === 0);
}

function observeSuccess(exchange: Exchange, answer: Answer, body: unknown): readonly OpenPointAnswer[] {
  const operation = operations[exchange.operation];
  const form = operation.forms[getQueryForm(operation, exchange.request.asked)] ?? operation.forms[0];
  const pointer = form?.answer ?? '';
  const { undocumentedFields, integerSpellings } = readUndocumentedParts(pointer, body as object, answer);
  const headers = [...new Set(answer.headers.map(([name]) => name))].sort();
  const hasToken = Object.keys(exchange.request.headers).some((name) => name.toLowerCase() === 'authorization');
  const withinMs = LATENCY_STEPS_MS.find((bound) => exchange.durationMs <= bound) ?? null;
  const limitNames = joinMatchingNames(headers, RATE_LIMIT_HEADER, 'no header about limits');
  const observations: OpenPointAnswer[] = [
    { point: 'service.success-status', answer: String(answer.status) },
    { point: 'service.token', answer: hasToken ? 'accepted with a bearer token' : 'accepted without a token' },
    { point: 'service.latency', answer: { withinMs } },
    { point: 'service.rate-limit', question: 'announced in headers', answer: limitNames },
    { point: 'service.versioning', answer: joinMatchingNames(headers, VERSION_HEADER, 'no header about versions') },
    {
      point: 'service.events',
      answer: joinMatchingNames([...undocumentedFields, ...headers], EVENT_NAME, 'no field or header about events'),
    },
  ];
  // An empty list does not show the fields of its entries.
  if (!hasEmptyList(body))
    observations.push({ point: 'service.additional-fields', answer: { members: undocumentedFields } });
  for (const spelling of integerSpellings) observations.push({ point: 'service.number-spelling', answer: spelling });
  return observations;
}

function observeOperationPoints(exchange: Exchange, { outcome, value: body }: Judgement): readonly OpenPointAnswer[] {
  const { observe } = operations[exchange.operation];
  return observe?.({ exchange, data: (body as JsonObject)['data'], body }, outcome === 'accepted') ?? [];
}
