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

/** The baselineFiles as they stand in the report. */
export function compareWith(baselineFiles: Comparisons, report: Report, known: KnownJudgement): ComparisonResult {
  const { pins, baseline } = baselineFiles;
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
    ...(baselineFiles.known === undefined ? {} : { known: known.entries }),
    ...(baseline === undefined ? {} : { changes: changesOf(baseline, report, baselineFiles.latencyFactor ?? 3) }),
  };
}
