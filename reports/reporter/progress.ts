/** How far a run is, while it runs: one living line on a terminal, and a line every ten seconds elsewhere. */
import type { RunDescription } from '../model/description.ts';
import { counted, duration, grouped } from '../text/phrases.ts';
import { expectedRequests } from './expected-requests.ts';
import { openJournalCounter, type Done } from './journal-counter.ts';

const TERMINAL_PERIOD_MS = 500;
const LOG_PERIOD_MS = 10_000;
/** Without a new answer for so long, that is said. */
const SILENCE_MS = 3000;
/** Requests after which the time left is worth saying. */
const MIN_REQUESTS = 20;
/** Share of the tests after which it is: the longest of them begin first. */
const MIN_SHARE_OF_TESTS = 0.25;

export interface ProgressOptions {
  readonly scenarios: number;
  /** Tests that are no scenarios. */
  readonly tests: number;
  /** About how many requests the run sends; 0 where that is not known. */
  readonly expectedRequests: number;
  /** Requests a second at most, or null. */
  readonly rateLimit: number | null;
  /** Milliseconds over which SOAK spreads the last requests; 0 without it. */
  readonly soakMs?: number;
  readonly done: () => Done;
  /** Columns of the terminal, or null where the output is none. */
  readonly columns: number | null;
  readonly print: (text: string) => void;
  /** Takes the unfinished line away. */
  readonly erase: () => void;
  /** Milliseconds. */
  readonly now?: () => number;
}

/** The progress of one run. */
export class Progress {
  readonly #options: ProgressOptions;
  readonly #now: () => number;
  readonly #startedAt: number;
  #ended = { scenarios: 0, tests: 0, failed: 0 };
  #last = { requests: 0, at: 0 };
  #timer: NodeJS.Timeout | undefined;
  #isShown = false;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#startedAt = this.#now();
    this.#last.at = this.#startedAt;
  }

  /** Begins to show it, until `stop`. */
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

  /** Takes the living line away, before something else is printed. */
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

  /** The state in words: `12 of 60 scenarios, 310 requests, no findings so far, about 8 s left`. */
  line(): string {
    const { scenarios, tests } = this.#options;
    const parts = [
      ...(scenarios > 0 ? this.#ofScenarios(scenarios) : []),
      ...(tests > 0
        ? [`${grouped(this.#ended.tests)} of ${counted(tests, 'test')}, ${grouped(this.#ended.failed)} failed`]
        : []),
    ];
    const left = this.#msLeft();
    return [...parts, ...(left === null ? [] : [`about ${duration(left)} left`])].join(', ');
  }

  #ofScenarios(scenarios: number): string[] {
    const { requests, findings, pausedUntil } = this.#options.done();
    const now = this.#now();
    if (requests > this.#last.requests) this.#last = { requests, at: now };
    return [
      `${this.#ended.scenarios} of ${counted(scenarios, 'scenario')}`,
      counted(requests, 'request'),
      `${findings === 0 ? 'no findings' : counted(findings, 'finding')} so far`,
      ...this.#wait(now - this.#last.at, pausedUntil - now),
    ];
  }

  /** Why nothing comes: the target asked to wait, the next request is not due by RATE_LIMIT, or the target is slow. */
  #wait(silentMs: number, pauseMs: number): string[] {
    const { rateLimit } = this.#options;
    if (pauseMs > 0) return [`waiting ${duration(pauseMs)}: the bank said Retry-After`];
    if (silentMs < SILENCE_MS) return [];
    return rateLimit !== null && silentMs < 2000 / rateLimit
      ? [`waiting for RATE_LIMIT=${rateLimit}`]
      : [`no answer for ${duration(silentMs)}`];
  }

  /** From the pace so far; before the first answers, from RATE_LIMIT; with SOAK it sets the pace. */
  #msLeft(): number | null {
    const { scenarios, tests, expectedRequests, rateLimit, soakMs = 0 } = this.#options;
    const passed = this.#now() - this.#startedAt;
    if (soakMs > 0) return soakMs > passed ? soakMs - passed : null;
    const { requests } = this.#last;
    if (scenarios > 0 && tests === 0) {
      if (requests >= MIN_REQUESTS && expectedRequests > requests)
        return (passed * (expectedRequests - requests)) / requests;
      return rateLimit === null || requests >= MIN_REQUESTS ? null : ((expectedRequests - requests) / rateLimit) * 1000;
    }
    const ended = this.#ended.tests;
    return ended > 0 && ended >= MIN_SHARE_OF_TESTS * tests ? (passed * (tests - ended)) / ended : null;
  }
}

/** The progress of the run that `description` describes, whose journals go to a folder. */
export function openProgress({
  description,
  journals,
  ...options
}: Omit<ProgressOptions, 'expectedRequests' | 'rateLimit' | 'soakMs' | 'done'> & {
  readonly description: RunDescription;
  readonly journals: string;
}): Progress {
  const rate = Number(description.suite.settings?.['RATE_LIMIT'] ?? 0);
  return new Progress({
    ...options,
    expectedRequests: expectedRequests(description, options.scenarios),
    rateLimit: rate > 0 ? rate : null,
    soakMs: Number(description.suite.settings?.['SOAK'] ?? 0) * 1000,
    done: openJournalCounter(journals),
  });
}
