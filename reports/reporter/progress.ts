/** Prints the first lines of a run, and then its progress. On a terminal, one line changes; in a log, a new line comes every ten seconds. */
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
  /** For each journal: how many bytes were read, and the beginning of its last line if the line is incomplete. */
  readonly #readStates = new Map<string, { position: number; lineStart: string }>();
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

  /** Reads the lines that were added since the last call. */
  update(): void {
    try {
      for (const name of readdirSync(this.#folder)) if (name.endsWith('.jsonl')) this.#readNewLines(name);
    } catch {
      // The report later names a journal that cannot be read.
    }
  }

  #readNewLines(name: string): void {
    const state = this.#readStates.get(name) ?? { position: 0, lineStart: '' };
    this.#readStates.set(name, state);
    const descriptor = openSync(path.join(this.#folder, name), 'r');
    try {
      for (let readBytes = 1; readBytes > 0; state.position += readBytes) {
        readBytes = readSync(descriptor, this.#buffer, 0, CHUNK_BYTES, state.position);
        const lines = (state.lineStart + this.#buffer.toString('latin1', 0, readBytes)).split('\n');
        state.lineStart = lines.pop() ?? '';
        for (const line of lines) this.#countLine(line);
      }
    } finally {
      closeSync(descriptor);
    }
  }

  #countLine(line: string): void {
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
/** If no answer comes for this many milliseconds, the line says so. A slow bank needs only a part of this time. */
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
  readonly #counter: JournalCounter;
  readonly #tests = { ended: 0, failed: 0 };
  /** The number of requests, and when it last changed. */
  #lastAnswer = { requests: 0, time: Date.now() };
  #timer: NodeJS.Timeout | undefined;
  #isShown = false;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#counter = new JournalCounter(options.journals);
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

  /** Returns the progress as text: `12 of 60 scenarios, 310 requests, no findings so far`. */
  write(now: number): string {
    const { scenarios, tests } = this.#options;
    const { ended, failed } = this.#tests;
    const counter = this.#counter;
    counter.update();
    if (counter.requests > this.#lastAnswer.requests) this.#lastAnswer = { requests: counter.requests, time: now };
    const silentMs = now - this.#lastAnswer.time;
    const pauseMs = counter.pausedUntil - now;
    const parts: string[] = [];
    if (scenarios > 0) {
      parts.push(`${counter.scenarios} of ${counted(scenarios, 'scenario')}, ${counted(counter.requests, 'request')}`);
      parts.push(`${counter.findings === 0 ? 'no findings' : counted(counter.findings, 'finding')} so far`);
      if (pauseMs > 0) parts.push(`waiting ${formatDuration(pauseMs)}: the bank said Retry-After`);
      else if (silentMs >= MAX_SILENCE_MS) parts.push(`no answer for ${formatDuration(silentMs)}`);
    }
    if (tests > 0) parts.push(`${grouped(ended)} of ${counted(tests, 'test')}, ${grouped(failed)} failed`);
    return parts.join(', ');
  }
}
