/** What the body of an answer holds, as far as checks and scenarios compare it. */
import { stringify } from 'lossless-json';
import type { Exchange } from '../model/exchange.ts';
import { sameIdRounded } from '../util/ids.ts';
import { parseBody } from '../validation/parse-body.ts';

/** An id as text, digit by digit, or null where the answer holds none. */
export function idOf(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value)) ? String(value) : null;
}

/** True of an answer that names no application, or the one that it was asked about, in the digits that a double has. */
export function isOfAsked({ data, exchange }: { readonly data: unknown; readonly exchange: Exchange }): boolean {
  const named = idOf((data as { application_id?: unknown } | null)?.application_id);
  return named === null || sameIdRounded(named, exchange.request.asked['application_id']);
}

/** The `data` of the body of an exchange as JSON, digit by digit; undefined where there is none. */
function dataText({ answer }: Exchange): string | undefined {
  const exact = answer === null ? null : parseBody(answer).content.exact;
  return typeof exact === 'object' && exact !== null && 'data' in exact ? stringify(exact.data) : undefined;
}

/** True of an answer, whatever its status, that bears the very data of another one: some value, not empty lists alone. */
export function bearsDataOf(exchange: Exchange, other: Exchange): boolean {
  const text = dataText(exchange);
  return text !== undefined && /:\s*(?:"[^"]|[\dtf-])/.test(text) && text === dataText(other);
}

/** True of the body of a disbursement query that has errors. */
export function hasErrors(body: unknown): boolean {
  const { errors } = (body ?? {}) as { readonly errors?: unknown };
  return Array.isArray(errors) && errors.length > 0;
}
