/** Lists the runs against one bank over time: in which run a verdict or a latency changed. */
import type { Report, Target } from '../model/report.ts';
import { formatOperationName, formatTargetName } from '../text/phrases.ts';
import { describeRun, listVerdicts } from './comparison.ts';

/** The name of the format. The number increases if older programs can no longer read the format. */
const HISTORY_FORMAT = 'bank-open-api-history/1';

/** A median latency counts as changed if it differs by this factor from the last change. */
const LATENCY_FACTOR = 2;
/** A latency difference below this many milliseconds does not count. */
const MIN_LATENCY_STEP_MS = 20;

interface Change<T> {
  /** The number of the run with the change; the first run is 0. */
  readonly run: number;
  readonly from: T;
  readonly to: T;
}

/** Lists each value that `differs` from the current level. The level is the first value or the last change. */
function listChanges<T>(values: readonly (T | null)[], differs: (from: T, to: T) => boolean): readonly Change<T>[] {
  let last: T | null = null;
  return values.flatMap((to, run): Change<T>[] => {
    const from = last;
    if (to === null || (from !== null && !differs(from, to))) return [];
    last = to;
    return from === null ? [] : [{ run, from, to }];
  });
}

/** Lists the clauses whose verdict ever changed. The clause with the latest change comes first. */
const listClauseHistories = (reports: readonly Report[]) =>
  listVerdicts(reports)
    .map(({ clause, statement, verdicts }) => {
      return { clause, statement, verdicts, changes: listChanges(verdicts, (from, to) => from !== to) };
    })
    .filter(({ changes }) => changes.length > 0)
    .toSorted((a, b) => b.changes.at(-1)!.run - a.changes.at(-1)!.run);

/** Lists the latencies of each operation in milliseconds, in the order of the runs; null if there was no answer. */
function listLatencyHistories(reports: readonly Report[]) {
  const byRun = reports.map(
    ({ operations }) => new Map(operations.map((one) => [formatOperationName(one), one.latencyMs] as const)),
  );
  const differs = (from: number, to: number): boolean =>
    Math.abs(to - from) >= MIN_LATENCY_STEP_MS && Math.max(from, to) >= LATENCY_FACTOR * Math.min(from, to);
  return [...new Set(byRun.flatMap((run) => [...run.keys()]))].map((operation) => {
    const p50 = byRun.map((run) => run.get(operation)?.p50 ?? null);
    const p95 = byRun.map((run) => run.get(operation)?.p95 ?? null);
    return { operation, p50, p95, changes: listChanges(p50, differs) };
  });
}

/** True if two runs are about the same bank: the same name, or the same address if one run has no name. */
const isSameBank = (a: Target, b: Target): boolean =>
  a.name !== null && b.name !== null ? a.name === b.name : a.baseUrl === b.baseUrl;

export type History = ReturnType<typeof makeHistory>;

/** Makes the history from reports in any order. Throws an error of one sentence if the reports are about several banks. */
export function makeHistory(given: readonly Report[]) {
  const reports = given.toSorted((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt));
  const first = reports[0]!.target;
  if (!reports.every(({ target }) => isSameBank(first, target)))
    throw new Error(
      `These are runs of several banks (${[...new Set(reports.map(({ target }) => formatTargetName(target)))].join(', ')}): --over-time shows one bank, and without it they are compared side by side.`,
    );
  return {
    format: HISTORY_FORMAT,
    runs: reports.map(describeRun),
    clauses: listClauseHistories(reports),
    latencies: listLatencyHistories(reports),
  } as const;
}
