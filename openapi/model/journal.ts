/**
 * The lines of the journal: one JSON object per line, written during the run. The report is made only from these lines, which may come
 * from a file, an attachment or memory.
 */
import type { Comparison } from './check.ts';
import type { Fact } from './facts.ts';
import type { Inference, Violation } from './finding.ts';
import type { Outcome } from './outcome.ts';
import type { Question, Seen } from './observation.ts';
import type { ClauseId } from '../clauses/index.ts';
import type { Answer, Exchange, FailureKind, Kind, OperationId, SentRequest } from './exchange.ts';

/** An earlier attempt of the same request. It is evidence, and never gets a verdict. */
export interface AttemptRecord {
  readonly why: 'throttled' | 'token refused' | 'stale connection';
  readonly status: number | null;
  /** Why there was no answer, in one sentence, or null. */
  readonly failure: string | null;
  readonly durationMs: number;
  /** The value of Retry-After. */
  readonly retryAfter?: string;
}

/** What the judge and the observer read from one exchange. */
export interface Reading {
  readonly outcome: Outcome;
  /** The clauses that the exchange exercised, including broken clauses. */
  readonly exercised: readonly ClauseId[];
  /** Exercised clauses that could not be decided. Then no other answer can show that they are kept. */
  readonly undecided: readonly ClauseId[];
  readonly breaks: readonly Violation[];
  /** The number of entries of each documented array, by its pointer with `*` for indices. */
  readonly entries: Readonly<Record<string, number>>;
  /** How many entries of very long arrays were judged; null if all were judged. */
  readonly share: { readonly judged: number; readonly of: number } | null;
  /** Notes for checks over several exchanges. */
  readonly facts: readonly Fact[];
  /** What the exchange shows about open points. */
  readonly seen: readonly Seen[];
}

/** One exchange of a history: redacted at once, safe to publish, and enough to judge it again. */
export interface ExchangeRecord extends Pick<Exchange, 'ticks' | 'seed'> {
  readonly id: string;
  readonly operation: OperationId;
  readonly kind: Kind;
  readonly request: SentRequest & { readonly url: string };
  readonly response:
    | (Pick<Answer, 'status' | 'headers'> & {
        /** The text of the body, or base64 if the bytes are not UTF-8. */
        readonly body: string;
        readonly encoding: 'utf-8' | 'base64';
      })
    | null;
  readonly failure: { readonly kind: FailureKind; readonly message: string } | null;
  /** Earlier attempts, if there were any. */
  readonly attempts?: readonly AttemptRecord[];
  /** The number of places with a replaced secret. */
  readonly redacted: number;
  /** True if the body is only the beginning of the received body. */
  readonly truncated: boolean;
  readonly timing: { readonly startedAt: string; readonly durationMs: number };
  /** The name of the property, if the exchange is a case of a property. */
  readonly property?: string;
  /** The control of a probe: the same request unmodified, accepted just before. */
  readonly control?: string;
  /** The first probe, if this probe repeats it after a server error. */
  readonly repeats?: string;
  /** The open point that a probe asks about. */
  readonly open?: { readonly point: ClauseId; readonly question: Question };
  /** True if load or a closing connection may explain the failure. Such a failure breaks no clause. */
  readonly provesNothing?: true;
  /** Pointers, as in findings, to places where the answer repeats a credential of its request. */
  readonly reflected?: readonly string[];
  /** The parts that the run read differently, because the entry hides a secret or cuts the body. */
  readonly takenFromRun?: Partial<Reading>;
  /** SHA-256 (hex) over this record without this field, as JSON with sorted keys. */
  readonly sha256: string;
}

/**
 * The smallest input that shows a finding again. `did not recur alone`: the input was sent again alone and did not show the finding.
 * `not asked alone`: nothing was sent, for the reason in `why`; `input` is the input of the first case.
 */
