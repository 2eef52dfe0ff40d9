/** Which tests of the suite `npm test` leaves to `npm run test:all`. */
import type { TestDetails } from '@playwright/test';

/** Of a test that costs more than it shows beside the others: often it differs from one in nothing that the mechanism looks at. */
export const thorough: TestDetails = { tag: '@thorough' };

/** The details of one test of a family: `npm test` runs those that are shown. */
export const shownIf = (isShown: boolean): TestDetails => (isShown ? {} : thorough);
