/** Shows the progress of a run: a line that is updated on a terminal, and otherwise a new line every ten seconds. */
import type { RunDescription } from '../model/description.ts';
import { counted, formatDuration, grouped } from '../text/phrases.ts';
import { openJournalCounter, type Done } from './journal-counter.ts';

const TERMINAL_PERIOD_MS = 500;
const LOG_PERIOD_MS = 10_000;
/** After this many milliseconds without an answer, the line says so: several times the latency of a slow bank. */
const MAX_SILENCE_MS = 3000;

interface ProgressOptions {
  readonly scenarios: number;
  /** Tests that are no scenarios. */
  readonly tests: number;
  /** The highest number of requests per second, or null. */
  readonly rateLimit: number | null;
  readonly done: () => Done;
  /** Columns of the terminal; null if the output is no terminal. */
  readonly columns: number | null;
  readonly print: (text: string) => void;
  /** Removes the unfinished line. */
  readonly erase: () => void;
  /** Returns the current time in milliseconds. */
  readonly now: () => number;
}

/** The progress of one run. */
export class Progress {
  readonly #options: ProgressOptions;
  #ended = { scenarios: 0, tests: 0, failed: 0 };
  /** The last count of requests, and when it rose. */
  #last: { readonly requests: number; readonly at: number };
  #timer: NodeJS.Timeout | undefined;
  #isShown = false;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#last = { requests: 0, at: options.now() };
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

  /** Writes the progress in words: `12 of 60 scenarios, 310 requests, no findings so far`. */
  line(): string {
    const { scenarios, tests, done, now } = this.#options;
    const { requests, scenarios: ended, findings, pausedUntil } = done();
    const at = now();
    if (requests > this.#last.requests) this.#last = { requests, at };
    return [
      scenarios > 0 && `${Math.max(this.#ended.scenarios, ended)} of ${counted(scenarios, 'scenario')}`,
      scenarios > 0 && counted(requests, 'request'),
      scenarios > 0 && `${findings === 0 ? 'no findings' : counted(findings, 'finding')} so far`,
      scenarios > 0 && this.#explainWait(at - this.#last.at, pausedUntil - at),
      tests > 0 && `${grouped(this.#ended.tests)} of ${counted(tests, 'test')}, ${grouped(this.#ended.failed)} failed`,
    ]
      .filter((part) => part !== false)
      .join(', ');
  }

  /** Says why there is no answer: the target asked to wait, or it is slow. With RATE_LIMIT, two requests have a distance. */
  #explainWait(silentMs: number, pauseMs: number): string | false {
    const { rateLimit } = this.#options;
    if (pauseMs > 0) return `waiting ${formatDuration(pauseMs)}: the bank said Retry-After`;
    const most = Math.max(MAX_SILENCE_MS, rateLimit === null ? 0 : 2000 / rateLimit);
    return silentMs >= most && `no answer for ${formatDuration(silentMs)}`;
  }
}

/** Makes the progress display of a run from its description and the folder of its journals. */
export function openProgress({
  description,
  journals,
  ...options
}: Pick<ProgressOptions, 'scenarios' | 'tests' | 'columns' | 'print' | 'erase'> & {
  readonly description: RunDescription;
  readonly journals: string;
}): Progress {
  const { RATE_LIMIT = 0 } = description.suite.settings ?? {};
  return new Progress({
    ...options,
    rateLimit: Number(RATE_LIMIT) > 0 ? Number(RATE_LIMIT) : null,
    done: openJournalCounter(journals),
    now: Date.now,
  });
}
