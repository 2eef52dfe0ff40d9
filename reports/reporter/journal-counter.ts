/** Counts lines in the journals of a run while they grow. */
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import path from 'node:path';

/** The progress of a run. */
export interface Done {
  readonly requests: number;
  /** Scenarios that have ended. Playwright hears of them later, in their order. */
  readonly scenarios: number;
  /** Findings by clause, operation and place. */
  readonly findings: number;
  /** The target asked to wait until this time, in milliseconds since the epoch; 0 if it did not ask. */
  readonly pausedUntil: number;
}

const CHUNK_BYTES = 1 << 20;

/** Makes a counter for the journals in a folder. Each call reads only new lines. */
export function openJournalCounter(folder: string): () => Done {
  const read = new Map<string, { at: number; rest: string }>();
  const buffer = Buffer.alloc(CHUNK_BYTES);
  const done = { requests: 0, scenarios: 0, findings: 0, pausedUntil: 0 };

  function note(line: string): void {
    if (line.startsWith('{"line":"entry"')) done.requests += 1;
    else if (line.startsWith('{"line":"end"')) done.scenarios += 1;
    else if (/^\{"line":"(?:findings|pause)"/.test(line)) {
      const { count = 0, until = 0 } = JSON.parse(line) as { readonly count?: number; readonly until?: number };
      done.findings = Math.max(done.findings, count);
      done.pausedUntil = Math.max(done.pausedUntil, until);
    }
  }

  function readOn(file: string): void {
    const known = read.get(file) ?? { at: 0, rest: '' };
    read.set(file, known);
    const descriptor = openSync(file, 'r');
    try {
      for (;;) {
        const length = readSync(descriptor, buffer, 0, CHUNK_BYTES, known.at);
        if (length === 0) return;
        known.at += length;
        const lines = (known.rest + buffer.toString('latin1', 0, length)).split('\n');
        known.rest = lines.pop() ?? '';
        for (const line of lines) note(line);
      }
    } finally {
      closeSync(descriptor);
    }
  }

  return () => {
    try {
      for (const name of readdirSync(folder)) if (name.endsWith('.jsonl')) readOn(path.join(folder, name));
    } catch {
      // The report later names a journal that cannot be read.
    }
    return { ...done };
  };
}
