/** `npm run judge`: judges recorded traffic. Nothing is sent. */
// First: an overlay is applied to the contract when that is loaded.
import '../../fixtures/config/overlay.ts';
import { defineCommand, runIfMain } from '../../openapi/util/command.ts';
import { readHar, type HarFile } from '../../fixtures/recording/har.ts';
import { operationAt } from '../../fixtures/recording/match-request.ts';
import { showsCredential } from '../../fixtures/recording/recorded-secrets.ts';
import { groupBy } from '../../openapi/util/group-by.ts';
import { openRecordedRun } from './recorded-run.ts';

const usage = `Judges recorded traffic: a HAR 1.2 file of a browser, a proxy, a load test or this suite. Sends nothing.

  npm run judge -- <traffic.har> [options]

  --base-url <url>   address of the bank to judge (default: the one with most of the traffic)
  --help             this text

The report goes to the folder "recorded" in REPORT_DIR. TARGET_NAME, AREAS, STRICT, OVERLAY, PINS, KNOWN, BASELINE
and RENDER work as in a run. Clauses that only a scenario can test are not tested, and the report lists them.
Exit status: 0 conformant, 1 findings, 2 inconclusive or unusable, 3 the suite broke.
`;

/** The base URL with most of the recorded operations. Throws where there is none. */
function busiestBase({ exchanges, incomplete }: HarFile, file: string): string {
  const bases = [...exchanges.map(({ request }) => request), ...incomplete].flatMap(
    (request) => operationAt(request)?.base ?? [],
  );
  const [busiest] = [...groupBy(bases, (base) => base)].toSorted(([, a], [, b]) => b.length - a.length);
  if (busiest === undefined)
    throw new Error(
      `${file} has no request to a documented operation: no documented method and path is among its ${exchanges.length + incomplete.length} entries.`,
    );
  return busiest[0];
}

/** `npm run judge`. */
export const judgeCommand = defineCommand({
  usage,
  options: { 'base-url': { type: 'string' } },
  positionals: [1, 1],
  async run({ values, positionals: [file = ''] }, print) {
    const har = readHar(file);
    const base = values['base-url']?.replace(/\/+$/, '') ?? busiestBase(har, file);
    const run = openRecordedRun(
      base,
      har.exchanges.some(({ request }) => showsCredential(request)),
    );
    for (const exchange of har.exchanges) run.recording.add(exchange);
    const incomplete = har.incomplete.filter((request) => operationAt(request)?.base === base).length;
    const { text, exit } = await run.conclude({ source: file, incomplete, color: process.stdout.isTTY });
    print(text);
    return exit;
  },
});

void runIfMain(__filename, judgeCommand);
