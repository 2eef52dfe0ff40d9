/** All scenarios, for tests that run them against banks of their own. */
import { collectScenarios } from '../fixtures/runner/index.ts';

export const loadScenarios = () => collectScenarios(__dirname);
