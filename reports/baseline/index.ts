/** What a run is held against besides the document: pins, known findings, an earlier run. */
import type { BehaviourProfile } from './behaviour-profile.ts';
import { changesOf, type Changes } from './changes.ts';
import { judgeKnown, type JudgedEntry, type KnownEntry, type KnownJudgement } from './expected-failures.ts';
import type { ClauseReport, Finding, Report } from '../model/report.ts';

/** The companions of a run, as the configuration hands them over. */
export interface Comparisons {
  readonly pins?: BehaviourProfile;
  readonly known?: readonly KnownEntry[];
  readonly baseline?: Report;
  /** By which factor latency must have risen to be named as drift. */
  readonly latencyFactor?: number;
}

/** What the report says of them. */
export interface ComparisonResult {
  readonly pins?: { readonly target: string | null; readonly startedAt: string; readonly points: readonly string[] };
  readonly known?: readonly JudgedEntry[];
  readonly drift?: Changes;
}

/** The known findings of a run, judged on the day on which it began. */
export function expectedFailuresOf(
  { known }: Comparisons,
  findings: readonly Finding[],
  clauses: readonly ClauseReport[],
  startedAt: string,
): KnownJudgement {
  return judgeKnown(known ?? [], findings, clauses, startedAt.slice(0, 10));
}

/** The companions as the report tells of them. */
export function compareWith(companions: Comparisons, report: Report, known: KnownJudgement): ComparisonResult {
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
    ...(baseline === undefined ? {} : { drift: changesOf(baseline, report, companions.latencyFactor ?? 3) }),
  };
}
