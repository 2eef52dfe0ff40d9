/** Limits the memory of a process. */
import { setFlagsFromString } from 'node:v8';

/** A process that reads or writes more bytes of journals limits its memory. */
export const LONG_HISTORY_BYTES = 16_000_000;

let isLimited = false;

/** Lets the heap grow by 60 % before V8 collects garbage. By default, it grows to several times the used memory. */
export function limitHeapGrowth(): void {
  if (isLimited) return;
  isLimited = true;
  setFlagsFromString('--heap-growing-percent=60');
  // The process keeps its compiled code when it ends, and V8 accepts it only from a process with the same flags.
  process.prependListener('exit', () => setFlagsFromString('--heap-growing-percent=0'));
}
