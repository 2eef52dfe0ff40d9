/** Reads the parts of answers that checks and scenarios compare. */
import { stringify } from 'lossless-json';
import type { Exchange } from '../model/exchange.ts';
import { areEqualAsDoubles } from '../util/ids.ts';
import { parseBody } from '../validation/parse-body.ts';

/** Returns an id as text with all digits; null if the value is no id. */
export function readIdText(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value)) ? String(value) : null;
}

/** True if an answer names the application of its request, or no application. Compares the ids as doubles. */
export function isAboutRequestedApplication({
  data,
  exchange,
}: {
  readonly data: unknown;
  readonly exchange: Exchange;
}): boolean {
  const named = readIdText((data as { application_id?: unknown } | null)?.application_id);
  return named === null || areEqualAsDoubles(named, exchange.request.asked['application_id']);
}

/** Returns the `data` of an answer as JSON text with all digits; undefined without `data`. */
function renderData({ answer }: Exchange): string | undefined {
  const exact = answer === null ? null : parseBody(answer).content.exact;
  return typeof exact === 'object' && exact !== null && 'data' in exact ? stringify(exact.data) : undefined;
}

/** True if an answer with any status has the same data as `other`, and this data has at least one value. */
export function hasSameDataAs(exchange: Exchange, other: Exchange): boolean {
  const text = renderData(exchange);
  return text !== undefined && /:\s*(?:"[^"]|[\dtf-])/.test(text) && text === renderData(other);
}

export function hasErrors(body: unknown): boolean {
  const { errors } = (body ?? {}) as { readonly errors?: unknown };
  return Array.isArray(errors) && errors.length > 0;
}
