/** What a whole run shows: answers to open points, and answers that a later request replaced. */
import { inferFollowedOutcomes } from '../behaviours/loans/taken-back.ts';
import { inferExpiry } from '../behaviours/payment-links/lifetime.ts';
import { inferStatuses } from '../behaviours/service/statuses.ts';
import { inferAtms } from '../inference/atms.ts';
import { inferBounds, inferRefusals } from '../inference/bounds.ts';
import type { Inference } from '../model/finding.ts';
import type { Run } from '../model/record.ts';

export { leaveOutReplaced } from '../history/replaced-contracts.ts';

export const inferences: readonly ((run: Run) => readonly Inference[])[] = [
  ...[inferStatuses, inferBounds, inferExpiry, inferAtms, inferRefusals],
  inferFollowedOutcomes,
];
