/** Recorded traffic gets the findings of its run: live through the proxy, and from the proxy's HAR. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { findMutant } from '../../../../fixtures/banks/mutants/index.ts';
import { createBank, sandboxCredentials } from '../../../../fixtures/reference-bank/bank.ts';
import type { Handler } from '../../../../fixtures/reference-bank/http/serve.ts';
import { judgeCommand } from '../../../../reports/cli/judge.ts';
import { proxyCommand } from '../../../../reports/cli/proxy.ts';
import { reportCommand } from '../../../../reports/cli/report.ts';
import { verifyCommand } from '../../../../reports/cli/verify.ts';
import type { Report } from '../../../../reports/model/report.ts';
import {
  runConformance,
  runInProcess,
  readReport,
  makeSandboxEnv,
  makeScriptWords,
  runProcess,
  serveDuring,
} from '../../support/command.ts';
import { makeSigningKeys } from '../../support/configuration.ts';
import { makeTempDir, makeTempFile, readTexts } from '../../support/temp-dir.ts';
import { thoroughUnless } from '../../support/thorough.ts';
import { judgeHar, listFindingsInExchanges } from './through-proxy.ts';

test.describe.configure({ mode: 'default' });

/** Runs the suite against `bank` through the proxy; returns three reports: of the run, the proxy, and its HAR. */
function recordRun(bank: Handler, areas: string) {
  const folder = makeTempDir();
  const har = join(folder, 'traffic.har');
  let run: Promise<Report | null> | undefined;
  return serveDuring(bank, async (target, asked) => {
    const live = await runProcess(
      makeScriptWords('reports/cli/proxy.ts', '--target', target, '--port', '0', '--har', har),
      { REPORT_DIR: join(folder, 'live') },
      {
        onOutput(out, child) {
          const url = / at (http:\/\/[\d.:]+);/.exec(out)?.[1];
          if (url === undefined || run !== undefined) return;
          run = runConformance({ ...makeSandboxEnv(url), AREAS: areas, SEED: '5', RUNS: '3' }).then(
            ({ report }) => report,
          );
          void run.finally(() => child.kill('SIGINT'));
        },
      },
    );
    const sent = asked();
    const fromHar = await judgeHar(har, join(folder, 'har'));
    expect(asked(), 'judging sends nothing').toBe(sent);
    const report = await run;
    if (report == null) throw new Error(`The run wrote no report: ${live.out}`);
    return { folder, har, live, fromHar, sent, report };
  });
}

for (const [name, bank, areas, verdict] of [
  ['a sound bank', createBank(), 'loans,payment-links,atms', [0, 'conformant']],
  [
    'a link with another token',
    findMutant('link-with-another-token').mutate(createBank()),
    'payment-links',
    [1, 'non-conformant'],
  ],
] as const)
  test(`Recorded traffic gets the judgement of its run: ${name}`, thoroughUnless(verdict[0] === 1), async () => {
    const { folder, har, live, fromHar, sent, report } = await recordRun(bank, areas);
    const fromProxy = readReport(join(folder, 'live/recorded'))!;
    expect(listFindingsInExchanges(report).length > 0).toBe(verdict[0] === 1);
    for (const [ended, found] of [
      [live, fromProxy],
      [fromHar, fromHar.report],
    ] as const) {
      expect([ended.status, found.verdict], ended.out).toEqual(verdict);
      expect(listFindingsInExchanges(found), ended.out).toEqual(listFindingsInExchanges(report));
    }
    expect(sent, 'the proxy sends what its client sent').toBeGreaterThanOrEqual(report.requests);
    expect(fromProxy.recording?.judged).toBe(fromHar.report.recording?.judged);
    for (const { replay, curl } of fromHar.report.findings)
      expect([replay, curl]).toEqual(['recorded', expect.any(String)]);
    const written = [...readTexts(join(folder, 'live')), ...readTexts(join(folder, 'har'))];
    for (const [file, text] of [...written, [har, readFileSync(har, 'utf8')]])
      for (const secret of Object.values(sandboxCredentials))
        if (secret.length > 8) expect(text?.includes(secret), file).toBe(false);
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

test('Browser traffic outside the document breaks no promise, and its secrets do not reach the disk', async () => {
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
    makeEntry(
      'GET',
      'https://bank.example/index.html?password=Kq77-in-query',
      {},
      { content: { size: 3, text: 'web' } },
    ),
    makeEntry('GET', atms, { ...gateway, accept: '*/*' }, body),
    makeEntry('GET', `${atms}&api_key=Qv55-in-query`, { ...gateway, accept: 'application/json' }, body),
    makeEntry('GET', atms, { ...gateway, accept: 'application/json' }, { content: { size: 4711 } }),
  ];
  writeFileSync(har, JSON.stringify({ log: { version: '1.2', entries } }));
  const without = await judgeHar(har, folder);
  expect([without.status, without.report.verdict], without.out).toEqual([2, 'inconclusive']);
  expect(without.report.reasons.join(' ')).toContain(
    'never succeeded: the recording has no request for it. If Revolving Loans should not be judged, leave it out with AREAS.',
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
  });
  const judgedEntry = makeEntry('GET', atms, { ...gateway, accept: 'application/json' }, body);
  writeFileSync(har, JSON.stringify({ log: { entries: [...entries, judgedEntry] } }));
  const { privateKey, publicKey } = makeSigningKeys();
  const signed = { RENDER: 'attestation', ATTESTATION_KEY: privateKey };
  const broken = await judgeHar(har, folder, signed);
  expect([broken.status, broken.report.findings.map(({ clause }) => clause)], broken.out).toEqual([1, ['atms.data']]);
  writeFileSync(join(folder, 'public.pem'), publicKey);
  const words = [join(folder, 'recorded', 'conformance.json'), '--key', join(folder, 'public.pem')];
  const { status, out } = await runInProcess(verifyCommand, ...words);
  expect([status, out]).toEqual([0, expect.stringContaining('Its attestation was signed with the key in')]);
  for (const [file, text] of readTexts(join(folder, 'recorded')))
    expect(text, file).not.toMatch(/browser-secret|cookie-77|in-query/);
});

