/** The runs against one implementation over time: which verdict of which clause, and which latency, changed with which run. */
import type { ClauseVerdict, Report, RunVerdict } from '../model/report.ts';
import { targetName } from '../text/phrases.ts';

/** The name of the format; a change that breaks readers raises the number. */
const historyFormat = 'bank-open-api-history/1';

/** By which factor a median latency must differ from its last level to be a change. */
const LATENCY_FACTOR = 2;
/** Milliseconds below which a difference of latency is noise. */
const MIN_LATENCY_STEP_MS = 20;

interface HistoryRun {
  readonly startedAt: string;
  readonly name: string;
  readonly build: string | null;
  readonly verdict: RunVerdict;
  readonly requests: number;
}

interface Change<T> {
  /** Number of the run, from 0, with which it came. */
  readonly run: number;
  readonly from: T;
  readonly to: T;
}

export interface ClauseHistory {
  readonly clause: string;
  readonly statement: string;
  /** In the order of the runs; null where a report does not know the clause. */
  readonly verdicts: readonly (ClauseVerdict | null)[];
  readonly changes: readonly Change<ClauseVerdict>[];
}

export interface LatencyHistory {
  readonly operation: string;
  /** Milliseconds in the order of the runs; null where it was not answered. */
  readonly p50: readonly (number | null)[];
  readonly p95: readonly (number | null)[];
  readonly changes: readonly Change<number>[];
}

export interface History {
  readonly format: typeof historyFormat;
  /** The earliest first. */
  readonly runs: readonly HistoryRun[];
  /** Of every clause that ever changed, those that changed last first. */
  readonly clauses: readonly ClauseHistory[];
  readonly latencies: readonly LatencyHistory[];
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

function clauseHistories(reports: readonly Report[]): readonly ClauseHistory[] {
  const known = new Map(reports.flatMap(({ clauses }) => clauses.map(({ id, statement }) => [id, statement] as const)));
  const byRun = reports.map(({ clauses }) => new Map(clauses.map(({ id, verdict }) => [id, verdict])));
  const rows = [...known].map(([clause, statement]): ClauseHistory => {
    const verdicts = byRun.map((run) => run.get(clause) ?? null);
    return { clause, statement, verdicts, changes: changesOf(verdicts, (from, to) => from !== to) };
  });
  return rows
    .filter(({ changes }) => changes.length > 0)
    .toSorted((a, b) => (b.changes.at(-1)?.run ?? 0) - (a.changes.at(-1)?.run ?? 0));
}

function latencyHistories(reports: readonly Report[]): readonly LatencyHistory[] {
  const names = new Set(reports.flatMap(({ operations }) => operations.map(({ method, path }) => `${method} ${path}`)));
  return [...names].map((operation): LatencyHistory => {
    const rows = reports.map(
      ({ operations }) => operations.find(({ method, path }) => `${method} ${path}` === operation)?.latencyMs ?? null,
    );
    const p50 = rows.map((row) => row?.p50 ?? null);
    const differs = (from: number, to: number): boolean =>
      Math.abs(to - from) >= MIN_LATENCY_STEP_MS && Math.max(from, to) >= LATENCY_FACTOR * Math.min(from, to);
    return { operation, p50, p95: rows.map((row) => row?.p95 ?? null), changes: changesOf(p50, differs) };
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
