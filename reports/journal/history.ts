/** Makes the history of a run: the lines of all journals. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { readUnpacked } from './packed-file.ts';
import { overwriteFile } from '../../openapi/files/own-files.ts';
import { readAgain, sealEntry } from '../../openapi/history/reading.ts';
import type { RunLines } from '../../openapi/history/run-lines.ts';
import { limitHeapGrowth, LONG_HISTORY_BYTES } from '../../openapi/util/heap.ts';
import type { ExchangeRecord, JournalLine } from '../../openapi/model/journal.ts';
import {
  type JournalBytes,
  type LineBytes,
  cutLines,
  JOURNAL_FOLDER,
  listJournalFiles,
  openBytes,
  openJournalFile,
  parseLine,
  readRunOfJournal,
  removeDuplicateJournals,
} from './read.ts';
import type { SuiteError } from '../model/report.ts';

export interface RunHistory {
  /** The lines of the journals, also their readings. The journals are read again for each iteration. */
  readonly lines: RunLines;
  readonly damaged: number;
  readonly sha256: string;
  packed(): Buffer;
}

/** Returns the document without each text with a secret, and which secret was where (JSON pointer). */
export type Withhold = <T>(document: T) => {
  readonly document: T;
  readonly withheld: readonly { readonly secret: string; readonly pointer: string }[];
};

const withholdNothing: Withhold = (document) => ({ document, withheld: [] });

interface LinePlace extends LineBytes {
  readonly journal: JournalBytes;
}

const LINE_END = Buffer.from('\n');
const READING_LINE = Buffer.from('{"line":"reading"');

const isReading = (line: Buffer): boolean => line.subarray(0, READING_LINE.length).equals(READING_LINE);

function* cutJournals(journals: readonly JournalBytes[]): Generator<LinePlace> {
  for (const journal of journals) for (const line of cutLines(journal)) yield { ...line, journal };
}

/** Yields the lines that a history has: no readings, since whoever checks a history reads its entries himself. */
function* cutHistory(journals: readonly JournalBytes[]): Generator<LinePlace> {
  for (const line of cutJournals(journals)) if (!isReading(line.bytes)) yield line;
}

/** So many bytes are packed at a time. */
const PACKED_BYTES = 4_000_000;

/** Packs the lines of a history. A gzip file may have several members (RFC 1952, 2.2). */
function packHistory(journals: readonly JournalBytes[]): Buffer {
  const members: Buffer[] = [];
  let lines: Buffer[] = [];
  let length = 0;
  const pack = (): void => {
    // Level 1 takes a fifth of the time of the best level.
    members.push(gzipSync(Buffer.concat(lines), { level: 1 }));
    [lines, length] = [[], 0];
  };
  for (const { bytes } of cutHistory(journals)) {
    lines.push(bytes, LINE_END);
    length += bytes.length;
    if (length > PACKED_BYTES) pack();
  }
  pack();
  return Buffer.concat(members);
}

/** Reads the journals once. Calls `inspect` with each line of the history. */
function openHistory(
  journals: readonly JournalBytes[],
  inspect: (line: JournalLine, index: number) => void = () => {},
): RunHistory {
  if (journals.reduce((sum, { length }) => sum + length, 0) > LONG_HISTORY_BYTES) limitHeapGrowth();
  const hash = createHash('sha256');
  const places = new Map<string, Omit<LinePlace, 'bytes'> & { readonly to: number }>();
  let damaged = 0;
  let index = 0;
  for (const { journal, from, bytes } of cutHistory(journals)) {
    hash.update(bytes).update(LINE_END);
    const line = parseLine(bytes);
    if (line === null) damaged += 1;
    else {
      if (line.line === 'entry' && !places.has(line.entry.id))
        places.set(line.entry.id, { journal, from, to: from + bytes.length });
      inspect(line, index);
      index += 1;
    }
  }
  const findEntry = (id: string): ExchangeRecord | undefined => {
    const place = places.get(id);
    const line = place && parseLine(place.journal.read(place.from, place.to));
    return line?.line === 'entry' ? line.entry : undefined;
  };
  return {
    lines: {
      *[Symbol.iterator]() {
        for (const { bytes } of cutJournals(journals)) {
          const line = parseLine(bytes);
          if (line !== null) yield line;
        }
      },
      findEntry,
    },
    damaged,
    sha256: hash.digest('hex'),
    packed: () => packHistory(journals),
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
  return openHistory(parts.map(openBytes));
}

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

interface SafeHistory {
  readonly history: RunHistory;
  /** Which secret was where. If there is any, the history has no readings, because a reading may quote it. */
  readonly withheld: readonly string[];
}

/** Opens the journals without the texts that contain a secret. */
function openSafely(journals: readonly JournalBytes[], withhold: Withhold): SafeHistory {
  const withheld: string[] = [];
  /** The changed lines by their number. */
  const changed = new Map<number, JournalLine>();
  const history = openHistory(journals, (line, index) => {
    const { shown, withheld: found } = removeSecretsOfLine(line, withhold);
    if (found.length === 0) return;
    withheld.push(...found);
    changed.set(index, shown);
  });
  if (withheld.length === 0) return { history, withheld };
  const lines = Array.from(history.lines).filter(({ line }) => line !== 'reading');
  const texts = lines.map((line, index) => `${JSON.stringify(changed.get(index) ?? line)}\n`);
  const { damaged } = history;
  return { history: { ...openHistory([openBytes(Buffer.from(texts.join('')))]), damaged }, withheld };
}

/** Removes secrets from the journals of a run in its report folder. Returns which secret was where. */
export function removeSecretsFromJournals(folder: string, run: string, withhold: Withhold): readonly string[] {
  return listJournalFiles(path.join(folder, JOURNAL_FOLDER)).flatMap((file) => {
    const journal = openBytes(readFileSync(file));
    if (readRunOfJournal(journal) !== run) return [];
    const { history, withheld } = openSafely([journal], withhold);
    if (withheld.length > 0)
      overwriteFile(file, Array.from(history.lines, (line) => `${JSON.stringify(line)}\n`).join(''));
    return withheld;
  });
}

export type Attached = { readonly path?: string; readonly body?: Buffer };

/**
 * Makes the history from all journals of the run `run`, without secrets. Also reads the folder, because a worker that ended abnormally
 * attached nothing. For merged shards, there is no folder and `run` is null: all attachments count.
 */
export function collectJournals(
  folder: string | null,
  run: string | null,
  attached: readonly Attached[],
  withhold = withholdNothing,
): SafeHistory & { readonly faults: SuiteError[] } {
  const faults: SuiteError[] = [];
  const journals = attached.flatMap(({ body }) => body ?? []).map(openBytes);
  // An attached journal is usually also in the folder. It is read only once.
  const listed = new Set(folder === null ? [] : listJournalFiles(path.join(folder, JOURNAL_FOLDER)));
  const named = attached.flatMap((one) => (one.path === undefined ? [] : path.resolve(one.path)));
  for (const file of new Set([...listed, ...named]))
    try {
      journals.push(openJournalFile(file));
    } catch (error) {
      if (folder === null || listed.has(file))
        faults.push({ scenario: null, message: `A journal is missing: ${(error as Error).message}` });
    }
  const { history, withheld } = openSafely(
    removeDuplicateJournals(journals).filter((journal) => run === null || readRunOfJournal(journal) === run),
    withhold,
  );
  if (history.damaged > 0)
    faults.push({ scenario: null, message: `${history.damaged} lines of the journals cannot be read.` });
  return { history, withheld, faults };
}
