/**
 * Known findings: violations that somebody answers for until a day. They do not fail the gate; an entry fails it once it has expired, or once what it names was tested and holds again.
 */
import type { JudgedEntry, KnownEntry, KnownState } from '../model/comparison.ts';
import type { ClauseReport, Finding } from '../model/report.ts';

export interface KnownJudgement {
  readonly entries: readonly JudgedEntry[];
  /** Ids of findings that are tolerated. */
  readonly tolerated: ReadonlySet<string>;
  /** One sentence for each entry that fails the gate. */
  readonly faults: readonly string[];
}

/** True where an entry is about this finding. */
export const isAbout = (entry: KnownEntry, finding: Finding): boolean =>
  finding.clause === entry.clause && finding.operation === entry.operation && finding.pointer === entry.pointer;

function stateOf(
  entry: KnownEntry,
  findings: readonly Finding[],
  clauses: readonly ClauseReport[],
  today: string,
): KnownState {
  const clause = clauses.find(({ id }) => id === entry.clause);
  if (entry.expires < today) return 'expired';
  if (findings.some((finding) => isAbout(entry, finding))) return 'tolerated';
  // A clause of the whole run has no operation of its own.
  const places = clause?.places.filter(({ operation }) => operation === null || operation === entry.operation) ?? [];
  return places.some(({ exercised }) => exercised > 0) ? 'stale' : 'not tested';
}

const sentence = {
  expired: (entry: KnownEntry) =>
    `the known finding ${entry.clause} at ${entry.operation} expired on ${entry.expires} (${entry.owner})`,
  stale: (entry: KnownEntry) =>
    `the known finding ${entry.clause} at ${entry.operation} ${entry.pointer} is stale: the clause was tested, and this finding did not show`,
} as const;

/** What the entries make of the findings. `today` is YYYY-MM-DD. */
export function judgeKnown(
  entries: readonly KnownEntry[],
  findings: readonly Finding[],
  clauses: readonly ClauseReport[],
  today: string,
): KnownJudgement {
  const judged = entries.map((entry): JudgedEntry => ({ ...entry, state: stateOf(entry, findings, clauses, today) }));
  const good = judged.filter(({ state }) => state === 'tolerated');
  return {
    entries: judged,
    tolerated: new Set(findings.filter((finding) => good.some((entry) => isAbout(entry, finding))).map(({ id }) => id)),
    faults: judged.flatMap((entry) =>
      entry.state === 'tolerated' || entry.state === 'not tested' ? [] : [sentence[entry.state](entry)],
    ),
  };
}
