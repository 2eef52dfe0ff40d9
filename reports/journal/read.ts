/** Reads journals from files and attachments. A journal has the lines (JSON) that one scenario wrote. */
import { closeSync, openSync, readdirSync, readSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { isFile, isLink } from '../../openapi/files/own-files.ts';
import type { JournalLine } from '../../openapi/model/journal.ts';
import { getOrSet } from '../../openapi/util/group-by.ts';

export const JOURNAL_FOLDER = 'journal';

/** The bytes of a journal: a file, whose bytes are not kept in memory, or a text in memory. */
export interface JournalBytes {
  readonly length: number;
  read(from: number, to: number): Buffer;
}

export const openBytes = (bytes: Buffer): JournalBytes => ({
  length: bytes.length,
  read: (from, to) => bytes.subarray(from, to),
});

/** Opens a journal file. Throws if it cannot be read. */
export function openJournalFile(file: string): JournalBytes {
  const read = (from: number, to: number): Buffer => {
    const descriptor = openSync(file, 'r');
    try {
      const bytes = Buffer.alloc(to - from);
      return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, from));
    } finally {
      closeSync(descriptor);
    }
  };
  read(0, 1);
  return { length: statSync(file).size, read };
}

/** A line without its line end. */
export interface LineBytes {
  readonly from: number;
  readonly bytes: Buffer;
}

const PIECE_BYTES = 1_000_000;
/** The first line of a journal is shorter. */
const FIRST_PIECE_BYTES = 4_000;

/** Yields the lines of a journal that are not empty. Leaves out an incomplete last line. */
export function* cutLines(journal: JournalBytes, pieceBytes = PIECE_BYTES): Generator<LineBytes> {
  /** The beginning of a line whose end was not read yet. */
  let lineStart: Buffer = Buffer.alloc(0);
  for (let position = 0; position < journal.length;) {
    const piece = journal.read(position, Math.min(position + pieceBytes, journal.length));
    if (piece.length === 0) return;
    const bytes = lineStart.length === 0 ? piece : Buffer.concat([lineStart, piece]);
    let start = 0;
    for (let lineEnd = bytes.indexOf(10); lineEnd !== -1; lineEnd = bytes.indexOf(10, start)) {
      if (lineEnd > start) yield { from: position - lineStart.length + start, bytes: bytes.subarray(start, lineEnd) };
      start = lineEnd + 1;
    }
    position += piece.length;
    lineStart = bytes.subarray(start);
  }
}

/** Returns null for a line that is not JSON. */
export function parseLine(line: Buffer): JournalLine | null {
  try {
    return JSON.parse(line.toString('utf8')) as JournalLine;
  } catch {
    return null;
  }
}

const readFirstLine = (journal: JournalBytes): Buffer | undefined =>
  cutLines(journal, FIRST_PIECE_BYTES).next().value?.bytes;

/** Returns each journal only once. If one of two journals is the beginning of the other, returns the longer one. */
export function removeDuplicateJournals(journals: readonly JournalBytes[]): JournalBytes[] {
  const byFirstLine = new Map<string, JournalBytes[]>();
  for (const journal of journals) {
    const firstLine = readFirstLine(journal);
    if (firstLine === undefined) continue;
    const similarJournals = getOrSet(byFirstLine, firstLine.toString('utf8'), () => []);
    const index = similarJournals.findIndex((similarJournal) => {
      const length = Math.min(journal.length, similarJournal.length);
      return journal.read(0, length).equals(similarJournal.read(0, length));
    });
    if (index === -1) similarJournals.push(journal);
    else if (journal.length > similarJournals[index]!.length) similarJournals[index] = journal;
  }
  return [...byFirstLine.values()].flat();
}

/** Returns the id of the run that wrote a journal; null if the journal does not have it. */
export function readRunOfJournal(journal: JournalBytes): string | null {
  const firstLine = parseLine(readFirstLine(journal) ?? Buffer.alloc(0));
  return firstLine?.line === 'scenario' && typeof firstLine.run === 'string' ? firstLine.run : null;
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
