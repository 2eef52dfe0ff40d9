/** Tests that recorded traffic gets the same findings as its run, and that no value of the client is written. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { findMutant } from '../../../../fixtures/banks/mutants/index.ts';
import type { RecordedExchange } from '../../../../fixtures/recording/match-request.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import type { Handler } from '../../../../fixtures/reference-bank/http/serve.ts';
import { judgeCommand } from '../../../../reports/cli/judge.ts';
import { reportCommand } from '../../../../reports/cli/report.ts';
import { verifyCommand } from '../../../../reports/cli/verify.ts';
import { toHar } from '../../../../reports/formats/har.ts';
import type { Report } from '../../../../reports/model/report.ts';
import { readReport, runInProcess, runWithEnv } from '../../support/command.ts';
import { examineBank } from '../../support/examine.ts';
import { makeTempDir, makeTempFile, readTexts } from '../../support/temp-dir.ts';

test.describe.configure({ mode: 'default' });

type Environment = Readonly<Record<string, string>>;

/** Runs `npm run judge`, with the report in `folder`. */
async function judgeHar(har: string, folder: string, env: Environment = {}, ...words: readonly string[]) {
  const ended = await runWithEnv(judgeCommand, { REPORT_DIR: folder, ...env }, har, ...words);
  const report = readReport(join(folder, 'recorded'));
  if (report === null) throw new Error(`No report was written: ${ended.out}`);
  return { ...ended, report };
}

