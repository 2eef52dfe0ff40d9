/** Makes inferences about open points from all exchanges of a run. */
import type { History } from '../model/check.ts';
import type { Inference } from '../model/finding.ts';
import { listStatuses } from '../checks/service/statuses.ts';
import { inferAtms } from './atms.ts';
import { inferBounds } from './bounds.ts';
import { inferExpiry } from './expiry.ts';
import { inferRefusals } from './refusals.ts';
import { inferStatuses } from './statuses.ts';

/** Returns the inferences of a run. */
export function inferAll(notes: History['notes']): readonly Inference[] {
  return [
    ...inferStatuses(listStatuses(notes('answer'))),
    ...inferBounds(notes),
    ...inferExpiry(notes),
    ...inferAtms(notes),
    ...inferRefusals(notes),
  ];
}
