/** Examines a bank as users do: over HTTP, with the unchanged scenarios of the suite and the same report. */
import { openMemoryJournal, type Journal } from '../../../fixtures/run/session/journal-writer.ts';
import { systemClock, type Clock } from '../../../fixtures/run/http/clock.ts';
import { readBaselineFiles } from '../../../fixtures/run/config/baseline-files.ts';
import { getSelectedScope } from '../../../fixtures/run/config/selection.ts';
import { Session } from '../../../fixtures/run/session/session.ts';
import { divideBudgets, findReasonToSkip, runScenario, type Scenario } from '../../../fixtures/runner/run-scenario.ts';
import { runInOrder } from '../../../fixtures/runner/scheduler.ts';
import { readTarget } from '../../../fixtures/run/config/target.ts';
import type { Handler } from '../../../fixtures/banks/lib/mutant.ts';
import { type JournalLine, openLines } from '../../../openapi/model/journal.ts';
import { buildReport } from '../../../reports/build/index.ts';
import type { Report } from '../../../reports/model/report.ts';
import { loadScenarios } from '../../index.ts';
import { makeSandboxEnv, serveDuring } from './command.ts';

/**
 * Makes a clock that starts at `from` (milliseconds since the epoch) and goes on like the clock of the machine. A pause takes no
 * real time: the clock jumps to the end of the pause.
 */
export function createInstantClock(from = Date.now()): Clock {
  let ahead = from - Date.now();
  return { now: () => Date.now() + ahead, sleep: async (ms) => void (ahead += Math.max(0, ms)) };
}

/**
 * Makes a clock that changes only by a pause (which takes no real time) or by `turn`. Times are milliseconds since the epoch.
 */
export function createFakeClock(start: number = Date.now()) {
  let now = start;
  const turn = (ms: number): void => void (now += Math.max(0, ms));
  return { now: () => now, turn, sleep: async (ms: number): Promise<void> => turn(ms) };
}

export interface ExamineOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  readonly seed?: number;
  readonly prefix?: string;
  /** Ids of scenarios that do not run. The report then shows which faults only these scenarios find. */
  readonly without?: readonly string[];
  /** Ids of the only scenarios that run; by default all of them. */
  readonly only?: readonly string[];
  /** True if several scenarios run concurrently, so that some results vary. By default, only one scenario runs. */
  readonly overlap?: boolean;
  readonly onLines?: (lines: readonly JournalLine[]) => void;
}

/** Returns the report on the bank at `url`, examined with the default caps. */
export async function examineUrl(
  url: string,
  { env = {}, clock = systemClock, seed = 1, without = [], only, overlap = false, onLines }: ExamineOptions = {},
): Promise<Report> {
  const target = readTarget({ ...makeSandboxEnv(url), ...env }, null);
  const session = new Session({ target, clock, seed, nonce: 'examined' });
  const startedAt = new Date().toISOString();
  const started = performance.now();
  const journals: ReturnType<typeof openMemoryJournal>[] = [];
  try {
    const scenarios = loadScenarios();
    const allotted = divideBudgets(scenarios, target.caps);
    const planned = scenarios.filter(
      (entry) =>
        findReasonToSkip(entry, target) === null && !without.includes(entry.id) && (only?.includes(entry.id) ?? true),
    );
    journals.push(...planned.map(() => openMemoryJournal()));
    const run = async (scenario: Scenario): Promise<void> => {
      const journal = journals[planned.indexOf(scenario)] as Journal;
      await runScenario(scenario, session, journal, allotted.get(scenario.id));
    };
    const scheduled = overlap ? runInOrder(planned, run) : null;
    for (const scenario of planned) await (scheduled?.(scenario) ?? run(scenario));
  } finally {
    await session.close();
  }
  const { baselineFiles } = readBaselineFiles(target.baselineFiles);
  const lines = journals.flatMap((entry) => entry.lines);
  onLines?.(lines);
  return buildReport({
    lines: openLines(lines),
    run: {
      target: { name: null, build: null, baseUrl: url, embedded: false, ...getSelectedScope(target) },
      suite: {
        ...{ version: '', digest: '', contractDigest: '', catalogueDigest: '', seed },
        ...{ runs: target.runs, strict: target.strict, failOn: target.failOn },
      },
      caps: target.caps,
      startedAt,
      durationMs: performance.now() - started,
      errors: [],
      ...(baselineFiles === undefined ? {} : { baselineFiles }),
    },
  });
}

/** Serves `bank` on its own port, examines it, and returns the report. Pauses take no time, except with another `clock`. */
export async function examineBank(bank: Handler, options: ExamineOptions = {}): Promise<Report> {
  return serveDuring(bank, (url) => examineUrl(url, { clock: createInstantClock(), ...options }), options.prefix);
}

/** Returns the findings about `bank` in these areas, each as `clause: received`. */
export async function listFindings(
  bank: Handler,
  areas: string,
  options: ExamineOptions = {},
): Promise<readonly string[]> {
  const { findings } = await examineBank(bank, { ...options, env: { AREAS: areas, ...options.env } });
  return findings.map(({ clause, received }) => `${clause}: ${received}`);
}
