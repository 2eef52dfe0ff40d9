/** Reports tests that are not scenarios, which are the tests of the suite: each failed one at once, and all of them at the end. */
import { stripVTControlCharacters } from 'node:util';
import type { TestCase, TestResult } from '@playwright/test/reporter';
import { toOneLine } from '../text/sanitize.ts';

export class OtherProjectsListener {
  readonly #print: (text: string) => void;
  readonly #failed: string[] = [];
  #passed = 0;
  #skipped = 0;

  constructor(print: (text: string) => void) {
    this.#print = (text) => print(stripVTControlCharacters(text));
  }

  heard(test: TestCase, { status, errors }: TestResult): void {
    if (status === 'skipped') this.#skipped += 1;
    else if (status === test.expectedStatus) this.#passed += 1;
    else {
      const title = test.titlePath().filter(Boolean).join(' › ');
      this.#failed.push(title);
      const texts = errors.map((error) => [error.message, error.snippet, error.stack].filter(Boolean).join('\n'));
      this.#print(`\n${status}: ${title}\n${texts.join('\n')}\n`);
    }
  }

  /** Prints the number of tests, if there were any. Returns how many failed. */
  end(): number {
    const failed = this.#failed.length;
    if (this.#passed + failed + this.#skipped === 0) return 0;
    if (failed > 0) this.#print(`\nFailed:\n${this.#failed.map((title) => `  ${toOneLine(title)}\n`).join('')}`);
    const skipped = this.#skipped > 0 ? `, ${this.#skipped} skipped` : '';
    this.#print(`\n${this.#passed} passed, ${failed} failed${skipped}\n`);
    return failed;
  }
}
