/** Estimates the work of a run: its requests, their time with RATE_LIMIT, and the work of tests of the suite. */
import type { Area } from '../../openapi/model/exchange.ts';
import type { RunDescription } from '../model/description.ts';
import { formatDuration } from '../text/phrases.ts';

/** Requests of a complete run with RUNS=25, by area, and for each further case; measured at banks with up to seven faults. */
const USUAL_REQUESTS: Readonly<Record<Area, number>> = { loans: 590, 'payment-links': 325, atms: 300 };
const DEFAULT_RUNS = 25;
const REQUESTS_PER_CASE: Readonly<Record<Area, number>> = { loans: 1, 'payment-links': 0, atms: 3.5 };
/** With fewer scenarios, the run is a selection with an unknown number of requests. */
const MIN_SCENARIOS = 50;

/** Estimates how many requests a run sends; 0 if unknown. */
export function estimateRequests(
  { target, suite }: Pick<RunDescription, 'target' | 'suite'>,
  scenarios: number,
): number {
  const { REPLAY, OPERATIONS, READ_ONLY } = suite.settings ?? {};
  if (scenarios < MIN_SCENARIOS || (REPLAY ?? OPERATIONS ?? READ_ONLY) !== undefined) return 0;
  const cases = suite.runs - DEFAULT_RUNS;
  return target.areas.reduce((sum, area) => sum + USUAL_REQUESTS[area] + cases * REQUESTS_PER_CASE[area], 0);
}

/** Returns the shortest duration of a run with RATE_LIMIT, in words; null without a limit, or if its requests are unknown. */
export function describeLeastDuration(description: RunDescription, scenarios: number): string | null {
  const rate = Number(description.suite.settings?.['RATE_LIMIT'] ?? 0);
  const requests = estimateRequests(description, scenarios);
  return rate > 0 && requests > 0 ? formatDuration((requests / rate) * 1000) : null;
}

/** The time of each kind of test in unit tests, measured in four runs of all tests on two processors. */
const testWork = [
  [/self\/mutation\/(?:population|matrix)/, 30],
  [/self\/e2e\//, 7],
  [/self\/(?:html|mutation|other-servers)\//, 3],
] as const;

export const getTestWork = (file: string): number =>
  testWork.find(([part]) => part.test(file.replaceAll('\\', '/')))?.[1] ?? 1;
