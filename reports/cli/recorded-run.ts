/** The report on traffic that others made: what `judge` and `proxy` have in common. */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { environment } from '../../fixtures/config/process-env.ts';
import { ConfigurationError, readTarget, type Target } from '../../fixtures/config/target.ts';
import { openRecording, RECORDED_SCENARIO, type Recording } from '../../fixtures/recording/recording.ts';
import { sealerOf } from '../../openapi/util/dsse.ts';
import { describeRunAs } from '../../fixtures/runner/run-identity.ts';
import { releaseFolder, takeFolder } from '../../fixtures/runner/run-lock.ts';
import { fileJournal } from '../../fixtures/session/journal-writer.ts';
import { removeReport } from '../formats/paths.ts';
import { clearJournals, journalFolder } from '../journal/read.ts';
import { writeBegun } from '../journal/run-file.ts';
import type { ExitStatus } from '../model/report.ts';
import { conclude } from '../reporter/conclude.ts';

/** The folder of the report within REPORT_DIR: a recording does not take the place of a run. */
const RECORDED_FOLDER = 'recorded';

interface RecordedRun {
  readonly recording: Recording;
  readonly target: Target;
  /** Writes the report and gives what the terminal shows, and the exit status. */
  conclude(of: {
    readonly source: string;
    readonly incomplete: number;
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
export function openRecordedRun(baseUrl: string, showsCredentials: boolean): RecordedRun {
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
  const recording = openRecording({ target, nonce, journal, showsCredentials });
  return {
    recording,
    target,
    async conclude({ source, incomplete, color }) {
      await recording.end();
      try {
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
            errors: unwritten === null ? faults : [...faults, { scenario: null, message: unwritten.message }],
            recording: { source, incomplete, ...recording.facts() },
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
