/** From the lines of a run to its report. Pure: the same lines give the same report, whichever way they travelled. */
import type { JournalLine } from '../openapi/journal.ts';
import { clauseReports, tallyClauses } from './fold-clauses.ts';
import { findingsOf } from './fold-findings.ts';
import { flowsOf } from './flows.ts';
import { coversOf, exposureOf, observationsOf, operationReports } from './fold-tables.ts';
import { judgedOf } from './judged.ts';
import { gather } from './gather.ts';
import type { Gathered } from './gather.ts';
import { ledger as bankOpenApi } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import { operationName, whatCame } from './reasons.ts';
import { format } from './report.ts';
import type {
  ClauseReport,
  Finding,
  Flow,
  NotExercised,
  Observation,
  OperationReport,
  Report,
  RunFacts,
} from './report.ts';
import type { ExchangeRecord } from '../openapi/journal.ts';
import { countClauses, gate, runVerdict } from './verdict.ts';

export interface FoldInput {
  /** The lines of each story in the order written; the stories in any order, none torn apart. */
  readonly lines: Iterable<JournalLine>;
  readonly run: RunFacts;
}

/** Folds a run into its report. */
export function fold({ lines, run }: FoldInput, ledger: Ledger = bankOpenApi): Report {
  const gathered = gather(Array.isArray(lines) ? lines : [...lines], ledger);
  const { areas } = run.target;
  const interrupted = run.interrupted ?? gathered.interrupted;
  const configuration = run.configuration ?? [];
  const errors = [...gathered.errors, ...(run.errors ?? [])];
  if (errors.length === 0 && interrupted === null) errors.push(...unfinished(gathered));
  const operations = operationReports(gathered, ledger, areas);
  const findings = findingsOf(gathered, ledger);
  const observations = observationsOf(gathered, ledger);
  const tallies = tallyClauses(gathered, findings, ledger);
  const clauses = clauseReports(tallies, { gathered, ledger, areas, operations, interrupted });
  const judged = runVerdict({
    areas,
    requests: gathered.requests,
    clauses,
    operations,
    errors,
    interrupted,
    configuration,
  });
  const counts = countClauses(clauses);
  const flows = flowsOf(gathered.records, gathered.judged);
  const exchanges = keep(
    gathered,
    clauses,
    findings.map(({ finding }) => finding),
    observations,
    operations,
    flows,
  );
  return {
    format,
    ...judged,
    gate: gate({
      verdict: judged.verdict,
      strict: run.suite.strict,
      warnings: counts.should.warning,
      failures: counts.must.fail,
      errors: errors.length,
      configuration: configuration.length,
      leaks: run.leaks ?? [],
    }),
    suite: run.suite,
    target: run.target,
    startedAt: run.startedAt,
    durationMs: Math.round(run.durationMs),
    requests: gathered.requests,
    interrupted,
    configuration,
    counts,
    notExercised: notExercised(operations, clauses),
    operations,
    clauses,
    findings: findings.map(({ finding }) => finding),
    observations,
    exposure: exposureOf(gathered, run.caps ?? null),
    stories: gathered.stories,
    flows,
    covers: coversOf(gathered),
    exchanges,
    ...judgedOf(exchanges, gathered),
    errors,
  };
}

/** A story that began and did not end, in a run that nothing interrupted, is a fault of the suite. */
function unfinished(gathered: Gathered): { story: string; message: string }[] {
  return gathered.stories
    .filter((story) => story.durationMs === null)
    .map((story) => ({ story: story.title, message: 'The story began and did not come to its end.' }));
}

function notExercised(
  operations: readonly OperationReport[],
  clauses: readonly ClauseReport[],
): NotExercised {
  return {
    operations: operations
      .filter((operation) => operation.successes === 0)
      .map((operation) => ({
        id: operation.id,
        operation: operationName(operation),
        why: whatCame(operation),
      })),
    clauses: clauses
      .filter((clause) => clause.verdict === 'inconclusive')
      .map((clause) => ({ clause: clause.id, level: clause.level, why: clause.why ?? '' })),
  };
}

/** The evidence of a report: what it refers to, and the first exchange of each kind. In the order of the journal. */
function keep(
  gathered: Gathered,
  clauses: readonly ClauseReport[],
  findings: readonly Finding[],
  observations: readonly Observation[],
  operations: readonly OperationReport[],
  flows: readonly Flow[],
): Record<string, ExchangeRecord> {
  const wanted = new Set<string | null>(gathered.firsts);
  for (const clause of clauses) wanted.add(clause.exchange);
  for (const finding of findings) {
    wanted
      .add(finding.exchange)
      .add(finding.contrast)
      .add(finding.counterexample?.exchange ?? null);
  }
  for (const observation of observations) wanted.add(observation.exchange).add(observation.control);
  for (const { ways } of operations) for (const { exchange } of Object.values(ways)) wanted.add(exchange);
  for (const { steps } of flows) for (const { exchange } of steps) wanted.add(exchange);
  const kept: Record<string, ExchangeRecord> = {};
  for (const [id, record] of gathered.records) if (wanted.has(id)) kept[id] = record;
  return kept;
}