test('Files that cannot be judged are reported in one sentence', async () => {
  const shop = { log: { entries: [makeEntry('GET', 'https://shop.example/', {}, {})] } };
  const [other, text] = [makeTempFile('other.har', JSON.stringify(shop)), makeTempFile('text.har', 'no JSON')];
  for (const [command, words, says] of [
    [judgeCommand, ['none.har'], /^There is no file none\.har\.\n$/],
    [judgeCommand, [text], /is no HAR: /],
    [judgeCommand, [other], /has no request to a documented operation/],
    [reportCommand, [other], /other\.har is a HAR recording: judge it with npm run judge\.\n$/],
    [proxyCommand, [], /^--target is missing: give the base URL of the bank\.\n$/],
    [proxyCommand, ['--target', 'bank.example'], /^The base URL is no http or https address/],
    [
      proxyCommand,
      ['--target', 'http://127.0.0.1:1', '--port', 'x'],
      /^--port has to be a whole number from 0 to 65535, not "x"\.$/m,
    ],
  ] as const) {
    const { status, out } = await runInProcess(command, ...words);
    expect([status, out]).toEqual([2, expect.stringMatching(says)]);
  }
});

test('A recording without credentials, or without bodies, is named in the first reason, with how to export it whole', async () => {
  const reasonsOf = async (
    headers: readonly object[],
    env: Readonly<Record<string, string>> = {},
    content: object = { text: '{"data":{}}' },
  ) => {
    const url = 'https://bank.example/api/bank/card/paybylink/v1/merchants';
    const response = { status: 200, headers: [], content };
    const entry = {
      startedDateTime: '2026-01-05T10:00:00.000Z',
      time: 1,
      request: { method: 'GET', url, headers },
      response,
    };
    const file = makeTempFile('traffic.har', JSON.stringify({ log: { version: '1.2', entries: [entry] } }));
    return (await judgeHar(file, makeTempDir(), env)).report.reasons;
  };
  const hint = expect.stringMatching(
    /^The recording has no Authorization header .* export it again with sensitive data/,
  );
  expect((await reasonsOf([]))[0]).toEqual(hint);
  // READ_ONLY limits what is sent: it does not narrow what a recording shows.
  expect((await reasonsOf([], { READ_ONLY: '1' }))[0]).toEqual(hint);
  expect(await reasonsOf([{ name: 'Authorization', value: 'Bearer t0ken' }])).not.toContainEqual(hint);
  expect((await reasonsOf([], {}, { size: 11, mimeType: 'application/json' }))[0]).toMatch(
    /^The answers have no bodies in the recording, .* export it again with content/,
  );
});
