/** Classes of answers by what their status says of the request (RFC 9110, 15; RFC 6585 for 429). */
import { header, type Answer } from './exchange.ts';

export type StatusClass =
  | 'success'
  | 'redirection'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'no-such-method'
  | 'request-timeout'
  | 'conflict'
  | 'locked'
  | 'too-early'
  | 'throttled'
  | 'rejected'
  | 'server-error'
  | 'no-answer';

const classes: Readonly<Record<number, StatusClass>> = {
  401: 'unauthorized',
  402: 'forbidden',
  403: 'forbidden',
  404: 'not-found',
  405: 'no-such-method',
  407: 'unauthorized',
  408: 'request-timeout',
  409: 'conflict',
  423: 'locked',
  425: 'too-early',
  429: 'throttled',
  451: 'forbidden',
  501: 'no-such-method',
};

/**
 * The class of a status; null is no answer. `retryAfter`: the answer has a Retry-After header, with which a 503 speaks of
 * load and of nothing else, and a 4xx of the moment. A 4xx without a class of its own is `rejected`: the request itself was
 * not acceptable.
 */
export function classify(status: number | null, retryAfter = false): StatusClass {
  if (status === null) return 'no-answer';
  if (retryAfter && (status === 503 || (status >= 400 && status < 500))) return 'throttled';
  const own = classes[status];
  if (own !== undefined) return own;
  if (status < 300) return 'success';
  if (status < 400) return 'redirection';
  return status < 500 ? 'rejected' : 'server-error';
}

/** True of an answer that only says to come again: 429, or a status that has a Retry-After (RFC 9110, 10.2.3). */
export const isThrottled = (answer: Answer | null): boolean =>
  answer !== null && classify(answer.status, header(answer, 'retry-after') !== undefined) === 'throttled';

const notAboutRequest: ReadonlySet<StatusClass> = new Set([
  'unauthorized',
  'forbidden',
  'request-timeout',
  'conflict',
  'locked',
  'too-early',
  'throttled',
  'no-answer',
]);

/** False of a status that speaks of the client, its rights, the load, the state or the moment: it proves nothing of what was asked. */
export const isAboutRequest = (status: number | null): boolean => !notAboutRequest.has(classify(status));
