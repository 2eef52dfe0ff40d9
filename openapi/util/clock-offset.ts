/** Compares the clock of a bank, in the Date header of an answer, with the clock of this machine. */
import { countOf } from './counted.ts';

/** A smaller difference is ignored: a Date header has whole seconds, and an answer may be slow. */
const MAX_OFFSET_MS = 120_000;

/** Returns how far the clock of the bank is ahead, in milliseconds; null without a Date header. */
export function readClockOffset(headers: readonly (readonly [string, string])[], answeredAt: number): number | null {
  const bankTime = Date.parse(headers.find(([name]) => name.toLowerCase() === 'date')?.[1] ?? '');
  return Number.isNaN(bankTime) ? null : bankTime - answeredAt;
}

/** Describes in one sentence how wrong the clock is; null if the difference is small or unknown. */
export function describeClockOffset(offsetMs: number | null): string | null {
  if (offsetMs === null || Math.abs(offsetMs) <= MAX_OFFSET_MS) return null;
  const minutes = Math.round(Math.abs(offsetMs) / 60_000);
  const amount = minutes < 120 ? countOf(minutes, 'minute') : countOf(Math.round(minutes / 60), 'hour');
  const side = offsetMs > 0 ? 'ahead of' : 'behind';
  return `The clock of the bank is ${amount} ${side} the clock of this machine: set the wrong one, since tokens and payment links expire by it.`;
}
