/** The runs against one implementation over time: which verdict of which clause, and which latency, changed with which run. */
import type { ClauseVerdict, Report } from '../model/report.ts';
import { operationName, targetName } from '../text/phrases.ts';

/** The name of the format; a change that breaks readers raises the number. */
const historyFormat = 'bank-open-api-history/1';

/** By which factor a median latency must differ from its last level to be a change. */
const LATENCY_FACTOR = 2;
/** Milliseconds below which a difference of latency is noise. */
const MIN_LATENCY_STEP_MS = 20;

interface Change<T> {
  /** Number of the run, from 0, with which it came. */
  readonly run: number;
  readonly from: T;
  readonly to: T;
}

export interface History {
  readonly format: typeof historyFormat;
  /** The earliest first. */
  readonly runs: readonly (Pick<Report, 'startedAt' | 'verdict' | 'requests'> & {
    readonly name: string;
    readonly build: string | null;
  })[];
  /** Of every clause that ever changed, those that changed last first. */
  readonly clauses: readonly {
    readonly clause: string;
    readonly statement: string;
    /** In the order of the runs; null if a report does not know the clause. */
    readonly verdicts: readonly (ClauseVerdict | null)[];
    readonly changes: readonly Change<ClauseVerdict>[];
  }[];
  readonly latencies: readonly {
    readonly operation: string;
    /** Milliseconds in the order of the runs; null if it was not answered. */
    readonly p50: readonly (number | null)[];
    readonly p95: readonly (number | null)[];
    readonly changes: readonly Change<number>[];
  }[];
}

/** Each value that `differs` from the level before it: the first value, or the one that was the last change. */
function changesOf<T>(values: readonly (T | null)[], differs: (from: T, to: T) => boolean): readonly Change<T>[] {
  let last: T | null = null;
  return values.flatMap((to, run): Change<T>[] => {
    const from = last;
    if (to === null || (from !== null && !differs(from, to))) return [];
    last = to;
    return from === null ? [] : [{ run, from, to }];
  });
}

function clauseHistories(reports: readonly Report[]): History['clauses'] {
  const known = new Map(reports.flatMap(({ clauses }) => clauses.map(({ id, statement }) => [id, statement] as const)));
  const byRun = reports.map(({ clauses }) => new Map(clauses.map(({ id, verdict }) => [id, verdict])));
  return [...known]
    .map(([clause, statement]) => {
      const verdicts = byRun.map((run) => run.get(clause) ?? null);
      return { clause, statement, verdicts, changes: changesOf(verdicts, (from, to) => from !== to) };
    })
    .filter(({ changes }) => changes.length > 0)
    .toSorted((a, b) => b.changes.at(-1)!.run - a.changes.at(-1)!.run);
}

function latencyHistories(reports: readonly Report[]): History['latencies'] {
  const byRun = reports.map(
    ({ operations }) => new Map(operations.map((one) => [operationName(one), one.latencyMs] as const)),
  );
  const differs = (from: number, to: number): boolean =>
    Math.abs(to - from) >= MIN_LATENCY_STEP_MS && Math.max(from, to) >= LATENCY_FACTOR * Math.min(from, to);
  return [...new Set(byRun.flatMap((run) => [...run.keys()]))].map((operation) => {
    const p50 = byRun.map((run) => run.get(operation)?.p50 ?? null);
    const p95 = byRun.map((run) => run.get(operation)?.p95 ?? null);
    return { operation, p50, p95, changes: changesOf(p50, differs) };
  });
}

/** The history that these reports make, in whatever order they are given. Pure. */
export function historyOf(given: readonly Report[]): History {
  const reports = given.toSorted((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt));
  return {
    format: historyFormat,
    runs: reports.map(({ startedAt, target, verdict, requests }) => ({
      startedAt,
      name: targetName(target),
      build: target.build,
      verdict,
      requests,
    })),
    clauses: clauseHistories(reports),
    latencies: latencyHistories(reports),
  };
}
