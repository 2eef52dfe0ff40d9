/** Shows the progress of a run: a line that is updated on a terminal, and otherwise a new line every ten seconds. */
import type { RunDescription } from '../model/description.ts';
import { counted, formatDuration, grouped } from '../text/phrases.ts';
import { estimateRequests } from './expected-work.ts';
import { openJournalCounter, type Done } from './journal-counter.ts';

const TERMINAL_PERIOD_MS = 500;
const LOG_PERIOD_MS = 10_000;
/** After this many milliseconds without an answer, the line says why: this is several times the latency of a slow bank. */
const MAX_SILENCE_MS = 3000;
/** The remaining time is estimated only after this many requests. */
const MIN_REQUESTS_FOR_ESTIMATE = 20;
/** The remaining time is estimated only after this share of the work of tests: earlier, only tests of a few files have ended. */
const MIN_SHARE_OF_WORK = 0.1;
/**
 * The last fifth of the requests is sent with few others in flight: about 40 requests one after the other in each area, with all
 * areas at the same time. Measured at banks with latencies of 100 and 400 milliseconds.
 */
const [SLOW_SHARE, SLOW_REQUESTS] = [0.2, 40];

interface ProgressOptions {
  readonly scenarios: number;
  /** The number of tests that are not scenarios. */
  readonly tests: number;
  /** The work of these tests, compared with unit tests. */
  readonly work: number;
  /** The estimated number of requests; 0 if unknown. */
  readonly expectedRequests: number;
  /** The highest number of requests per second, or null. */
  readonly rateLimit: number | null;
  /** Milliseconds over which SOAK spreads the last requests; 0 without it. */
  readonly soakMs?: number;
  readonly done: () => Done;
  /** The columns of the terminal; null if the output is not a terminal. */
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
  #ended = { scenarios: 0, tests: 0, failed: 0, work: 0 };
  /** The number of requests at several times. */
  readonly #seen: { readonly requests: number; readonly at: number }[];
  #timer: NodeJS.Timeout | undefined;
  #isShown = false;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#startedAt = this.#now();
    this.#seen = [{ requests: 0, at: this.#startedAt }];
  }

  /** Shows the progress until `stop` is called. */
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

  testEnded(hasFailed: boolean, work: number): void {
    this.#ended.tests += 1;
    this.#ended.work += work;
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

  /** Returns the progress in words: `12 of 60 scenarios, 310 requests, no findings so far, about 8 s left`. */
  line(): string {
    const { scenarios, tests, done } = this.#options;
    const { requests, scenarios: ended, latencyMs, findings, pausedUntil } = done();
    const now = this.#now();
    if (requests > this.#seen.at(-1)!.requests) this.#seen.push({ requests, at: now });
    const msLeft = this.#msLeft(now, latencyMs);
    return [
      scenarios > 0 && `${Math.max(this.#ended.scenarios, ended)} of ${counted(scenarios, 'scenario')}`,
      scenarios > 0 && counted(requests, 'request'),
      scenarios > 0 && `${findings === 0 ? 'no findings' : counted(findings, 'finding')} so far`,
      scenarios > 0 && this.#wait(now - this.#seen.at(-1)!.at, pausedUntil - now),
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

  /**
   * Estimates the remaining milliseconds: from SOAK, from the work of tests, from RATE_LIMIT before the first answers, or from the
   * request rate.
   */
  #msLeft(now: number, latencyMs: number): number | null {
    const { scenarios, tests, work, expectedRequests: expected, rateLimit, soakMs = 0 } = this.#options;
    const passed = now - this.#startedAt;
    if (soakMs > 0) return soakMs > passed ? soakMs - passed : null;
    if (scenarios === 0 || tests > 0) {
      const { work: done } = this.#ended;
      return done > 0 && done >= MIN_SHARE_OF_WORK * work ? (passed * (work - done)) / done : null;
    }
    const last = this.#seen.at(-1)!;
    if (last.requests < MIN_REQUESTS_FOR_ESTIMATE)
      return rateLimit === null ? null : ((expected - last.requests) / rateLimit) * 1000;
    const left = expected - last.requests;
    if (left <= 0) return null;
    // The request rate is measured in the second half of the time since the first requests: in the beginning, a run sends few at
    // once.
    const since = this.#seen[1]!.at;
    const half = this.#seen.slice(0, -1).findLast(({ at }) => at <= (since + now) / 2)!;
    const msEach = (now - half.at) / Math.max(1, last.requests - half.requests);
    const inLast = Math.min(left, SLOW_SHARE * expected);
    const msLast = (inLast / (SLOW_SHARE * expected)) * SLOW_REQUESTS * latencyMs;
    return (left - inLast) * msEach + Math.max(inLast * msEach, msLast);
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
