/** Writes the first lines on the terminal: the bank, and the plan of the run with its time. */
import type { Area } from '../../openapi/model/exchange.ts';
import type { RunDescription } from '../model/description.ts';
import { formatDuration, formatTargetName } from '../text/phrases.ts';
import { toOneLine } from '../text/sanitize.ts';
import { wrapWithIndent } from '../text/wrap.ts';

/** The number of requests of a complete run with RUNS=25, by area. Measured at banks with up to seven faults. */
const USUAL_REQUEST_COUNTS: Readonly<Record<Area, number>> = { loans: 590, 'payment-links': 325, atms: 300 };
const DEFAULT_RUNS = 25;
const REQUESTS_PER_CASE: Readonly<Record<Area, number>> = { loans: 1, 'payment-links': 0, atms: 3.5 };
/** With fewer scenarios, the user selected scenarios, and the number of requests is unknown. */
const MIN_SCENARIOS = 50;

/** Estimates how many requests a run sends; 0 if unknown. */
export function estimateRequests(
  { target, suite }: Pick<RunDescription, 'target' | 'suite'>,
  scenarios: number,
): number {
  const { REPLAY, OPERATIONS, READ_ONLY } = suite.settings ?? {};
  if (scenarios < MIN_SCENARIOS || (REPLAY ?? OPERATIONS ?? READ_ONLY) !== undefined) return 0;
  const cases = suite.runs - DEFAULT_RUNS;
  return target.areas.reduce((sum, area) => sum + USUAL_REQUEST_COUNTS[area] + cases * REQUESTS_PER_CASE[area], 0);
}

/** Returns the lines to print before the first request, wrapped to the `columns` of a terminal. */
export function describeOpening(description: RunDescription, scenarios: number, columns: number | null): string {
  const { target, suite, notice, plan = [] } = description;
  const msAtLeast = (estimateRequests(description, scenarios) / Number(suite.settings?.['RATE_LIMIT'] ?? 0)) * 1000;
  return [
    ...(notice === undefined ? [] : [notice]),
    `Judging ${formatTargetName(target)}, seed ${suite.seed}`,
    ...plan,
    ...(msAtLeast > 0 && msAtLeast < Infinity
      ? [`Plan: with this RATE_LIMIT the run takes about ${formatDuration(msAtLeast)}.`]
      : []),
  ]
    .flatMap((line) => wrapWithIndent(toOneLine(line), columns ?? Infinity))
    .join('\n');
}
