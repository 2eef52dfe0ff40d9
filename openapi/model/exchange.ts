/** Defines an exchange: one request and its answer. The suite judges, records and reports exchanges. */
import type { OperationId } from '../clauses/areas.ts';

export { areas, type Area, type OperationId } from '../clauses/areas.ts';

/** `positive`: a documented request with ids of the bank. `probe`: any other request, which never breaks a `must` clause. */
export type Kind = 'positive' | 'probe';

/** Documented inputs by their documented names. Ids are decimal text, so that they keep all digits. */
export type RequestInputs = Readonly<Record<string, string | number | boolean>>;

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly asked: RequestInputs;
}

/** The answer as received. `bytes` is the body after its Content-Encoding is decoded. */
export interface Answer {
  readonly status: number;
  /** Header fields in the received order, with names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly bytes: Uint8Array;
}

export type FailureKind =
  | 'unreachable' // no connection: refused, no such host, TLS handshake failed
  | 'reset' // the connection broke before the answer was complete
  | 'timeout' // the answer was not complete in time
  | 'too-large' // the answer exceeded the size limit
  | 'malformed'; // what came is not HTTP

export interface Failure {
  readonly kind: FailureKind;
  /** One sentence without secrets. */
  readonly message: string;
}

/** The received part of an answer whose end did not come. */
export interface PartialAnswer {
  /** Null if the header section was incomplete: then `bytes` has the text that could not be parsed. */
  readonly status: number | null;
  readonly headers: Answer['headers'];
  readonly bytes: Uint8Array;
}

/** One exchange. It has either an `answer` or a `failure`. */
export interface Exchange {
  /** Unique within the run. */
  readonly id: string;
  readonly operation: OperationId;
  readonly kind: Kind;
  readonly request: SentRequest;
  readonly answer: Answer | null;
  readonly failure: Failure | null;
  readonly startedAt: number;
  readonly durationMs: number;
  /** Session counters when the request was sent and when the answer was complete. They give a more exact order than a clock. */
  readonly ticks?: readonly [sent: number, answered: number];
  /** The seed of the run. It decides which entries of long lists are noted, so that the bank cannot know. */
  readonly seed?: number;
}

/** Returns when an exchange was sent and answered: ticks of the session, or milliseconds since the epoch. */
export const toRecordedTimes = ({ ticks, startedAt, durationMs }: Exchange) =>
  ticks === undefined ? { from: startedAt, at: startedAt + durationMs } : { from: ticks[0], at: ticks[1] };

export const getScenario = (exchange: string): string => exchange.replace(/-\d+$/, '');

/** Returns the first value of a header field, or undefined. `name` is in lower case. */
export function getHeader(answer: Answer, name: string): string | undefined {
  return answer.headers.find(([headerName]) => headerName === name)?.[1];
}

export const readMediaType = (answer: Answer): string | undefined =>
  getHeader(answer, 'content-type')?.split(';')[0]?.trim().toLowerCase();

const lenientUtf8Decoder = new TextDecoder();

export const decodeText = (bytes: Uint8Array): string => lenientUtf8Decoder.decode(bytes);

export const getBodyText = (answer: Answer | null): string => (answer === null ? '' : decodeText(answer.bytes));
