/**
 * Defines what a run reads in an exchange, and the lines of the log of a worker: JSON objects. The report is built from these lines only.
 */
import type { Inference, Violation } from './finding.ts';
import type { Comparison, Contrast } from './history.ts';
import type { Outcome } from './outcome.ts';
import type { Question, OpenPointAnswer } from './observation.ts';
import type { RunRecord } from './record.ts';
import type { CreatedThing } from '../clauses/areas.ts';
import type { ClauseId } from '../clauses/index.ts';
import type { Answer, Exchange, FailureKind, Kind, OperationId, SentRequest } from './exchange.ts';

/** An earlier sending of a request that was sent again, and why. */
export interface AttemptRecord {
  readonly why: 'throttled' | 'token refused' | 'stale connection';
  readonly status: number | null;
  readonly failure: string | null;
  readonly durationMs: number;
  readonly retryAfter?: string;
}

/** The result of judging one exchange. */
export interface Judgement {
  readonly outcome: Outcome;
  readonly exercised: readonly ClauseId[];
  /** Tested clauses without a result. No other answer can then show that the bank keeps them. */
  readonly undecided: readonly ClauseId[];
  readonly breaks: readonly Violation[];
  /** The number of entries of each documented array, by its JSON pointer with `*` for indices. */
  readonly entries: Readonly<Record<string, number>>;
  /** How many entries of very long arrays were judged; null if all entries were judged. */
  readonly share: { readonly judged: number; readonly of: number } | null;
  /** The body of a readable 2xx answer with integers beyond 2^53 as bigint, else undefined. */
  readonly value: unknown;
}

/** The result of judging and observing one exchange, as the log has it. */
export interface Reading extends Omit<Judgement, 'value'> {
  readonly facts: readonly RunRecord[];
  readonly seen: readonly OpenPointAnswer[];
}

/** One exchange in the exchange log. It has no secrets, so that it can be published, and all data to judge it again. */
export interface ExchangeRecord extends Pick<Exchange, 'ticks' | 'seed'> {
  readonly id: string;
  readonly operation: OperationId;
  readonly kind: Kind;
  readonly request: SentRequest & { readonly url: string };
  readonly response:
    | (Pick<Answer, 'status' | 'headers'> & {
        readonly body: string;
        readonly encoding: 'utf-8' | 'base64';
      })
    | null;
  readonly failure: { readonly kind: FailureKind; readonly message: string } | null;
  readonly attempts?: readonly AttemptRecord[];
  /** The number of masked secrets. */
  readonly redacted: number;
  /** True if the entry has only the beginning of the body. */
  readonly truncated: boolean;
  readonly timing: { readonly startedAt: string; readonly durationMs: number };
  readonly property?: string;
  /** The id of the positive control: a request without the fault. */
  readonly control?: string;
  /** The id of an invalid request that this one repeats after a server error. */
  readonly repeats?: string;
  readonly open?: { readonly point: ClauseId; readonly question: Question };
  /** True if overload or a closing connection may explain the failure. Such a failure breaks no clause. */
  readonly provesNothing?: true;
  /** JSON pointers to places where the answer repeats a credential of its request. */
  readonly reflected?: readonly string[];
  /** What the run read, if not everything can be read from this entry, because it hides a secret or cuts the body. */
  readonly takenFromRun?: Partial<Reading>;
  /** The SHA-256 (hexadecimal) of this record without this field, as JSON with sorted keys. */
  readonly sha256: string;
}

/**
 * The smallest input that reproduces a finding. `did not recur alone`: the input was sent again without the
 * other requests of the run and did not reproduce the finding. `not asked alone`: the input was not sent again, for the reason in `why`;
 * `input` is the input of the first case.
 */
export interface Counterexample {
  readonly input: unknown;
  readonly state: 'minimal' | 'stopped by cap' | 'did not recur alone' | 'not asked alone';
  readonly why?: string;
  readonly shrinks: number;
  readonly exchange: string;
}

/** How often a finding recurs when its request is sent again. */
export interface Classification {
  readonly as: 'deterministic' | 'state-dependent' | 'load-dependent' | 'intermittent' | 'not tried';
  /** `broken`: the number of earlier exchanges with the finding. `exercised`: the number of exchanges that tested the clause. */
  readonly broken: number;
  readonly exercised: number;
  /** The number of repeated requests (`of`), and how many reproduced the finding (`again`). */
  readonly again: number;
  readonly of: number;
  readonly why: string;
}

