/** Gives the lines of the logs of all workers of a run in order, and the entries by id. */
import type { ExchangeRecord, JournalLine } from '../model/journal.ts';

/** The lines of one scenario are together and in order; scenarios are in any order. */
export interface RunLines extends Iterable<JournalLine> {
  /** Returns the first entry with this id. */
  findEntry(id: string): ExchangeRecord | undefined;
}

/** Opens lines that are in memory. */
export function openLines(lines: readonly JournalLine[]): RunLines {
  const entries = new Map<string, ExchangeRecord>();
  for (const line of lines)
    if (line.line === 'entry' && !entries.has(line.entry.id)) entries.set(line.entry.id, line.entry);
  return { [Symbol.iterator]: () => lines[Symbol.iterator](), findEntry: (id) => entries.get(id) };
}
