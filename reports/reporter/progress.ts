/** Writes the first lines of a run, then its progress: one line that changes on a terminal, elsewhere one line every ten seconds. */
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import path from 'node:path';
import { eraseLine, print } from '../../openapi/foreign/print.ts';
import type { Area } from '../../openapi/model/exchange.ts';
import type { RunDescription } from '../model/description.ts';
import {
  addCounts,
  counted,
  formatDuration,
  formatTargetName,
  grouped,
  wrapWithIndent,
  writePlan,
} from '../text/phrases.ts';
import { toOneLine } from '../text/sanitize.ts';

/** The number of requests of a complete run with RUNS=25, by area. Measured at banks with up to seven faults. */
const USUAL_REQUEST_COUNTS: Readonly<Record<Area, number>> = { loans: 590, 'payment-links': 325, atms: 300 };
const DEFAULT_RUNS = 25;
const REQUESTS_PER_CASE: Readonly<Record<Area, number>> = { loans: 1, 'payment-links': 0, atms: 3.5 };
/** With fewer scenarios, the user selected scenarios, and the number of requests is unknown. */
const MIN_SCENARIOS = 50;

/** Estimates how many requests a run sends; 0 if unknown. */
function estimateRequests({ target, suite }: RunDescription, scenarios: number): number {
  const { REPLAY, OPERATIONS, READ_ONLY } = suite.settings ?? {};
  if (scenarios < MIN_SCENARIOS || (REPLAY ?? OPERATIONS ?? READ_ONLY) !== undefined) return 0;
  const cases = suite.runs - DEFAULT_RUNS;
  return addCounts(target.areas, (area) => USUAL_REQUEST_COUNTS[area] + cases * REQUESTS_PER_CASE[area]);
}

/** Returns the lines to print before the first request, wrapped to the `columns` of a terminal. */
export function describeOpening(description: RunDescription, scenarios: number, columns: number | null): string {
  const { target, suite, notice, plan = [] } = description;
  const msAtLeast = (estimateRequests(description, scenarios) / Number(suite.settings?.['RATE_LIMIT'] ?? 0)) * 1000;
  const isSlow = msAtLeast > 0 && msAtLeast < Infinity;
  return [
    ...(notice === undefined ? [] : [notice]),
    `Judging ${formatTargetName(target)}, seed ${suite.seed}`,
    ...writePlan([
      ...plan,
      ...(isSlow ? [`with this RATE_LIMIT the run takes about ${formatDuration(msAtLeast)}.`] : []),
    ]),
  ]
    .flatMap((line) => wrapWithIndent(toOneLine(line), columns ?? Infinity))
    .join('\n');
}

export interface Done {
  readonly requests: number;
  /** Scenarios that have ended. Playwright reports them later, in their order. */
  readonly scenarios: number;
  /** The number of different findings. Findings differ by clause, operation and place. */
  readonly findings: number;
  /** The bank asked to wait until this time, in milliseconds since the epoch; 0 if it did not ask. */
  readonly pausedUntil: number;
  /** True if the run ends before its scenarios. */
  readonly isEnding: boolean;
}

const CHUNK_BYTES = 1 << 20;

