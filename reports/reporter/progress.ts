/** Shows the progress of a run: a line that is updated on a terminal, and otherwise a new line every ten seconds. */
import type { RunDescription } from '../model/description.ts';
import { counted, duration, grouped } from '../text/phrases.ts';
import { expectedRequests } from './expected-requests.ts';
import { openJournalCounter, type Done } from './journal-counter.ts';

const TERMINAL_PERIOD_MS = 500;
const LOG_PERIOD_MS = 10_000;
/** After this many milliseconds without an answer, the line says why: several times the latency of a slow bank. */
const SILENCE_MS = 3000;
/** The remaining time is estimated after this many requests. */
const MIN_REQUESTS = 20;
/** The remaining time is estimated after this share of the tests, as the longest tests begin first. */
const MIN_SHARE_OF_TESTS = 0.25;

interface ProgressOptions {
  readonly scenarios: number;
  /** Tests that are no scenarios. */
  readonly tests: number;
  /** The estimated number of requests; 0 if unknown. */
  readonly expectedRequests: number;
  /** The highest number of requests per second, or null. */
  readonly rateLimit: number | null;
  /** Milliseconds over which SOAK spreads the last requests; 0 without it. */
  readonly soakMs?: number;
  readonly done: () => Done;
  /** Columns of the terminal; null if the output is no terminal. */
  readonly columns: number | null;
  readonly print: (text: string) => void;
  /** Removes the unfinished line. */
  readonly erase: () => void;
  /** Returns the current time in milliseconds. */
  readonly now?: () => number;
}

/** The progress of one run. */
export class Progress {
  readonly #options: ProgressOptions;
  readonly #now: () => number;
  readonly #startedAt: number;
  #ended = { scenarios: 0, tests: 0, failed: 0 };
  /** The requests so far, and when the last of them was seen. */
  #last: { requests: number; at: number };
  #timer: NodeJS.Timeout | undefined;
  #isShown = false;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#startedAt = this.#now();
    this.#last = { requests: 0, at: this.#startedAt };
  }

  /** Shows the progress until `stop`. */
  start(): void {
    const period = this.#options.columns === null ? LOG_PERIOD_MS : TERMINAL_PERIOD_MS;
    this.#timer = setInterval(() => this.show(), period).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.clear();
  }

  scenarioEnded(): void {
    this.#ended.scenarios += 1;
  }

  testEnded(hasFailed: boolean): void {
    this.#ended.tests += 1;
    if (hasFailed) this.#ended.failed += 1;
  }

  /** Removes the progress line before other output. */
  clear(): void {
    if (this.#isShown) this.#options.erase();
    this.#isShown = false;
  }

  show(): void {
    const { columns, print } = this.#options;
    const line = this.line();
    this.clear();
    if (columns === null) return print(`${line}\n`);
    this.#isShown = true;
    print(line.length < columns ? line : `${line.slice(0, columns - 2)}…`);
  }

  /** Writes the progress in words: `12 of 60 scenarios, 310 requests, no findings so far, about 8 s left`. */
  line(): string {
    const { scenarios, tests, done } = this.#options;
    const { requests, findings, pausedUntil } = done();
    const now = this.#now();
    if (requests > this.#last.requests) this.#last = { requests, at: now };
    const msLeft = this.#msLeft(now - this.#startedAt);
    return [
      scenarios > 0 && `${this.#ended.scenarios} of ${counted(scenarios, 'scenario')}`,
      scenarios > 0 && counted(requests, 'request'),
      scenarios > 0 && `${findings === 0 ? 'no findings' : counted(findings, 'finding')} so far`,
      scenarios > 0 && this.#wait(now - this.#last.at, pausedUntil - now),
      tests > 0 && `${grouped(this.#ended.tests)} of ${counted(tests, 'test')}, ${grouped(this.#ended.failed)} failed`,
      msLeft !== null && `about ${duration(msLeft)} left`,
    ]
      .filter((part) => part !== false)
      .join(', ');
  }

  /** Returns why there is no answer: the target asked to wait, RATE_LIMIT delays the next request, or the target is slow. */
  #wait(silentMs: number, pauseMs: number): string | false {
    const { rateLimit } = this.#options;
    if (pauseMs > 0) return `waiting ${duration(pauseMs)}: the bank said Retry-After`;
    if (silentMs < SILENCE_MS) return false;
    // A request is late after twice the time between two requests.
    const isDue = rateLimit === null || silentMs >= 2000 / rateLimit;
    return isDue ? `no answer for ${duration(silentMs)}` : `waiting for RATE_LIMIT=${rateLimit}`;
  }

  /** Estimates the remaining milliseconds from the speed of the run, before the first answers from RATE_LIMIT, or from SOAK. */
  #msLeft(passed: number): number | null {
    const { scenarios, tests, expectedRequests: expected, rateLimit, soakMs = 0 } = this.#options;
    if (soakMs > 0) return soakMs > passed ? soakMs - passed : null;
    const { requests } = this.#last;
    if (scenarios > 0 && tests === 0) {
      if (requests >= MIN_REQUESTS) return expected > requests ? (passed * (expected - requests)) / requests : null;
      return rateLimit === null ? null : ((expected - requests) / rateLimit) * 1000;
    }
    const ended = this.#ended.tests;
    return ended > 0 && ended >= MIN_SHARE_OF_TESTS * tests ? (passed * (tests - ended)) / ended : null;
  }
}

/** Makes the progress display of a run from its description and the folder of its journals. */
export function openProgress({
  description,
  journals,
  ...options
}: Omit<ProgressOptions, 'expectedRequests' | 'rateLimit' | 'soakMs' | 'done'> & {
  readonly description: RunDescription;
  readonly journals: string;
}): Progress {
  const { RATE_LIMIT = 0, SOAK = 0 } = description.suite.settings ?? {};
  return new Progress({
    ...options,
    expectedRequests: expectedRequests(description, options.scenarios),
    rateLimit: Number(RATE_LIMIT) > 0 ? Number(RATE_LIMIT) : null,
    soakMs: Number(SOAK) * 1000,
    done: openJournalCounter(journals),
  });
}
