/** The history of a run: the lines of all its journals, as they are folded and as they are kept beside the report. */
import { createHash } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { gunzipSync, gzipSync } from 'node:zlib';
import { read, sealed } from '../../openapi/history/reading.ts';
import type { ExchangeRecord, JournalLine } from '../../openapi/model/journal.ts';
import { linesOf } from './read.ts';

export interface History {
  /** Read anew each time that they are asked for. */
  readonly lines: Iterable<JournalLine>;
  /** How many lines are no JSON. */
  readonly damaged: number;
  /** SHA-256 (hex) of its lines. */
  readonly sha256: string;
  /** As it lies beside the report. */
  packed(): Buffer;
}

/** Bytes of a history whose lines are read once and remembered. */
const MAX_REMEMBERED = 16_000_000;

/** The history that these journals make. */
export function historyOf(journals: readonly Buffer[]): History {
  // What was cut off in mid-line is left out.
  const parts = journals.map((one) => one.subarray(0, one.lastIndexOf(10) + 1));
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  const remembered: JournalLine[] | null = size <= MAX_REMEMBERED ? [] : null;
  // By default V8 lets a heap grow to several times what is in use before it collects: more than a small machine has.
  if (remembered === null) setFlagsFromString('--heap-growing-percent=60');
  const hash = createHash('sha256');
  let damaged = 0;
  for (const part of parts) {
    hash.update(part);
    for (const line of linesOf(part))
      if (line === null) damaged += 1;
      else remembered?.push(line);
  }
  return {
    lines: remembered ?? {
      *[Symbol.iterator]() {
        for (const part of parts) for (const line of linesOf(part)) if (line !== null) yield line;
      },
    },
    damaged,
    sha256: hash.digest('hex'),
    // A gzip file may have several members (RFC 1952, 2.2). This level takes a fifth of the time of the best one.
    packed: () => Buffer.concat([...parts, Buffer.alloc(0)].map((part) => gzipSync(part, { level: 1 }))),
  };
}

/** The history in a file that lies beside a report. Throws if it cannot be unpacked. */
export const unpacked = (file: Buffer): History => historyOf([gunzipSync(file)]);

/** A search for secrets: the document without each text in which one stands, and where (JSON pointer) which one stood. */
export type Withhold = <T>(document: T) => {
  readonly document: T;
  readonly withheld: readonly { readonly secret: string; readonly pointer: string }[];
};

/** The shown entry; what was read in the original is taken from the run. */
function entryWith({ sha256: _, ...shown }: ExchangeRecord, original: ExchangeRecord, withhold: Withhold) {
  const { value: __, ...reading } = read(original);
  return sealed({ ...shown, takenFromRun: withhold(reading).document });
}

/** The history without what `withhold` finds in it. */
export function withheldFrom(history: History, withhold: Withhold): { history: History; withheld: readonly string[] } {
  const withheld: string[] = [];
  /** By their place among the lines, which may be read anew. */
  const safe = new Map<number, JournalLine>();
  let at = -1;
  for (const line of history.lines) {
    at += 1;
    const { document, withheld: found } = withhold(line);
    if (found.length === 0) continue;
    const place = line.line === 'entry' ? `the exchange ${line.entry.id}` : `a line of the kind ${line.line}`;
    withheld.push(...found.map(({ secret, pointer }) => `${secret} at ${pointer} of ${place} of the history`));
    const isEntry = document.line === 'entry' && line.line === 'entry';
    safe.set(at, isEntry ? { line: 'entry', entry: entryWith(document.entry, line.entry, withhold) } : document);
  }
  if (withheld.length === 0) return { history, withheld };
  const texts = Array.from(history.lines, (line, place) => `${JSON.stringify(safe.get(place) ?? line)}\n`);
  return { history: historyOf([Buffer.from(texts.join(''))]), withheld };
}
