/**
 * The lines of the journal: all that a run says about itself, one JSON object a line, written as it happens.
 * The report is folded from these lines alone, whichever way they travelled (file, attachment, memory).
 */
import type { Comparison } from './check.ts';
import type { Fact } from './facts.ts';
import type { Inference, Violation } from './finding.ts';
import type { Outcome } from './outcome.ts';
import type { Question, Seen } from './observation.ts';
import type { ClauseId } from '../clauses/index.ts';
import type { Answer, Exchange, FailureKind, Kind, OperationId, SentRequest } from './exchange.ts';

/** An earlier sending of the same request, after which it was sent again. Evidence, and never a verdict. */
export interface AttemptRecord {
  readonly why: 'throttled' | 'token refused' | 'stale connection';
  readonly status: number | null;
  /** Why there was no answer, in one sentence, or null. */
  readonly failure: string | null;
  readonly durationMs: number;
  /** Its Retry-After, where it had one. */
  readonly retryAfter?: string;
}

/** What one exchange shows by itself. */
export interface Reading {
  readonly outcome: Outcome;
  /** The clauses that it put to the test, broken ones among them. */
  readonly exercised: readonly ClauseId[];
  /** Those that were put to the test and could not be decided: no other answer can show that they are kept. */
  readonly undecided: readonly ClauseId[];
  readonly breaks: readonly Violation[];
  /** How many entries the documented arrays of its answer have, by their pointer with `*` for indices. */
  readonly entries: Readonly<Record<string, number>>;
  /** Where not all entries of very long arrays were judged: how many. */
  readonly share: { readonly judged: number; readonly of: number } | null;
  /** What clauses over several exchanges need to know of it. */
  readonly facts: readonly Fact[];
  /** What it shows about the points that the document leaves open. */
  readonly seen: readonly Seen[];
}

/** One exchange of a history: redacted when it was made, safe to publish, and enough to judge it again. */
export interface ExchangeRecord extends Pick<Exchange, 'ticks' | 'seed'> {
  readonly id: string;
  readonly operation: OperationId;
  readonly kind: Kind;
  readonly request: SentRequest & { readonly url: string };
  readonly response:
    | (Pick<Answer, 'status' | 'headers'> & {
        /** The body's text, or base64 where the bytes are not UTF-8. */
        readonly body: string;
        readonly encoding: 'utf-8' | 'base64';
      })
    | null;
  readonly failure: { readonly kind: FailureKind; readonly message: string } | null;
  /** What was sent before and sent again; left out where the first sending was the last. */
  readonly attempts?: readonly AttemptRecord[];
  /** Number of places where a secret was replaced. */
  readonly redacted: number;
  /** True where the body shown is only the beginning of what came. */
  readonly truncated: boolean;
  readonly timing: { readonly startedAt: string; readonly durationMs: number };
  /** Of a case of a property: the label of the property. */
  readonly property?: string;
  /** Of a probe: its control, the same request unmodified, which was accepted just before. */
  readonly control?: string;
  /** Of a probe that is sent again after a server error: the first of them. */
  readonly repeats?: string;
  /** Of a probe: the open point that it asks about. */
  readonly open?: { readonly point: ClauseId; readonly question: Question };
  /** True where it may be the load, or a connection that was being closed, that failed it: nothing is held against the target. */
  readonly provesNothing?: true;
  /** Where its answer repeats a credential of its request: pointers as in findings. */
  readonly reflected?: readonly string[];
  /** What the run read in it otherwise than can be read here, as a secret stood there or the body was cut. */
  readonly takenFromRun?: Partial<Reading>;
  /** SHA-256 (hex) over this record without this field, as JSON with sorted keys. */
  readonly sha256: string;
}

/**
 * The smallest input found that shows a finding again. `did not recur alone`: its input was asked again by itself and did not
 * show it. `not asked alone`: nothing was sent, for the reason in `why`; `input` is then that of the case that showed it.
 */
export interface Counterexample {
  readonly input: unknown;
  readonly state: 'minimal' | 'stopped by cap' | 'did not recur alone' | 'not asked alone';
  /** What stopped it, or kept it from being asked. */
  readonly why?: string;
  readonly shrinks: number;
  /** The exchange made with that input. */
  readonly exchange: string;
}

/** How a finding behaved when it was asked again in designed conditions. */
export interface Classification {
  readonly as: 'deterministic' | 'state-dependent' | 'load-dependent' | 'intermittent' | 'not tried';
  /** Exchanges that showed it before, of those that put its clause to the test. */
  readonly broken: number;
  readonly exercised: number;
  /** How often it showed again, of how many requests. */
  readonly again: number;
  readonly of: number;
  /** Part of a sentence. */
  readonly why: string;
}

/** What shows that a target has more to do than it can: grown latency, 429, 502 to 504, no answer in time, none at all. */
export type LoadSign = 'latency' | 'throttled' | 'unavailable' | 'timeout' | 'no-answer';

/** How many requests were under way at once. */
export interface ConcurrencyRecord {
  /** IN_FLIGHT: more are never under way. */
  readonly ceiling: number;
  /** The most that were under way. */
  readonly most: number;
  /** Where the target did badly with more: the number that was kept to, and what showed with how many under way. */
  readonly kept?: {
    readonly limit: number;
    readonly sign: LoadSign;
    readonly at: number;
    /** Median latencies in milliseconds: with few under way, and with so many. */
    readonly latencyMs?: { readonly calm: number; readonly loaded: number };
  };
}

export type JournalLine =
  | {
      readonly line: 'scenario';
      /** The run whose evidence this is: drawn when it began, and alike in all its processes. The first line says it. */
      readonly run: string;
      readonly scenario: string;
      readonly title: string;
      /** Clauses that every answer of the scenario exercises. */
      readonly ofEveryAnswer?: readonly ClauseId[];
    }
  | { readonly line: 'entry'; readonly entry: ExchangeRecord }
  | ({ readonly line: 'comparison' } & Comparison)
  | ({
      readonly line: 'counterexample';
      readonly counterexample: Counterexample;
      /** The value of REPLAY that asks it again. */
      readonly replay: string;
    } & Pick<Violation, 'clause' | 'operation' | 'pointer'>)
  /** A property of which fewer cases came to an end than there were to be; `why` is the end of a sentence. */
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
      /** Of a probe: its control request, the same request unmodified, which was accepted just before. */
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
      /** Nobody knows whether it was created. */
      readonly perhaps?: true;
    }
  | ({
      readonly line: 'classification';
      readonly classification: Classification;
    } & Pick<Violation, 'clause' | 'operation' | 'pointer' | 'kind'>)
  /** What was found out of concurrency when so many requests and answers of the run had gone over the wire. */
  | ({ readonly line: 'concurrency'; readonly run: string; readonly tick: number } & ConcurrencyRecord)
  /** So many ways to break a clause showed so far; the progress of the run says so. */
  | { readonly line: 'findings'; readonly count: number }
  /** The target asked with Retry-After to wait until then (milliseconds since the epoch); the progress of the run says so. */
  | { readonly line: 'pause'; readonly until: number }
  /** The run ended before it was through. */
  | { readonly line: 'interrupted'; readonly why: string }
  | { readonly line: 'error'; readonly scenario: string; readonly message: string }
  | { readonly line: 'end'; readonly scenario: string; readonly durationMs: number };
