/** What is asked about refusals: the requests of a run, and values of which the refusal is a question. */
import type { OperationId } from '../../clauses/areas.ts';
import type { Outcome } from '../../model/outcome.ts';

/** A positive request and what became of it. */
export interface AskedRequest {
  readonly operation: OperationId;
  readonly values: Readonly<Record<string, unknown>>;
  /** A conflict is of a step of an application: a fresh order is in conflict with nothing, and counts as refused. */
  readonly outcome: Outcome;
  /** True of a 404. */
  readonly isNotFound?: true;
  /** The positions of the ATMs that the answer showed. */
  readonly shown?: readonly string[];
}

/** Values that are exchanged for others of a request that was taken. */
export interface SuspectedValue {
  readonly operation: OperationId;
  /** The documented input that the values are of, as the finding names it. */
  readonly name: string;
  /** What the refused values have in common, as part of a sentence. */
  readonly what: string;
  /** `list`: an entry of the target's own lists. */
  readonly kind: 'value' | 'list';
  /** What is put in the place of the values of a request that was taken. */
  readonly change: Readonly<Record<string, unknown>>;
  /** What comes of them. */
  readonly outcome: Outcome;
  /** The request that is taken without the change, and which requests have what is suspected; else they are looked for. */
  readonly base?: Readonly<Record<string, unknown>>;
  readonly has?: (request: AskedRequest) => boolean;
  /** True of values that go with any others: each may be exchanged alone. */
  readonly areApart?: true;
  /** True of values that the target did not list: nothing at `must` is drawn from the answer. */
  readonly isProbe?: true;
}
