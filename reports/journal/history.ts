/** Makes the history of a run: the lines of all journals. */
import { createHash } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { gzipSync } from 'node:zlib';
import { readUnpacked } from './packed-file.ts';
import { overwriteFile } from '../../openapi/files/own-files.ts';
import { readAgain, sealEntry } from '../../openapi/history/reading.ts';
import type { JournalLine } from '../../openapi/model/journal.ts';
import { readLines, removeDuplicateJournals, listJournalFiles, JOURNAL_FOLDER, readRunOfJournal } from './read.ts';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { SuiteError } from '../model/report.ts';

export interface RunHistory {
  /** All lines of the journals. They are read again for each iteration. */
  readonly lines: Iterable<JournalLine>;
  readonly damaged: number;
  readonly sha256: string;
  packed(): Buffer;
}

/** The lines of a history with at most this many bytes are read once and kept in memory. */
const MAX_BYTES_IN_MEMORY = 16_000_000;

const READING_LINE = Buffer.from('{"line":"reading"');

/** Yields the parts of a journal that a history has: no readings, since whoever checks a history reads its entries himself. */
function* cutReadings(journal: Buffer): Generator<Buffer> {
  let from = 0;
  for (let start = 0; start < journal.length;) {
    const end = journal.indexOf(10, start) + 1 || journal.length;
    if (journal.subarray(start, start + READING_LINE.length).equals(READING_LINE)) {
      if (start > from) yield journal.subarray(from, start);
      from = end;
    }
    start = end;
  }
  if (from < journal.length) yield journal.subarray(from);
}

function readHistory(journals: readonly Buffer[]): RunHistory {
  // Leaves out an incomplete last line.
  const parts = journals.map((one) => one.subarray(0, one.lastIndexOf(10) + 1));
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  const remembered: JournalLine[] | null = size <= MAX_BYTES_IN_MEMORY ? [] : null;
  // By default, V8 lets the heap grow to several times the used memory: too much for a small machine.
  if (remembered === null) setFlagsFromString('--heap-growing-percent=60');
  const hash = createHash('sha256');
  let damaged = 0;
  for (const part of parts) {
    for (const kept of cutReadings(part)) hash.update(kept);
    for (const line of readLines(part))
      if (line === null) damaged += 1;
      else remembered?.push(line);
  }
  return {
    lines: remembered ?? {
      *[Symbol.iterator]() {
        for (const part of parts) for (const line of readLines(part)) if (line !== null) yield line;
      },
    },
    damaged,
    sha256: hash.digest('hex'),
    // A gzip file may have several members (RFC 1952, 2.2). Level 1 takes a fifth of the time of the best level.
    packed: () =>
      Buffer.concat(
        [...parts, Buffer.alloc(0)].map((part) => gzipSync(Buffer.concat([...cutReadings(part)]), { level: 1 })),
      ),
  };
}

/** A run writes at most 200 MB, and its longest lines have a few megabytes. */
const MAX_HISTORY_BYTES = 256_000_000;
const MAX_LINE_BYTES = 32_000_000;

/** Reads the history from the file beside a report. Throws an error of one sentence if it is too large or cannot be unpacked. */
export async function readHistoryFile(file: string): Promise<RunHistory> {
  const parts: Buffer[] = [];
  /** The pieces of a line whose end was not read yet. */
  let begun: Buffer[] = [];
  let length = 0;
  for await (const piece of readUnpacked(file, MAX_HISTORY_BYTES)) {
    const end = piece.lastIndexOf(10) + 1;
    length += piece.length;
    if (end > 0) {
      parts.push(Buffer.concat([...begun, piece.subarray(0, end)]));
      [begun, length] = [[], piece.length - end];
    }
    begun.push(piece.subarray(end));
    if (length > MAX_LINE_BYTES)
      throw new Error(`${file} has a line of more than ${MAX_LINE_BYTES / 1_000_000} MB: no run writes one.`);
  }
  return readHistory(parts);
}

/** Returns the document without each text with a secret, and which secret was where (JSON pointer). */
export type Withhold = <T>(document: T) => {
  readonly document: T;
  readonly withheld: readonly { readonly secret: string; readonly pointer: string }[];
};

/** Withholds the secrets of a line. Returns the line, and which secret was where. */
function removeSecretsOfLine(
  line: JournalLine,
  withhold: Withhold,
): { shown: JournalLine; withheld: readonly string[] } {
  const { document, withheld: found } = withhold(line);
  const place = line.line === 'entry' ? `the exchange ${line.entry.id}` : `a line of the kind ${line.line}`;
  const withheld = found.map(({ secret, pointer }) => `${secret} at ${pointer} of ${place} of the history`);
  if (found.length === 0 || document.line !== 'entry' || line.line !== 'entry') return { shown: document, withheld };
  const { sha256: _, ...shown } = document.entry;
  // The redacted entry keeps what only the original entry can show.
  const entry = sealEntry({ ...shown, takenFromRun: withhold(readAgain(line.entry)).document });
  return { shown: { line: 'entry', entry }, withheld };
}

export function removeSecrets(
  history: RunHistory,
  withhold: Withhold,
): { history: RunHistory; withheld: readonly string[] } {
  const withheld: string[] = [];
  /** The changed lines by line number, because the lines are read again. */
  const safe = new Map<number, JournalLine>();
  let index = -1;
  for (const line of history.lines) {
    index += 1;
    const { shown, withheld: found } = removeSecretsOfLine(line, withhold);
    if (found.length === 0) continue;
    withheld.push(...found);
    safe.set(index, shown);
  }
  if (withheld.length === 0) return { history, withheld };
  const texts = Array.from(history.lines, (line, place) => `${JSON.stringify(safe.get(place) ?? line)}\n`);
  return { history: readHistory([Buffer.from(texts.join(''))]), withheld };
}

/** Removes secrets from the journals of a run in its report folder. Returns which secret was where. */
export function removeSecretsFromJournals(folder: string, run: string, withhold: Withhold): readonly string[] {
  return listJournalFiles(path.join(folder, JOURNAL_FOLDER)).flatMap((file) => {
    const journal = readFileSync(file);
    if (readRunOfJournal(journal) !== run) return [];
    const { history, withheld } = removeSecrets(readHistory([journal]), withhold);
    if (withheld.length > 0)
      overwriteFile(file, Array.from(history.lines, (line) => `${JSON.stringify(line)}\n`).join(''));
    return withheld;
  });
}

export type Attached = { readonly path?: string; readonly body?: Buffer };

/**
 * Makes the history from all journals of the run `run`. Also reads the folder, because a worker that ended abnormally attached
 * nothing. For merged shards, there is no folder and `run` is null: all attachments count.
 */
export function collectJournals(
  folder: string | null,
  run: string | null,
  attached: readonly Attached[],
): { readonly history: RunHistory; readonly faults: SuiteError[] } {
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
