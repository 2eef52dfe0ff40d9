/** Lists the functions that answer open points from all answers of a run. Gives the engine `leaveOutReplaced` too. */
import { inferFollowedOutcomes } from './behaviours/loans/taken-back.ts';
import { inferExpiry } from './behaviours/payment-links/lifetime.ts';
import { inferStatuses } from '../behaviours/service/statuses.ts';
import { inferAtms } from './inference/atms.ts';
import { inferBounds, inferRefusals } from './inference/bounds.ts';
import type { Inference } from '../model/finding.ts';
import type { Run } from '../model/record.ts';

export { leaveOutReplaced } from './history/replaced-contracts.ts';

export const inferences: readonly ((run: Run) => readonly Inference[])[] = [
  ...[inferStatuses, inferBounds, inferExpiry, inferAtms, inferRefusals],
  inferFollowedOutcomes,
];
