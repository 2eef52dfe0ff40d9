/** Marks the tests that run only in `npm run test:all`, not in `npm test`. */
import type { TestDetails } from '@playwright/test';

/** For a test that shows little more than other tests: often another test has the same mechanism. */
export const THOROUGH_ONLY: TestDetails = { tag: '@thorough' };

/** Returns the details of one test of several similar tests: `npm test` runs it if `isShown` is true. */
export const thoroughUnless = (isShown: boolean): TestDetails => (isShown ? {} : THOROUGH_ONLY);
