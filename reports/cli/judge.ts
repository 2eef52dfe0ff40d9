/** `npm run judge`: judges recorded traffic. Nothing is sent. */
// Must be first: the overlay is applied when the contract is loaded.
import '../../fixtures/config/overlay.ts';
import type { Area } from '../../openapi/model/exchange.ts';
import { defineCommand, runIfMain } from '../../openapi/util/command.ts';
import { getOrSet } from '../../openapi/util/group-by.ts';
import { readHar, type HarFile } from '../../fixtures/recording/har.ts';
import { findRecordedOperation } from '../../fixtures/recording/match-request.ts';
import { isSanitized, showsCredential } from '../../fixtures/recording/hidden-names.ts';
import { HAR_CREATOR } from '../formats/har.ts';
import { openRecordedRun } from './recorded-run.ts';

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
    const { base } = findRecordedOperation(request) ?? { base: '' };
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
    const { area, inputs } = findRecordedOperation(request)?.operation ?? {};
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
