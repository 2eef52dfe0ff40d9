/** One request and its answer: the unit that is judged, recorded and reported. */
import type { OperationId } from '../clauses/areas.ts';

export { areas, operationIds, type Area, type OperationId } from '../clauses/areas.ts';

/**
 * `positive`: every documented field in its documented type, the documented headers, ids that the target gave.
 * `probe`: anything else. No `must` verdict is drawn from the answer to a probe.
 */
export type Kind = 'positive' | 'probe';

/** A documented input by its documented name. Ids are decimal text, so that none loses digits. */
export type Asked = Readonly<Record<string, string | number | boolean>>;

/** What was sent, as it went over the wire. */
export interface SentRequest {
  readonly method: string;
  /** Path and query below the base URL, exactly as sent. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body's text, or null if none was sent. */
  readonly body: string | null;
  /** The documented inputs that the path, the query and the body carry. */
  readonly asked: Asked;
}

/** The JSON type of `order_id` in the body, or null. `asked` has it as text in both forms. */
export function orderIdType({ body }: Pick<SentRequest, 'body'>): 'text' | 'integer' | null {
  const value = body === null ? null : /"order_id"\s*:\s*(.)/.exec(body);
  return value === null ? null : value[1] === '"' ? 'text' : 'integer';
}

/** What came back, bytes as received after content decoding. */
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
  /** Counters of its session for when it was sent and when its answer was complete: exact where a clock is not. */
  readonly ticks?: readonly [sent: number, answered: number];
  /** The seed of the run, unknown to the target: it decides which entries of long lists are noted. */
  readonly seed?: number;
}

/** The id of the scenario that made the exchange with this id. */
export const scenarioOf = (exchange: string): string => exchange.replace(/-\d+$/, '');

/** The first value of a header field of an answer, or undefined. `name` in lower case. */
export function header(answer: Answer, name: string): string | undefined {
  return answer.headers.find(([n]) => n === name)?.[1];
}

/** The media type of an answer in lower case, without parameters; undefined if there is none. */
export const mediaTypeOf = (answer: Answer): string | undefined =>
  header(answer, 'content-type')?.split(';')[0]?.trim().toLowerCase();

const lenientUtf8 = new TextDecoder();

/** `bytes` as text. Never throws. */
export const textOf = (bytes: Uint8Array): string => lenientUtf8.decode(bytes);

/** The body of an answer as text; empty if there is no answer. */
export const bodyText = (answer: Answer | null): string => (answer === null ? '' : textOf(answer.bytes));
