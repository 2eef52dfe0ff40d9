/** What a run is held against besides the document: pins, known findings, an earlier run. */
import { changesOf } from './changes.ts';
import { judgeKnown, type KnownJudgement } from './expected-failures.ts';
import type { ComparisonResult } from '../model/comparison.ts';
import type { Comparisons } from '../model/description.ts';
import type { ClauseReport, Finding, Report } from '../model/report.ts';

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
    ...(baseline === undefined ? {} : { changes: changesOf(baseline, report, companions.latencyFactor ?? 3) }),
  };
}
