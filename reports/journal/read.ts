/** Reads journals: JSON lines of one scenario each, from files, from attachments, or from both. */
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { isLink } from '../../openapi/files/own-files.ts';
import type { JournalLine } from '../../openapi/model/journal.ts';

/** The folder of the journals within the folder of the report. */
export const journalFolder = 'journal';

interface Parsed {
  readonly lines: JournalLine[];
  /** Number of lines that are no JSON; the last line of a journal that was cut off is not counted. */
  readonly damaged: number;
}

/** The lines of one journal. What was cut off in mid-line is left out. */
export function parseJournal(text: string): Parsed {
  const lines: JournalLine[] = [];
  let damaged = 0;
  let rest = text;
  for (let end = rest.indexOf('\n'), from = 0; ; from = end + 1, end = rest.indexOf('\n', from)) {
    const line = rest.slice(from, end === -1 ? rest.length : end);
    if (line.trim() !== '') {
      try {
        lines.push(JSON.parse(line) as JournalLine);
      } catch {
        if (end !== -1) damaged += 1;
      }
    }
    if (end === -1) return { lines, damaged };
  }
}

/**
 * Each journal once. A journal may lie in its folder and travel as an attachment too, and the one may be longer
 * than the other: of two that begin alike the longer one stands for both.
 */
export function distinctJournals(texts: readonly string[]): string[] {
  const byFirstLine = new Map<string, string[]>();
  for (const text of texts) {
    if (text.trim() === '') continue;
    const end = text.indexOf('\n');
    const first = end === -1 ? text : text.slice(0, end);
    const alike = byFirstLine.get(first);
    if (!alike) {
      byFirstLine.set(first, [text]);
      continue;
    }
    const at = alike.findIndex((other) => other.startsWith(text) || text.startsWith(other));
    if (at === -1) alike.push(text);
    else if (text.length > alike[at]!.length) alike[at] = text;
  }
  return [...byFirstLine.values()].flat();
}

/** The run that a journal belongs to, as its first line says; null where it says none. */
export function runOf(text: string): string | null {
  const end = text.indexOf('\n');
  if (end === -1) return null;
  try {
    const first = JSON.parse(text.slice(0, end)) as Partial<Extract<JournalLine, { line: 'scenario' }>>;
    return first.line === 'scenario' && typeof first.run === 'string' ? first.run : null;
  } catch {
    return null;
  }
}

/** Removes the journals in a folder, which are of earlier runs: before the first of a run is begun. Behind a link none is ours. */
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
