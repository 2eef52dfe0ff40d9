/** The doctor: what is right is said to be, and what is wrong comes with what to do. */
import { createServer, type AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { expect, test } from '@playwright/test';
import { passing } from '../../../fixtures/banks/lib/serving.ts';
import { mutantNamed } from '../../../fixtures/banks/mutants/index.ts';
import { createBank } from '../../../fixtures/reference-bank/bank.ts';
import type { Handler } from '../../../fixtures/reference-bank/http/serve.ts';
import { doctorCommand } from '../../../fixtures/runner/cli/doctor.ts';
import { examine } from '../support/examine.ts';
import { closeAll, listen, presenting, proxyServer, rawServer, tlsFile } from '../support/servers.ts';
import { conformanceOf, inProcess, sandbox, script, started, whileServed } from '../support/command.ts';
import { makeTempDir, tempFile } from '../support/temp-dir.ts';
import { thorough } from '../support/thorough.ts';

test.afterAll(closeAll);

const quick = (env: Record<string, string>) => ({ REPORT_DIR: makeTempDir(), TIMEOUT_MS: '2000', ...env });
const doctor = (env: Record<string, string>) => inProcess(doctorCommand(quick(env)));
/** The doctor on `bank`, served meanwhile. */
const doctorOf = (bank: Handler, env: Record<string, string> = {}) =>
  whileServed(bank, (url) => doctor({ ...sandbox(url), ...env }));
const marks = (out: string): readonly string[] =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(0, line.indexOf(':')).replace(/\s+/g, ' '));

test('A good bank is well', async () => {
  const { status, out } = await whileServed(createBank(), (url) =>
    started(script('fixtures/runner/cli/doctor.ts'), quick(sandbox(url))),
  );
  expect(status, out).toBe(0);
  expect(out).toContain('check secret: CLIENT_ID is too short or too common');
  expect(marks(out)).toEqual([
    'ok configuration',
    // The client id of the sandbox is a word.
    'check secret',
    'ok report folder',
    'ok name',
    'ok connection',
    'ok request (loans)',
    'ok request (payment-links)',
    'ok request (atms)',
    'ok test data',
    'ok clock',
  ]);
});

test('--help explains the command and looks at nothing', async () => {
  const { status, out } = await inProcess(doctorCommand({ SEED: 'not a number' }), '--help');
  expect([status, out]).toEqual([0, expect.stringMatching(/^Checks the configuration/)]);
});

test('A locator that wants the token is no matter of credentials: a run of its area finds it', thorough, async () => {
  const bank = mutantNamed('atms-behind-a-token').mutate(createBank());
  const { status, out } = await doctorOf(bank);
  expect([status, out]).toEqual([0, expect.stringMatching(/^check request \(atms\): findAtms answers only with/m)]);
  const ran = await conformanceOf(bank, { AREAS: 'atms', RUNS: '1' });
  expect(ran.status, ran.out).toBe(1);
  expect(ran.report?.findings.map(({ clause }) => clause)).toEqual(['atms.header.no-authorization']);
});

test('READ_ONLY asks for an unknown id and creates nothing', async () => {
  const bank = createBank();
  const methods = new Set<string>();
  const listening: Handler = {
    fetch(request) {
      methods.add(request.method);
      return bank.fetch(request);
    },
  };
  const { status, out } = await doctorOf(listening, { READ_ONLY: '1' });
  expect(status, out).toBe(0);
  expect([...methods]).toEqual(['GET']);
  expect(out).toContain('queryDisbursement is reachable');
});

test('Wrong credentials are reported with the variables to check', async () => {
  const { status, out } = await doctorOf(createBank(), { CLIENT_SECRET: 'no-Such-secret-1' });
  expect(status, out).toBe(2);
  expect(out).toMatch(
    /wrong request \(loans\): validateLoan was answered with status 401: check CLIENT_ID, CLIENT_SECRET and ACCESS_TOKEN/,
  );
  expect(out).not.toContain('no-Such-secret-1');
});

