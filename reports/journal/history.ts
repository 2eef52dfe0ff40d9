/** Makes the history (exchange log) of a run from its journals. Each scenario wrote one journal. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { readUnpacked } from './packed-file.ts';
import { overwriteFile } from '../../openapi/files/own-files.ts';
import { rereadEntry, sealEntry } from '../../openapi/history/reading.ts';
import { limitHeapGrowth, LONG_HISTORY_BYTES } from '../../openapi/util/heap.ts';
import type { ExchangeRecord, JournalLine, RunLines } from '../../openapi/model/journal.ts';
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
  /** The lines of the journals, with the readings of the run. Each iteration reads the journals again: the report needs only one. */
  readonly lines: RunLines;
  /** The number of lines that are not JSON. */
  readonly damagedLines: number;
  /** Returns the number of lines of a kind. */
  countLines(kind: JournalLine['line']): number;
  /** The SHA-256 of all lines without readings. */
  readonly sha256: string;
}

export interface PackedHistory extends RunHistory {
  /** The lines without readings, packed by gzip. */
  readonly packed: Buffer;
}

/** Returns the document without the texts that contain a secret, and for each secret its place (JSON pointer). */
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

/** Yields the lines of the history file. Leaves out readings: who checks a history judges its entries again. */
function* cutHistory(journals: readonly JournalBytes[]): Generator<LinePlace> {
  for (const line of cutJournals(journals)) if (!isReading(line.bytes)) yield line;
}

/** This many bytes of lines are packed at a time. */
const PACKED_BYTES = 4_000_000;

/** Packs the lines of a history, one after the other. A gzip file may have several members (RFC 1952, 2.2). */
class Packer {
  #lines: Buffer[] = [];
  #length = 0;
  readonly #members: Buffer[] = [];

