/** Makes the report of a run from its journals, if the run ended without a report. */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { collectJournals } from '../journal/collect.ts';
import type { History } from '../journal/history.ts';
import { foldReport } from './index.ts';
import { JOURNAL_FOLDER } from '../journal/read.ts';
import type { Report } from '../model/report.ts';
import { readRunFile } from '../journal/run-file.ts';

/** Returns null if there are no journals. An incomplete run is inconclusive, but its findings count. */
export function rebuildReport(folder: string): { readonly report: Report; readonly history: History } | null {
  const begun = readRunFile(folder);
  if (begun === null) return null;
  const { description, startedAt, scenarios } = begun;
  const { history, faults } = collectJournals(folder, description.run, []);
  const kinds = Array.from(history.lines, ({ line }) => line);
  const ended = kinds.filter((kind) => kind === 'end').length;
  const begunScenarios = kinds.filter((kind) => kind === 'scenario').length;
  const isWhole = Math.min(begunScenarios, ended) >= scenarios.length;
  const journals = path.join(folder, JOURNAL_FOLDER);
  const writtenAt = readdirSync(journals).map((name) => statSync(path.join(journals, name)).mtimeMs);
  const why = `it was interrupted; ${ended} of ${scenarios.length} scenarios had come to their end.`;
  const report = foldReport({
    lines: history.lines,
    history: history.sha256,
    run: {
      ...description,
      startedAt,
      durationMs: Math.max(0, Math.max(0, ...writtenAt) - Date.parse(startedAt)),
      errors: faults,
      interrupted: isWhole ? undefined : why,
    },
  });
  return { report, history };
}
