/** Defines what behaviours read of a run: answers, comparisons of answers, paired comparisons, and records. */
import type { ClauseId } from '../clauses/index.ts';
import type { Exchange, OperationId } from './exchange.ts';
import type { FaultWords } from './finding.ts';
import type { Outcome } from './outcome.ts';
import type { Run } from './record.ts';

/** What came of one request. */
export interface RequestResult {
  readonly operation: OperationId;
  readonly outcome: Outcome | 'not-sent';
  /** True for a 2xx answer with `data` that does not report a failure. */
  readonly accepted: boolean;
  readonly status: number | null;
  readonly exchange: Exchange;
}

/** The result of a request with its decoded body. */
export interface Answered extends RequestResult {
  /** The body of a readable 2xx answer, with integers beyond 2^53 as bigint; else undefined. */
  readonly body: unknown;
  /** The object `data` of the body; empty if there is none. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Evidence as a scenario records it: exchange ids by role, such as `atOnce.first`, and texts that the exchanges do not contain. */
export interface WrittenEvidence {
  readonly exchanges: Readonly<Record<string, readonly string[]>>;
  readonly about: Readonly<Record<string, string>>;
}

/** The exchanges that a scenario wants to compare for a clause. */
export interface Comparison extends WrittenEvidence {
  readonly clause: ClauseId;
}

/** A comparison with the answers of its exchanges, in the order of the scenario. */
export interface Compared {
  readonly answers: Readonly<Record<string, readonly Answered[]>>;
  readonly about: Comparison['about'];
  /** Why answers of the comparison were left out. */
  readonly leftOut?: string;
}

/**
 * A paired comparison: exchanges that differ in one input. The bank refuses some of them and accepts some. `nonsense`: requests
 * with a meaningless value in this input. `words`: the texts of the finding. A scenario records exchange ids, a behaviour reads answers.
 */
export interface Contrast<Sent = Answered> {
  readonly clause: ClauseId;
  readonly refused: readonly Sent[];
  readonly accepted: readonly Sent[];
  readonly nonsense: readonly Sent[];
  readonly words: Partial<FaultWords>;
}

/** All evidence of a run. */
export interface History {
  /** Returns the comparisons of a behaviour. */
  compared(id: string): readonly Compared[];
  readonly contrasts: readonly Contrast[];
  readonly run: Run;
}

/** What shows a verdict: an answer, or the record of an exchange. */
export type Evidence = Omit<Answered, 'data'> | { readonly exchange: string; readonly operation?: OperationId };
