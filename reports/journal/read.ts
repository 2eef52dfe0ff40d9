/** Reads journals: JSON lines of one scenario each, from files, from attachments, or from both. */
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { isLink } from '../../openapi/files/own-files.ts';
import type { JournalLine } from '../../openapi/model/journal.ts';
import { getOrSet } from '../../openapi/util/group-by.ts';

/** The folder of the journals within the folder of the report. */
export const journalFolder = 'journal';

/** The lines of a journal, each read when it is asked for; null for one that is no JSON. What was cut off in mid-line is left out. */
export function* linesOf(journal: Buffer): Generator<JournalLine | null> {
  for (let from = 0, end = journal.indexOf(10); end !== -1; from = end + 1, end = journal.indexOf(10, from)) {
    const text = journal.toString('utf8', from, end);
    if (text.trim() === '') continue;
    let line: JournalLine | null = null;
    try {
      line = JSON.parse(text) as JournalLine;
    } catch {
      // It is counted.
    }
    yield line;
  }
}

const firstLineOf = (journal: Buffer): string => {
  const end = journal.indexOf(10);
  return journal.toString('utf8', 0, end === -1 ? journal.length : end);
};

/** Each journal once: one may lie in its folder and travel as an attachment too. Of two that begin alike the longer one counts. */
export function distinctJournals(journals: readonly Buffer[]): Buffer[] {
  const byFirstLine = new Map<string, Buffer[]>();
  for (const journal of journals) {
    const first = firstLineOf(journal);
    if (first.trim() === '') continue;
    const alike = getOrSet(byFirstLine, first, () => []);
    const at = alike.findIndex((other) => {
      const length = Math.min(journal.length, other.length);
      return journal.subarray(0, length).equals(other.subarray(0, length));
    });
    if (at === -1) alike.push(journal);
    else if (journal.length > alike[at]!.length) alike[at] = journal;
  }
  return [...byFirstLine.values()].flat();
}

/** The run that a journal belongs to, as its first line says; null if it says none. */
export function runOf(journal: Buffer): string | null {
  try {
    const first = JSON.parse(firstLineOf(journal)) as Partial<Extract<JournalLine, { line: 'scenario' }>>;
    return first.line === 'scenario' && typeof first.run === 'string' ? first.run : null;
  } catch {
    return null;
  }
}

/** Removes the journals of earlier runs from a folder. A symbolic link is left alone: what it leads to is not of the suite. */
export function clearJournals(folder: string): void {
  if (isLink(folder)) return;
  for (const file of journalFilesIn(folder)) rmSync(file, { force: true });
}

/** The paths of the journals in a folder, in the order of their names. */
export function journalFilesIn(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => path.resolve(folder, name));
}
