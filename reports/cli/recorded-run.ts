/** Makes the report about recorded traffic. */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { getProcessEnvironment, wantsColours } from '../../fixtures/config/process-env.ts';
import { ConfigurationError, readTarget, type Target } from '../../fixtures/config/target.ts';
import { openRecording, RECORDED_SCENARIO, type RecordedExchange } from '../../fixtures/recording/recording.ts';
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

interface RecordedRun {
  readonly target: Target;
  /** Judges exchanges and writes them to the journal. Does not throw: records an error as a fault of the suite. */
  judge(exchanges: readonly RecordedExchange[]): void;
  conclude(of: {
    readonly source: string;
    readonly incomplete: number;
    readonly others: number;
    /** What the recorder left out, one sentence each. With any, the run gets no verdict. */
    readonly gaps: readonly string[];
    readonly notes: readonly string[];
  }): Promise<{ text: string; exit: ExitStatus }>;
}

/** Reads the target at `baseUrl` from the environment. Throws an error of one sentence. */
function makeTarget(baseUrl: string): Target {
  const none = { CLIENT_ID: 'none', CLIENT_SECRET: 'none', ACCESS_TOKEN: 'none', ACCESS_TOKEN_COMMAND: '' };
  const unused = { REPLAY: '', EXTRA_HEADERS: '', READ_ONLY: '' };
  try {
    return readTarget({ ...getProcessEnvironment(), ...none, ...unused, BASE_URL: baseUrl }, process.cwd());
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
  const attempt = (work: () => void): boolean => {
    try {
      work();
      return true;
    } catch (error) {
      const reason = recording.text(toOneLine(describeError(error)).slice(0, MAX_FAILURE_LENGTH));
      if (failures.size < MAX_FAILURES || failures.has(reason)) failures.set(reason, (failures.get(reason) ?? 0) + 1);
      return false;
    }
  };
  return {
    target,
    judge(exchanges) {
      const learned = exchanges.filter((exchange) => attempt(() => recording.learn(exchange)));
      for (const exchange of learned) attempt(() => recording.add(exchange));
    },
    async conclude({ source, incomplete, others, gaps, notes }) {
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
            incomplete: gaps,
            durationMs: Date.now() - startedAt.getTime(),
            errors: [...faults, ...messages.map((message) => ({ scenario: null, message }))],
            recording: {
              ...facts,
              source,
              incomplete,
              others: facts.others + others,
              notes: [...facts.notes, ...notes],
            },
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
