/** Estimates the work of a run: its number of requests, their time with RATE_LIMIT, and the work of tests of the suite. */
import type { Area } from '../../openapi/model/exchange.ts';
import type { RunDescription } from '../model/description.ts';
import { formatDuration } from '../text/phrases.ts';

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

/**
 * Returns the shortest duration of a run with RATE_LIMIT, in words; null if there is no limit, or if the number of requests is
 * unknown.
 */
export function describeLeastDuration(description: RunDescription, scenarios: number): string | null {
  const rate = Number(description.suite.settings?.['RATE_LIMIT'] ?? 0);
  const requests = estimateRequests(description, scenarios);
  return rate > 0 && requests > 0 ? formatDuration((requests / rate) * 1000) : null;
}

/** The relative time of each kind of test, compared with a unit test. Measured in four runs of all tests on two processors. */
const testWork = [
  [/self\/mutation\/(?:population|matrix)/, 30],
  [/self\/e2e\//, 7],
  [/self\/(?:html|mutation|other-servers)\//, 3],
] as const;

export const getTestWork = (file: string): number =>
  testWork.find(([part]) => part.test(file.replaceAll('\\', '/')))?.[1] ?? 1;
