/** All scenarios, for tests that run them against their own banks. */
import { collectScenarios } from '../fixtures/runner/index.ts';

export const loadScenarios = () => collectScenarios(__dirname);
