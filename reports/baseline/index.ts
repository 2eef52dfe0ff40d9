/** What a run is held against besides the document: pins, known findings, an earlier run. */
import type { Dialect } from './behaviour-profile.ts';
import { driftOf, type Drift } from './changes.ts';
import { judgeKnown, type JudgedEntry, type KnownEntry, type KnownJudgement } from './expected-failures.ts';
import type { ClauseReport, Finding, Report } from '../model/report.ts';

/** The companions of a run, as the configuration hands them over. */
export interface Companions {
  readonly pins?: Dialect;
  readonly known?: readonly KnownEntry[];
  readonly baseline?: Report;
  /** By which factor latency must have risen to be named as drift. */
  readonly latencyFactor?: number;
}

/** What the report says of them. */
export interface Against {
  readonly pins?: { readonly target: string | null; readonly startedAt: string; readonly points: readonly string[] };
  readonly known?: readonly JudgedEntry[];
  readonly drift?: Drift;
}

/** The known findings of a run, judged on the day on which it began. */
export function knownOf(
  { known }: Companions,
  findings: readonly Finding[],
  clauses: readonly ClauseReport[],
  startedAt: string,
): KnownJudgement {
  return judgeKnown(known ?? [], findings, clauses, startedAt.slice(0, 10));
}

/** The companions as the report tells of them. */
export function againstOf(companions: Companions, report: Report, known: KnownJudgement): Against {
  const { pins, baseline } = companions;
  return {
    ...(pins === undefined
      ? {}
      : {
          pins: {
            target: pins.target.name,
            startedAt: pins.startedAt,
            points: pins.points
              .filter(({ questions }) => questions.some(({ pinned }) => pinned))
              .map(({ point }) => point),
          },
        }),
    ...(companions.known === undefined ? {} : { known: known.entries }),
    ...(baseline === undefined ? {} : { drift: driftOf(baseline, report, companions.latencyFactor ?? 3) }),
  };
}
