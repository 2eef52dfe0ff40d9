/** Reads the parts of a 2xx answer around `data`: whether it is an error, and whether it reports success. */
import { isJsonObject, type JsonObject } from '../contract/references.ts';
import type { Operation } from '../contract/operations.ts';
import type { Outcome } from '../model/outcome.ts';
import type { AnswerValidators } from './validators.ts';

/** Documented fields are searched at most this many levels below the body. */
const MAX_DEPTH_BELOW_BODY = 4;
/** Documented fields are searched at most this many levels below `data`. */
const MAX_DEPTH_BELOW_DATA = 3;

const countFields = (value: unknown, fields: readonly string[]): number =>
  isJsonObject(value) ? fields.filter((name) => Object.hasOwn(value, name)).length : 0;

/** True if an object at most `depth` levels below `value` has more than half of the documented fields. */
function hasFieldsBelow(value: unknown, fields: readonly string[], maxDepth: number): boolean {
  if (maxDepth === 0 || typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(
    (child) => countFields(child, fields) * 2 > fields.length || hasFieldsBelow(child, fields, maxDepth - 1),
  );
}

/** Matches names of members that describe an error. `detail` is from RFC 9457 (problem details). */
const ERROR_MEMBER_NAME = /error|code|message|problem|fault|^(?:detail|reason)s?$/i;

/** True if a 2xx answer is a refusal: it has no `data`, no documented field, and a member that describes an error. */
export function isErrorBody(body: unknown, { fields, entries }: AnswerValidators): boolean {
  if (!isJsonObject(body) || (body['data'] ?? null) !== null) return false;
  const describesError = Object.keys(body).some((name) => ERROR_MEMBER_NAME.test(name));
  if (!describesError || countFields(body, fields) > 0) return false;
  return ![fields, ...entries].some((names) => hasFieldsBelow([body], names, MAX_DEPTH_BELOW_BODY));
}

/** True if the documented fields are deeper than `data`. The report shows this as one fault, not as a fault for each field. */
export function hasMisplacedFields(body: unknown, { fields }: AnswerValidators): body is JsonObject {
  if (!isJsonObject(body) || !isJsonObject(body['data']) || fields.length === 0) return false;
  return countFields(body['data'], fields) === 0 && hasFieldsBelow(body['data'], fields, MAX_DEPTH_BELOW_DATA);
}

/** Returns false if the answer itself reports a failure, for example with `is_success` false; true in all other cases. */
export function readStatedSuccess(body: unknown, { outcome }: Operation): boolean {
  if (outcome === null || !isJsonObject(body) || !isJsonObject(body['data'])) return true;
  const statedValue = body['data'][outcome.slice('/data/'.length)];
  const isFalseText = typeof statedValue === 'string' && /^\s*(?:false|0)\s*$/i.test(statedValue);
  return statedValue !== false && !isFalseText;
}

/** Reads how the bank answered an invalid request. An answer without documented fields in `data` is a refusal. */
export function readProbeOutcome(body: unknown, operation: Operation, { fields }: AnswerValidators): Outcome {
  if (!isJsonObject(body)) return 'refused';
  const hasContent = fields.length === 0 ? Array.isArray(body['data']) : countFields(body['data'], fields) > 0;
  if (!hasContent) return 'refused';
  return readStatedSuccess(body, operation) ? 'accepted' : 'declined';
}