/** Counts the lines in the journals of a run while they grow. */
export function openJournalCounter(folder: string): () => Done {
  const read = new Map<string, { position: number; rest: string }>();
  const buffer = Buffer.alloc(CHUNK_BYTES);
  const done = { requests: 0, scenarios: 0, findings: 0, pausedUntil: 0, isEnding: false };

  function note(line: string): void {
    if (line.startsWith('{"line":"entry"')) done.requests += 1;
    else if (line.startsWith('{"line":"end"')) done.scenarios += 1;
    else if (line.startsWith('{"line":"interrupted"')) done.isEnding = true;
    else if (/^\{"line":"(?:findings|pause)"/.test(line)) {
      const { count = 0, until = 0 } = JSON.parse(line) as { readonly count?: number; readonly until?: number };
      done.findings = Math.max(done.findings, count);
      done.pausedUntil = Math.max(done.pausedUntil, until);
    }
  }

  function readOn(file: string): void {
    const known = read.get(file) ?? { position: 0, rest: '' };
    read.set(file, known);
    const descriptor = openSync(file, 'r');
    try {
      for (;;) {
        const length = readSync(descriptor, buffer, 0, CHUNK_BYTES, known.position);
        if (length === 0) return;
        known.position += length;
        const lines = (known.rest + buffer.toString('latin1', 0, length)).split('\n');
        known.rest = lines.pop() ?? '';
        for (const line of lines) note(line);
      }
    } finally {
      closeSync(descriptor);
    }
  }

  return () => {
    try {
      for (const name of readdirSync(folder)) if (name.endsWith('.jsonl')) readOn(path.join(folder, name));
    } catch {
      // The report later names a journal that cannot be read.
    }
    return { ...done };
  };
}

const TERMINAL_PERIOD_MS = 500;
const LOG_PERIOD_MS = 10_000;
/** In a log, the first line comes earlier: it says what the run waits for. */
const FIRST_LOG_MS = 900;
/** After this many milliseconds without an answer, the line says why: this is several times the latency of a slow bank. */
const MAX_SILENCE_MS = 3000;
const MIN_REQUESTS_FOR_ESTIMATE = 20;

interface ProgressOptions {
  readonly scenarios: number;
  readonly tests: number;
  /** 0 if unknown. */
  readonly expectedRequests: number;
  readonly rateLimit: number | null;
  /** Milliseconds over which SOAK spreads the last requests; 0 without it. */
  readonly soakMs: number;
  readonly done: () => Done;
  readonly columns: number | null;
  readonly print: (text: string) => void;
  readonly erase: () => void;
  readonly now: () => number;
}

export class Progress {
  readonly #options: ProgressOptions;
  readonly #startedAt: number;
  readonly #ended = { scenarios: 0, tests: 0, failed: 0 };
  #last: { readonly requests: number; readonly time: number };
  #timers: NodeJS.Timeout[] = [];
  #isShown = false;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#startedAt = options.now();
    this.#last = { requests: 0, time: this.#startedAt };
  }

  start(): void {
    const isLog = this.#options.columns === null;
    if (isLog) this.#timers.push(setTimeout(() => this.show(), FIRST_LOG_MS).unref());
    this.#timers.push(setInterval(() => this.show(), isLog ? LOG_PERIOD_MS : TERMINAL_PERIOD_MS).unref());
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.clear();
  }

  scenarioEnded(): void {
    this.#ended.scenarios += 1;
  }

  testEnded(hasFailed: boolean): void {
    this.#ended.tests += 1;
    if (hasFailed) this.#ended.failed += 1;
  }

  show(): void {
    const { columns } = this.#options;
    const line = this.writeLine();
    this.clear();
    this.#isShown = columns !== null;
    if (columns === null) this.#options.print(`${line}\n`);
    else this.#options.print(line.length < columns ? line : `${line.slice(0, columns - 2)}…`);
  }

  clear(): void {
    if (this.#isShown) this.#options.erase();
    this.#isShown = false;
  }

  /** Returns the progress in words: `12 of 60 scenarios, 310 requests, no findings so far, about 8 s left`. */
  writeLine(): string {
    const { scenarios, tests } = this.#options;
    const { failed } = this.#ended;
    const done = this.#options.done();
    const time = this.#options.now();
    if (done.requests > this.#last.requests) this.#last = { requests: done.requests, time };
    const msLeft = done.isEnding ? null : this.#estimateMsLeft(time - this.#startedAt, done.requests);
    const ofScenarios = [
      `${Math.max(this.#ended.scenarios, done.scenarios)} of ${counted(scenarios, 'scenario')}`,
      counted(done.requests, 'request'),
      `${done.findings === 0 ? 'no findings' : counted(done.findings, 'finding')} so far`,
      done.isEnding && 'ending early',
      this.#explainSilence(time, done),
    ];
    return [
      ...(scenarios > 0 ? ofScenarios : []),
      tests > 0 && `${grouped(this.#ended.tests)} of ${counted(tests, 'test')}, ${grouped(failed)} failed`,
      msLeft !== null && `about ${formatDuration(msLeft)} left`,
    ]
      .filter((part) => part !== false)
      .join(', ');
  }

  /** Returns why there is no answer: the bank asked to wait, RATE_LIMIT delays the next request, or the bank is slow. */
  #explainSilence(time: number, { pausedUntil, requests }: Done): string | false {
    const { rateLimit } = this.#options;
    const silentMs = time - this.#last.time;
    if (pausedUntil > time) return `waiting ${formatDuration(pausedUntil - time)}: the bank said Retry-After`;
    if (silentMs < MAX_SILENCE_MS) return requests === 0 && rateLimit === null && 'waiting for the first answer';
    // A request is late after twice the time between two requests.
    const isDue = rateLimit === null || silentMs >= 2000 / rateLimit;
    return isDue ? `no answer for ${formatDuration(silentMs)}` : `waiting for RATE_LIMIT=${rateLimit}`;
  }

  /** Estimates the remaining milliseconds from SOAK, from RATE_LIMIT before the first answers, or from the requests so far. */
  #estimateMsLeft(passedMs: number, requests: number): number | null {
    const { tests, expectedRequests, rateLimit, soakMs } = this.#options;
    if (tests > 0) return null;
    if (soakMs > 0) return soakMs > passedMs ? soakMs - passedMs : null;
    const left = expectedRequests - requests;
    if (left <= 0) return null;
    if (requests >= MIN_REQUESTS_FOR_ESTIMATE) return (passedMs * left) / requests;
    return rateLimit === null ? null : (left / rateLimit) * 1000;
  }
}

/** Makes the progress display of a run from its description and the folder of its journals. */
export function openProgress(
  description: RunDescription,
  journals: string,
  shown: Pick<ProgressOptions, 'scenarios' | 'tests' | 'columns'>,
): Progress {
  const { RATE_LIMIT = 0, SOAK = 0 } = description.suite.settings ?? {};
  return new Progress({
    ...shown,
    expectedRequests: estimateRequests(description, shown.scenarios),
    rateLimit: Number(RATE_LIMIT) > 0 ? Number(RATE_LIMIT) : null,
    soakMs: Number(SOAK) * 1000,
    done: openJournalCounter(journals),
    print,
    erase: eraseLine,
    now: Date.now,
  });
}
