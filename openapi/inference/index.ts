/**
 * Inferences: what all exchanges of a run show together about the points that the document leaves open. Each point has
 * candidate values; those that no exchange contradicts are reported.
 */
import type { FactRecord } from '../model/facts.ts';
import type { Inference } from '../model/finding.ts';
import { statusesOf } from '../run-rules/statuses.ts';
import { inferAtms } from './atms.ts';
import { inferBounds } from './bounds.ts';
import { inferExpiry } from './expiry.ts';
import { inferRefusals } from './refusals.ts';
import { inferStatuses } from './statuses.ts';

/** The inferences of a run. */
export function infer(records: readonly FactRecord[]): readonly Inference[] {
  return [
    ...inferStatuses(statusesOf(records)),
    ...inferBounds(records),
    ...inferExpiry(records),
    ...inferAtms(records),
    ...inferRefusals(records),
  ];
}
