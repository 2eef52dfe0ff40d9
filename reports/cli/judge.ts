/** `npm run judge`: judges recorded traffic. Nothing is sent. */
// Must be first: the overlay is applied when the contract is loaded.
import '../../fixtures/config/overlay.ts';
import { defineCommand, runIfMain } from '../../openapi/util/command.ts';
import { getOrSet } from '../../openapi/util/group-by.ts';
import { readHar, type HarFile } from '../../fixtures/recording/har.ts';
import { findOperation } from '../../fixtures/recording/match-request.ts';
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

/** Returns the base URL with the most recorded operations. Throws if there is none. */
function findBusiestBaseUrl({ exchanges, incomplete, others }: HarFile, file: string): string {
  const counts = new Map(incomplete);
  for (const { request } of exchanges) {
    const { base } = findOperation(request) ?? { base: '' };
    counts.set(base, getOrSet(counts, base, () => 0) + 1);
  }
  const [busiest] = [...counts].toSorted(([, a], [, b]) => b - a);
  if (busiest === undefined)
    throw new Error(
      `${file} has no request to a documented operation: no documented method and path is among its ${others} entries.`,
    );
  return busiest[0];
}

export const judgeCommand = defineCommand({
  usage,
  options: { 'base-url': { type: 'string' } },
  positionals: [1, 1],
  async run({ values, positionals: [file = ''] }, print) {
    const har = readHar(file);
    if (har.creator === HAR_CREATOR)
      throw new Error(
        `${file} was written by a run of this suite: use npm run verify -- conformance.json, which judges the whole run again.`,
      );
    const base = values['base-url']?.replace(/\/+$/, '') ?? findBusiestBaseUrl(har, file);
    const requests = har.exchanges.map(({ request }) => request);
    const run = openRecordedRun(base, requests.some(showsCredential));
    for (const exchange of har.exchanges) run.recording.learn(exchange);
    for (const exchange of har.exchanges) run.add(exchange);
    const incomplete = har.incomplete.get(base) ?? 0;
    const others = har.others + [...har.incomplete.values()].reduce((sum, count) => sum + count, 0) - incomplete;
    const { text, exit } = await run.conclude({
      source: file,
      incomplete,
      others,
      isSanitized: isSanitized(requests),
      isWithoutBodies: har.isWithoutBodies,
    });
    print(text);
    return exit;
  },
});

void runIfMain(__filename, judgeCommand);
