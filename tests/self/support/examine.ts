/** Examines a bank as a vendor's would be: over HTTP, with the scenarios of the suite, unchanged, and the same fold. */
import { memoryJournal, type Journal } from '../../../fixtures/session/journal-writer.ts';
import { systemClock, type Clock } from '../../../fixtures/http/clock.ts';
import { readBaselineFiles } from '../../../fixtures/config/baseline-files.ts';
import { openSession } from '../../../fixtures/session/session.ts';
import { allotments, reasonToSkip, runScenario } from '../../../fixtures/runner/run-scenario.ts';
import { schedule } from '../../../fixtures/runner/scheduler.ts';
import type { Scenario } from '../../../fixtures/runner/scenario.ts';
import { readTarget } from '../../../fixtures/config/target.ts';
import type { Handler } from '../../../fixtures/banks/lib/mutant.ts';
import type { JournalLine } from '../../../openapi/model/journal.ts';
import { fold } from '../../../reports/fold/index.ts';
import type { Report } from '../../../reports/model/report.ts';
import { loadScenarios } from '../../index.ts';
import { sandbox, whileServed } from './command.ts';

/**
 * The clock of the machine, or one that begins at `from`, but for pauses: they are over at once, and the time that they
 * were to take has passed.
 */
export function instantClock(from = Date.now()): Clock {
  let ahead = from - Date.now();
  return { now: () => Date.now() + ahead, sleep: async (ms) => void (ahead += Math.max(0, ms)) };
}

/** A clock that moves only by what is slept on it, at once, and by `turn`. Milliseconds since the epoch. */
export function fakeClock(start: number = Date.now()) {
  let now = start;
  const turn = (ms: number): void => void (now += Math.max(0, ms));
  return { now: () => now, turn, sleep: async (ms: number): Promise<void> => turn(ms) };
}

interface ExamineOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  readonly seed?: number;
  readonly prefix?: string;
  /** Ids of scenarios that are left out, to see what only they notice. */
  readonly without?: readonly string[];
  /** True: scenarios overlap as in a worker, and what comes of some banks differs from time to time. By default one runs after the other. */
  readonly overlap?: boolean;
  /** Is given the lines of the run. */
  readonly onLines?: (lines: readonly JournalLine[]) => void;
}

/** The report on a bank that is served at `url`, as a foreign target under the default caps. */
export async function examineUrl(
  url: string,
  { env = {}, clock = systemClock, seed = 1, without = [], overlap = false, onLines }: ExamineOptions = {},
): Promise<Report> {
  const target = readTarget({ ...sandbox(url), ...env }, null);
  const session = openSession({ target, clock, seed, nonce: 'examined' });
  const startedAt = new Date().toISOString();
  const started = performance.now();
  const journals: ReturnType<typeof memoryJournal>[] = [];
  try {
    const scenarios = loadScenarios();
    const allotted = allotments(scenarios, target.caps);
    const planned = scenarios.filter((one) => reasonToSkip(one, target) === null && !without.includes(one.id));
    journals.push(...planned.map(() => memoryJournal()));
    const run = async (scenario: Scenario): Promise<void> => {
      const journal = journals[planned.indexOf(scenario)] as Journal;
      await runScenario(scenario, session, journal, allotted.get(scenario.id));
    };
    const scheduled = overlap ? schedule(planned, run) : null;
    for (const scenario of planned) await (scheduled?.(scenario) ?? run(scenario));
  } finally {
    await session.close();
  }
  const selected = target.operations === null ? {} : { operations: target.operations };
  const { baselineFiles } = readBaselineFiles(target.baselineFiles);
  const lines = journals.flatMap((one) => one.lines);
  onLines?.(lines);
  return fold({
    lines,
    run: {
      target: { name: null, build: null, baseUrl: url, embedded: false, areas: target.areas, ...selected },
      suite: { version: '', digest: '', contractDigest: '', seed, runs: target.runs, strict: target.strict },
      caps: target.caps,
      startedAt,
      durationMs: performance.now() - started,
      errors: [],
      ...(baselineFiles === undefined ? {} : { baselineFiles }),
    },
  });
}

/** The report on `bank`, served on a port of its own while it is examined; nobody waits for a pause unless `clock` does. */
export async function examine(bank: Handler, options: ExamineOptions = {}): Promise<Report> {
  return whileServed(bank, (url) => examineUrl(url, { clock: instantClock(), ...options }), options.prefix);
}

/** What is found on `bank` in these areas, each as `clause: what came`. */
export async function foundOn(bank: Handler, areas: string, options: ExamineOptions = {}): Promise<readonly string[]> {
  const { findings } = await examine(bank, { ...options, env: { AREAS: areas, ...options.env } });
  return findings.map(({ clause, received }) => `${clause}: ${received}`);
}
