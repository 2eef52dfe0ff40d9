/** Reads journals from files and attachments. A journal has the JSON lines of one scenario. */
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { isFile, isLink } from '../../openapi/files/own-files.ts';
import type { JournalLine } from '../../openapi/model/journal.ts';
import { getOrSet } from '../../openapi/util/group-by.ts';

export const JOURNAL_FOLDER = 'journal';

/** Yields the lines of a journal; null for a line that is not JSON. Leaves out an incomplete last line. */
export function* readLines(journal: Buffer): Generator<JournalLine | null> {
  for (let from = 0, end = journal.indexOf(10); end !== -1; from = end + 1, end = journal.indexOf(10, from)) {
    const text = journal.toString('utf8', from, end);
    if (text.trim() === '') continue;
    let line: JournalLine | null = null;
    try {
      line = JSON.parse(text) as JournalLine;
    } catch {
      // The caller counts damaged lines.
    }
    yield line;
  }
}

const readFirstLine = (journal: Buffer): string => {
  const end = journal.indexOf(10);
  return journal.toString('utf8', 0, end === -1 ? journal.length : end);
};

/** Returns each journal only once; of two with the same beginning, the longer one. */
export function removeDuplicateJournals(journals: readonly Buffer[]): Buffer[] {
  const byFirstLine = new Map<string, Buffer[]>();
  for (const journal of journals) {
    const first = readFirstLine(journal);
    if (first.trim() === '') continue;
    const alike = getOrSet(byFirstLine, first, () => []);
    const index = alike.findIndex((other) => {
      const length = Math.min(journal.length, other.length);
      return journal.subarray(0, length).equals(other.subarray(0, length));
    });
    if (index === -1) alike.push(journal);
    else if (journal.length > alike[index]!.length) alike[index] = journal;
  }
  return [...byFirstLine.values()].flat();
}

export function readRunOfJournal(journal: Buffer): string | null {
  try {
    const first = JSON.parse(readFirstLine(journal)) as Partial<Extract<JournalLine, { line: 'scenario' }>>;
    return first.line === 'scenario' && typeof first.run === 'string' ? first.run : null;
  } catch {
    return null;
  }
}

/** Removes the journals of earlier runs from a folder. Does not follow a symbolic link, because it may lead to files of others. */
export function clearJournals(folder: string): void {
  if (isLink(folder)) return;
  for (const file of listJournalFiles(folder)) rmSync(file, { force: true });
}

/** Returns the paths of the journals in a folder, sorted by name: regular files, because a link or a pipe may have no end. */
export function listJournalFiles(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => path.resolve(folder, name))
    .filter(isFile);
}
