/** Tests that the doctor confirms right settings, and says how to correct wrong settings. */
import { expect, test } from '@playwright/test';
import { createBank } from '../../../fixtures/reference-bank/bank.ts';
import type { Handler } from '../../../fixtures/reference-bank/http/serve.ts';
import { makeDoctorCommand } from '../../../fixtures/runner/cli/doctor.ts';
import { runInProcess, makeSandboxEnv, makeScriptWords, runProcess, serveDuring } from '../support/command.ts';
import { closeAllServers, startProxyServer } from '../support/servers.ts';
import { makeTempDir, makeTempFile } from '../support/temp-dir.ts';

test.afterAll(closeAllServers);

type Env = Readonly<Record<string, string>>;

const makeQuickSettings = (env: Env) => ({ REPORT_DIR: makeTempDir(), TIMEOUT_MS: '2000', ...env });
const runDoctorCommand = (env: Env) => runInProcess(makeDoctorCommand(makeQuickSettings(env)));
const runDoctor = (bank: Handler, env: Env = {}, path = '') =>
  serveDuring(bank, (url) => runDoctorCommand({ ...makeSandboxEnv(`${url}${path}`), ...env }));
const readMarks = (out: string): readonly string[] =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(0, line.indexOf(':')).replace(/\s+/g, ' '));

test('For right settings and a conforming bank, the doctor reports no fault', async () => {
  const { status, out } = await serveDuring(createBank(), (url) =>
    runProcess(makeScriptWords('fixtures/runner/cli/doctor.ts'), makeQuickSettings(makeSandboxEnv(url))),
  );
  expect(status, out).toBe(0);
  // The client id of the sandbox is a usual word.
  expect(out).toContain('check secret: CLIENT_ID is too short or too common');
  const requests = ['loans', 'payment-links', 'atms'].map((area) => `ok request (${area})`);
  expect(readMarks(out)).toEqual([...['ok configuration', 'check secret', 'ok report folder', ...requests]]);
});

test('With READ_ONLY, the doctor sends only GET requests: for loans, it queries an unknown application', async () => {
  const bank = createBank();
  const methods = new Set<string>();
  const listening: Handler = { fetch: (request) => (methods.add(request.method), bank.fetch(request)) };
  const { status, out } = await runDoctor(listening, { READ_ONLY: '1' });
  expect(status, out).toBe(0);
  expect([...methods]).toEqual(['GET']);
  expect(out).toContain('queryDisbursement is reachable');
});

const answerWithPage = (status: number, text: string): Handler => ({
  fetch: () => new Response(text, { status, headers: { 'content-type': 'text/html' } }),
});
const redirectingBank: Handler = {
  fetch(request) {
    const { pathname, search } = new URL(request.url);
    return new Response(null, { status: 308, headers: { location: `https://bank.example/new${pathname}${search}` } });
  },
};

const WRONG_SECRET = 'no-Such-secret-1';

for (const [what, [words, env = {}, bank = createBank(), path = '']] of Object.entries<
  readonly [words: RegExp, env?: Env, bank?: Handler, path?: string]
>({
  'a port where nobody listens': [
    /wrong cause: .* 127\.0\.0\.1:9\. .* Check BASE_URL/,
    { BASE_URL: 'http://127.0.0.1:9' },
  ],
  'a token command that fails': [
    /wrong token: ACCESS_TOKEN_COMMAND ended with exit status 1|names a program that is not found/,
    { ACCESS_TOKEN: '', ACCESS_TOKEN_COMMAND: 'false' },
  ],
  'a file of known findings that begins with the lines that npm prints': [
    /wrong configuration: KNOWN .* begins with what npm prints before a command: delete its first lines/,
    { KNOWN: makeTempFile('printed.yaml', '\n> suite@1.0.0 known\n> node known.ts\n\nknown: []\n') },
  ],
  'wrong credentials': [/validateLoan .* status 401: check CLIENT_ID, CLIENT_SECRET/, { CLIENT_SECRET: WRONG_SECRET }],
  'a wrong token': [/The access token is not accepted: .* while the ATM locator/, { ACCESS_TOKEN: WRONG_SECRET }],
  'a redirect': [/Every request is redirected .*: set BASE_URL to https:\/\/bank\.example\/new\./, {}, redirectingBank],
  'a base URL that ends in the beginning of the documented paths': [
    /BASE_URL ends in \/api, with which the documented paths begin.*: write http:\/\/127\.0\.0\.1:\d+\./,
    {},
    createBank(),
    '/api',
  ],
  'a login page in place of every answer': [
    /BASE_URL leads to web pages and not to the API: .* was answered with status 200 and HTML.*check BASE_URL/,
    {},
    answerWithPage(200, '<!DOCTYPE html><title>Sign in</title>'),
  ],
}))
  test(`For ${what}, the doctor says what to correct`, async () => {
    const { status, out } = await runDoctor(bank, env, path);
    expect(status, out).toBe(2);
    expect(out).toMatch(words);
    expect(out).not.toMatch(/\n\s+at |no-Such-secret/);
  });

test('If the proxy asks for credentials, the doctor names the proxy and HTTP_PROXY, not the bank', async () => {
  const { port } = await startProxyServer(407);
  const { out } = await runDoctor(createBank(), { HTTP_PROXY: `http://127.0.0.1:${port}` });
  expect(out).toMatch(/wrong cause: The proxy demands credentials: .* give them in HTTP_PROXY/);
});
