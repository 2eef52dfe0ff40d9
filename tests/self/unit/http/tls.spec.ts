/** TLS and proxies, each against a real server on this machine. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { createServer as createHttpsServer } from 'node:https';
import {
  closeAll,
  httpServer,
  listen,
  tlsOptionsFor,
  proxyServer,
  rawServer,
  targetAt,
  tlsFile,
  transportTo,
} from '../../support/servers.ts';

test.afterEach(closeAll);

const get = { method: 'GET', path: '/x', headers: {}, body: null } as const;
const ca = { TLS_CA: tlsFile('ca.crt') };

async function secureServer(certificate: string, options: object = {}): Promise<number> {
  const server = createHttpsServer({ ...tlsOptionsFor(certificate), ...options }, (request, response) => {
    response.end(`${request.headers.host} ${request.url}`);
  });
  return listen(server);
}

/** Returns how a request to a server on this port fails. */
const failureAt = async (port: number, env: Record<string, string> = ca) =>
  (await transportTo(targetAt(`https://127.0.0.1:${port}`, env)).send(get)).failure;
const unreachable = (words: RegExp) => ({ kind: 'unreachable', message: expect.stringMatching(words) });

for (const [certificate, words] of [
  ['expired', /has expired/],
  ['elsewhere', /for another host/],
  ['self-signed', /self-signed/],
] as const)
  test(`A certificate that is ${certificate} is refused`, async () => {
    expect(await failureAt(await secureServer(certificate))).toMatchObject(unreachable(words));
  });

test('An authority is trusted only if TLS_CA names it', async () => {
  const port = await secureServer('server');
  expect(await failureAt(port, {})).toMatchObject(unreachable(/TLS_CA/));
  for (const host of ['127.0.0.1', 'localhost']) {
    const known = await transportTo(targetAt(`https://${host}:${port}`, ca)).send(get);
    expect(Buffer.from(known.answer?.bytes ?? []).toString()).toBe(`${host}:${port} /x`);
  }
});

test('A port without TLS is reported as such, and a silent port is unreachable after the time-out', async () => {
  const port = await httpServer((_request, response) => response.end());
  expect(await failureAt(port)).toMatchObject(unreachable(/does not speak TLS/));
  const silent = await rawServer(() => {});
  const message = 'No connection came about in 200 ms (TIMEOUT_MS).';
  expect(await failureAt(silent, { TIMEOUT_MS: '200' })).toEqual({ kind: 'unreachable', message });
});

const identities: Record<string, Record<string, string>> = {
  'certificate and key': { TLS_CERT: tlsFile('client.crt'), TLS_KEY: tlsFile('client.key') },
  'certificate and locked key': {
    TLS_CERT: tlsFile('client.crt'),
    TLS_KEY: tlsFile('client-locked.key'),
    TLS_PASSPHRASE: 'open-sesame',
  },
  PFX: { TLS_PFX: tlsFile('client.p12'), TLS_PASSPHRASE: 'open-sesame' },
};
const mutualTls = { requestCert: true, rejectUnauthorized: true, ca: readFileSync(tlsFile('ca.crt')) };

for (const [what, identity] of Object.entries(identities)) {
  test(`A client authenticates with ${what}`, async () => {
    const port = await secureServer('server', mutualTls);
    const sent = await transportTo(targetAt(`https://127.0.0.1:${port}`, { ...ca, ...identity })).send(get);
    expect(sent).toMatchObject({ answer: { status: 200 }, failure: null });
  });
}

for (const maxVersion of ['TLSv1.2', 'TLSv1.3'])
  test(`A target that wants a client certificate says so over ${maxVersion}`, async () => {
    expect(await failureAt(await secureServer('server', { ...mutualTls, maxVersion }))).toMatchObject(
      unreachable(/client certificate/),
    );
  });