/** Signs that the target is overloaded: longer latency, 429, 502 to 504, no answer in time, no answer at all. */
export type LoadSign = 'latency' | 'throttled' | 'unavailable' | 'timeout' | 'no-answer';

export interface ConcurrencyRecord {
  readonly ceiling: number;
  /** The highest number of requests in flight during the run. */
  readonly most: number;
  /** If the bank was overloaded: the new limit, the sign of overload, and the number of requests in flight. */
  readonly kept?: {
    readonly limit: number;
    readonly sign: LoadSign;
    readonly at: number;
    /** Median latencies in milliseconds: with few requests in flight, and during overload. */
    readonly latencyMs?: { readonly calm: number; readonly loaded: number };
  };
}

/** A resource of the bank. Before the bank has given it an id, `id` is from the request. */
export interface Creation {
  readonly what: CreatedThing;
  readonly id: string;
  readonly amount?: number;
  readonly currency?: string;
  readonly exchange: string;
}

export type JournalLine =
  | {
      readonly line: 'scenario';
      readonly run: string;
      readonly scenario: string;
      readonly title: string;
      /** The clauses that every answer of the scenario tested. */
      readonly ofEveryAnswer?: readonly ClauseId[];
    }
  | { readonly line: 'entry'; readonly entry: ExchangeRecord }
  /** What the run read in the exchange of the next line. Only the logs of workers have this line: `verify` reads entries again. */
  | { readonly line: 'reading'; readonly exchange: string; readonly reading: Reading }
  | ({ readonly line: 'comparison' } & Comparison)
  | ({ readonly line: 'contrast' } & Contrast<string>)
  | ({
      readonly line: 'counterexample';
      readonly counterexample: Counterexample;
      /** The value for REPLAY that sends the input again. */
      readonly replay: string;
    } & Pick<Violation, 'clause' | 'operation' | 'pointer'>)
  /** A fast-check property that ran fewer cases than planned. `why` is the reason, as the end of the sentence “3 of 25, …”. */
  | {
      readonly line: 'cases';
      readonly label: string;
      readonly asked: number;
      readonly of: number;
      readonly why: string;
    }
  | ({
      readonly line: 'observation';
      readonly exchange: string;
      readonly control?: string;
    } & Pick<Inference, 'point' | 'operation' | 'answer' | 'question'>)
  | { readonly line: 'unexercised'; readonly clause: ClauseId; readonly why: string }
  /**
   * Written before a request leaves that asks the bank to create a resource, once for each sending. Without a line about the answer,
   * the bank perhaps created it: a crash of the run loses nothing.
   */
  | ({ readonly line: 'creation-sent' } & Creation)
  /** The answer to the last sending of the exchange: the bank created the resource. */
  | ({ readonly line: 'created' } & Creation)
  /** The answer to the last sending of the exchange: the bank refused the request. */
  | ({ readonly line: 'creation-refused' } & Pick<Creation, 'exchange'>)
  | ({
      readonly line: 'classification';
      readonly classification: Classification;
    } & Pick<Violation, 'clause' | 'operation' | 'pointer' | 'kind'>)
  /** The number of requests in flight, after this many requests and answers of the run. */
  | ({ readonly line: 'concurrency'; readonly run: string; readonly tick: number } & ConcurrencyRecord)
  /** The number of findings until now, for the progress display. */
  | { readonly line: 'findings'; readonly count: number }
  /** The bank asked with Retry-After to wait until this time (milliseconds since the epoch). For the progress display. */
  | { readonly line: 'pause'; readonly until: number }
  /** The operation got no more requests. `unread`: its answers did not come, or could not be read. */
  | { readonly line: 'given-up'; readonly operation: OperationId; readonly why: string; readonly unread?: true }
  | { readonly line: 'interrupted'; readonly why: string }
  | { readonly line: 'error'; readonly scenario: string; readonly message: string }
  | { readonly line: 'end'; readonly scenario: string; readonly durationMs: number };

/** The lines of the logs of all workers of a run. The lines of one scenario are together and in order; scenarios are in any order. */
export interface RunLines extends Iterable<JournalLine> {
  /** Returns the first entry with this id. */
  findEntry(id: string): ExchangeRecord | undefined;
}

/** Opens lines that are in memory. */
export function openLines(lines: readonly JournalLine[]): RunLines {
  const entries = new Map<string, ExchangeRecord>();
  for (const line of lines)
    if (line.line === 'entry' && !entries.has(line.entry.id)) entries.set(line.entry.id, line.entry);
  return { [Symbol.iterator]: () => lines[Symbol.iterator](), findEntry: (id) => entries.get(id) };
}
