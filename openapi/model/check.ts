/**
 * Checks: pure functions over the history of a run. A scenario names the exchanges to compare for a clause, with a role for each.
 * Only a check decides whether the clause was kept.
 */
import type { ClauseId } from '../clauses/index.ts';
import type { Exchange, OperationId } from './exchange.ts';
import type { Fact, FactName, FactRecord } from './facts.ts';
import type { Violation } from './finding.ts';
import type { Question } from './observation.ts';
import type { Outcome } from './outcome.ts';

/** The outcome of a request for a check or a scenario; `not-sent` if the scenario sent nothing. */
export interface Came {
  readonly operation: OperationId;
  readonly outcome: Outcome | 'not-sent';
  /** True for a 2xx with `data` that does not report a failure. */
  readonly accepted: boolean;
  /** Null if there is no answer. */
  readonly status: number | null;
  readonly exchange: Exchange;
}

/** The outcome of a request with its answer. */
export interface Answered extends Came {
  /** The readable body of a 2xx, with integers beyond 2^53 as bigint; else undefined. */
  readonly body: unknown;
  /** The members of `data`; empty if `data` is no object. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** The exchanges that a scenario compares for a clause, without a verdict. */
export interface Comparison {
  readonly clause: ClauseId;
  /** Ids of exchanges by their role, such as `probe` and `control`. */
  readonly exchanges: Readonly<Record<string, readonly string[]>>;
  /** Words for the finding that the exchanges do not show. */
  readonly about?: Readonly<Record<string, string>>;
}

/** A comparison with its answers. */
export interface Compared {
  readonly about: NonNullable<Comparison['about']>;
  /** Returns the answers with a role, in the order of the scenario. */
  all(role: string): readonly Answered[];
  /** Returns the first answer with a role. */
  one(role: string): Answered | undefined;
}

/** A probe, its control (the same request unmodified), and the answers to repeated probes after a server error. */
export interface Probed {
  readonly probe: Answered;
  readonly control: Answered;
  readonly again: readonly Answered[];
}

/** The data that checks read. */
export interface History {
  /** Returns the notes of one kind. */
  notes<Name extends FactName>(name: Name): readonly FactRecord<Fact<Name>>[];
  compared(clause: ClauseId): readonly Compared[];
  /** Comparisons of `taken` requests with `refused` ones, for all clauses. */
  readonly contrasts: readonly { readonly clause: ClauseId; readonly compared: Compared }[];
  readonly probes: readonly Probed[];
}

/** Evidence: an answer, or a note about an exchange. */
export type Shown = Answered | { readonly exchange: string };

/** A broken clause, with its evidence. */
export interface Broken {
  readonly by: Shown;
  readonly contrast?: Shown | undefined;
  /** The place, as in findings. The default is the status of the answer. */
  readonly pointer?: string;
  readonly expected: string;
  /** The default is the answer in a few words. */
  readonly received?: string;
  readonly kind?: string;
  /** How many comparisons show the break, if more than one. */
  readonly count?: number;
}

/** Records the answer that exercised a clause, the control of a probe, and the number of comparisons. */
export type Tested = (by: Shown, beside?: { readonly control?: Shown | undefined; readonly count?: number }) => void;

/** Judges a clause over several exchanges. */
export interface Check {
  readonly clause: ClauseId;
  /** The default is the operation of the answer. */
  readonly operation?: OperationId;
  /** The unit of its counts, if not answers. */
  readonly unit?: Violation['unit'];
  /** The report also shows its answers under this open point. */
  readonly point?: readonly [point: ClauseId, question: Question];
  of(history: History, tested: Tested): Iterable<Broken>;
}
