/** Checks that a repeated request does not end in a server error each time. */
import type { Check } from '../model/check.ts';
import { isCrash } from '../history/describe.ts';
import { checkComparison } from './check.ts';

/** The second requests of two pairs, each sent twice, must crash. */
const MIN_CRASHES = 4;

export const raceChecks: readonly Check[] = [
  // The repeated request is a mistake of the client, but the bank must not crash.
  checkComparison('service.odd-input', ({ one, all }) => {
    const repeated = all('repeated');
    const [by] = repeated;
    if (by === undefined || repeated.length < MIN_CRASHES || !repeated.every(isCrash)) return null;
    return { by, holds: false, expected: 'a status below 500', contrast: one('first') };
  }),
];
