/** Makes the report about recorded traffic. */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { readEnvironment, readDotEnv, wantsColours } from '../../fixtures/config/process-env.ts';
import { ConfigurationError, readTarget, type Target } from '../../fixtures/config/target.ts';
import {
  openRecording,
  RECORDED_SCENARIO,
  type RecordedExchange,
  type Recording,
} from '../../fixtures/recording/recording.ts';
import { chooseColours } from '../../openapi/foreign/print.ts';
import { describeError } from '../../openapi/util/command.ts';
import { describeRunForReport } from '../../fixtures/runner/run-identity.ts';
import { unlockFolder, lockFolder } from '../../fixtures/runner/run-lock.ts';
import { openFileJournal } from '../../fixtures/session/journal-writer.ts';
import { removeReport } from '../formats/paths.ts';
import { clearJournals, JOURNAL_FOLDER } from '../journal/read.ts';
import { writeRunFile } from '../journal/run-file.ts';
import type { ExitStatus } from '../model/report.ts';
import { concludeRun } from '../reporter/conclude.ts';
import { omitUndefined } from '../text/given.ts';
import { toOneLine } from '../text/sanitize.ts';

/** The folder of the report within REPORT_DIR: the report about recorded traffic must not replace the report of a run. */
const RECORDED_FOLDER = 'recorded';
/** At most this many different faults of the suite are reported, with at most this many characters each. */
const [MAX_FAILURES, MAX_FAILURE_LENGTH] = [20, 300];

const SANITIZED_NOTE =
  'The recording has no Authorization header in any request, so nothing is concluded from their answers: export it again with sensitive data (in Chrome: settings of DevTools, Preferences, Network, “Allow to generate HAR with sensitive data”).';

const WITHOUT_BODIES_NOTE =
  'The answers have no bodies in the recording, so nothing is judged: export it again with content (in Chrome: “Save all as HAR with content”).';

interface RecordedRun {
  readonly recording: Recording;
  /** Judges an exchange and writes it to the journal. Does not throw: records an error as a fault of the suite. */
  add(exchange: RecordedExchange): void;
  /** Writes the report. Returns the text for the terminal, and the exit status. */
  conclude(of: {
    readonly source: string;
    readonly incomplete: number;
    readonly others?: number;
    /** True if the recorder removed the access token from every request. */
    readonly isSanitized?: boolean;
    /** True if the recorder left out the bodies of the answers. */
    readonly isWithoutBodies?: boolean;
  }): Promise<{ text: string; exit: ExitStatus }>;
}

/** Reads the target at `baseUrl` from the environment. Throws an error of one sentence. */
function makeTarget(baseUrl: string): Target {
  const none = { CLIENT_ID: 'none', CLIENT_SECRET: 'none', ACCESS_TOKEN: 'none' };
  const { ACCESS_TOKEN_COMMAND: _, REPLAY: __, EXTRA_HEADERS: ___, READ_ONLY: ____, ...variables } = readEnvironment();
  const { fault } = readDotEnv(process.cwd());
  if (fault !== null) throw new Error(fault);
  try {
    return readTarget({ ...variables, ...none, BASE_URL: baseUrl }, null);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new Error(error.faults.join(' ').replace(/^BASE_URL/, 'The base URL'), { cause: error });
  }
}

/** Starts a report about traffic at `baseUrl`. Throws an error of one sentence if the report cannot be written. */
export function openRecordedRun(baseUrl: string, showsCredentials: boolean): RecordedRun {
  chooseColours(wantsColours());
  const target = makeTarget(baseUrl);
  const folder = path.resolve(target.reportDir, RECORDED_FOLDER);
  const nonce = randomBytes(6).toString('hex');
  const { conformance: description, render, keep } = describeRunForReport({ target, seed: 0, nonce });
  const { configuration, target: judged, suite, baselineFiles } = description;
  if (configuration.length > 0) throw new Error(configuration.join(' '));
  const taken = lockFolder(folder, nonce);
  if (taken !== null) throw new Error(taken);
  const startedAt = new Date();
  const begun = { description, startedAt: startedAt.toISOString(), scenarios: [RECORDED_SCENARIO.title] };
  clearJournals(path.join(folder, JOURNAL_FOLDER));
  removeReport(folder, keep);
  writeRunFile(folder, begun);
  const failures = new Map<string, number>();
  const unwritten: string[] = [];
  const file = path.join(folder, JOURNAL_FOLDER, `${RECORDED_SCENARIO.id}.jsonl`);
  const journal = openFileJournal(file, ({ message }) => unwritten.push(message));
  const recording = openRecording({ target, nonce, journal, showsCredentials });
  return {
    recording,
    add(exchange) {
      try {
        recording.add(exchange);
      } catch (error) {
        const reason = recording.text(toOneLine(describeError(error)).slice(0, MAX_FAILURE_LENGTH));
        if (failures.size < MAX_FAILURES || failures.has(reason)) failures.set(reason, (failures.get(reason) ?? 0) + 1);
      }
    },
    async conclude({ source, incomplete, others = 0, isSanitized = false, isWithoutBodies = false }) {
      try {
        await recording.end();
        const facts = recording.facts();
        const messages = [
          ...unwritten.slice(0, 1),
          ...[...failures].map(
            ([reason, times]) => `An exchange could not be judged: ${reason}${times > 1 ? ` (${times} times)` : ''}`,
          ),
        ];
        const { report, text } = concludeRun({
          folder,
          run: nonce,
          attached: [],
          render,
          keep,
          factsOf: (faults) => ({
            target: judged,
            suite,
            ...omitUndefined({ baselineFiles }),
            startedAt: begun.startedAt,
            incomplete: [
              ...(isWithoutBodies ? [WITHOUT_BODIES_NOTE] : []),
              ...(isSanitized && judged.areas.some((area) => area !== 'atms') ? [SANITIZED_NOTE] : []),
            ],
            durationMs: Date.now() - startedAt.getTime(),
            errors: [...faults, ...messages.map((message) => ({ scenario: null, message }))],
            recording: { source, incomplete, ...facts, others: facts.others + others },
          }),
          withhold: recording.withhold,
        });
        return { text, exit: report.gate.exitStatus };
      } finally {
        unlockFolder(folder, nonce);
      }
    },
  };
}
