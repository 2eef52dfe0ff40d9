/** Makes the report of a run from its journals alone: for a run that was ended before it could make one itself. */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { JournalLine } from '../../openapi/model/journal.ts';
import { collect } from '../journal/collect.ts';
import { fold } from './index.ts';
import { journalFolder } from '../journal/read.ts';
import type { Report } from '../model/report.ts';
import { readBegun } from '../journal/run-file.ts';

/** When a journal of the folder was last written. */
function lastWritten(folder: string): number {
  const journals = path.join(folder, journalFolder);
  return Math.max(0, ...readdirSync(journals).map((name) => statSync(path.join(journals, name)).mtimeMs));
}

const isOf =
  <K extends JournalLine['line']>(kind: K) =>
  (line: JournalLine): line is Extract<JournalLine, { line: K }> =>
    line.line === kind;

/**
 * The report on the run whose journals lie in `folder`; null where there are none. A run that did not come to its end is
 * inconclusive, interrupted; what it had found is counted.
 */
export function rebuild(folder: string): Report | null {
  const begun = readBegun(folder);
  if (begun === null) return null;
  const from = Date.parse(begun.startedAt);
  const { lines, faults } = collect(folder, begun.description.run, []);
  const stated = lines.filter(isOf('scenario')).length;
  const ended = lines.filter(isOf('end')).length;
  const missing = begun.scenarios.length - Math.min(stated, ended);
  return fold({
    lines,
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
}
