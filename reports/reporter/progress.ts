/** Writes the first lines of a run, then its progress: one line that changes on a terminal, elsewhere one line every ten seconds. */
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import path from 'node:path';
import { eraseLine, print } from '../../openapi/foreign/print.ts';
import type { RunDescription } from '../model/description.ts';
import { counted, formatDuration, formatTargetName, grouped, wrapWithIndent, writePlan } from '../text/phrases.ts';
import { toOneLine } from '../text/sanitize.ts';

/** Returns the lines to print before the first request, wrapped to the `columns` of a terminal. */
export function describeOpening({ target, suite, notice, plan = [] }: RunDescription, columns: number | null): string {
  const lines = [...(notice === undefined ? [] : [notice]), `Judging ${formatTargetName(target)}, seed ${suite.seed}`];
  return [...lines, ...writePlan(plan)]
    .flatMap((line) => wrapWithIndent(toOneLine(line), columns ?? Infinity))
    .join('\n');
}

const CHUNK_BYTES = 1 << 20;

/** Counts the lines in the journals of a run while they grow. */
export class JournalCounter {
  readonly #folder: string;
  readonly #read = new Map<string, { position: number; rest: string }>();
  readonly #buffer = Buffer.alloc(CHUNK_BYTES);
  requests = 0;
  /** Scenarios that have ended. Playwright reports them later, in their order. */
  scenarios = 0;
  /** Findings that differ by clause, operation and place. */
  findings = 0;
  /** The bank asked to wait until this time, in milliseconds since the epoch; 0 if it did not ask. */
  pausedUntil = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  update(): void {
    try {
      for (const name of readdirSync(this.#folder)) if (name.endsWith('.jsonl')) this.#readOn(name);
    } catch {
      // The report later names a journal that cannot be read.
    }
  }

  #readOn(name: string): void {
    const state = this.#read.get(name) ?? { position: 0, rest: '' };
    this.#read.set(name, state);
    const descriptor = openSync(path.join(this.#folder, name), 'r');
    try {
      for (let length = 1; length > 0; state.position += length) {
        length = readSync(descriptor, this.#buffer, 0, CHUNK_BYTES, state.position);
        const lines = (state.rest + this.#buffer.toString('latin1', 0, length)).split('\n');
        state.rest = lines.pop() ?? '';
        for (const line of lines) this.#count(line);
      }
    } finally {
      closeSync(descriptor);
    }
  }

  #count(line: string): void {
    if (line.startsWith('{"line":"entry"')) this.requests += 1;
    else if (line.startsWith('{"line":"end"')) this.scenarios += 1;
    else if (/^\{"line":"(?:findings|pause)"/.test(line)) {
      const { count = 0, until = 0 } = JSON.parse(line) as { readonly count?: number; readonly until?: number };
      this.findings = Math.max(this.findings, count);
      this.pausedUntil = Math.max(this.pausedUntil, until);
    }
  }
}

const TERMINAL_PERIOD_MS = 500;
const LOG_PERIOD_MS = 10_000;
/** After this many milliseconds without an answer, the line says so: this is several times the latency of a slow bank. */
const MAX_SILENCE_MS = 3000;

interface ProgressOptions {
  readonly scenarios: number;
  readonly tests: number;
  /** The folder of the journals. */
  readonly journals: string;
  /** The width of the terminal; null for a log. */
  readonly columns: number | null;
}

export class Progress {
  readonly #options: ProgressOptions;
  readonly #done: JournalCounter;
  readonly #tests = { ended: 0, failed: 0 };
  #last = { requests: 0, time: Date.now() };
  #timer: NodeJS.Timeout | undefined;
  #isShown = false;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#done = new JournalCounter(options.journals);
    this.#timer = setInterval(
      () => this.#show(),
      options.columns === null ? LOG_PERIOD_MS : TERMINAL_PERIOD_MS,
    ).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.clear();
  }

  testEnded(hasFailed: boolean): void {
    this.#tests.ended += 1;
    if (hasFailed) this.#tests.failed += 1;
  }

  clear(): void {
    if (this.#isShown) eraseLine();
    this.#isShown = false;
  }

  #show(): void {
    const { columns } = this.#options;
    const line = this.write(Date.now());
    this.clear();
    this.#isShown = columns !== null;
    if (columns === null) print(`${line}\n`);
    else print(line.length < columns ? line : `${line.slice(0, columns - 2)}…`);
  }

  /** Returns the progress in words: `12 of 60 scenarios, 310 requests, no findings so far`. */
  write(now: number): string {
    const { scenarios, tests } = this.#options;
    const { ended, failed } = this.#tests;
    const done = this.#done;
    done.update();
    if (done.requests > this.#last.requests) this.#last = { requests: done.requests, time: now };
    const silentMs = now - this.#last.time;
    const pauseMs = done.pausedUntil - now;
    const parts = [
      scenarios > 0 && `${done.scenarios} of ${counted(scenarios, 'scenario')}, ${counted(done.requests, 'request')}`,
      scenarios > 0 && `${done.findings === 0 ? 'no findings' : counted(done.findings, 'finding')} so far`,
      scenarios > 0 && pauseMs > 0 && `waiting ${formatDuration(pauseMs)}: the bank said Retry-After`,
      scenarios > 0 && pauseMs <= 0 && silentMs >= MAX_SILENCE_MS && `no answer for ${formatDuration(silentMs)}`,
      tests > 0 && `${grouped(ended)} of ${counted(tests, 'test')}, ${grouped(failed)} failed`,
    ];
    return parts.filter((part) => part !== false).join(', ');
  }
}
