/** Estimates how many requests a run sends, and how long they take with RATE_LIMIT. */
import type { Area } from '../../openapi/model/exchange.ts';
import type { RunDescription } from '../model/description.ts';
import { duration } from '../text/phrases.ts';

/** Requests of a complete run against the reference bank with the default settings, by area. */
const USUAL_REQUESTS: Readonly<Record<Area, number>> = { loans: 560, 'payment-links': 315, atms: 285 };
/** With fewer scenarios, the run is a selection with an unknown number of requests. */
const MIN_SCENARIOS = 50;

/** Estimates how many requests a run sends; 0 if unknown. */
export function expectedRequests(
  { target, suite }: Pick<RunDescription, 'target' | 'suite'>,
  scenarios: number,
): number {
  const { REPLAY, OPERATIONS, READ_ONLY } = suite.settings ?? {};
  if (scenarios < MIN_SCENARIOS || (REPLAY ?? OPERATIONS ?? READ_ONLY) !== undefined) return 0;
  return target.areas.reduce((sum, area) => sum + USUAL_REQUESTS[area], 0);
}

/** Returns the shortest duration of a run with RATE_LIMIT, in words; null without a limit, or if its requests are unknown. */
export function leastDuration(description: RunDescription, scenarios: number): string | null {
  const rate = Number(description.suite.settings?.['RATE_LIMIT'] ?? 0);
  const requests = expectedRequests(description, scenarios);
  return rate > 0 && requests > 0 ? duration((requests / rate) * 1000) : null;
}
