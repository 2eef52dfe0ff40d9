/** `npm run judge`: judges recorded traffic. Nothing is sent. */
// Must be first: the overlay is applied when the contract is loaded.
import { areaFacts } from '../../openapi/api.ts';
import '../../fixtures/run/config/overlay.ts';
import type { Area } from '../../openapi/model/exchange.ts';
import { defineCommand, runIfMain, describeError } from '../../openapi/util/command.ts';
import { getOrSet } from '../../openapi/util/group-by.ts';
import { readHar, type HarFile } from '../../fixtures/recording/har.ts';
import { findRecordedOperation } from '../../fixtures/recording/match-request.ts';
import { isSanitized, showsCredential } from '../../fixtures/recording/hidden-names.ts';
import { HAR_CREATOR } from '../formats/har.ts';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { getProcessEnvironment, wantsColours } from '../../fixtures/run/config/process-env.ts';
import { ConfigurationError, readTarget, type Target } from '../../fixtures/run/config/target.ts';
import { Recording, RECORDED_SCENARIO } from '../../fixtures/recording/recording.ts';
import { chooseColours } from '../../openapi/foreign/print.ts';
import { describeRunForReport } from '../../fixtures/runner/run-identity.ts';
import { unlockFolder, lockFolder } from '../../fixtures/runner/run-lock.ts';
import { openFileJournal } from '../../fixtures/run/session/journal-writer.ts';
import { removeReport } from '../formats/paths.ts';
import { clearJournals, JOURNAL_FOLDER } from '../journal/read.ts';
import { writeRunFile } from '../journal/run-file.ts';
import { omitUndefined, type RecordingReport } from '../model/report.ts';
import { concludeRun } from '../reporter/conclude.ts';
import { counted, describeLeftOut, takeFirstItems } from '../text/phrases.ts';
import { toOneLine } from '../text/sanitize.ts';

