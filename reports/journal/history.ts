/** The history of a run: the lines of all its journals, as they are folded and as they are kept beside the report. */
import { gunzipSync, gzipSync } from 'node:zlib';
import type { JournalLine } from '../../openapi/model/journal.ts';
import { sha256OfText } from '../../openapi/util/hash.ts';
import { linesOf } from './read.ts';

export interface History {
  /** Read anew each time that they are asked for. */
  readonly lines: Iterable<JournalLine>;
  /** How many lines are no JSON. */
  readonly damaged: number;
  /** SHA-256 (hex) over its lines. */
  readonly sha256: string;
  /** As it lies beside the report. */
  packed(): Buffer;
}

/** The history that these journals make. */
export function historyOf(journals: readonly Buffer[]): History {
  const whole = Buffer.concat(journals.map((one) => one.subarray(0, one.lastIndexOf(10) + 1)));
  let damaged = 0;
  for (const line of linesOf(whole)) if (line === null) damaged += 1;
  return {
    lines: {
      *[Symbol.iterator]() {
        for (const line of linesOf(whole)) if (line !== null) yield line;
      },
    },
    damaged,
    sha256: sha256OfText(whole),
    packed: () => gzipSync(whole),
  };
}

/** The history in a file that lies beside a report. Throws where it cannot be unpacked. */
export const unpacked = (file: Buffer): History => historyOf([gunzipSync(file)]);
