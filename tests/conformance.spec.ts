/** Every scenario is a test of Playwright. One file for all: Playwright loads files one after the other. */
import { register } from '../fixtures/runner/index.ts';
import { scenarios } from './index.ts';

register(scenarios);