for (const [what, env, words] of [
  [
    'a port where nobody listens',
    { BASE_URL: 'http://127.0.0.1:9' },
    /wrong connection: Nobody answers at 127\.0\.0\.1 port 9 \(ECONNREFUSED\): check BASE_URL/,
  ],
  [
    'a host that nobody knows',
    { BASE_URL: 'http://no-such-host.invalid' },
    /wrong name: The host no-such-host\.invalid is not known/,
  ],
  [
    'a token command that fails',
    { ACCESS_TOKEN: '', ACCESS_TOKEN_COMMAND: 'false' },
    /wrong token: ACCESS_TOKEN_COMMAND ended with exit status 1|names a program that is not found/,
  ],
  ['a wrong value', { RUNS: 'many' }, /wrong configuration: RUNS is "many"/],
  [
    'known findings that are none',
    { KNOWN: tempFile('known.yaml', 'known: 5') },
    /wrong configuration: KNOWN names a file that holds no list under known/,
  ],
  [
    'known findings behind what npm prints',
    { KNOWN: tempFile('printed.yaml', '\n> suite@1.0.0 known\n> node known.ts\n\nknown: []\n') },
    /wrong configuration: KNOWN names the file .* begins with what npm prints before a command: delete its first lines/,
  ],
  [
    'hooks that cannot be loaded',
    { HOOKS: tempFile('hooks.mjs', 'throw new Error("out of order");') },
    /wrong configuration: HOOKS names a module that cannot be loaded: out of order/,
  ],
  [
    'a folder that cannot be written',
    { REPORT_DIR: 'package.json/out' },
    /wrong report folder: REPORT_DIR names "package\.json\/out", which cannot be written/,
  ],
] as const)
  test(`The doctor knows the fix for ${what}`, async () => {
    const { status, out } = await doctorOf(createBank(), env);
    expect(status, out).toBe(2);
    expect(out).toMatch(words);
    expect(out).not.toMatch(/\n\s+at /);
  });

test('The doctor knows the fix for a certificate that nobody trusts, and for a port without TLS', async () => {
  const own = await rawServer((socket) => void socket.end(), presenting('self-signed'));
  expect((await doctor(sandbox(`https://127.0.0.1:${own}`))).out).toMatch(
    /wrong TLS: The target's TLS certificate is self-signed/,
  );
  const silent = await listen(createServer());
  const { out } = await doctor({ ...sandbox(`https://127.0.0.1:${silent}`), TIMEOUT_MS: '300' });
  expect(out).toMatch(/wrong TLS: No (?:TLS )?connection came about/);
});

test('The doctor reaches an address of IPv6 behind TLS', async () => {
  const server = createTlsServer(presenting('server'), (socket) => void socket.end());
  await new Promise<void>((done) => server.listen(0, '::1', done));
  const { port } = server.address() as AddressInfo;
  const { out } = await doctor({ ...sandbox(`https://[::1]:${port}`), TLS_CA: tlsFile('ca.crt') });
  server.close();
  expect(out).toContain('ok    TLS: The certificate of the target is trusted.');
});

test('The doctor knows that it is the proxy which wants credentials', async () => {
  const { port } = await proxyServer(407);
  const { out } = await doctorOf(createBank(), { HTTP_PROXY: `http://127.0.0.1:${port}` });
  expect(out).toMatch(/wrong cause: The proxy demands credentials: .* give them in HTTP_PROXY/);
});

test('An attempt that asked to come again stays as evidence, and is no verdict', async () => {
  const bank = createBank({ behaviour: { delivery: { tooManyEvery: 40 } } });
  const report = await examine(
    passing(bank, (response) =>
      response.status === 429 ? new Response(null, { status: 429, headers: { 'retry-after': '0' } }) : response,
    ),
    { env: { AREAS: 'atms', RUNS: '3' } },
  );
  expect(report.verdict, JSON.stringify(report.findings)).toBe('conformant');
  const again = Object.values(report.exchanges).flatMap(({ attempts = [] }) => attempts);
  expect(again).toContainEqual({
    why: 'throttled',
    status: 429,
    failure: null,
    durationMs: expect.any(Number),
    retryAfter: '0',
  });
});
