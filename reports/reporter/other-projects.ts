/** Tells tests that are no scenarios (the suite examining itself) in plain words. */
import { stripVTControlCharacters } from 'node:util';
import type { TestCase, TestResult } from '@playwright/test/reporter';
import { noCommands, visible } from '../text/sanitize.ts';

/** Hears tests of other projects: prints the failing ones as they fail, and a count at the end. */
export class OtherProjectsListener {
  readonly #print: (text: string) => void;
  #passed = 0;
  #failed = 0;
  #skipped = 0;

  constructor(print: (text: string) => void) {
    this.#print = print;
  }

  heard(test: TestCase, result: TestResult): void {
    if (result.status === 'skipped') this.#skipped += 1;
    else if (result.status === test.expectedStatus) this.#passed += 1;
    else {
      this.#failed += 1;
      const title = test.titlePath().filter(Boolean).join(' › ');
      const told = result.errors.map((error) => [error.message, error.snippet, error.stack].filter(Boolean).join('\n'));
      const text = `\n${result.status}: ${title}\n${told.join('\n')}\n`;
      this.#print(visible(stripVTControlCharacters(text)).split('\n').map(noCommands).join('\n'));
    }
  }

  /** Prints the count, where there is something to count, and returns how many failed. */
  end(): number {
    if (this.#passed + this.#failed + this.#skipped > 0) {
      const skipped = this.#skipped > 0 ? `, ${this.#skipped} skipped` : '';
      this.#print(`\n${this.#passed} passed, ${this.#failed} failed${skipped}\n`);
    }
    return this.#failed;
  }
}
