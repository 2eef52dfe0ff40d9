/** Counts the lines in the journals of a run while they grow. */
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import path from 'node:path';

export interface Done {
  readonly requests: number;
  /** Scenarios that have ended. Playwright reports them later, in their order. */
  readonly scenarios: number;
  /** The number of different findings. Findings differ by clause, operation and place. */
  readonly findings: number;
  /** The bank asked to wait until this time, in milliseconds since the epoch; 0 if it did not ask. */
  readonly pausedUntil: number;
  /** True if the run ends before its scenarios. */
  readonly isEnding: boolean;
}

const CHUNK_BYTES = 1 << 20;

export function openJournalCounter(folder: string): () => Done {
  const read = new Map<string, { at: number; rest: string }>();
  const buffer = Buffer.alloc(CHUNK_BYTES);
  let [requests, scenarios, findings, pausedUntil] = [0, 0, 0, 0];
  let isEnding = false;

  function note(line: string): void {
    if (line.startsWith('{"line":"entry"')) requests += 1;
    else if (line.startsWith('{"line":"end"')) scenarios += 1;
    else if (line.startsWith('{"line":"interrupted"')) isEnding = true;
    else if (line.startsWith('{"line":"findings"'))
      findings = Math.max(findings, (JSON.parse(line) as { readonly count: number }).count);
    else if (line.startsWith('{"line":"pause"'))
      pausedUntil = Math.max(pausedUntil, (JSON.parse(line) as { readonly until: number }).until);
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
    return { requests, scenarios, findings, pausedUntil, isEnding };
  };
}
