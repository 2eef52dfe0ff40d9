/** Records the traffic of a run, as the bank sees it, and judges recordings. */
import { join } from 'node:path';
import type { RecordedExchange } from '../../../../fixtures/recording/recording.ts';
import type { Handler } from '../../../../fixtures/reference-bank/http/serve.ts';
import { judgeCommand } from '../../../../reports/cli/judge.ts';
import type { Report } from '../../../../reports/model/report.ts';
import { readReport, runWithEnv } from '../../support/command.ts';
import { examineBank } from '../../support/examine.ts';

type Environment = Readonly<Record<string, string>>;

/** Runs `npm run judge`, with the report in `folder`. */
export async function judgeHar(har: string, folder: string, env: Environment = {}) {
  const ended = await runWithEnv(judgeCommand, { REPORT_DIR: folder, ...env }, har);
  const report = readReport(join(folder, 'recorded'));
  if (report === null) throw new Error(`No report was written: ${ended.out}`);
  return { ...ended, report };
}

/** Runs the suite against `bank`. Returns the report of the run, and its exchanges with every secret. */
export async function recordRun(bank: Handler, env: Environment) {
  const exchanges: RecordedExchange[] = [];
  let ticks = 0;
  const recorder: Handler = {
    async fetch(asked, connection) {
      const [startedAt, started, sent] = [Date.now(), performance.now(), (ticks += 1)];
      const { method, url } = asked;
      const body = (await asked.clone().text()) || null;
      const response = await bank.fetch(asked, connection);
      const bytes = Buffer.from(await response.clone().arrayBuffer());
      exchanges.push({
        request: { method, url, headers: [...asked.headers], body },
        answer: { status: response.status, headers: [...response.headers, ['date', new Date().toUTCString()]], bytes },
        startedAt,
        durationMs: performance.now() - started,
        ticks: [sent, (ticks += 1)],
      });
      return response;
    },
  };
  return { run: await examineBank(recorder, { env }), exchanges };
}

/** Returns the findings that single exchanges show, without those from comparisons. */
export const listFindingsInExchanges = ({ findings }: Report): readonly string[] =>
  findings
    .filter(({ kind }) => kind !== 'behaviour' && kind !== 'refused')
    .map(({ id }) => id)
    .toSorted();

type Pairs = readonly (readonly [name: string, value: string])[];
const convertFields = (pairs: Pairs) => pairs.map(([name, value]) => ({ name, value }));

/** Returns the header fields that a browser adds to those of the client. */
const makeBrowserFields = ({ request }: RecordedExchange): Pairs => {
  const { host, pathname, search, origin } = new URL(request.url);
  return [
    [':authority', host],
    [':path', pathname + search],
    ['origin', origin],
    ['referer', `${origin}/app/index.html`],
    ['sec-ch-ua', '"Chromium";v="143", "Not;A=Brand";v="24"'],
    ['user-agent', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36'],
    ['cookie', 'JSESSIONID=9F2Kq77ZpLw03bVx; theme=dark'],
  ];
};

/** Makes one HAR entry. `headers` come before those of the client. */
function convertEntry({ request, answer, startedAt, durationMs }: RecordedExchange, headers: Pairs) {
  const mimeType = 'application/json';
  const bytes = Buffer.from(answer.bytes);
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: durationMs,
    request: {
      method: request.method,
      url: request.url,
      headers: convertFields([...headers, ...request.headers]),
      ...(request.body === null ? {} : { postData: { mimeType, text: request.body } }),
    },
    response: {
      status: answer.status,
      headers: convertFields(answer.headers),
      content: { mimeType, size: bytes.length, text: bytes.toString('utf8') },
    },
  };
}

/** Returns the HAR that Chrome exports, but with the latest exchange first, as other tools write it. */
export const renderRecording = (exchanges: readonly RecordedExchange[]): string => {
  const entries = exchanges.toReversed().map((exchange) => ({
    ...convertEntry(exchange, makeBrowserFields(exchange)),
    ...{ _resourceType: 'fetch', _priority: 'High' },
  }));
  return JSON.stringify({
    log: { version: '1.2', creator: { name: 'WebInspector', version: '1.0' }, pages: [], entries },
  });
};
