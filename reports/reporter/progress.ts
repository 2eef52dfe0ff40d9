/** Shows the progress of a run: a line that is updated on a terminal, and otherwise a new line every ten seconds. */
import type { RunDescription } from '../model/description.ts';
import { counted, formatDuration, grouped } from '../text/phrases.ts';
import { openJournalCounter, type Done } from './journal-counter.ts';
import { estimateRequests } from './opening.ts';

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
  readonly soakMs?: number;
  readonly done: () => Done;
  readonly columns: number | null;
  readonly print: (text: string) => void;
  readonly erase: () => void;
  readonly now?: () => number;
}

/** Returns why there is no answer: the bank asked to wait, RATE_LIMIT delays the next request, or the bank is slow. */
function explainSilence(rateLimit: number | null, silentMs: number, pauseMs: number, isFirst: boolean): string | false {
  if (pauseMs > 0) return `waiting ${formatDuration(pauseMs)}: the bank said Retry-After`;
  if (silentMs < MAX_SILENCE_MS) return isFirst && rateLimit === null && 'waiting for the first answer';
  // A request is late after twice the time between two requests.
  const isDue = rateLimit === null || silentMs >= 2000 / rateLimit;
  return isDue ? `no answer for ${formatDuration(silentMs)}` : `waiting for RATE_LIMIT=${rateLimit}`;
}

/** Estimates the remaining milliseconds from SOAK, from RATE_LIMIT before the first answers, or from the requests so far. */
function estimateMsLeft(options: ProgressOptions, passed: number, requests: number): number | null {
  const { tests, expectedRequests, rateLimit, soakMs = 0 } = options;
  if (tests > 0) return null;
  if (soakMs > 0) return soakMs > passed ? soakMs - passed : null;
  const left = expectedRequests - requests;
  if (left <= 0) return null;
  if (requests >= MIN_REQUESTS_FOR_ESTIMATE) return (passed * left) / requests;
  return rateLimit === null ? null : (left / rateLimit) * 1000;
}

export type Progress = ReturnType<typeof makeProgress>;

export function makeProgress(options: ProgressOptions) {
  const { scenarios, tests, done, columns, print, now = Date.now } = options;
  const startedAt = now();
  const ended = { scenarios: 0, tests: 0, failed: 0 };
  let last = { requests: 0, at: startedAt };
  let [timer, first]: (NodeJS.Timeout | undefined)[] = [];
  let isShown = false;

  /** Returns the progress in words: `12 of 60 scenarios, 310 requests, no findings so far, about 8 s left`. */
  function writeLine(): string {
    const { requests, scenarios: inJournals, findings, pausedUntil, isEnding } = done();
    const at = now();
    if (requests > last.requests) last = { requests, at };
    const msLeft = isEnding ? null : estimateMsLeft(options, at - startedAt, requests);
    return [
      scenarios > 0 && `${Math.max(ended.scenarios, inJournals)} of ${counted(scenarios, 'scenario')}`,
      scenarios > 0 && counted(requests, 'request'),
      scenarios > 0 && `${findings === 0 ? 'no findings' : counted(findings, 'finding')} so far`,
      isEnding && 'ending early',
      scenarios > 0 && explainSilence(options.rateLimit, at - last.at, pausedUntil - at, requests === 0),
      tests > 0 && `${grouped(ended.tests)} of ${counted(tests, 'test')}, ${grouped(ended.failed)} failed`,
      msLeft !== null && `about ${formatDuration(msLeft)} left`,
    ]
      .filter((part) => part !== false)
      .join(', ');
  }

  function clear(): void {
    if (isShown) options.erase();
    isShown = false;
  }

  function show(): void {
    const line = writeLine();
    clear();
    if (columns === null) return print(`${line}\n`);
    isShown = true;
    print(line.length < columns ? line : `${line.slice(0, columns - 2)}…`);
  }

  return {
    writeLine,
    clear,
    show,
    start(): void {
      if (columns === null) first = setTimeout(show, FIRST_LOG_MS).unref();
      timer = setInterval(show, columns === null ? LOG_PERIOD_MS : TERMINAL_PERIOD_MS).unref();
    },
    stop(): void {
      clearTimeout(first);
      clearInterval(timer);
      clear();
    },
    scenarioEnded(): void {
      ended.scenarios += 1;
    },
    testEnded(hasFailed: boolean): void {
      ended.tests += 1;
      if (hasFailed) ended.failed += 1;
    },
  };
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
  return makeProgress({
    ...options,
    expectedRequests: estimateRequests(description, options.scenarios),
    rateLimit: Number(RATE_LIMIT) > 0 ? Number(RATE_LIMIT) : null,
    soakMs: Number(SOAK) * 1000,
    done: openJournalCounter(journals),
  });
}
