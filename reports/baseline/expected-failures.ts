/**
 * Known findings: violations that somebody answers for until a day. They do not fail the gate; an entry of a promise fails
 * it once it has expired, once what it names holds again, or where it names a clause that does not exist.
 */
import type { JudgedEntry, KnownEntry, KnownState } from '../model/comparison.ts';
import type { ClauseReport, ExitStatus, Finding } from '../model/report.ts';

export interface KnownJudgement {
  readonly entries: readonly JudgedEntry[];
  /** Ids of findings that are tolerated. */
  readonly tolerated: ReadonlySet<string>;
  readonly faults: readonly { readonly exit: ExitStatus; readonly reason: string }[];
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
  if (clause === undefined) return 'unknown clause';
  if (entry.expires < today) return 'expired';
  if (findings.some((finding) => isAbout(entry, finding))) return 'tolerated';
  const here = clause.places.filter(({ operation }) => operation === entry.operation);
  const exercised = here.length > 0 ? here.some((place) => place.exercised > 0) : clause.exercised > 0;
  return exercised ? 'stale' : 'not tested';
}

const sentence = {
  expired: (entry: KnownEntry) =>
    `the known finding ${entry.clause} at ${entry.operation} expired on ${entry.expires} (${entry.owner})`,
  stale: (entry: KnownEntry) =>
    `the known finding ${entry.clause} at ${entry.operation} ${entry.pointer} is stale: the clause was tested, and this finding did not show`,
  'unknown clause': (entry: KnownEntry) => `the known findings name the clause ${entry.clause}, which does not exist`,
} as const;

/** An entry of an expectation: what is wrong with it is shown and fails nothing, as the warning itself would not. */
function isOfWarning(entry: KnownEntry, clauses: readonly ClauseReport[]): boolean {
  return clauses.find(({ id }) => id === entry.clause)?.level === 'should';
}

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
      entry.state === 'tolerated' || entry.state === 'not tested' || isOfWarning(entry, clauses)
        ? []
        : [
            {
              exit: entry.state === 'unknown clause' ? (2 as const) : (1 as const),
              reason: sentence[entry.state](entry),
            },
          ],
    ),
  };
}
