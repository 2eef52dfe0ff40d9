/** Makes the report of a run from its journals alone: for a run that was ended before it could make one itself. */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { collect } from '../journal/collect.ts';
import type { History } from '../journal/history.ts';
import { fold } from './index.ts';
import { journalFolder } from '../journal/read.ts';
import type { Report } from '../model/report.ts';
import { readBegun } from '../journal/run-file.ts';

/** When a journal of the folder was last written. */
function lastWritten(folder: string): number {
  const journals = path.join(folder, journalFolder);
  return Math.max(0, ...readdirSync(journals).map((name) => statSync(path.join(journals, name)).mtimeMs));
}

/**
 * The report on the run whose journals lie in `folder`; null where there are none. A run that did not come to its end is
 * inconclusive, interrupted; what it had found is counted.
 */
export function rebuild(folder: string): { readonly report: Report; readonly history: History } | null {
  const begun = readBegun(folder);
  if (begun === null) return null;
  const from = Date.parse(begun.startedAt);
  const { history, faults } = collect(folder, begun.description.run, []);
  const kinds = Array.from(history.lines, ({ line }) => line);
  const stated = kinds.filter((kind) => kind === 'scenario').length;
  const ended = kinds.filter((kind) => kind === 'end').length;
  const missing = begun.scenarios.length - Math.min(stated, ended);
  const report = fold({
    lines: history.lines,
    history: history.sha256,
    run: {
      ...begun.description,
      startedAt: begun.startedAt,
      durationMs: Math.max(0, lastWritten(folder) - from),
      errors: faults,
      ...(missing > 0
        ? { interrupted: `it was interrupted; ${ended} of ${begun.scenarios.length} scenarios had come to their end.` }
        : {}),
    },
  });
  return { report, history };
}