  add(line: Buffer): void {
    this.#lines.push(line, LINE_END);
    this.#length += line.length;
    if (this.#length > PACKED_BYTES) this.#pack();
  }

  end(): Buffer {
    this.#pack();
    return Buffer.concat(this.#members);
  }

  #pack(): void {
    // Level 1 takes a fifth of the time of the best level.
    this.#members.push(gzipSync(Buffer.concat(this.#lines), { level: 1 }));
    [this.#lines, this.#length] = [[], 0];
  }
}

/** Is called with each line of a history and its number. */
type InspectLine = (line: JournalLine, index: number) => void;

/** Makes the index of a history: reads the journals once, and notes where the entries are and how many lines of each kind there are. */
function openHistory(journals: readonly JournalBytes[], inspectLine?: InspectLine, packer?: Packer): RunHistory {
  const allBytes = journals.reduce((sum, { length }) => sum + length, 0);
  if (allBytes > LONG_HISTORY_BYTES) limitHeapGrowth();
  const hash = createHash('sha256');
  const entryPlaces = new Map<string, Omit<LinePlace, 'bytes'> & { readonly to: number }>();
  const lineCounts = new Map<JournalLine['line'], number>();
  let damaged = 0;
  let index = 0;
  for (const { journal, from, bytes } of cutHistory(journals)) {
    hash.update(bytes).update(LINE_END);
    packer?.add(bytes);
    const line = parseLine(bytes);
    if (line === null) damaged += 1;
    else {
      if (line.line === 'entry' && !entryPlaces.has(line.entry.id))
        entryPlaces.set(line.entry.id, { journal, from, to: from + bytes.length });
      lineCounts.set(line.line, (lineCounts.get(line.line) ?? 0) + 1);
      inspectLine?.(line, index);
      index += 1;
    }
  }
  const findEntry = (id: string): ExchangeRecord | undefined => {
    const place = entryPlaces.get(id);
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
    damagedLines: damaged,
    countLines: (kind) => lineCounts.get(kind) ?? 0,
    sha256: hash.digest('hex'),
  };
}

/** A run writes at most 200 MB, and its longest lines have a few megabytes. */
const MAX_HISTORY_BYTES = 256_000_000;
const MAX_LINE_BYTES = 32_000_000;

/** Reads the history from the file beside a report. Throws an error of one sentence if it is too large or cannot be unpacked. */
export async function readHistoryFile(file: string): Promise<RunHistory> {
  const piecesOfWholeLines: Buffer[] = [];
  /** The pieces of a line whose end was not read yet. */
  let lineStart: Buffer[] = [];
  let length = 0;
  for await (const piece of readUnpacked(file, MAX_HISTORY_BYTES)) {
    const end = piece.lastIndexOf(10) + 1;
    length += piece.length;
    if (end > 0) {
      piecesOfWholeLines.push(Buffer.concat([...lineStart, piece.subarray(0, end)]));
      [lineStart, length] = [[], piece.length - end];
    }
    lineStart.push(piece.subarray(end));
    if (length > MAX_LINE_BYTES)
      throw new Error(`${file} has a line of more than ${MAX_LINE_BYTES / 1_000_000} MB: no run writes one.`);
  }
  return openHistory(piecesOfWholeLines.map(openBytes));
}

/** Removes the texts of a line that contain a secret. Returns the safe line, and for each secret its place. */
function removeSecretsOfLine(
  line: JournalLine,
  withhold: Withhold,
): { safeLine: JournalLine; withheld: readonly string[] } {
  const { document, withheld: foundSecrets } = withhold(line);
  const place = line.line === 'entry' ? `the exchange ${line.entry.id}` : `a line of the kind ${line.line}`;
  const withheld = foundSecrets.map(({ secret, pointer }) => `${secret} at ${pointer} of ${place} of the history`);
  if (foundSecrets.length === 0 || document.line !== 'entry' || line.line !== 'entry')
    return { safeLine: document, withheld };
  const { sha256: _, ...safeEntry } = document.entry;
  // The safe entry also has the verdicts that only the original entry can show.
  const entry = sealEntry({ ...safeEntry, takenFromRun: withhold(rereadEntry(line.entry)).document });
  return { safeLine: { line: 'entry', entry }, withheld };
}

interface SafeHistory {
  readonly history: PackedHistory;
  /** The secrets and their places. If there is a secret, the history has no readings: a reading may quote the secret. */
  readonly withheld: readonly string[];
}

/** Makes the index of a history, and packs the history in the same pass. */
function openPacked(journals: readonly JournalBytes[], inspectLine?: InspectLine): PackedHistory {
  const packer = new Packer();
  const history = openHistory(journals, inspectLine, packer);
  return { ...history, packed: packer.end() };
}

/** Opens the journals without the texts that contain a secret. */
function openSafely(journals: readonly JournalBytes[], withhold: Withhold): SafeHistory {
  const withheld: string[] = [];
  /** The safe lines that replace lines with a secret, by the number of the line. */
  const safeLines = new Map<number, JournalLine>();
  const history = openPacked(journals, (line, index) => {
    const { safeLine, withheld: withheldOfLine } = removeSecretsOfLine(line, withhold);
    if (withheldOfLine.length === 0) return;
    withheld.push(...withheldOfLine);
    safeLines.set(index, safeLine);
  });
  if (withheld.length === 0) return { history, withheld };
  const lines = Array.from(history.lines).filter(({ line }) => line !== 'reading');
  const texts = lines.map((line, index) => `${JSON.stringify(safeLines.get(index) ?? line)}\n`);
  const { damagedLines } = history;
  return { history: { ...openPacked([openBytes(Buffer.from(texts.join('')))]), damagedLines }, withheld };
}

/** Removes secrets from the journal files of a run. Returns the secrets and their places. */
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

/** A journal that a worker attached to its test: a file or its bytes. */
export type AttachedJournal = { readonly path?: string; readonly body?: Buffer };

/**
 * Makes the history from all journals of the run `run`, without secrets. Also reads the journals in the folder, because a worker that
 * crashed attached nothing. For merged shards, `folder` and `run` are null: all attached journals count.
 */
export function collectJournals(
  folder: string | null,
  run: string | null,
  attached: readonly AttachedJournal[],
  withhold = withholdNothing,
): SafeHistory & { readonly faults: SuiteError[] } {
  const faults: SuiteError[] = [];
  const attachedBodies = attached.flatMap(({ body }) => body ?? []);
  const journals = attachedBodies.map(openBytes);
  // An attached journal is usually also in the folder. It is read only once.
  const filesInFolder = new Set(folder === null ? [] : listJournalFiles(path.join(folder, JOURNAL_FOLDER)));
  const attachedFiles = attached.flatMap((journal) => (journal.path === undefined ? [] : path.resolve(journal.path)));
  for (const file of new Set([...filesInFolder, ...attachedFiles]))
    try {
      journals.push(openJournalFile(file));
    } catch (error) {
      if (folder === null || filesInFolder.has(file))
        faults.push({ scenario: null, message: `A journal is missing: ${(error as Error).message}` });
    }
  const journalsOfRun = removeDuplicateJournals(journals).filter(
    (journal) => run === null || readRunOfJournal(journal) === run,
  );
  const { history, withheld } = openSafely(journalsOfRun, withhold);
  if (history.damagedLines > 0)
    faults.push({ scenario: null, message: `${history.damagedLines} lines of the journals cannot be read.` });
  return { history, withheld, faults };
}
