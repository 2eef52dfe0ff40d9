/** Defines the outcomes of a request, and classifies answers. Judge, client, scenarios and report use the same outcomes. */
import { getHeader, type Answer } from './exchange.ts';

/**
 * - `accepted`: 2xx with `data` as documented.
 * - `declined`: 2xx with `data` as documented, which reports a failure, such as `result: "false"`.
 * - `malformed`: 2xx without readable `data`.
 * - `refused`: the request is refused with 4xx, or with an error body and 2xx.
 * - `conflict`: refused because of the state of its subject.
 * - `forbidden`, `unauthorized`: refused because of the client.
 * - `throttled`: refused for the moment.
 * - `crashed`: a server error.
 * - `lost`: no final answer.
 */
export type Outcome =
  | 'accepted'
  | 'declined'
  | 'refused'
  | 'conflict'
  | 'forbidden'
  | 'unauthorized'
  | 'throttled'
  | 'crashed'
  | 'malformed'
  | 'lost';

/** A value with an outcome. `not-sent`: the client did not send the request. */
interface WithOutcome {
  readonly outcome: Outcome | 'not-sent';
}

/** Statuses about the client, its rights, the state or the current load (RFC 9110, 15.5; a proxy sends 407). Any other 4xx is `refused`. */
const OUTCOME_BY_STATUS: Readonly<Record<number, Outcome>> = {
  401: 'unauthorized',
  402: 'forbidden',
  403: 'forbidden',
  407: 'unauthorized',
  408: 'throttled',
  409: 'conflict',
  423: 'conflict',
  425: 'throttled',
  429: 'throttled',
  451: 'forbidden',
};

export const isRetryable = (answer: Answer | null): boolean =>
  answer !== null && getHeader(answer, 'retry-after') !== undefined;

/** Returns the outcome of an answer; null means no answer. `ofBody` is the outcome from the body of a 2xx. */
export function classifyAnswer(answer: Answer | null, ofBody: Outcome = 'accepted'): Outcome {
  if (answer === null || answer.status < 200 || answer.status >= 600) return 'lost';
  const { status } = answer;
  if (status < 300) return ofBody;
  // Redirects are never followed.
  if (status < 400) return 'lost';
  // A 4xx with Retry-After is temporary, and so is a 503 (RFC 9110, 15.6.4).
  if (isRetryable(answer) && (status < 500 || status === 503)) return 'throttled';
  return OUTCOME_BY_STATUS[status] ?? (status < 500 ? 'refused' : 'crashed');
}

/** True for a 2xx answer with documented `data`, also if it reports a failure. */
export const isAnswered = ({ outcome }: WithOutcome): boolean => outcome === 'accepted' || outcome === 'declined';

/** True for a refusal because of the request or the state. False if the reason is the client, its rights, load or the moment. */
export const isRefusal = ({ outcome }: WithOutcome): boolean => outcome === 'refused' || outcome === 'conflict';

/** True for a refusal with a status of 400 or above. A 2xx with an error body is no definitive refusal. */
export const isDefinitiveRefusal = (answer: WithOutcome & { readonly status: number | null }): boolean =>
  isRefusal(answer) && (answer.status ?? 0) >= 400;

/** True for a refusal for any reason: the bank did nothing. */
export const isRejection = (answer: WithOutcome): boolean =>
  isRefusal(answer) ||
  answer.outcome === 'unauthorized' ||
  answer.outcome === 'forbidden' ||
  answer.outcome === 'throttled';

/** True for an answer that says only “not now”: 408, 425, 429, or any status but a success with Retry-After. */
export const isPostponed = (answer: Answer | null): boolean =>
  classifyAnswer(answer) === 'throttled' || (isRetryable(answer) && answer!.status >= 300);

/** True for 429, and for a throttled answer with Retry-After. 408 and 425 without Retry-After may be about how the request was sent. */
export const isThrottled = (answer: Answer | null): boolean =>
  classifyAnswer(answer) === 'throttled' && (answer?.status === 429 || isRetryable(answer));
