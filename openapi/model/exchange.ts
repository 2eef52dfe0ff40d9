/** One request and its answer: the unit that is judged, recorded and reported. */
import type { OperationId } from '../clauses/areas.ts';

export { areas, operationIds, type Area, type OperationId } from '../clauses/areas.ts';

/**
 * `positive`: every documented field in its documented type, the documented headers, ids that the target gave.
 * `probe`: any other request. Its answer never leads to a `must` verdict.
 */
export type Kind = 'positive' | 'probe';

/** Documented inputs by documented name. Ids are decimal text, so that they lose no digits. */
export type Asked = Readonly<Record<string, string | number | boolean>>;

/** The request exactly as it was sent. */
export interface SentRequest {
  readonly method: string;
  /** Path and query below the base URL, exactly as sent. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The text of the body; null if no body was sent. */
  readonly body: string | null;
  /** The documented inputs that the path, the query and the body carry. */
  readonly asked: Asked;
}

/** Returns the JSON type of `order_id` in the body, or null. In `asked`, `order_id` is always text. */
export function getOrderIdType({ body }: Pick<SentRequest, 'body'>): 'text' | 'integer' | null {
  const value = body === null ? null : /"order_id"\s*:\s*(.)/.exec(body);
  return value === null ? null : value[1] === '"' ? 'text' : 'integer';
}

/** The answer as it was received, with the bytes after content decoding. */
export interface Answer {
  readonly status: number;
  /** Header fields in the order received; names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly bytes: Uint8Array;
}

/** Why there is no answer to judge. */
export type FailureKind =
  | 'unreachable' // no connection: refused, no such host, TLS handshake failed
  | 'reset' // the connection broke before the answer was complete
  | 'timeout' // the answer was not complete in time
  | 'too-large' // the answer exceeded the size limit
  | 'malformed'; // what came is not HTTP

export interface Failure {
  readonly kind: FailureKind;
  /** One sentence in words; holds no secret. */
  readonly message: string;
}

/** One exchange. Exactly one of `answer` and `failure` is set. */
export interface Exchange {
  /** Unique within the run. */
  readonly id: string;
  readonly operation: OperationId;
  readonly kind: Kind;
  readonly request: SentRequest;
  readonly answer: Answer | null;
  readonly failure: Failure | null;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** Session counters at the time of sending and of the complete answer. They order exchanges better than a clock. */
  readonly ticks?: readonly [sent: number, answered: number];
  /** The seed of the run decides which entries of long lists are noted. The bank does not know it. */
  readonly seed?: number;
}

/** Returns the id of the scenario that made an exchange. */
export const getScenario = (exchange: string): string => exchange.replace(/-\d+$/, '');

/** Returns the first value of a header field, or undefined. `name` is in lower case. */
export function getHeader(answer: Answer, name: string): string | undefined {
  return answer.headers.find(([n]) => n === name)?.[1];
}

/** Returns the media type of an answer in lower case, without parameters, or undefined. */
export const readMediaType = (answer: Answer): string | undefined =>
  getHeader(answer, 'content-type')?.split(';')[0]?.trim().toLowerCase();

const lenientUtf8Decoder = new TextDecoder();

/** Decodes bytes as UTF-8. Never throws. */
export const decodeText = (bytes: Uint8Array): string => lenientUtf8Decoder.decode(bytes);

/** Returns the body of an answer as text; empty without an answer. */
export const getBodyText = (answer: Answer | null): string => (answer === null ? '' : decodeText(answer.bytes));
