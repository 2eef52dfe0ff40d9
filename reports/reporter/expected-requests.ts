/** How many requests a run sends, and how long RATE_LIMIT makes that last. */
import type { Area } from '../../openapi/model/exchange.ts';
import type { RunDescription } from '../model/description.ts';
import { duration } from '../text/phrases.ts';

/** Requests of a whole run against the reference bank with the usual settings, by area. */
const USUAL_REQUESTS: Readonly<Record<Area, number>> = { loans: 560, 'payment-links': 315, atms: 285 };
/** Fewer scenarios are a selection, whose requests nobody has counted. */
const MIN_SCENARIOS = 50;

/** About how many requests a run sends; 0 where it cannot be known. */
export function expectedRequests(
  { target, suite }: Pick<RunDescription, 'target' | 'suite'>,
  scenarios: number,
): number {
  const { REPLAY, OPERATIONS, READ_ONLY } = suite.settings ?? {};
  if (scenarios < MIN_SCENARIOS || (REPLAY ?? OPERATIONS ?? READ_ONLY) !== undefined) return 0;
  return target.areas.reduce((sum, area) => sum + USUAL_REQUESTS[area], 0);
}

/** How long a run takes for RATE_LIMIT alone, in words; null if there is none or its requests are not known. */
export function leastDuration(description: RunDescription, scenarios: number): string | null {
  const rate = Number(description.suite.settings?.['RATE_LIMIT'] ?? 0);
  const requests = expectedRequests(description, scenarios);
  return rate > 0 && requests > 0 ? duration((requests / rate) * 1000) : null;
}
