/** The name of the Playwright project for the gate as a test, if another reporter replaces the reporter of the suite. */

export const GATE_PROJECT = 'verdict';
