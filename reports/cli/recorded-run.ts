/** The report on traffic that others made: what `judge` and `proxy` have in common. */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { environment } from '../../fixtures/config/process-env.ts';
import { ConfigurationError, readTarget, type Target } from '../../fixtures/config/target.ts';
import {
  openRecording,
  RECORDED_SCENARIO,
  type JudgedTraffic,
  type RecordedExchange,
  type Recording,
  type RecordingOptions,
} from '../../fixtures/recording/recording.ts';
import { sentenceOf } from '../../openapi/util/command.ts';
import { sealerOf } from '../../openapi/util/dsse.ts';
import { describeRunAs } from '../../fixtures/runner/run-identity.ts';
import { releaseFolder, takeFolder } from '../../fixtures/runner/run-lock.ts';
import { fileJournal } from '../../fixtures/session/journal-writer.ts';
import { removeReport } from '../formats/paths.ts';
import { clearJournals, journalFolder } from '../journal/read.ts';
import { writeBegun } from '../journal/run-file.ts';
import type { ExitStatus } from '../model/report.ts';
import { conclude } from '../reporter/conclude.ts';
import { oneLine } from '../text/sanitize.ts';

/** The folder of the report within REPORT_DIR: a recording does not take the place of a run. */
const RECORDED_FOLDER = 'recorded';
/** Faults of the suite that are told apart, and how much is said of each. */
const MAX_FAILURES = 20;
const MAX_FAILURE = 300;

interface RecordedRun {
  readonly recording: Recording;
  /** Judges an exchange and writes it down; what goes wrong with it is a fault of the suite, and the next one is judged. */
  add(exchange: RecordedExchange): JudgedTraffic | null;
  /** Notes what the suite could not do. */
  failed(what: string, error: unknown): void;
  readonly target: Target;
  /** Writes the report and gives what the terminal shows, and the exit status. */
  conclude(of: {
    readonly source: string;
    readonly incomplete: number;
    readonly others?: number;
    readonly color: boolean;
  }): Promise<{ text: string; exit: ExitStatus }>;
}

/** The variables of the environment that hold for traffic at `baseUrl`. Throws an error of one sentence. */
function targetAt(baseUrl: string): Target {
  const none = { CLIENT_ID: 'none', CLIENT_SECRET: 'none', ACCESS_TOKEN: 'none' };
  const { ACCESS_TOKEN_COMMAND: _, REPLAY: __, EXTRA_HEADERS: ___, ...given } = environment();
  try {
    return readTarget({ ...given, ...none, BASE_URL: baseUrl }, null);
  } catch (error) {
    if (error instanceof ConfigurationError)
      throw new Error(error.faults.join(' ').replace(/^BASE_URL/, 'The base URL'), { cause: error });
    throw error;
  }
}

/** Begins a report on traffic at `baseUrl`. Throws an error of one sentence where it cannot be written. */
export function openRecordedRun(
  baseUrl: string,
  shown: Pick<RecordingOptions, 'showsCredentials' | 'isSanitized'>,
): RecordedRun {
  const target = targetAt(baseUrl);
  const folder = path.resolve(target.reportDir, RECORDED_FOLDER);
  const nonce = randomBytes(6).toString('hex');
  const { conformance, render, attestationKey } = describeRunAs({ target, seed: 0, nonce });
  const { configuration, suite, baselineFiles } = conformance;
  if (configuration.length > 0) throw new Error(configuration.join(' '));
  const taken = takeFolder(folder, nonce);
  if (taken !== null) throw new Error(taken);
  const startedAt = new Date();
  clearJournals(path.join(folder, journalFolder));
  removeReport(folder);
  writeBegun(folder, {
    description: conformance,
    startedAt: startedAt.toISOString(),
    scenarios: [RECORDED_SCENARIO.title],
  });
  let unwritten: Error | null = null;
  const file = path.join(folder, journalFolder, `${RECORDED_SCENARIO.id}.jsonl`);
  const journal = fileJournal(file, (error) => (unwritten ??= error));
  const recording = openRecording({ target, nonce, journal, ...shown });
  const failures = new Map<string, number>();
  const failed = (what: string, error: unknown): void => {
    const message = recording.redactor.text(`${what}: ${oneLine(sentenceOf(error)).slice(0, MAX_FAILURE)}`);
    if (failures.size < MAX_FAILURES || failures.has(message)) failures.set(message, (failures.get(message) ?? 0) + 1);
  };
  return {
    recording,
    target,
    failed,
    add(exchange) {
      try {
        return recording.add(exchange);
      } catch (error) {
        failed('An exchange could not be judged', error);
        return null;
      }
    },
    async conclude({ source, incomplete, others = 0, color }) {
      try {
        await recording.end();
        const facts = recording.facts();
        const { report, text } = conclude({
          folder,
          run: nonce,
          attached: [],
          render,
          seal: attestationKey === null ? undefined : sealerOf(attestationKey),
          color,
          factsOf: (faults) => ({
            target: conformance.target,
            suite,
            startedAt: startedAt.toISOString(),
            durationMs: Date.now() - startedAt.getTime(),
            ...(baselineFiles === undefined ? {} : { baselineFiles }),
            errors: [
              ...faults,
              ...(unwritten === null ? [] : [{ scenario: null, message: unwritten.message }]),
              ...[...failures].map(([message, times]) => ({
                scenario: null,
                message: times > 1 ? `${message} (${times} times)` : message,
              })),
            ],
            recording: { source, incomplete, ...facts, others: facts.others + others },
          }),
          withhold: recording.redactor.withhold,
        });
        return { text, exit: report.gate.exitStatus };
      } finally {
        releaseFolder(folder, nonce);
      }
    },
  };
}
