/** What the verdict of a run is drawn from, and its reasons. */
import type { Area, OperationId } from '../../../openapi/model/exchange.ts';
import type { ExchangeRecord } from '../../../openapi/model/journal.ts';
import type { RunTallies } from '../../model/tally.ts';
import type { Caps, ClauseReport, OperationReport, SuiteError } from '../../model/report.ts';

/** What the verdict of the run rests on. */
export interface RunTally {
  readonly areas: readonly Area[];
  /** Null where all operations of these areas are judged. */
  readonly selected?: readonly OperationId[] | null;
  readonly requests: number;
  readonly clauses: readonly ClauseReport[];
  /** Open points with pinned answers: what is broken there is no sentence of the document. */
  readonly pinned?: ReadonlySet<string>;
  /** Those of the selected areas. */
  readonly operations: readonly OperationReport[];
  readonly errors: readonly SuiteError[];
  /** The exchanges that are kept, without secrets. */
  readonly records?: ReadonlyMap<string, Pick<ExchangeRecord, 'response' | 'failure'>>;
  readonly interrupted: string | null;
  /** What is missing of the run itself, one sentence each. */
  readonly incomplete?: readonly string[];
  /** What was looked at in part. */
  readonly shares?: RunTallies['shares'];
  readonly configuration: readonly string[];
  /** The settings of the run, by variable, and what it could create at most. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly caps?: Caps;
  /** True of recorded traffic, which the suite did not send. */
  readonly isRecorded?: boolean;
}

/** What says why an operation did not succeed. */
export type Limits = Pick<RunTally, 'settings' | 'caps' | 'isRecorded' | 'interrupted' | 'records' | 'operations'>;
