/** Tests the HTTP client: requests are sent exactly as given, and a failure, or a shortage on this machine, is named and ends. */
import { createServer as createHttp2Server, createSecureServer as createSecureHttp2Server } from 'node:http2';
import { createServer, type Socket } from 'node:net';
import { expect, test } from '@playwright/test';
import { HttpClientClosed } from '../../../../fixtures/run/http/http-client.ts';
import { openConnection } from '../../../../fixtures/run/http/connection.ts';
import { ConnectError } from '../../../../fixtures/run/http/connector.ts';
import { mapAll } from '../../../../fixtures/run/http/limiter.ts';
import {
  closeAllServers,
  listenOnFreePort,
  loadTlsOptions,
  startRawServer,
  makeTarget,
  openTransport,
} from '../../support/servers.ts';
import { sendToServer, writeWithoutEnd, GET_REQUEST, OK_HEAD, renderOk, POST_REQUEST } from './raw-server.ts';

test.afterEach(closeAllServers);

test('Path, header fields and body of a request are sent byte for byte as given', async () => {
  const receivedRequests: string[] = [];
  const port = await startRawServer((socket, request) => {
    receivedRequests.push(request);
    socket.write(renderOk('{}'));
  });
  const transport = openTransport(
    makeTarget(`http://127.0.0.1:${port}/Gate%2Fway//`, { EXTRA_HEADERS: 'X-Tenant: Acme' }),
  );
  const headers = { 'X-GW-client-id': 'Id', 'x-gW-Odd': 'a  b', Accept: 'application/json' };
  for (const path of ['/Installments/%41/../b//?is_domestic=TRUE&x=%2f#a', '/', '//double', '/a/./b/?']) {
    await transport.send({ method: 'GET', path, headers, body: null });
    expect(receivedRequests.at(-1)?.split('\r\n')[0]).toBe(`GET /Gate%2Fway${path} HTTP/1.1`);
  }
  expect(receivedRequests[0]?.split('\r\n').slice(3, 7)).toEqual([
    'X-GW-client-id: Id',
    'x-gW-Odd: a  b',
    'Accept: application/json',
    'X-Tenant: Acme',
  ]);
  const sent = await transport.send({ ...POST_REQUEST, body: '{"name":"Größe"}' });
  expect(receivedRequests.at(-1)).toContain('content-length: 18\r\n\r\n{"name":"GrÃ¶Ã\x9fe"}');
  expect(sent.headers).toEqual({ 'Content-Type': 'application/json', 'X-Tenant': 'Acme' });
});

test('Status, header fields and bytes of an answer are returned as received', async () => {
  const sent = await sendToServer((socket) =>
    socket.write(
      'HTTP/1.1 201 Fine\r\nX-Odd: é\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\nContent-Length: 2\r\n\r\n\0\xff',
      'latin1',
    ),
  );
  expect(sent.answer?.status).toBe(201);
  expect(sent.answer?.headers).toEqual([
    ['x-odd', 'é'],
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
    ['content-length', '2'],
  ]);
  expect([...(sent.answer?.bytes ?? [])]).toEqual([0, 255]);
  expect(sent).toMatchObject({ failure: null, earlierAttempts: [], isStale: false });
});

test('A header value or path that HTTP cannot carry is rejected with a TypeError that does not repeat the value', async () => {
  const transport = openTransport(makeTarget('http://127.0.0.1:9'));
  const unsendable = transport.send({ ...GET_REQUEST, headers: { 'X-Odd': 'one\ntwo' } });
  await expect(unsendable).rejects.toThrow(TypeError);
  await expect(unsendable).rejects.toThrow(/^(?!.*one)/);
  await expect(transport.send({ ...GET_REQUEST, path: 'x y' })).rejects.toThrow(TypeError);
});

test('A target that does not listen, has no address, or speaks only HTTP/2 is named in the failure', async () => {
  const closedPort = await listenOnFreePort(createServer());
  await closeAllServers();
  const plainPort = await listenOnFreePort(createHttp2Server());
  const securePort = await listenOnFreePort(
    createSecureHttp2Server({ ...loadTlsOptions('server'), allowHTTP1: false }),
  );
  for (const [url, kind, words] of [
    [`http://127.0.0.1:${closedPort}`, 'unreachable', 'The connection was refused: nothing listens there.'],
    ['http://no-such-host.invalid', 'unreachable', 'The name of the host'],
    [`http://127.0.0.1:${plainPort}`, 'malformed', 'HTTP/2'],
    [`https://127.0.0.1:${securePort}`, 'unreachable', 'HTTP/2'],
  ] as const) {
    const { failure } = await openTransport(makeTarget(url)).send(GET_REQUEST);
    expect(failure).toMatchObject({ kind, message: expect.stringContaining(words) });
  }
});

