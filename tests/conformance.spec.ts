/** Every story is a test of Playwright. One file for all: Playwright loads files one after the other. */
import { register } from '../fixtures/test.ts';
import { stories } from './stories.ts';

register(stories);
