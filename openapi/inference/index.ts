/**
 * Admissible readings: what all exchanges of a run show together about the points that the document leaves open. Each point
 * has candidate readings; those that every exchange allows are told.
 */
import type { Inference, FactRecord } from '../run-rules/index.ts';
import { inferAtms } from './atms.ts';
import { inferBounds } from './bounds.ts';
import { inferExpiry } from './expiry.ts';
import { inferStatuses } from './statuses.ts';
import type { StatusRule } from '../run-rules/statuses.ts';

/** The readings of a run; `statuses` are its accepted answers. */
export function infer(sightings: readonly FactRecord[], statuses: readonly StatusRule[]): readonly Inference[] {
  return [...inferStatuses(statuses), ...inferBounds(sightings), ...inferExpiry(sightings), ...inferAtms(sightings)];
}
