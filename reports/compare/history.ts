/** Shows the runs against one implementation over time: in which run a verdict or a latency changed. */
import type { ClauseVerdict, Report, Target } from '../model/report.ts';
import { nameOperation, nameTarget } from '../text/phrases.ts';

/** The name of the format. A change that breaks readers raises the number. */
const HISTORY_FORMAT = 'bank-open-api-history/1';

/** A median latency must differ by this factor from its last level to be a change. */
const LATENCY_FACTOR = 2;
/** A latency difference below this many milliseconds is noise. */
const MIN_LATENCY_STEP_MS = 20;

interface Change<T> {
  /** The number of the run with the change, from 0. */
  readonly run: number;
  readonly from: T;
  readonly to: T;
}

export interface History {
  readonly format: typeof HISTORY_FORMAT;
  /** The runs, the earliest first. */
  readonly runs: readonly (Pick<Report, 'startedAt' | 'verdict' | 'requests'> & {
    readonly name: string;
    readonly build: string | null;
  })[];
  /** All clauses that ever changed. The clause with the latest change comes first. */
  readonly clauses: readonly {
    readonly clause: string;
    readonly statement: string;
    /** In the order of the runs; null if a report does not know the clause. */
    readonly verdicts: readonly (ClauseVerdict | null)[];
    readonly changes: readonly Change<ClauseVerdict>[];
  }[];
  readonly latencies: readonly {
    readonly operation: string;
    /** Milliseconds in the order of the runs; null if the operation gave no answer. */
    readonly p50: readonly (number | null)[];
    readonly p95: readonly (number | null)[];
    readonly changes: readonly Change<number>[];
  }[];
}

/** Lists each value that `differs` from the current level. The level is the first value or the last change. */
function findChanges<T>(values: readonly (T | null)[], differs: (from: T, to: T) => boolean): readonly Change<T>[] {
  let last: T | null = null;
  return values.flatMap((to, run): Change<T>[] => {
    const from = last;
    if (to === null || (from !== null && !differs(from, to))) return [];
    last = to;
    return from === null ? [] : [{ run, from, to }];
  });
}

function makeClauseHistories(reports: readonly Report[]): History['clauses'] {
  const known = new Map(reports.flatMap(({ clauses }) => clauses.map(({ id, statement }) => [id, statement] as const)));
  const byRun = reports.map(({ clauses }) => new Map(clauses.map(({ id, verdict }) => [id, verdict])));
  return [...known]
    .map(([clause, statement]) => {
      const verdicts = byRun.map((run) => run.get(clause) ?? null);
      return { clause, statement, verdicts, changes: findChanges(verdicts, (from, to) => from !== to) };
    })
    .filter(({ changes }) => changes.length > 0)
    .toSorted((a, b) => b.changes.at(-1)!.run - a.changes.at(-1)!.run);
}

function makeLatencyHistories(reports: readonly Report[]): History['latencies'] {
  const byRun = reports.map(
    ({ operations }) => new Map(operations.map((one) => [nameOperation(one), one.latencyMs] as const)),
  );
  const differs = (from: number, to: number): boolean =>
    Math.abs(to - from) >= MIN_LATENCY_STEP_MS && Math.max(from, to) >= LATENCY_FACTOR * Math.min(from, to);
  return [...new Set(byRun.flatMap((run) => [...run.keys()]))].map((operation) => {
    const p50 = byRun.map((run) => run.get(operation)?.p50 ?? null);
    const p95 = byRun.map((run) => run.get(operation)?.p95 ?? null);
    return { operation, p50, p95, changes: findChanges(p50, differs) };
  });
}

/** True if the names agree; if one has none, the addresses. */
const isSameBank = (a: Target, b: Target): boolean =>
  a.name !== null && b.name !== null ? a.name === b.name : a.baseUrl === b.baseUrl;

/** Makes the history from reports in any order. Pure. Throws an error of one sentence if they are about several banks. */
export function makeHistory(given: readonly Report[]): History {
  const reports = given.toSorted((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt));
  const first = reports[0]!.target;
  if (!reports.every(({ target }) => isSameBank(first, target)))
    throw new Error(
      `These are runs of several banks (${[...new Set(reports.map(({ target }) => nameTarget(target)))].join(', ')}): --over-time shows one bank, and without it they are compared side by side.`,
    );
  return {
    format: HISTORY_FORMAT,
    runs: reports.map(({ startedAt, target, verdict, requests }) => ({
      startedAt,
      name: nameTarget(target),
      build: target.build,
      verdict,
      requests,
    })),
    clauses: makeClauseHistories(reports),
    latencies: makeLatencyHistories(reports),
  };
}