export interface Counterexample {
  readonly input: unknown;
  readonly state: 'minimal' | 'stopped by cap' | 'did not recur alone' | 'not asked alone';
  /** Why the search stopped, or nothing was sent. */
  readonly why?: string;
  readonly shrinks: number;
  /** The exchange made with that input. */
  readonly exchange: string;
}

/** How a finding behaved when its request was repeated under designed conditions. */
export interface Classification {
  readonly as: 'deterministic' | 'state-dependent' | 'load-dependent' | 'intermittent' | 'not tried';
  /** How many exchanges showed the finding before, of all exchanges that exercised its clause. */
  readonly broken: number;
  readonly exercised: number;
  /** Of `of` repeated requests, `again` showed the finding again. */
  readonly again: number;
  readonly of: number;
  /** Part of a sentence. */
  readonly why: string;
}

/** Signs that the target is overloaded: longer latency, 429, 502 to 504, no answer in time, no answer at all. */
export type LoadSign = 'latency' | 'throttled' | 'unavailable' | 'timeout' | 'no-answer';

/** How many requests were in flight at the same time. */
export interface ConcurrencyRecord {
  /** The setting IN_FLIGHT: at most this many requests in flight. */
  readonly ceiling: number;
  /** The highest number of requests in flight. */
  readonly most: number;
  /** If the target was overloaded: the new limit, the sign of overload, and how many requests were in flight. */
  readonly kept?: {
    readonly limit: number;
    readonly sign: LoadSign;
    readonly at: number;
    /** Median latencies in milliseconds: with few requests in flight, and under overload. */
    readonly latencyMs?: { readonly calm: number; readonly loaded: number };
  };
}

export type JournalLine =
  | {
      readonly line: 'scenario';
      /** The id of the run, the same in all its processes. Only the first line contains the id. */
      readonly run: string;
      readonly scenario: string;
      readonly title: string;
      /** Clauses exercised by every answer of the scenario. */
      readonly ofEveryAnswer?: readonly ClauseId[];
    }
  | { readonly line: 'entry'; readonly entry: ExchangeRecord }
  | ({ readonly line: 'comparison' } & Comparison)
  | ({
      readonly line: 'counterexample';
      readonly counterexample: Counterexample;
      /** The value for REPLAY that sends the input again. */
      readonly replay: string;
    } & Pick<Violation, 'clause' | 'operation' | 'pointer'>)
  /** A fast-check property that ran fewer cases than planned. `why` says the reason, as the end of the sentence “3 of 25, …”. */
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
      /** The control of a probe. */
      readonly control?: string;
    } & Pick<Inference, 'point' | 'operation' | 'answer' | 'question'>)
  | { readonly line: 'unexercised'; readonly clause: ClauseId; readonly why: string }
  | {
      readonly line: 'created';
      readonly what: 'application' | 'contract' | 'disbursement' | 'link';
      readonly id: string;
      readonly amount?: number;
      readonly currency?: string;
      readonly exchange: string;
      /** Set if it is unknown whether the resource was created. */
      readonly perhaps?: true;
    }
  | ({
      readonly line: 'classification';
      readonly classification: Classification;
    } & Pick<Violation, 'clause' | 'operation' | 'pointer' | 'kind'>)
  /** The state of concurrency after this many requests and answers of the run. */
  | ({ readonly line: 'concurrency'; readonly run: string; readonly tick: number } & ConcurrencyRecord)
  /** The number of findings so far, for the progress display. */
  | { readonly line: 'findings'; readonly count: number }
  /** The target asked with Retry-After to wait until this time (milliseconds since the epoch). For the progress display. */
  | { readonly line: 'pause'; readonly until: number }
  /** The run ended early. */
  | { readonly line: 'interrupted'; readonly why: string }
  | { readonly line: 'error'; readonly scenario: string; readonly message: string }
  | { readonly line: 'end'; readonly scenario: string; readonly durationMs: number };
