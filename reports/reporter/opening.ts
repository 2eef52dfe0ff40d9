/** Writes the first lines on the terminal: the target, and the plan of the run. */
import type { RunDescription } from '../model/description.ts';
import { targetName } from '../text/phrases.ts';
import { oneLine } from '../text/sanitize.ts';
import { hangingLines } from '../text/wrap.ts';
import { leastDuration } from './expected-work.ts';

/** Returns the lines to print before the first request, broken at `columns` of a terminal. */
export function opening(description: RunDescription, scenarios: number, columns: number | null): string {
  const { target, suite, notice, plan = [] } = description;
  const lines = [
    ...(notice === undefined ? [] : [notice]),
    `Judging ${targetName(target)}, seed ${suite.seed}`,
    ...plan,
  ];
  const atLeast = leastDuration(description, scenarios);
  if (atLeast !== null) lines.push(`Plan: with this RATE_LIMIT the run takes about ${atLeast}.`);
  return lines.flatMap((line) => hangingLines(oneLine(line), columns ?? Infinity)).join('\n');
}
