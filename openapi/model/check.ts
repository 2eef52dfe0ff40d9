/**
 * Checks: pure functions over the history of a run. A scenario says which exchanges it lays side by side for a clause, and in
 * which role each was sent; a check alone says whether the clause was kept.
 */
import type { ClauseId } from '../clauses/index.ts';
import type { Exchange, OperationId } from './exchange.ts';
import type { Fact, FactName, FactRecord } from './facts.ts';
import type { Violation } from './finding.ts';
import type { Question } from './observation.ts';
import type { Outcome } from './outcome.ts';

/** What came of a request that a check or a scenario looks at; `not-sent` where a scenario sent nothing. */
export interface Came {
  readonly operation: OperationId;
  readonly outcome: Outcome | 'not-sent';
  /** A 2xx with `data` that does not say false of itself. */
  readonly accepted: boolean;
  /** Null where there is no answer. */
  readonly status: number | null;
  readonly exchange: Exchange;
}

/** The same with its answer. */
export interface Answered extends Came {
  /** The readable body of a 2xx, integers beyond 2^53 as bigint; else undefined. */
  readonly body: unknown;
  /** The members of its `data`; none where there is no such object. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** What a scenario lays side by side for a clause. It holds no verdict. */
export interface Comparison {
  readonly clause: ClauseId;
  /** Ids of exchanges by their role, such as `probe` and `control`. */
  readonly exchanges: Readonly<Record<string, readonly string[]>>;
  /** What was asked that the exchanges do not show, as words of the finding. */
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

/** A probe with its control, the same request unmodified, and with what came when it was sent again after a server error. */
export interface Probed {
  readonly probe: Answered;
  readonly control: Answered;
  readonly again: readonly Answered[];
}

/** What the checks read. */
export interface History {
  /** What was noted of the exchanges, by what kind of note it is. */
  notes<Name extends FactName>(name: Name): readonly FactRecord<Fact<Name>>[];
  compared(clause: ClauseId): readonly Compared[];
  /** Comparisons of requests that are `taken` with others that are `refused`, whatever their clause. */
  readonly contrasts: readonly { readonly clause: ClauseId; readonly compared: Compared }[];
  readonly probes: readonly Probed[];
}

/** Where something showed: an answer, or an exchange of which something was noted. */
export type Shown = Answered | { readonly exchange: string };

/** What breaks a clause. */
export interface Broken {
  readonly by: Shown;
  readonly contrast?: Shown | undefined;
  /** As in findings; by default the status of the answer. */
  readonly pointer?: string;
  readonly expected: string;
  /** By default what came. */
  readonly received?: string;
  readonly kind?: string;
  /** How many comparisons showed it, where it is not one. */
  readonly count?: number;
}

/** Says what put a clause to the test; of a probe, beside which control, and in how many comparisons where it is not one. */
export type Tested = (by: Shown, beside?: { readonly control?: Shown | undefined; readonly count?: number }) => void;

/** A clause that shows only over several exchanges. */
export interface Check {
  readonly clause: ClauseId;
  /** The operation that it is about; by default the one of the answer. */
  readonly operation?: OperationId;
  /** What its counts count in the place of answers. */
  readonly unit?: Violation['unit'];
  /** The open point that its answers are shown under as well. */
  readonly point?: readonly [point: ClauseId, question: Question];
  of(history: History, tested: Tested): Iterable<Broken>;
}
