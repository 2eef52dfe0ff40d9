/** Marks tests that run only in `npm run test:all`, not in `npm test`. */
import type { TestDetails } from '@playwright/test';

/** For a test that adds little to other tests, for example because another test runs the same code. */
export const THOROUGH_ONLY: TestDetails = { tag: '@thorough' };

/** Returns the details of one of several similar tests: `npm test` runs it if `isShown` is true. */
export const thoroughUnless = (isShown: boolean): TestDetails => (isShown ? {} : THOROUGH_ONLY);
