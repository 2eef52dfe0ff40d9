/** Shows the progress of a run: a line that is updated on a terminal, and otherwise a new line every ten seconds. */
import type { RunDescription } from '../model/description.ts';
import { counted, formatDuration, grouped } from '../text/phrases.ts';
import { openJournalCounter, type Done } from './journal-counter.ts';
import { estimateRequests } from './opening.ts';

const TERMINAL_PERIOD_MS = 500;
const LOG_PERIOD_MS = 10_000;
/** After this many milliseconds without an answer, the line says why: this is several times the latency of a slow bank. */
const MAX_SILENCE_MS = 3000;
const MIN_REQUESTS_FOR_ESTIMATE = 20;

interface ProgressOptions {
  readonly scenarios: number;
  /** The number of tests that are not scenarios. */
  readonly tests: number;
  /** 0 if unknown. */
  readonly expectedRequests: number;
  /** The highest number of requests per second, or null. */
  readonly rateLimit: number | null;
  /** Milliseconds over which SOAK spreads the last requests; 0 without it. */
  readonly soakMs?: number;
  readonly done: () => Done;
  readonly columns: number | null;
  readonly print: (text: string) => void;
  readonly erase: () => void;
  readonly now?: () => number;
}

export class Progress {
  readonly #options: ProgressOptions;
  readonly #now: () => number;
  readonly #startedAt: number;
  #ended = { scenarios: 0, tests: 0, failed: 0 };
  #last: { readonly requests: number; readonly at: number };
  #timer: NodeJS.Timeout | undefined;
  #isShown = false;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#startedAt = this.#now();
    this.#last = { requests: 0, at: this.#startedAt };
  }

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

  /** Returns the progress in words: `12 of 60 scenarios, 310 requests, no findings so far, about 8 s left`. */
  line(): string {
    const { scenarios, tests, done } = this.#options;
    const { requests, scenarios: ended, findings, pausedUntil } = done();
    const now = this.#now();
    if (requests > this.#last.requests) this.#last = { requests, at: now };
    const msLeft = tests > 0 ? null : this.#msLeft(now - this.#startedAt, requests);
    return [
      scenarios > 0 && `${Math.max(this.#ended.scenarios, ended)} of ${counted(scenarios, 'scenario')}`,
      scenarios > 0 && counted(requests, 'request'),
      scenarios > 0 && `${findings === 0 ? 'no findings' : counted(findings, 'finding')} so far`,
      scenarios > 0 && this.#wait(now - this.#last.at, pausedUntil - now),
      tests > 0 && `${grouped(this.#ended.tests)} of ${counted(tests, 'test')}, ${grouped(this.#ended.failed)} failed`,
      msLeft !== null && `about ${formatDuration(msLeft)} left`,
    ]
      .filter((part) => part !== false)
      .join(', ');
  }

  /** Returns why there is no answer: the bank asked to wait, RATE_LIMIT delays the next request, or the bank is slow. */
  #wait(silentMs: number, pauseMs: number): string | false {
    const { rateLimit } = this.#options;
    if (pauseMs > 0) return `waiting ${formatDuration(pauseMs)}: the bank said Retry-After`;
    if (silentMs < MAX_SILENCE_MS) return false;
    // A request is late after twice the time between two requests.
    const isDue = rateLimit === null || silentMs >= 2000 / rateLimit;
    return isDue ? `no answer for ${formatDuration(silentMs)}` : `waiting for RATE_LIMIT=${rateLimit}`;
  }

  /** Estimates the remaining milliseconds from SOAK, from RATE_LIMIT before the first answers, or from the requests so far. */
  #msLeft(passed: number, requests: number): number | null {
    const { expectedRequests, rateLimit, soakMs = 0 } = this.#options;
    if (soakMs > 0) return soakMs > passed ? soakMs - passed : null;
    const left = expectedRequests - requests;
    if (left <= 0) return null;
    if (requests >= MIN_REQUESTS_FOR_ESTIMATE) return (passed * left) / requests;
    return rateLimit === null ? null : (left / rateLimit) * 1000;
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
    expectedRequests: estimateRequests(description, options.scenarios),
    rateLimit: Number(RATE_LIMIT) > 0 ? Number(RATE_LIMIT) : null,
    soakMs: Number(SOAK) * 1000,
    done: openJournalCounter(journals),
  });
}
