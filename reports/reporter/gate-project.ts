/** The name of the Playwright project for the gate as a test, if another reporter replaces the reporter of the suite. */

/** The name of the project, and of its one test in an IDE. */
export const GATE_PROJECT = 'verdict';
