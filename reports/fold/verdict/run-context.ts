/** The data for the clauses, the verdict and the reasons of a run. */
import type { Area, OperationId } from '../../../openapi/model/exchange.ts';
import type { ExchangeRecord } from '../../../openapi/model/journal.ts';
import type { Caps } from '../../model/contents.ts';
import type { ClauseReport, OperationReport, SuiteError } from '../../model/report.ts';
import type { RunTallies } from '../../model/tally.ts';

export interface RunContext {
  readonly areas: readonly Area[];
  /** Null if all operations of these areas are judged. */
  readonly selected: readonly OperationId[] | null;
  /** True if READ_ONLY limits the judged operations. */
  readonly isReadOnly: boolean;
  readonly requests: number;
  /** Open points with pinned answers: the document does not promise them. */
  readonly pinned: ReadonlySet<string>;
  readonly operations: readonly OperationReport[];
  readonly errors: readonly SuiteError[];
  /** The exchanges that are kept, without secrets. */
  readonly records: ReadonlyMap<string, Pick<ExchangeRecord, 'response' | 'failure'>>;
  readonly interrupted: string | null;
  /** Missing parts of the run, one sentence each. */
  readonly incomplete: readonly string[];
  /** How much of very long lists was judged. */
  readonly shares: RunTallies['shares'];
  readonly configuration: readonly string[];
  /** The settings of the run, by variable. */
  readonly settings: Readonly<Record<string, string | undefined>>;
  readonly caps: Caps | null;
  /** True for recorded traffic, which the suite did not send. */
  readonly isRecorded: boolean;
}

/** The data of a run with the verdicts of the clauses. */
export interface JudgedRun extends RunContext {
  readonly clauses: readonly ClauseReport[];
}