test('After a time-out, a reset, a huge answer or extra bytes, the next request on the transport succeeds', async () => {
  const port = await startRawServer((socket, request) => {
    if (request.includes('/hang')) return;
    if (request.includes('/reset')) return void socket.resetAndDestroy();
    if (request.includes('/huge'))
      return void (socket.write(`${OK_HEAD}\r\n`), writeWithoutEnd(socket, Buffer.alloc(65536)));
    socket.write(
      request.includes('/extra')
        ? `${renderOk('{}')}HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged`
        : renderOk('{}'),
    );
  });
  const transport = openTransport(makeTarget(`http://127.0.0.1:${port}`, { TIMEOUT_MS: '800' }));
  const paths = ['/fine', '/hang', '/fine', '/reset', '/fine', '/huge', '/fine', '/extra', '/fine', '/extra', '/fine'];
  const answers = await mapAll(paths, 2, (path) => transport.send({ ...GET_REQUEST, path }));
  const ends = answers.map((sent) => sent.failure?.kind ?? Buffer.from(sent.answer?.bytes ?? []).toString());
  expect(ends.filter((end) => end === '{}')).toHaveLength(8);
  expect(ends[1]).toBe('timeout');
  expect(ends[3]).toBe('reset');
  // The body of eight megabytes is read within 800 ms, or the time-out ends first.
  expect(['too-large', 'timeout']).toContain(ends[5]);
});

test('Closing the client rejects the requests in flight and all later requests', async () => {
  const port = await startRawServer(() => {});
  const transport = openTransport(makeTarget(`http://127.0.0.1:${port}`));
  const first = transport.send(GET_REQUEST);
  const second = transport.send(GET_REQUEST);
  const outcomes = Promise.allSettled([first, second]);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await transport.close();
  for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: expect.any(HttpClientClosed) });
  await expect(transport.send(GET_REQUEST)).rejects.toThrow(HttpClientClosed);
});

test('If a load balancer serves one connection at a time, the client closes its idle connection, and both requests succeed', async () => {
  let served: Socket | null = null;
  const waiting: Socket[] = [];
  const admit = (): void => {
    served ??= waiting.shift() ?? null;
    served?.write(renderOk('{}'));
  };
  const port = await startRawServer((socket) => {
    waiting.push(socket);
    socket.once('close', () => {
      if (socket !== served) return;
      served = null;
      admit();
    });
    if (served === null) admit();
  });
  const transport = openTransport(makeTarget(`http://127.0.0.1:${port}`, { TIMEOUT_MS: '1500' }));
  const answers = await Promise.all([transport.send(GET_REQUEST), transport.send(GET_REQUEST)]);
  expect(answers.map(({ answer }) => answer?.status)).toEqual([200, 200]);
});

test('The client opens only for a host that ALLOWED_HOSTS names', async () => {
  const target = makeTarget('http://127.0.0.1:9');
  expect(() => openTransport({ ...target, allowedHosts: ['staging.bank.example'] })).toThrow(/ALLOWED_HOSTS/);
  expect(() => openTransport({ ...target, allowedHosts: ['127.0.0.1'] })).not.toThrow();
});

test('A request that the caller forbids is not sent, and opens no connection', async () => {
  let receivedRequestCount = 0;
  const port = await startRawServer((socket) => {
    receivedRequestCount += 1;
    socket.write(renderOk('{}'));
  });
  const transport = openTransport(makeTarget(`http://127.0.0.1:${port}`));
  const unsent = await transport.send(POST_REQUEST, { askToSend: () => 'it must not' });
  expect(unsent).toMatchObject({ reasonNotSent: 'it must not', answer: null, failure: null, earlierAttempts: [] });
  expect(await transport.send(GET_REQUEST)).toMatchObject({ reasonNotSent: null, answer: { status: 200 } });
  expect(receivedRequestCount).toBe(1);
});

const connectionLimits = { timeoutMs: 1000, maxBodyBytes: 1000 };

/** Sends a request on a connection that fails with `code`. */
async function sendFailingWith(code: string) {
  const cause = Object.assign(new Error('no connection'), { code });
  const connect = (_: unknown, callback: (error: Error, socket: null) => void) =>
    callback(new ConnectError('no connection', { cause }), null);
  const connection = openConnection(
    { origin: 'http://127.0.0.1:9', prefix: '', headers: null, connect },
    connectionLimits,
  );
  try {
    return await connection.send(GET_REQUEST);
  } finally {
    await connection.close();
  }
}

for (const [code, words] of [
  ['EMFILE', /no file descriptors left .* lower IN_FLIGHT\.$/],
  ['ENOMEM', /no memory left/],
] as const)
  test(`If a connection fails with ${code}, the request is rejected with a sentence about this machine`, async () => {
    const error = await sendFailingWith(code).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'MachineShortage', message: expect.stringMatching(words) });
  });

test('An answer that waits because this process is busy does not count as a time-out of the target', async () => {
  const timeoutMs = 200;
  const { answer, failure } = await sendToServer(
    (socket) => {
      socket.write(renderOk('{}'));
      for (const until = performance.now() + 2 * timeoutMs; performance.now() < until;);
    },
    { timeoutMs },
  );
  expect({ status: answer?.status, failure }).toEqual({ status: 200, failure: null });
});

test('A request that is never answered fails with a time-out, even if this process is busy', async () => {
  const busy = setInterval(() => {
    for (const until = performance.now() + 20; performance.now() < until;);
  });
  try {
    expect(await sendToServer(() => {}, { timeoutMs: 50 })).toMatchObject({ failure: { kind: 'timeout' } });
  } finally {
    clearInterval(busy);
  }
});