test('A TLS connection is used again, and its loss is reported as for plain HTTP', async () => {
  let connections = 0;
  const port = await rawServer((socket, request, number) => {
    if (number === 1) connections += 1;
    if (request.includes('/drop')) socket.destroy();
    else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
  }, tlsOptionsFor('server'));
  const transport = transportTo(targetAt(`https://127.0.0.1:${port}`, ca));
  for (let more = 0; more < 5; more += 1) expect((await transport.send(get)).answer?.status).toBe(200);
  expect(connections).toBe(1);
  const dropped = await transport.send({ ...get, path: '/drop', method: 'POST' });
  expect(dropped).toMatchObject({ failure: { kind: 'reset' }, stale: true });
  expect(dropped.failure?.message).toContain('not a byte had come');
  const fresh = await transport.send({ ...get, path: '/drop', method: 'POST' });
  expect(fresh).toMatchObject({ failure: { kind: 'reset' }, stale: false });
});

test('The client asks HTTPS_PROXY for a tunnel, with the credentials of the proxy', async () => {
  const port = await secureServer('server');
  const proxy = await proxyServer();
  const target = targetAt(`https://localhost:${port}/bank`, {
    ...ca,
    HTTPS_PROXY: `http://user:p%40ss@127.0.0.1:${proxy.port}`,
  });
  const transport = transportTo(target);
  const sent = await transport.send(get);
  expect(Buffer.from(sent.answer?.bytes ?? []).toString()).toBe(`localhost:${port} /bank/x`);
  await transport.send(get);
  expect(proxy.asked).toHaveLength(1);
  expect(proxy.asked[0]).toContain(`CONNECT localhost:${port} HTTP/1.1`);
  expect(proxy.asked[0]).toContain(`Basic ${Buffer.from('user:p@ss').toString('base64')}`);
});

test('HTTP_PROXY passes on requests in absolute form', async () => {
  const port = await httpServer((request, response) => response.end(`${request.headers.host} ${request.url}`));
  const proxy = await proxyServer();
  const target = targetAt(`http://127.0.0.1:${port}/bank`, { http_proxy: `u:p@127.0.0.1:${proxy.port}` });
  const sent = await transportTo(target).send(get);
  expect(Buffer.from(sent.answer?.bytes ?? []).toString()).toBe(`127.0.0.1:${port} /bank/x`);
  expect(proxy.asked[0]).toContain(`GET http://127.0.0.1:${port}/bank/x HTTP/1.1`);
  expect(proxy.asked[0]).toContain(`Proxy-Authorization: Basic ${Buffer.from('u:p').toString('base64')}`);
  expect(sent.headers).toEqual({});
});

test('NO_PROXY excludes hosts from the proxy', async () => {
  const port = await httpServer((_request, response) => response.end('direct'));
  const proxy = await proxyServer(500);
  for (const out of ['127.0.0.1', '*', `10.0.0.1, 127.0.0.1:${port}`]) {
    const variables = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: out };
    const sent = await transportTo(targetAt(`http://127.0.0.1:${port}`, variables)).send(get);
    expect(Buffer.from(sent.answer?.bytes ?? []).toString()).toBe('direct');
  }
  expect(proxy.asked).toEqual([]);
});

test('The target is unreachable if its proxy refuses, is silent or does not exist', async () => {
  const [demanding, refusing] = [await proxyServer(407), await proxyServer(403)];
  const silent = await rawServer(() => {});
  for (const [port, words] of [
    [demanding.port, /demands credentials/],
    [refusing.port, /refused to connect to the target \(status 403\)/],
    [silent, /No connection came about/],
    [9, /./],
  ] as const) {
    const env = { HTTPS_PROXY: `http://u:secret@127.0.0.1:${port}`, TIMEOUT_MS: '200' };
    const { failure } = await transportTo(targetAt('https://bank.example', env)).send(get);
    expect(failure).toMatchObject(unreachable(words));
    expect(failure?.message).not.toContain('secret');
  }
});