const usage = `Judges recorded traffic: a HAR 1.2 file (JSON, at most 256 MB) of a browser, a proxy or a load test, plain or packed by
gzip. Sends nothing.

  npm run judge -- <traffic.har> [options]

  --base-url <url>   address of the bank to judge (default: the one with most of the traffic)
  --help             this text

The report goes to the folder "recorded" in REPORT_DIR. TARGET_NAME, AREAS, STRICT, OVERLAY, KNOWN, BASELINE
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

/** Says how many exchanges have a double slash before or in a documented path, and what to do. */
const describeDoubleSlashes = (count: number): readonly string[] =>
  describeLeftOut(
    count,
    'a double slash before or in a documented path (remove the slash at the end of the address in the client, and record again)',
  );

/** Counts the recorded operations of each base URL. The base URL with the most operations comes first. */
function countByBaseUrl({
  exchanges,
  incompleteByBaseUrl,
}: HarFile): readonly (readonly [base: string, count: number])[] {
  const counts = new Map(incompleteByBaseUrl);
  for (const { request } of exchanges) {
    const { baseUrl } = findRecordedOperation(request) ?? { baseUrl: '' };
    counts.set(baseUrl, getOrSet(counts, baseUrl, () => 0) + 1);
  }
  return [...counts].toSorted(([, countA], [, countB]) => countB - countA);
}

/** Reads a recording. Throws an error of one sentence if it has nothing to judge. */
function readTraffic(file: string): HarFile {
  const har = readHar(file);
  const { exchanges, incompleteByBaseUrl, undocumentedCount, doubleSlashCount, creator } = har;
  if (creator === HAR_CREATOR)
    throw new Error(
      `${file} was written by a run of this suite: use npm run verify -- conformance.json, which judges the whole run again.`,
    );
  if (exchanges.length > 0 || incompleteByBaseUrl.size > 0) return har;
  const reasons = [
    ...describeDoubleSlashes(doubleSlashCount),
    ...describeLeftOut(undocumentedCount, 'no documented method and path'),
  ];
  throw new Error(`${file} has nothing to judge: ${reasons.join('; ') || 'it has no entries'}.`);
}

/** Returns which parts of the recording are missing, and how to record them. */
function listGaps({ exchanges, missingBodies }: HarFile, areas: readonly Area[]): readonly string[] {
  if (missingBodies !== null) return [WITHOUT_BODIES[missingBodies]];
  const requests = exchanges.map(({ request }) => request);
  const requestsWithBody = requests.filter((request) => {
    const { area, inputs } = findRecordedOperation(request)?.operation ?? {};
    return area !== undefined && areas.includes(area) && inputs?.some((input) => input.in === 'body');
  });
  return [
    ...(isSanitized(requests) && areas.some((area) => areaFacts[area].usesToken) ? [WITHOUT_CREDENTIALS] : []),
    ...(requestsWithBody.length > 0 && requestsWithBody.every(({ body }) => body === null)
      ? [WITHOUT_REQUEST_BODIES]
      : []),
  ];
}

const MAX_SHOWN_ADDRESSES = 3;

/** The folder of the report within REPORT_DIR: the report about recorded traffic must not replace the report of a run. */
const RECORDED_FOLDER = 'recorded';
/** At most this many different faults of the suite are reported. */
const MAX_FAILURES = 20;
const MAX_FAILURE_LENGTH = 300;

/** Makes the target at `baseUrl` with the settings of the environment. `source` names the origin of the address in errors. */
function makeTarget(baseUrl: string, source: string): Target {
  const noCredentials = { CLIENT_ID: 'none', CLIENT_SECRET: 'none', ACCESS_TOKEN: 'none', ACCESS_TOKEN_COMMAND: '' };
  const unusedSettings = { REPLAY: '', EXTRA_HEADERS: '', READ_ONLY: '' };
  try {
    return readTarget(
      { ...getProcessEnvironment(), ...noCredentials, ...unusedSettings, BASE_URL: baseUrl },
      process.cwd(),
    );
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new Error(error.faults.map((fault) => fault.replace(/^BASE_URL/, () => source)).join(' '), { cause: error });
  }
}

/** Returns functions that run work on one exchange, catch its error and list all errors: the next exchange is still judged. */
function makeFailureCollector(maskSecrets: (text: string) => string) {
  const failures = new Map<string, number>();
  return {
    runSafely(work: () => void): boolean {
      try {
        work();
        return true;
      } catch (error) {
        const reason = maskSecrets(toOneLine(describeError(error)).slice(0, MAX_FAILURE_LENGTH));
        const earlierTimes = failures.get(reason) ?? 0;
        const mayBeCounted = earlierTimes > 0 || failures.size < MAX_FAILURES;
        if (mayBeCounted) failures.set(reason, earlierTimes + 1);
        return false;
      }
    },
    listMessages: () =>
      [...failures].map(
        ([reason, times]) => `An exchange could not be judged: ${reason}${times > 1 ? ` (${times} times)` : ''}`,
      ),
  };
}

type RecordedFacts = ReturnType<Recording['facts']>;

/** What is judged, and where the report goes. */
interface JudgeOptions {
  readonly target: Target;
  readonly folder: string;
  /** The random id of the run. */
  readonly nonce: string;
}

/** Judges traffic at the address of `target`, and writes the report to `folder`. */
async function judgeTraffic(har: HarFile, file: string, { target, folder, nonce }: JudgeOptions) {
  const startedAt = new Date();
  const { conformance: description, render, keep } = describeRunForReport({ target, seed: 0, nonce });
  if (description.configuration.length > 0) throw new Error(description.configuration.join(' '));
  clearJournals(path.join(folder, JOURNAL_FOLDER));
  removeReport(folder, keep);
  writeRunFile(folder, { description, startedAt: startedAt.toISOString(), scenarios: [RECORDED_SCENARIO.title] });
  const writeErrors: string[] = [];
  const journalFile = path.join(folder, JOURNAL_FOLDER, `${RECORDED_SCENARIO.id}.jsonl`);
  const journal = openFileJournal(journalFile, ({ message }) => writeErrors.push(message));
  const showsCredentials = har.exchanges.some(({ request }) => showsCredential(request));
  const recording = new Recording({ target, nonce, journal, showsCredentials });
  const { runSafely, listMessages } = makeFailureCollector(recording.text);
  const learntExchanges = har.exchanges.filter((exchange) => runSafely(() => recording.learn(exchange)));
  for (const exchange of learntExchanges) runSafely(() => recording.add(exchange));
  await recording.end();
  const faultMessages = [...writeErrors.slice(0, 1), ...listMessages()];
  const { suite, target: judgedBank, baselineFiles } = description;
  return concludeRun({
    folder,
    run: nonce,
    attached: [],
    render,
    keep,
    makeFacts: (faults) => ({
      target: judgedBank,
      suite,
      ...omitUndefined({ baselineFiles }),
      startedAt: startedAt.toISOString(),
      incomplete: listGaps(har, target.areas),
      durationMs: Date.now() - startedAt.getTime(),
      errors: [...faults, ...faultMessages.map((message) => ({ scenario: null, message }))],
      recording: describeTraffic(har, file, recording.facts(), target.baseUrl),
    }),
    withhold: recording.withhold,
  });
}

function describeTraffic(har: HarFile, file: string, facts: RecordedFacts, baseUrl: string): RecordingReport {
  const otherAddresses = countByBaseUrl(har).flatMap(([address, count]) =>
    address === baseUrl ? [] : describeLeftOut(count, `another address, ${address} (name it with --base-url)`),
  );
  return {
    ...facts,
    source: file,
    incomplete: har.incompleteByBaseUrl.get(baseUrl) ?? 0,
    others: har.undocumentedCount,
    notes: [
      ...facts.notes,
      ...takeFirstItems(
        otherAddresses,
        MAX_SHOWN_ADDRESSES,
        (more) => `and more with ${counted(more, 'address', 'addresses')}`,
      ),
      ...describeDoubleSlashes(har.doubleSlashCount),
    ],
  };
}

export const judgeCommand = defineCommand({
  usage,
  options: { 'base-url': { type: 'string' } },
  positionals: [1, 1],
  async run({ values, positionals: [file = ''] }, print) {
    const har = readTraffic(file);
    chooseColours(wantsColours());
    const [[mostFrequentAddress] = ['']] = countByBaseUrl(har);
    const givenAddress = values['base-url'];
    const target =
      givenAddress === undefined
        ? makeTarget(mostFrequentAddress, `The address in ${file}`)
        : makeTarget(givenAddress, '--base-url');
    const folder = path.resolve(target.reportDir, RECORDED_FOLDER);
    const nonce = randomBytes(6).toString('hex');
    const lockFault = lockFolder(folder, nonce);
    if (lockFault !== null) throw new Error(lockFault);
    try {
      const { report, text } = await judgeTraffic(har, file, { target, folder, nonce });
      print(text);
      return report.gate.exitStatus;
    } finally {
      unlockFolder(folder, nonce);
    }
  },
});

void runIfMain(__filename, judgeCommand);
