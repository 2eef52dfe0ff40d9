/** Reports tests that are not scenarios: the tests of the suite. */
import { stripVTControlCharacters } from 'node:util';
import type { TestCase, TestResult } from '@playwright/test/reporter';
import { toOneLine } from '../text/sanitize.ts';

/**
 * Receives the results of tests in other projects. Prints each failed test at once, and at the end the titles of all failed tests
 * and their number.
 */
export class OtherProjectsListener {
  readonly #print: (text: string) => void;
  readonly #failed: string[] = [];
  #passed = 0;
  #skipped = 0;

  constructor(print: (text: string) => void) {
    this.#print = print;
  }

  heard(test: TestCase, result: TestResult): void {
    if (result.status === 'skipped') this.#skipped += 1;
    else if (result.status === test.expectedStatus) this.#passed += 1;
    else {
      const title = test.titlePath().filter(Boolean).join(' › ');
      this.#failed.push(title);
      const errors = result.errors.map((error) =>
        [error.message, error.snippet, error.stack].filter(Boolean).join('\n'),
      );
      const text = `\n${result.status}: ${title}\n${errors.join('\n')}\n`;
      this.#say(text);
    }
  }

  /** Prints the number of tests, if there were any. Returns how many failed. */
  end(): number {
    const failed = this.#failed.length;
    if (this.#passed + failed + this.#skipped > 0) {
      if (failed > 0) this.#say(`\nFailed:\n${this.#failed.map((title) => `  ${toOneLine(title)}\n`).join('')}`);
      const skipped = this.#skipped > 0 ? `, ${this.#skipped} skipped` : '';
      this.#print(`\n${this.#passed} passed, ${failed} failed${skipped}\n`);
    }
    return failed;
  }

  #say(text: string): void {
    this.#print(stripVTControlCharacters(text));
  }
}
