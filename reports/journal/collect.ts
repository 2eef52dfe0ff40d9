/** Brings together the journals of a run from its folder and from what travelled with its tests. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { JournalLine } from '../../openapi/model/journal.ts';
import { distinctJournals, journalFilesIn, journalFolder, parseJournal, runOf } from './read.ts';
import type { SuiteError } from '../model/report.ts';

interface Collected {
  readonly lines: JournalLine[];
  readonly faults: SuiteError[];
}

/**
 * The lines of all journals of the run `run`. A worker that died attached nothing, so the folder is read too where there is
 * one; under merging there is none, and `run` is null: what travelled with the tests is of the shards that are merged.
 */
export function collect(
  folder: string | null,
  run: string | null,
  attached: readonly { readonly path?: string; readonly body?: Buffer }[],
): Collected {
  const faults: SuiteError[] = [];
  const texts = attached.flatMap(({ body }) => (body === undefined ? [] : [body.toString('utf8')]));
  // What a test attached mostly lies in the folder, and is read once.
  const listed = new Set(folder === null ? [] : journalFilesIn(path.join(folder, journalFolder)));
  const named = attached.flatMap((one) => (one.path === undefined ? [] : [path.resolve(one.path)]));
  for (const file of new Set([...listed, ...named]))
    try {
      texts.push(readFileSync(file, 'utf8'));
    } catch (error) {
      if (folder === null || listed.has(file))
        faults.push({ scenario: null, message: `A journal is missing: ${(error as Error).message}` });
    }
  const lines: JournalLine[] = [];
  let damaged = 0;
  for (const text of distinctJournals(texts)) {
    if (run !== null && runOf(text) !== run) continue;
    const parsed = parseJournal(text);
    damaged += parsed.damaged;
    for (const line of parsed.lines) lines.push(line);
  }
  if (damaged > 0) faults.push({ scenario: null, message: `${damaged} lines of the journals cannot be read.` });
  return { lines, faults };
}
