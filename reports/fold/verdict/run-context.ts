/** What clauses, verdict and reasons of a run are drawn from. */
import type { Area, OperationId } from '../../../openapi/model/exchange.ts';
import type { ExchangeRecord } from '../../../openapi/model/journal.ts';
import type { Caps } from '../../model/contents.ts';
import type { ClauseReport, OperationReport, SuiteError } from '../../model/report.ts';
import type { RunTallies } from '../../model/tally.ts';

export interface RunContext {
  readonly areas: readonly Area[];
  /** Null if all operations of these areas are judged. */
  readonly selected: readonly OperationId[] | null;
  readonly requests: number;
  /** Open points with pinned answers: they are no sentence of the document. */
  readonly pinned: ReadonlySet<string>;
  /** Those of the selected areas. */
  readonly operations: readonly OperationReport[];
  readonly errors: readonly SuiteError[];
  /** The exchanges that are kept, without secrets. */
  readonly records: ReadonlyMap<string, Pick<ExchangeRecord, 'response' | 'failure'>>;
  readonly interrupted: string | null;
  /** What is missing of the run itself, one sentence each. */
  readonly incomplete: readonly string[];
  /** What was looked at in part. */
  readonly shares: RunTallies['shares'];
  readonly configuration: readonly string[];
  /** The settings of the run, by variable. */
  readonly settings: Readonly<Record<string, string | undefined>>;
  readonly caps: Caps | null;
  /** True of recorded traffic, which the suite did not send. */
  readonly isRecorded: boolean;
}

/** The same with the verdicts of the clauses. */
export interface JudgedRun extends RunContext {
  readonly clauses: readonly ClauseReport[];
}
