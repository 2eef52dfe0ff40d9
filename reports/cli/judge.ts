/** `npm run judge`: judges recorded traffic. Nothing is sent. */
// Must be first: the overlay is applied when the contract is loaded.
import '../../fixtures/config/overlay.ts';
import type { Area } from '../../openapi/model/exchange.ts';
import { defineCommand, runIfMain, describeError } from '../../openapi/util/command.ts';
import { getOrSet } from '../../openapi/util/group-by.ts';
import { readHar, type HarFile } from '../../fixtures/recording/har.ts';
import { findOperation } from '../../fixtures/recording/match-request.ts';
import { isSanitized, showsCredential } from '../../fixtures/recording/hidden-names.ts';
import { HAR_CREATOR } from '../formats/har.ts';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { getProcessEnvironment, wantsColours } from '../../fixtures/config/process-env.ts';
import { ConfigurationError, readTarget, type Target } from '../../fixtures/config/target.ts';
import { openRecording, RECORDED_SCENARIO, type RecordedExchange } from '../../fixtures/recording/recording.ts';
import { chooseColours } from '../../openapi/foreign/print.ts';
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

const usage = `Judges recorded traffic: a HAR 1.2 file (JSON, at most 256 MB) of a browser, a proxy or a load test, plain or packed by
gzip. Sends nothing.

  npm run judge -- <traffic.har> [options]

  --base-url <url>   address of the bank to judge (default: the one with most of the traffic)
  --help             this text

The report goes to the folder "recorded" in REPORT_DIR. TARGET_NAME, AREAS, STRICT, OVERLAY, PINS, KNOWN, BASELINE
and RENDER work as in a run. Clauses that only a scenario can test are not tested; the report lists them.
Exit status: 0 conformant, 1 findings, 2 inconclusive or unusable, 3 the suite broke.
`;

const WITHOUT_CREDENTIALS =
  'The recording has no Authorization header in any request, so nothing is concluded from their answers: export it again with sensitive data (in Chrome: settings of DevTools, Preferences, Network, “Allow to generate HAR with sensitive data”).';
const WITHOUT_REQUEST_BODIES =
  'The POST requests have no bodies in the recording, so nothing is concluded from their answers: record again with a tool that keeps what is sent, such as Chrome or mitmproxy.';
const WITHOUT_BODIES = {
  'left-out':
    'The answers have no bodies in the recording, so nothing is judged: export it again with content (in Chrome: “Save all as HAR with content”).',
  'in-files':
    'The bodies of the answers are in files beside the recording, so nothing is judged: record again with the bodies in it (in Playwright: recordHar with content “embed”).',
};

const describeDoubleSlashes = (count: number): string =>
  `${count} ${count > 1 ? 'requests have' : 'request has'} a double slash before or in a documented path: take away the slash at the end of the base URL of the client, and record again`;

/** Returns the base URL with the most recorded operations. Throws if there is none. */
function findBusiestBaseUrl({ exchanges, incomplete }: HarFile): string {
  const counts = new Map(incomplete);
  for (const { request } of exchanges) {
    const { base } = findOperation(request) ?? { base: '' };
    counts.set(base, getOrSet(counts, base, () => 0) + 1);
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? '';
}

/** Reads a recording with something to judge. Throws an error of one sentence. */
function readTraffic(file: string): HarFile {
  const har = readHar(file);
  const { exchanges, incomplete, others, doubleSlashes, creator } = har;
  if (creator === HAR_CREATOR)
    throw new Error(
      `${file} was written by a run of this suite: use npm run verify -- conformance.json, which judges the whole run again.`,
    );
  if (exchanges.length > 0 || incomplete.size > 0) return har;
  const reason =
    doubleSlashes > 0
      ? describeDoubleSlashes(doubleSlashes)
      : `no documented method and path is among its ${others} entries`;
  throw new Error(`${file} has no request to a documented operation: ${reason}.`);
}

function listGaps({ exchanges, bodies }: HarFile, areas: readonly Area[]): readonly string[] {
  if (bodies !== null) return [WITHOUT_BODIES[bodies]];
  const requests = exchanges.map(({ request }) => request);
  const withBody = requests.filter((request) => {
    const { area, inputs } = findOperation(request)?.operation ?? {};
    return area !== undefined && areas.includes(area) && inputs?.some((input) => input.in === 'body');
  });
  return [
    ...(isSanitized(requests) && areas.some((area) => area !== 'atms') ? [WITHOUT_CREDENTIALS] : []),
    ...(withBody.length > 0 && withBody.every(({ body }) => body === null) ? [WITHOUT_REQUEST_BODIES] : []),
  ];
}

export const judgeCommand = defineCommand({
  usage,
  options: { 'base-url': { type: 'string' } },
  positionals: [1, 1],
  async run({ values, positionals: [file = ''] }, print) {
    const har = readTraffic(file);
    const { exchanges, others, doubleSlashes } = har;
    const base = values['base-url']?.replace(/\/+$/, '') ?? findBusiestBaseUrl(har);
    const run = openRecordedRun(
      base,
      exchanges.some(({ request }) => showsCredential(request)),
    );
    run.judge(exchanges);
    const incomplete = har.incomplete.get(base) ?? 0;
    const elsewhere = [...har.incomplete.values()].reduce((sum, count) => sum + count, 0) - incomplete;
    const { text, exit } = await run.conclude({
      source: file,
      incomplete,
      others: others + elsewhere,
      gaps: listGaps(har, run.target.areas),
      notes: doubleSlashes > 0 ? [describeDoubleSlashes(doubleSlashes)] : [],
    });
    print(text);
    return exit;
  },
});

void runIfMain(__filename, judgeCommand);

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
