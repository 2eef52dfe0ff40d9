/** Collects the journals of a run from its folder and from the attachments of its tests. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readHistory, type History } from './history.ts';
import { removeDuplicateJournals, listJournalFiles, JOURNAL_FOLDER, readRunOfJournal } from './read.ts';
import type { SuiteError } from '../model/report.ts';

export type Attached = { readonly path?: string; readonly body?: Buffer };

/**
 * Makes the history from all journals of the run `run`. Also reads the folder, because a worker that ended abnormally attached
 * nothing. For merged shards, there is no folder and `run` is null: all attachments count.
 */
export function collectJournals(
  folder: string | null,
  run: string | null,
  attached: readonly Attached[],
): { readonly history: History; readonly faults: SuiteError[] } {
  const faults: SuiteError[] = [];
  const journals = attached.flatMap(({ body }) => body ?? []);
  // An attached journal is usually also in the folder. It is read only once.
  const listed = new Set(folder === null ? [] : listJournalFiles(path.join(folder, JOURNAL_FOLDER)));
  const named = attached.flatMap((one) => (one.path === undefined ? [] : path.resolve(one.path)));
  for (const file of new Set([...listed, ...named]))
    try {
      journals.push(readFileSync(file));
    } catch (error) {
      if (folder === null || listed.has(file))
        faults.push({ scenario: null, message: `A journal is missing: ${(error as Error).message}` });
    }
  const history = readHistory(
    removeDuplicateJournals(journals).filter((one) => run === null || readRunOfJournal(one) === run),
  );
  if (history.damaged > 0)
    faults.push({ scenario: null, message: `${history.damaged} lines of the journals cannot be read.` });
  return { history, faults };
}
