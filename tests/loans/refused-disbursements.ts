/** The outcome of a disbursement that was refused. */
import type { Reply, Tools } from '../../fixtures/runner/index.ts';

/** Checks that a refused disbursement, `contrast`, has not the outcome of one that was made. */
export const checkRefusedIsNotPaid = (
  { check }: Pick<Tools, 'check'>,
  outcome: Reply<'queryDisbursement'>,
  isPaid: boolean,
  contrast: Reply,
): void =>
  check('loans.outcome.not-of-a-refused', outcome, !isPaid, {
    pointer: '/data/result',
    expected: 'no outcome in the words of a disbursement that was made',
    received: String(outcome.data.result),
    contrast,
  });
