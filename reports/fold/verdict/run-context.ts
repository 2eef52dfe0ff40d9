/** The data from which clauses, verdict and reasons of a run are made. */
import type { RunFacts } from '../../model/description.ts';
import type { ClauseReport, Finding, OperationReport, SuiteError } from '../../model/report.ts';
import type { RunTallies } from '../../model/tally.ts';

export interface RunContext {
  readonly facts: RunFacts;
  readonly tallies: RunTallies;
  /** Open points with pinned answers. The document does not require them. */
  readonly pinned: ReadonlySet<string>;
  readonly operations: readonly OperationReport[];
  readonly errors: readonly SuiteError[];
  readonly interrupted: string | null;
}

export interface JudgedRun extends RunContext {
  readonly clauses: readonly ClauseReport[];
  readonly findings: readonly Finding[];
}
