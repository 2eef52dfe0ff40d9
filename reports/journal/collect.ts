/** Brings together the journals of a run from its folder and from what travelled with its tests. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { historyOf, type History } from './history.ts';
import { distinctJournals, journalFilesIn, journalFolder, runOf } from './read.ts';
import type { SuiteError } from '../model/report.ts';

/** A journal that travelled with a test. */
export type Attached = { readonly path?: string; readonly body?: Buffer };

/**
 * The history in all journals of the run `run`. A worker that died attached nothing, so the folder is read too where there is
 * one; under merging there is none, and `run` is null: what travelled with the tests is of the shards that are merged.
 */
export function collect(
  folder: string | null,
  run: string | null,
  attached: readonly Attached[],
): { readonly history: History; readonly faults: SuiteError[] } {
  const faults: SuiteError[] = [];
  const journals = attached.flatMap(({ body }) => body ?? []);
  // What a test attached mostly lies in the folder, and is read once.
  const listed = new Set(folder === null ? [] : journalFilesIn(path.join(folder, journalFolder)));
  const named = attached.flatMap((one) => (one.path === undefined ? [] : path.resolve(one.path)));
  for (const file of new Set([...listed, ...named]))
    try {
      journals.push(readFileSync(file));
    } catch (error) {
      if (folder === null || listed.has(file))
        faults.push({ scenario: null, message: `A journal is missing: ${(error as Error).message}` });
    }
  const history = historyOf(distinctJournals(journals).filter((one) => run === null || runOf(one) === run));
  if (history.damaged > 0)
    faults.push({ scenario: null, message: `${history.damaged} lines of the journals cannot be read.` });
  return { history, faults };
}
