/** Every story is a test of Playwright. One file for all: Playwright loads files one after the other. */
import { register } from '../fixtures/runner/index.ts';
import { stories } from './index.ts';

register(stories);
