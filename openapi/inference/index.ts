/**
 * Admissible readings: what all exchanges of a run show together about the points that the document leaves open. Each point
 * has candidate readings; those that every exchange allows are told.
 */
import type { Reading, Sighting } from '../run-rules/index.ts';
import { readAtms } from './atms.ts';
import { readBounds } from './bounds.ts';
import { readExpiry } from './expiry.ts';
import { readStatuses } from './statuses.ts';
import type { Settled } from '../run-rules/statuses.ts';

/** The readings of a run; `statuses` are its accepted answers. */
export function readings(sightings: readonly Sighting[], statuses: readonly Settled[]): readonly Reading[] {
  return [...readStatuses(statuses), ...readBounds(sightings), ...readExpiry(sightings), ...readAtms(sightings)];
}
