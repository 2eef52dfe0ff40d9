/** What is told of a disbursement that was refused. */
import type { Reply, Tools } from '../../fixtures/runner/index.ts';

/** Checks that a refused disbursement, `contrast`, is not told in the words of one that was made. */
export const checkRefusedIsNotTold = (
  { check }: Pick<Tools, 'check'>,
  told: Reply<'queryDisbursement'>,
  isToldAsMade: boolean,
  contrast: Reply,
): void =>
  check('loans.outcome.not-of-a-refused', told, !isToldAsMade, {
    pointer: '/data/result',
    expected: 'no outcome in the words of a disbursement that was made',
    received: String(told.data.result),
    contrast,
  });
