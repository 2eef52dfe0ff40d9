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
  /** Why the run ended early, or null. */
  readonly interrupted: string | null;
}

/** The data of a run, with its findings and the verdicts of the clauses. */
export interface JudgedRun extends RunContext {
  readonly clauses: readonly ClauseReport[];
  readonly findings: readonly Finding[];
}
