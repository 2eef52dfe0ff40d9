/** Collects the answers of one exchange to open points. Reads every exchange, and judges none. */
import type { JsonObject } from '../contract/references.ts';
import { getQueryForm, operations } from '../contract/operations.ts';
import { getHeader, type Answer, type Exchange } from '../model/exchange.ts';
import type { Judgement } from '../judgement.ts';
import { describeErrorBody, readUndocumentedParts } from './response-shape.ts';
import type { AttemptRecord } from '../model/journal.ts';
import type { Seen } from '../model/observation.ts';
import { listFirstNames, shortenName } from '../util/truncate.ts';
import { isAnswered, isRejection, isThrottled } from '../model/outcome.ts';

/** Returns the answers of `exchange` to open points; `earlier` are earlier attempts of the same request. */
export function observeExchange(
  exchange: Exchange,
  judgement: Judgement,
  earlier: readonly AttemptRecord[] = [],
): readonly Seen[] {
  const { answer } = exchange;
  const seen = earlier.flatMap(({ why, status, retryAfter }) =>
    why === 'throttled' ? observeThrottling(status, retryAfter) : [],
  );
  if (answer === null) return seen;
  if (exchange.kind === 'probe' && answer.status < 300 && answer.bytes.length === 0) return seen;
  if (isRejection(judgement) || judgement.outcome === 'crashed') seen.push(...observeRefusal(exchange, answer));
  else if (exchange.kind === 'positive' && isAnswered(judgement))
    seen.push(...observeSuccess(exchange, answer, judgement.value), ...observeOperationPoints(exchange, judgement));
  return seen;
}

function observeThrottling(status: number | null, again: string | undefined): Seen {
  const when =
    again === undefined
      ? 'without Retry-After'
      : /^\s*\d+\s*$/.test(again)
        ? 'with Retry-After in seconds'
        : 'with Retry-After as a date';
  return { point: 'service.rate-limit', question: 'after too many requests', answer: `${status} ${when}` };
}

function observeRefusal({ request }: Exchange, answer: Answer): readonly Seen[] {
  const seen: Seen[] = [{ point: 'service.error-status', answer: String(answer.status) }];
  // The answer to a HEAD never has a body (RFC 9110, 9.3.2).
  if (request.method !== 'HEAD') seen.push({ point: 'service.error-body', answer: describeErrorBody(answer) });
  if (isThrottled(answer)) seen.push(observeThrottling(answer.status, getHeader(answer, 'retry-after')));
  return seen;
}

/** Steps for latencies in milliseconds, two for each power of ten: small changes of the load do not change the step. */
const LATENCY_STEPS_MS = [10, 30, 100, 300, 1000, 3000, 10_000] as const;

const RATE_LIMIT_HEADER = /^(?:x-)?rate-?limit/;
const VERSION_HEADER = /^(?:deprecation|sunset|(?:x-)?api-version)$/;
const EVENT_NAME = /callback|webhook|notif|event/i;

function joinMatchingNames(names: readonly string[], pattern: RegExp, none: string): string {
  const found = names.filter((name) => pattern.test(name));
  return found.length === 0 ? none : listFirstNames(found.map(shortenName));
}

function isEmpty(body: unknown): boolean {
  const { data } = body as { data?: unknown };
  const lists = Array.isArray(data) ? [data] : Object.values((data ?? {}) as JsonObject).filter(Array.isArray);
  return lists.some((list) => list.length === 0);
}

function observeSuccess(exchange: Exchange, answer: Answer, body: unknown): readonly Seen[] {
  const operation = operations[exchange.operation];
  const form = operation.forms[getQueryForm(operation, exchange.request.asked)] ?? operation.forms[0];
  const pointer = form?.answer ?? '';
  const { unnamed, integers } = readUndocumentedParts(pointer, body as object, answer);
  const headers = [...new Set(answer.headers.map(([name]) => name))].sort();
  const bearer = Object.keys(exchange.request.headers).some((name) => name.toLowerCase() === 'authorization');
  const withinMs = LATENCY_STEPS_MS.find((bound) => exchange.durationMs <= bound) ?? null;
  const limitNames = joinMatchingNames(headers, RATE_LIMIT_HEADER, 'no header about limits');
  const seen: Seen[] = [
    { point: 'service.success-status', answer: String(answer.status) },
    { point: 'service.token', answer: bearer ? 'accepted with a bearer token' : 'accepted without a token' },
    { point: 'service.latency', answer: { withinMs } },
    { point: 'service.rate-limit', question: 'announced in headers', answer: limitNames },
    { point: 'service.versioning', answer: joinMatchingNames(headers, VERSION_HEADER, 'no header about versions') },
    {
      point: 'service.events',
      answer: joinMatchingNames([...unnamed, ...headers], EVENT_NAME, 'no field or header about events'),
    },
  ];
  // An empty list does not show the fields of its entries.
  if (!isEmpty(body)) seen.push({ point: 'service.additional-fields', answer: { members: unnamed } });
  for (const spelling of integers) seen.push({ point: 'service.number-spelling', answer: spelling });
  return seen;
}

function observeOperationPoints(exchange: Exchange, { outcome, value: body }: Judgement): readonly Seen[] {
  const { observe } = operations[exchange.operation];
  return observe?.({ exchange, data: (body as JsonObject)['data'], body }, outcome === 'accepted') ?? [];
}
