/** Writes the first lines on the terminal: the bank, and the plan of the run. */
import type { RunDescription } from '../model/description.ts';
import { formatTargetName } from '../text/phrases.ts';
import { toOneLine } from '../text/sanitize.ts';
import { wrapWithIndent } from '../text/wrap.ts';
import { describeLeastDuration } from './expected-work.ts';

/** Returns the lines to print before the first request, wrapped to the `columns` of a terminal. */
export function describeOpening(description: RunDescription, scenarios: number, columns: number | null): string {
  const { target, suite, notice, plan = [] } = description;
  const lines = [
    ...(notice === undefined ? [] : [notice]),
    `Judging ${formatTargetName(target)}, seed ${suite.seed}`,
    ...plan,
  ];
  const atLeast = describeLeastDuration(description, scenarios);
  if (atLeast !== null) lines.push(`Plan: with this RATE_LIMIT the run takes about ${atLeast}.`);
  return lines.flatMap((line) => wrapWithIndent(toOneLine(line), columns ?? Infinity)).join('\n');
}
