/**
 * Checks: pure functions over the history of a run. A scenario names the exchanges to compare for a clause, and the role of each.
 * Only a check decides whether the clause was kept.
 */
import type { ClauseId } from '../clauses/index.ts';
import type { Exchange, OperationId } from './exchange.ts';
import type { Fact, FactName, FactRecord } from './facts.ts';
import type { Violation } from './finding.ts';
import type { Question } from './observation.ts';
import type { Outcome } from './outcome.ts';

/** The outcome of a request for a check or a scenario; `not-sent` where the scenario sent nothing. */
export interface Came {
  readonly operation: OperationId;
  readonly outcome: Outcome | 'not-sent';
  /** A 2xx with `data` that does not say false of itself. */
  readonly accepted: boolean;
  /** Null if there is no answer. */
  readonly status: number | null;
  readonly exchange: Exchange;
}

/** The same with its answer. */
export interface Answered extends Came {
  /** The readable body of a 2xx, integers beyond 2^53 as bigint; else undefined. */
  readonly body: unknown;
  /** The members of its `data`; none if there is no such object. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** The exchanges that a scenario compares for a clause. It holds no verdict. */
export interface Comparison {
  readonly clause: ClauseId;
  /** Ids of exchanges by their role, such as `probe` and `control`. */
  readonly exchanges: Readonly<Record<string, readonly string[]>>;
  /** What the exchanges do not show, as words for the finding. */
  readonly about?: Readonly<Record<string, string>>;
}

/** A comparison with its answers. */
export interface Compared {
  readonly about: NonNullable<Comparison['about']>;
  /** The answers in a role, in the order in which the scenario names them. */
  all(role: string): readonly Answered[];
  /** The first of them. */
  one(role: string): Answered | undefined;
}

/** A probe, its control (the same request unmodified), and the answers to repeated probes after a server error. */
export interface Probed {
  readonly probe: Answered;
  readonly control: Answered;
  readonly again: readonly Answered[];
}

/** What the checks read. */
export interface History {
  /** The notes of the exchanges of one kind. */
  notes<Name extends FactName>(name: Name): readonly FactRecord<Fact<Name>>[];
  compared(clause: ClauseId): readonly Compared[];
  /** Comparisons of `taken` requests with `refused` ones, for all clauses. */
  readonly contrasts: readonly { readonly clause: ClauseId; readonly compared: Compared }[];
  readonly probes: readonly Probed[];
}

/** What shows something: an answer, or the note of an exchange. */
export type Shown = Answered | { readonly exchange: string };

/** What breaks a clause. */
export interface Broken {
  readonly by: Shown;
  readonly contrast?: Shown | undefined;
  /** As in findings; by default the status of the answer. */
  readonly pointer?: string;
  readonly expected: string;
  /** By default the answer in a few words. */
  readonly received?: string;
  readonly kind?: string;
  /** How many comparisons show it, if not one. */
  readonly count?: number;
}

/** Records what exercised a clause, the control of a probe, and the number of comparisons if not one. */
export type Tested = (by: Shown, beside?: { readonly control?: Shown | undefined; readonly count?: number }) => void;

/** Judges a clause over several exchanges. */
export interface Check {
  readonly clause: ClauseId;
  /** By default the operation of the answer. */
  readonly operation?: OperationId;
  /** What its counts count, if not answers. */
  readonly unit?: Violation['unit'];
  /** The open point that its answers are shown under as well. */
  readonly point?: readonly [point: ClauseId, question: Question];
  of(history: History, tested: Tested): Iterable<Broken>;
}
