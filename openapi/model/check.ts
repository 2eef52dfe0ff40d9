/**
 * Defines checks: pure functions over the history of a run. A scenario names exchanges to compare for a clause, each with a role.
 * Only a check decides whether the bank kept the clause.
 */
import type { ClauseId } from '../clauses/index.ts';
import type { Exchange, OperationId } from './exchange.ts';
import type { Fact, FactName, FactRecord } from './facts.ts';
import type { Violation } from './finding.ts';
import type { Question } from './observation.ts';
import type { Outcome } from './outcome.ts';

export interface RequestResult {
  readonly operation: OperationId;
  readonly outcome: Outcome | 'not-sent';
  /** True for a 2xx answer with `data` that does not report a failure. */
  readonly accepted: boolean;
  readonly status: number | null;
  readonly exchange: Exchange;
}

/** The result of a request, with its answer. */
export interface Answered extends RequestResult {
  /** The body of a readable 2xx answer, with integers beyond 2^53 as bigint; else undefined. */
  readonly body: unknown;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The exchanges that a scenario wants to compare for a clause. */
export interface Comparison {
  readonly clause: ClauseId;
  readonly exchanges: Readonly<Record<string, readonly string[]>>;
  /** Words for the text of the finding. The exchanges do not contain these words. */
  readonly about?: Readonly<Record<string, string>>;
}

/** Exchanges that differ in one thing: the bank refuses some, and accepts the others. `nonsense`: a value without a meaning there. */
interface Sides<Sent> {
  readonly refused: readonly Sent[];
  readonly accepted: readonly Sent[];
  readonly nonsense: readonly Sent[];
}
/** A contrast as a scenario records it, with exchange ids, or with the answers. The words are those of the finding. */
export interface Contrast<Sent = Answered> extends Sides<Sent> {
  readonly clause: ClauseId;
  readonly words: Partial<Pick<Broken, 'pointer' | 'expected' | 'received' | 'kind'>>;
}

/** A comparison, with the answers of its exchanges. */
export interface Compared {
  /** The roles that the comparison names. */
  readonly roles: readonly string[];
  readonly about: NonNullable<Comparison['about']>;
  /** Returns the answers with a role, in the order of the scenario. */
  all(role: string): readonly Answered[];
  /** Returns the first answer with a role. */
  one(role: string): Answered | undefined;
  /** The reason why some answers are left out. */
  readonly leftOut?: string;
}

/** A probe, its control (the same request without the change), and the answers to the repeated probe after a server error. */
export interface Probed {
  readonly probe: Answered;
  readonly control: Answered;
  readonly again: readonly Answered[];
}

export interface History {
  notes<Name extends FactName>(name: Name): readonly FactRecord<Fact<Name>>[];
  compared(clause: ClauseId): readonly Compared[];
  readonly contrasts: readonly Contrast[];
  readonly probes: readonly Probed[];
}

/** An answer, or a record about an exchange. */
export type Evidence = Omit<Answered, 'data'> | { readonly exchange: string; readonly operation?: OperationId };

export interface Broken {
  readonly by: Evidence;
  readonly contrast?: Evidence | undefined;
  /** The JSON pointer of the finding. The default is the status of the answer. */
  readonly pointer?: string;
  readonly expected: string;
  /** What the bank sent. The default describes the answer in a few words. */
  readonly received?: string;
  readonly kind?: string;
  /** How many comparisons show that the clause is broken, if more than one. */
  readonly count?: number;
}

/** Records the answer that tested a clause, the control of a probe, and the number of comparisons. */
export type Tested = (
  by: Evidence,
  beside?: { readonly control?: Evidence | undefined; readonly count?: number },
) => void;

export interface Check {
  readonly clause: ClauseId;
  /** The default is the operation of the answer. */
  readonly operation?: OperationId;
  /** The unit of the counts. The default is answers. */
  readonly unit?: Violation['unit'];
  /** The report also lists the answers of this check under this open point. */
  readonly point?: readonly [point: ClauseId, question: Question];
  of(history: History, tested: Tested): Iterable<Broken>;
}