/** Runs the suite against `bank`. Returns the report of the run, and its exchanges with every secret. */
async function recordRun(bank: Handler, env: Environment) {
  const exchanges: RecordedExchange[] = [];
  let ticks = 0;
  const recorder: Handler = {
    async fetch(request, connection) {
      const [startedAt, started, sent] = [Date.now(), performance.now(), (ticks += 1)];
      const { method, url } = request;
      const body = (await request.clone().text()) || null;
      const response = await bank.fetch(request, connection);
      const bytes = Buffer.from(await response.clone().arrayBuffer());
      exchanges.push({
        request: { method, url, headers: [...request.headers], body },
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
const listFindingsInExchanges = ({ findings }: Report): readonly string[] =>
  findings
    .filter(({ kind }) => kind !== 'behaviour' && kind !== 'refused')
    .map(({ id }) => id)
    .toSorted();

type Pairs = readonly (readonly [name: string, value: string])[];
const convertFields = (pairs: Pairs) => pairs.map(([name, value]) => ({ name, value }));

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
const renderRecording = (exchanges: readonly RecordedExchange[]): string => {
  const entries = exchanges.toReversed().map((exchange) => ({
    ...convertEntry(exchange, makeBrowserFields(exchange)),
    ...{ _resourceType: 'fetch', _priority: 'High' },
  }));
  return JSON.stringify({
    log: { version: '1.2', creator: { name: 'WebInspector', version: '1.0' }, pages: [], entries },
  });
};

const credentials = {
  clientId: 'mobile-app-7f31-Kd92',
  clientSecret: 'Wq8+zT/3vLr=Hs64Ffp1',
  accessToken: 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4OTEifQ.Rk81aVp3UXg',
};
const customerIps = ['81.213.44.7', '2a02:e0:9c1::5'];

/** Makes a bank with a fault in each area. Two of the faults are in hidden values. */
function makeFaultyBank(): Handler {
  const [loans, links, atms] = [
    'request-loan-infos-entry-account-as-number',
    'link-with-another-token',
    'zeros-lost-in-districts',
  ].map((name) => findMutant(name).mutate(createBank({ credentials })));
  const of = (url: string): Handler | undefined => (/loans/.test(url) ? loans : /paybylink/.test(url) ? links : atms);
  return { fetch: (request, connection) => of(request.url)!.fetch(request, connection) };
}

/** Returns values of the client and its customers in the traffic, if they are long enough to search for. */
function listClientValues(exchanges: readonly RecordedExchange[]): readonly string[] {
  const values = new Set([...Object.values(credentials), ...customerIps, '9F2Kq77ZpLw03bVx']);
  const personal = /"(?:account|account_no|personal_description|payment_token)"\s*:\s*("(?:[^"\\]|\\.)*"|\d+)/g;
  for (const { request, answer } of exchanges)
    for (const text of [request.body ?? '', Buffer.from(answer?.bytes ?? []).toString('utf8')])
      for (const [, value = ''] of text.matchAll(personal)) values.add(String(JSON.parse(value)));
  return [...values].filter((value) => value.length >= 8 && /\d/.test(value));
}

const listSpellings = (value: string): readonly string[] => [
  value,
  JSON.stringify(value).slice(1, -1),
  encodeURIComponent(value),
  Buffer.from(value).toString('hex'),
  ...[0, 1, 2].map((lead) => {
    const encoded = Buffer.from(' '.repeat(lead) + value).toString('base64');
    return encoded.slice(lead === 0 ? 0 : 4, -4);
  }),
];

let recorded: Awaited<ReturnType<typeof recordRun>>;
let clientValues: readonly string[];

test.beforeAll(async () => {
  const { clientId, clientSecret, accessToken } = credentials;
  const client = { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, ACCESS_TOKEN: accessToken };
  const settings = { CUSTOMER_IPS: customerIps.join(','), RUNS: '1' };
  recorded = await recordRun(makeFaultyBank(), { ...client, ...settings });
  clientValues = listClientValues(recorded.exchanges);
  expect(clientValues.length).toBeGreaterThan(5);
});

function expectFindingsOfRun({ status, out, report }: Awaited<ReturnType<typeof judgeHar>>, folder: string): void {
  expect(listFindingsInExchanges(report), out).toEqual(listFindingsInExchanges(recorded.run));
  expect([status, listFindingsInExchanges(report).length > 2, report.errors], out).toEqual([1, true, []]);
  for (const { replay, curl } of report.findings) expect([replay, curl]).toEqual(['recorded', expect.any(String)]);
  const written = [...readTexts(folder), ['the terminal', out] as const];
  const spellings = clientValues.flatMap(listSpellings);
  const leaks = written.flatMap(([file, text]) =>
    spellings.filter((spelling) => text.includes(spelling)).map((spelling) => `${spelling} in ${file}`),
  );
  expect(leaks).toEqual([]);
}

test('Recorded traffic of a faulty bank gives the findings of its run, and no value of the client is written', async () => {
  const folder = makeTempDir();
  const file = makeTempFile('traffic.har', renderRecording(recorded.exchanges));
  const judged = await judgeHar(file, folder, { RENDER: 'har,sarif,summary' });
  expectFindingsOfRun(judged, folder);
  expect(judged.report.recording).toMatchObject({ incomplete: 0 });
});

test('Recorded traffic of a conforming bank gives the verdict conformant', async () => {
  const areas = { AREAS: 'payment-links,atms' };
  const { exchanges } = await recordRun(createBank(), { RUNS: '1', ...areas });
  const file = makeTempFile('traffic.har', renderRecording(exchanges));
  const { status, out, report } = await judgeHar(file, makeTempDir(), areas);
  expect([status, report.verdict, listFindingsInExchanges(report)], out).toEqual([0, 'conformant', []]);
});

const makeEntry = (method: string, url: string, headers: Readonly<Record<string, string>>, answer: object) => ({
  startedDateTime: '2026-01-05T10:00:00.000Z',
  time: 12.5,
  request: {
    method,
    url,
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    httpVersion: 'h2',
  },
  response: { status: 200, headers: [{ name: 'Content-Type', value: 'application/json' }], ...answer },
});

test('Browser requests that the document does not describe break no clause, and their secrets are not written', async () => {
  const folder = makeTempDir();
  const har = join(folder, 'browser.har');
  const gateway = {
    'x-gw-client-id': 'browser-id-1f',
    'x-gw-client-secret': 'Zt9-browser-secret',
    cookie: 'sid=8Jq2-cookie-77',
  };
  const atms = 'https://bank.example/gw/api/v1/atms?latitude=41.0&longitude=29.0';
  const body = { content: { size: 12, text: '{"data":"no"}' } };
  const entries = [
    makeEntry('GET', 'https://bank.example/index.html?password=Kq77-in-query', {}, { content: { text: 'web' } }),
    makeEntry('GET', atms, { ...gateway, accept: '*/*' }, body),
    makeEntry('GET', `${atms}&api_key=Qv55-in-query`, { ...gateway, accept: 'application/json' }, body),
    makeEntry('GET', atms, { ...gateway, accept: 'application/json' }, { content: { size: 4711 } }),
  ];
  writeFileSync(har, JSON.stringify({ log: { version: '1.2', entries } }));
  const without = await judgeHar(har, folder);
  expect([without.status, without.report.verdict], without.out).toEqual([2, 'inconclusive']);
  expect(without.report.reasons.join(' ')).toContain(
    'Pay-by-Link could not be tested: the recording has no request for it. To judge the other areas only, set AREAS.',
  );
  expect(without.report.recording).toEqual({
    source: har,
    judged: 2,
    others: 1,
    incomplete: 1,
    deviations: [
      { why: 'the header Accept is missing or not as documented', count: 1 },
      { why: 'it has an input that is not documented', count: 1 },
    ],
    notes: [],
  });
  const judgedEntry = makeEntry('GET', atms, { ...gateway, accept: 'application/json' }, body);
  writeFileSync(har, JSON.stringify({ log: { entries: [...entries, judgedEntry] } }));
  const broken = await judgeHar(har, folder);
  expect([broken.status, broken.report.findings.map(({ clause }) => clause)], broken.out).toEqual([1, ['atms.data']]);
  expect(await runInProcess(verifyCommand, join(folder, 'recorded', 'conformance.json'))).toEqual({
    status: 0,
    out: expect.stringMatching(/^Verdict: non-conformant, from recorded traffic\n/),
  });
  for (const [file, text] of readTexts(join(folder, 'recorded')))
    expect(text, file).not.toMatch(/browser-secret|cookie-77|in-query/);
});

test('A file that the judge command cannot judge is refused in one sentence', async () => {
  const shop = { log: { entries: [makeEntry('GET', 'https://shop.example/', {}, {})] } };
  const [other, text] = [makeTempFile('other.har', JSON.stringify(shop)), makeTempFile('text.har', 'no JSON')];
  const locator = { log: { entries: [makeEntry('GET', 'https://bank.example/api/v1/atms', {}, {})] } };
  const atms = makeTempFile('atms.har', JSON.stringify(locator));
  const doubled = { log: { entries: [makeEntry('GET', 'https://bank.example//api/v1/atms?latitude=1', {}, {})] } };
  const slashes = makeTempFile('slashes.har', JSON.stringify(doubled));
  const ofRun = makeTempFile('run.har', toHar(recorded.run));
  for (const [command, words, says] of [
    [judgeCommand, ['none.har'], /^none\.har is not there: correct the path\.\n$/],
    [judgeCommand, [text], /is no HAR, because it is no JSON: export/],
    [judgeCommand, [ofRun], /was written by a run of this suite: use npm run verify -- conformance\.json/],
    [judgeCommand, [other], /has nothing to judge: 1 exchange left out: no documented method and path\.\n$/],
    [
      judgeCommand,
      [slashes],
      /: 1 exchange left out: a double slash before or in a documented path \(remove the slash at the end/,
    ],
    [reportCommand, [other], /other\.har is a HAR recording: judge it with npm run judge\.\n$/],
    [judgeCommand, [atms, '--base-url', 'bank.example'], /^--base-url is no http or https address/],
  ] as const) {
    const { status, out } = await runInProcess(command, ...words);
    expect([status, out]).toEqual([2, expect.stringMatching(says)]);
  }
});

test('A body nested deeper than 256 levels is judged, its deep values are hidden unread, and the report says so', async () => {
  const deep = `${'{"a":'.repeat(300)}"Wm44-deep-value"${'}'.repeat(300)}`;
  const text = `{"data":${deep},"token":"Fd71-first-value"}`;
  const headers = { 'x-gw-client-id': 'id-1', 'x-gw-client-secret': 'Zt9-secret-8', accept: 'application/json' };
  const atms = 'https://bank.example/api/v1/atms?latitude=41.0&longitude=29.0';
  const entries = [makeEntry('GET', atms, headers, { content: { text } })];
  const folder = makeTempDir();
  const { report, out } = await judgeHar(makeTempFile('deep.har', JSON.stringify({ log: { entries } })), folder);
  const said = '1 exchange with values nested deeper than 256 levels: these values are hidden unread';
  expect([report.recording?.notes, out]).toEqual([[said], expect.stringContaining(said)]);
  expect(report.findings.map(({ clause }) => clause)).toEqual(['atms.data']);
  for (const [file, written] of readTexts(folder)) expect(written, file).not.toMatch(/deep-value|first-value/);
});

test('If a recorder left out headers or bodies, the first reason names them and says how to record them', async () => {
  const links = 'https://bank.example/api/bank/card/paybylink/v1';
  const readReasons = async (entry: object, env: Readonly<Record<string, string>> = {}) => {
    const file = makeTempFile('traffic.har', JSON.stringify({ log: { version: '1.2', entries: [entry] } }));
    return (await judgeHar(file, makeTempDir(), env)).report.reasons;
  };
  const list = (headers: Readonly<Record<string, string>>, content: object = { text: '{"data":{}}' }) =>
    makeEntry('GET', `${links}/merchants`, headers, { content });
  const token = { Authorization: 'Bearer t0ken' };
  const made = makeEntry('POST', `${links}/payment-links`, token, { content: { text: '{"data":{}}' } });
  for (const [entry, says] of [
    [list({}), /^The recording has no Authorization header .* export it again/],
    [made, /^The POST requests have no bodies in the recording, .* record again/],
    [list(token, { size: 11 }), /^The answers have no bodies in the recording, .* export it again with content/],
    [list(token, { size: 11, _file: 'a1.json' }), /^The bodies of the answers are in files beside the recording/],
  ] as const)
    // READ_ONLY limits which requests are sent, not which recorded requests are judged.
    for (const env of [{}, { READ_ONLY: '1' }]) expect((await readReasons(entry, env))[0]).toMatch(says);
  expect((await readReasons(list(token))).join()).not.toMatch(/recording, /);
  const leftOut = [list(token, { size: 11 }), makeEntry('GET', 'https://bank.example/', {}, {})];
  const judgeAt = (baseUrl: string) => {
    const file = makeTempFile('traffic.har', JSON.stringify({ log: { version: '1.2', entries: leftOut } }));
    return judgeHar(file, makeTempDir(), {}, '--base-url', baseUrl);
  };
  const others = '1 exchange left out: no documented method and path';
  expect((await judgeAt('https://bank.example')).report.reasons.at(-1)).toBe(
    `No exchange with https://bank.example was judged: ${others}; 1 exchange left out: the answer was not recorded completely, or came from a cache.`,
  );
  expect((await judgeAt('https://elsewhere.example')).report.reasons.at(-1)).toBe(
    `No exchange with https://elsewhere.example was judged: ${others}; 1 exchange left out: another address, https://bank.example (name it with --base-url).`,
  );
});

test('A recorded answer that repeats a credential is a warning only if the bank accepted the credential, before or after', async () => {
  const headers = { 'x-gw-client-secret': credentials.clientSecret, accept: 'application/json' };
  const listWarnings = async (...statuses: readonly number[]) => {
    const text = JSON.stringify({ data: [], echo: credentials.clientSecret });
    const entries = statuses.map((status) =>
      makeEntry('GET', 'https://bank.example/api/v1/atms?latitude=41&longitude=29', headers, {
        status,
        content: { text: status === 200 ? '{"data":[]}' : text },
      }),
    );
    const file = makeTempFile('traffic.har', JSON.stringify({ log: { entries } }));
    const { report } = await judgeHar(file, makeTempDir());
    return report.findings.map(({ clause }) => clause).filter((clause) => clause.includes('reflected'));
  };
  expect(await listWarnings(500)).toEqual([]);
  for (const statuses of [
    [500, 200],
    [200, 500],
  ])
    expect(await listWarnings(...statuses)).toEqual(['service.credentials-not-reflected']);
});
