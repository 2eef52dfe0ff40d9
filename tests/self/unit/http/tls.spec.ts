/** Tests TLS and proxies, each with a real server on this machine. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { createServer as createHttpsServer } from 'node:https';
import {
  closeAllServers,
  startHttpServer,
  listenOnFreePort,
  loadTlsOptions,
  startProxyServer,
  startRawServer,
  makeTarget,
  locateTlsFile,
  openTransport,
} from '../../support/servers.ts';
import { GET_REQUEST } from './raw-server.ts';

test.afterEach(closeAllServers);

const CA_SETTING = { TLS_CA: locateTlsFile('ca.crt') };

async function startSecureServer(certificate: string, options: object = {}): Promise<number> {
  const server = createHttpsServer({ ...loadTlsOptions(certificate), ...options }, (request, response) => {
    response.end(`${request.headers.host} ${request.url}`);
  });
  return listenOnFreePort(server);
}

const readFailure = async (port: number, env: Record<string, string> = CA_SETTING) =>
  (await openTransport(makeTarget(`https://127.0.0.1:${port}`, env)).send(GET_REQUEST)).failure;
const expectUnreachable = (words: RegExp) => ({ kind: 'unreachable', message: expect.stringMatching(words) });

for (const [certificate, words] of [
  ['expired', /has expired/],
  ['elsewhere', /for another host/],
  ['self-signed', /self-signed/],
] as const)
  test(`A certificate that is ${certificate} is refused`, async () => {
    expect(await readFailure(await startSecureServer(certificate))).toMatchObject(expectUnreachable(words));
  });

test('A server certificate of an unknown authority is accepted only if TLS_CA names the authority', async () => {
  const port = await startSecureServer('server');
  expect(await readFailure(port, {})).toMatchObject(expectUnreachable(/TLS_CA/));
  for (const host of ['127.0.0.1', 'localhost']) {
    const answered = await openTransport(makeTarget(`https://${host}:${port}`, CA_SETTING)).send(GET_REQUEST);
    expect(Buffer.from(answered.answer?.bytes ?? []).toString()).toBe(`${host}:${port} /x`);
  }
});

test('For https, a port without TLS and a port that never answers each give their own sentence', async () => {
  const port = await startHttpServer((_request, response) => response.end());
  expect(await readFailure(port)).toMatchObject(expectUnreachable(/does not speak TLS/));
  const silent = await startRawServer(() => {});
  const message = 'No connection came about in 200 ms (TIMEOUT_MS).';
  expect(await readFailure(silent, { TIMEOUT_MS: '200' })).toEqual({ kind: 'unreachable', message });
});

const clientIdentities: Record<string, Record<string, string>> = {
  'certificate and key': { TLS_CERT: locateTlsFile('client.crt'), TLS_KEY: locateTlsFile('client.key') },
  'certificate and locked key': {
    TLS_CERT: locateTlsFile('client.crt'),
    TLS_KEY: locateTlsFile('client-locked.key'),
    TLS_PASSPHRASE: 'open-sesame',
  },
  PFX: { TLS_PFX: locateTlsFile('client.p12'), TLS_PASSPHRASE: 'open-sesame' },
};
const mutualTls = { requestCert: true, rejectUnauthorized: true, ca: readFileSync(locateTlsFile('ca.crt')) };

for (const [what, identity] of Object.entries(clientIdentities)) {
  test(`A target that requires a client certificate accepts the ${what} of the settings`, async () => {
    const port = await startSecureServer('server', mutualTls);
    const sent = await openTransport(makeTarget(`https://127.0.0.1:${port}`, { ...CA_SETTING, ...identity })).send(
      GET_REQUEST,
    );
    expect(sent).toMatchObject({ answer: { status: 200 }, failure: null });
  });
}

for (const maxVersion of ['TLSv1.2', 'TLSv1.3'])
  test(`Without a client certificate, the failure over ${maxVersion} says that the target requires one`, async () => {
    expect(await readFailure(await startSecureServer('server', { ...mutualTls, maxVersion }))).toMatchObject(
      expectUnreachable(/client certificate/),
    );
  });

test('For https, the client asks HTTPS_PROXY for one tunnel, with the credentials of the proxy', async () => {
  const port = await startSecureServer('server');
  const proxy = await startProxyServer();
  const target = makeTarget(`https://localhost:${port}/bank`, {
    ...CA_SETTING,
    HTTPS_PROXY: `http://user:p%40ss@127.0.0.1:${proxy.port}`,
  });
  const transport = openTransport(target);
  const sent = await transport.send(GET_REQUEST);
  expect(Buffer.from(sent.answer?.bytes ?? []).toString()).toBe(`localhost:${port} /bank/x`);
  await transport.send(GET_REQUEST);
  expect(proxy.asked).toHaveLength(1);
  expect(proxy.asked[0]).toContain(`CONNECT localhost:${port} HTTP/1.1`);
  expect(proxy.asked[0]).toContain(`Basic ${Buffer.from('user:p@ss').toString('base64')}`);
});

test('For http, the client sends HTTP_PROXY requests in absolute form, with the credentials of the proxy', async () => {
  const port = await startHttpServer((request, response) => response.end(`${request.headers.host} ${request.url}`));
  const proxy = await startProxyServer();
  const target = makeTarget(`http://127.0.0.1:${port}/bank`, { http_proxy: `u:p@127.0.0.1:${proxy.port}` });
  const sent = await openTransport(target).send(GET_REQUEST);
  expect(Buffer.from(sent.answer?.bytes ?? []).toString()).toBe(`127.0.0.1:${port} /bank/x`);
  expect(proxy.asked[0]).toContain(`GET http://127.0.0.1:${port}/bank/x HTTP/1.1`);
  expect(proxy.asked[0]).toContain(`Proxy-Authorization: Basic ${Buffer.from('u:p').toString('base64')}`);
  expect(sent.headers).toEqual({});
});

test('Requests to a host that NO_PROXY names do not go to the proxy', async () => {
  const port = await startHttpServer((_request, response) => response.end('direct'));
  const proxy = await startProxyServer(500);
  for (const out of ['127.0.0.1', '*', `10.0.0.1, 127.0.0.1:${port}`]) {
    const variables = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: out };
    const sent = await openTransport(makeTarget(`http://127.0.0.1:${port}`, variables)).send(GET_REQUEST);
    expect(Buffer.from(sent.answer?.bytes ?? []).toString()).toBe('direct');
  }
  expect(proxy.asked).toEqual([]);
});

test('If the proxy refuses, is silent or does not exist, the target is unreachable, and no sentence shows the password', async () => {
  const [demanding, refusing] = [await startProxyServer(407), await startProxyServer(403)];
  const silent = await startRawServer(() => {});
  for (const [port, words] of [
    [demanding.port, /demands credentials/],
    [refusing.port, /refused to connect to the target \(status 403\)/],
    [silent, /No connection came about/],
    [9, /./],
  ] as const) {
    const env = { HTTPS_PROXY: `http://u:secret@127.0.0.1:${port}`, TIMEOUT_MS: '200' };
    const { failure } = await openTransport(makeTarget('https://bank.example', env)).send(GET_REQUEST);
    expect(failure).toMatchObject(expectUnreachable(words));
    expect(failure?.message).not.toContain('secret');
  }
});
