/** Marks the tests that run only in `npm run test:all`, not in `npm test`. */
import type { TestDetails } from '@playwright/test';

/** For a test that shows little that other tests do not: often the same mechanism is tested by another one. */
export const THOROUGH_ONLY: TestDetails = { tag: '@thorough' };

/** The details of one test in a family: `npm test` runs it if `isShown`. */
export const thoroughUnless = (isShown: boolean): TestDetails => (isShown ? {} : THOROUGH_ONLY);
