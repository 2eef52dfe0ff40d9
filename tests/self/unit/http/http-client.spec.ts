/** What goes out goes out as given, and nothing that comes back can throw or hang. */
import { expect, test } from '@playwright/test';
import { createServer as createHttp2Server, createSecureServer as createSecureHttp2Server } from 'node:http2';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import type { FailureKind } from '../../../../openapi/model/exchange.ts';
import { maxBodyBytes, HttpClientClosed } from '../../../../fixtures/http/http-client.ts';
import { closeAll, httpServer, listen, presenting, rawServer, targetAt, transportTo } from '../../support/servers.ts';

test.afterEach(closeAll);

const get = { method: 'GET', path: '/x', headers: {}, body: null } as const;
const post = {
  method: 'POST',
  path: '/x',
  headers: { 'Content-Type': 'application/json' },
  body: '{}',
} as const;
const ok = (body: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/** Sends one request to a server that does `serve` to each connection that asks. */
async function against(serve: (socket: Socket) => void, request: typeof get | typeof post = get, timeout = '300') {
  const port = await rawServer(serve);
  return transportTo(targetAt(`http://127.0.0.1:${port}`, { TIMEOUT_MS: timeout })).send(request);
}

test('A request goes out exactly as given', async () => {
  const seen: string[] = [];
  const port = await rawServer((socket, request) => {
    seen.push(request);
    socket.write(ok('{}'));
  });
  const transport = transportTo(targetAt(`http://127.0.0.1:${port}/Gate%2Fway//`, { EXTRA_HEADERS: 'X-Tenant: Acme' }));
  const headers = { 'X-GW-client-id': 'Id', 'x-gW-Odd': 'a  b', Accept: 'application/json' };
  for (const path of ['/Installments/%41/../b//?is_domestic=TRUE&x=%2f#a', '/', '//double', '/a/./b/?']) {
    await transport.send({ method: 'GET', path, headers, body: null });
    expect(seen.at(-1)?.split('\r\n')[0]).toBe(`GET /Gate%2Fway${path} HTTP/1.1`);
  }
  expect(seen[0]?.split('\r\n').slice(3, 7)).toEqual([
    'X-GW-client-id: Id',
    'x-gW-Odd: a  b',
    'Accept: application/json',
    'X-Tenant: Acme',
  ]);
  const sent = await transport.send({ ...post, body: '{"name":"Größe"}' });
  expect(seen.at(-1)).toContain('content-length: 18\r\n\r\n{"name":"GrÃ¶Ã\x9fe"}');
  expect(sent.headers).toEqual({ 'Content-Type': 'application/json', 'X-Tenant': 'Acme' });
});

test('An answer comes back as received', async () => {
  const sent = await against((socket) =>
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
  expect(sent).toMatchObject({ failure: null, attempts: [], stale: false });
});

test('A request that cannot be written as HTTP is a fault of the suite, and does not repeat the value', async () => {
  const transport = transportTo(targetAt('http://127.0.0.1:9'));
  const unsendable = transport.send({ ...get, headers: { 'X-Odd': 'one\ntwo' } });
  await expect(unsendable).rejects.toThrow(TypeError);
  await expect(unsendable).rejects.toThrow(/^(?!.*one)/);
  await expect(transport.send({ ...get, path: 'x y' })).rejects.toThrow(TypeError);
});

const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const endless = (socket: Socket, piece: Buffer | string) => {
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('drain', more);
  more();
};

/** What a server does, and what that is called. */
const hostile: Record<string, [serve: (socket: Socket) => void, kind: FailureKind, words: RegExp]> = {
  'resets before the answer': [(s) => s.resetAndDestroy(), 'reset', /not a byte had come/],
  'closes before the answer': [(s) => s.end(), 'reset', /closed the connection: not a byte/],
  'resets in the header section': [
    (s) => s.write('HTTP/1.1 200 OK\r\nConte', () => setTimeout(() => s.resetAndDestroy(), 20)),
    'reset',
    /part of the header section/,
  ],
  'closes in the header section': [(s) => s.end('HTTP/1.1 200 OK\r\nConte'), 'reset', /part of the header section/],
  'resets in the body': [
    (s) => s.write(`${head}Content-Length: 10\r\n\r\n{"a`, () => setTimeout(() => s.resetAndDestroy(), 20)),
    'reset',
    /status 200 and 3 bytes/,
  ],
  'closes before Content-Length is reached': [
    (s) => s.end(`${head}Content-Length: 10\r\n\r\n{"a`),
    'reset',
    /status 200 and 3 bytes/,
  ],
  'closes before Content-Length is reached, as announced': [
    (s) => s.end(`${head}Connection: close\r\nContent-Length: 10\r\n\r\n{"a`),
    'reset',
    /status 200 and 3 bytes/,
  ],
  'closes within a chunk': [
    (s) => s.end(`${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"a`),
    'reset',
    /status 200 and 3 bytes/,
  ],
  'closes within a chunk, as announced': [
    (s) => s.end(`${head}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a`),
    'reset',
    /status 200 and 3 bytes/,
  ],
  'never answers': [() => {}, 'timeout', /300 ms: not a byte had come/],
  'never ends its header section': [(s) => s.write(head), 'timeout', /part of the header section/],
  'sends a byte at a time': [
    (s) => {
      s.write(`${head}Content-Length: 100\r\n\r\n`);
      const timer = setInterval(() => s.write('x'), 50);
      s.on('close', () => clearInterval(timer));
    },
    'timeout',
    /status 200 and \d bytes? of the body/,
  ],
  'sends early hints for ever': [
    (s) => {
      const timer = setInterval(() => s.write('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'), 20);
      s.on('close', () => clearInterval(timer));
    },
    'timeout',
    /not complete after 300 ms/,
  ],
  'states two lengths': [
    (s) => s.write(`${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`),
    'malformed',
    /Content-Length/,
  ],
  'states a length that is no number': [
    (s) => s.write(`${head}Content-Length: two\r\n\r\n{}`),
    'malformed',
    /Content-Length/,
  ],
  'sends a bad chunk': [
    (s) => s.write(`${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}`),
    'malformed',
    /in its body/,
  ],
  'speaks something else': [
    (s) => s.write('220 ftp.example ready\r\n'),
    'malformed',
    /before its body: (Expected|Invalid)/,
  ],
  'speaks HTTP/2 unasked': [(s) => s.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])), 'malformed', /HTTP\/2/],
  'switches protocols': [
    (s) => s.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    'malformed',
    /another protocol/,
  ],
  'states a status of four digits': [
    (s) => s.write('HTTP/1.1 2000 OK\r\n\r\n'),
    'malformed',
    /before its body: (Expected|Invalid)/,
  ],
  'states the status 000': [
    (s) => s.write('HTTP/1.1 000 Nothing\r\nContent-Length: 0\r\n\r\n'),
    'malformed',
    /HTTP\/1\.1/,
  ],
  'never ends its reason phrase': [
    (s) => (s.write('HTTP/1.1 200 '), endless(s, 'x'.repeat(65_536))),
    'timeout',
    /part of the header section/,
  ],
  'sends a huge header field': [
    (s) => s.write(`${head}X: ${'x'.repeat(70_000)}\r\n\r\n`),
    'too-large',
    /header section/,
  ],
  'sends many headers': [
    (s) => s.write(`${head}${'Set-Cookie: a=b\r\n'.repeat(8000)}\r\n`),
    'too-large',
    /header section/,
  ],
  'sends an endless body': [
    (s) => (s.write(`${head}\r\n`), endless(s, Buffer.alloc(65536, 120))),
    'too-large',
    /larger than 8 MiB/,
  ],
  'sends an endless body in tiny chunks': [
    (s) => (s.write(`${head}Transfer-Encoding: chunked\r\n\r\n`), endless(s, '1\r\nx\r\n'.repeat(10_000))),
    'timeout',
    /status 200/,
  ],
  'sends a gzip bomb': [
    (s) => s.end(Buffer.concat([Buffer.from(`${head}Content-Encoding: gzip\r\nConnection: close\r\n\r\n`), bomb])),
    'too-large',
    /larger than 8 MiB once its gzip is undone/,
  ],
  'sends bad gzip': [
    (s) => s.write(`${head}Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}`),
    'malformed',
    /gzip/,
  ],
  'sends gzip cut short': [
    (s) =>
      s.end(
        Buffer.concat([
          Buffer.from(`${head}Content-Encoding: gzip\r\nConnection: close\r\n\r\n`),
          gzipSync('{}').subarray(0, 12),
        ]),
      ),
    'malformed',
    /gzip/,
  ],
  'sends an unknown coding': [
    (s) => s.write(`${head}Content-Encoding: zstd\r\nContent-Length: 2\r\n\r\n{}`),
    'malformed',
    /zstd/,
  ],
  'encodes a hundred times': [
    (s) => s.write(`${head}Content-Encoding: ${'gzip,'.repeat(100)}\r\nContent-Length: 2\r\n\r\n{}`),
    'malformed',
    /Content-Encoding/,
  ],
};
const bomb = gzipSync(Buffer.alloc(64 << 20));

for (const [what, [serve, kind, words]] of Object.entries(hostile)) {
  test(`A server that ${what} is a failure of the kind ${kind}`, async () => {
    const from = performance.now();
    const sent = await against(serve, post, kind === 'timeout' ? '300' : '2000');
    expect(sent.failure).toMatchObject({ kind, message: expect.stringMatching(words) });
    expect(sent.failure?.message).toMatch(/^[A-Z][^\n]*\.$/);
    expect(sent).toMatchObject({ answer: null, attempts: [], stale: false });
    expect(performance.now() - from).toBeLessThan(2500);
  });
}

const answered: Record<string, [serve: (socket: Socket) => void, status: number, body: string]> = {
  'states the status 600': [(s) => s.write('HTTP/1.1 600 Odd\r\nContent-Length: 0\r\n\r\n'), 600, ''],
  'states the status 999': [(s) => s.write('HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n'), 999, ''],
  'sends 204 with a body': [(s) => s.write('HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n{}'), 204, ''],
  'redirects elsewhere': [
    (s) => s.write('HTTP/1.1 307 Moved\r\nLocation: http://192.0.2.1/\r\nContent-Length: 0\r\n\r\n'),
    307,
    '',
  ],
  'redirects to itself': [(s) => s.write('HTTP/1.1 302 Moved\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n'), 302, ''],
  'speaks HTTP/1.0': [(s) => s.end('HTTP/1.0 200 OK\r\n\r\n{"a":1}'), 200, '{"a":1}'],
  'gives early hints': [(s) => s.write(`HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${ok('{}')}`), 200, '{}'],
  'states too small a length': [(s) => s.write(`${head}Content-Length: 2\r\n\r\n{"a":1}`), 200, '{"'],
  'sends NUL and invalid UTF-8': [
    (s) => s.write(Buffer.from(`${head}Content-Length: 3\r\n\r\n\0\xff{`, 'latin1')),
    200,
    '\0\ufffd{',
  ],
  'names __proto__ in its headers': [
    (s) => s.write(`${head}__proto__: x\r\nconstructor: y\r\nContent-Length: 2\r\n\r\n{}`),
    200,
    '{}',
  ],
  'uses gzip': [coded('gzip', gzipSync('{"a":1}')), 200, '{"a":1}'],
  'uses x-gzip': [coded('X-GZIP', gzipSync('{"a":1}')), 200, '{"a":1}'],
  'uses br': [coded('br', brotliCompressSync('{"a":1}')), 200, '{"a":1}'],
  'uses deflate': [coded('deflate', deflateSync('{"a":1}')), 200, '{"a":1}'],
  'uses bare deflate': [coded('deflate', deflateRawSync('{"a":1}')), 200, '{"a":1}'],
  'uses two codings': [coded('gzip, br', brotliCompressSync(gzipSync('{"a":1}'))), 200, '{"a":1}'],
  'names identity': [coded('identity', Buffer.from('{"a":1}')), 200, '{"a":1}'],
};

function coded(coding: string, body: Buffer) {
  return (s: Socket) =>
    void s.write(
      Buffer.concat([
        Buffer.from(`${head}Content-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n`),
        body,
      ]),
    );
}

for (const [what, [serve, status, body]] of Object.entries(answered)) {
  test(`A server that ${what} has answered`, async () => {
    const sent = await against(serve);
    expect(sent.failure).toBeNull();
    expect(sent.answer?.status).toBe(status);
    expect(Buffer.from(sent.answer?.bytes ?? []).toString()).toBe(body);
    expect(sent.attempts).toEqual([]);
  });
}

test('What came of an answer is kept beside its failure, within 64 KiB', async () => {
  const cut = await against((s) => s.end(`${head}Content-Length: 10\r\n\r\n{"a`));
  expect(cut.partial).toMatchObject({
    status: 200,
    headers: [
      ['content-type', 'application/json'],
      ['content-length', '10'],
    ],
  });
  expect(Buffer.from(cut.partial?.bytes ?? []).toString()).toBe('{"a');
  const large = await against((s) => (s.write(`${head}\r\n`), endless(s, Buffer.alloc(65536, 120))), get, '2000');
  expect(large.partial?.bytes.byteLength).toBe(65536);
  expect(large.partial?.bytes.buffer.byteLength).toBe(65536);
  const alien = await against((s) => s.write('SSH-2.0-OpenSSH\r\n'));
  expect(alien.partial).toMatchObject({ status: null });
  expect(Buffer.from(alien.partial?.bytes ?? []).toString()).toContain('SSH-2.0');
});

test('A body of 200 MB costs neither its memory nor its time', async () => {
  const before = process.memoryUsage().rss;
  const served: Promise<number>[] = [];
  const port = await rawServer((socket) => {
    served.push(new Promise((resolve) => socket.on('close', () => resolve(socket.bytesWritten))));
    socket.write(`${head}Content-Length: ${200 << 20}\r\n\r\n`);
    endless(socket, Buffer.alloc(1 << 20, 120));
  });
  const transport = transportTo(targetAt(`http://127.0.0.1:${port}`));
  const all = await Promise.all(Array.from({ length: 8 }, () => transport.send(get)));
  expect(all.map((sent) => sent.failure?.kind)).toEqual(Array(8).fill('too-large'));
  for (const bytes of await Promise.all(served)) expect(bytes).toBeLessThan(4 * maxBodyBytes);
  expect(process.memoryUsage().rss - before).toBeLessThan(400 << 20);
});

test('Nobody there: unreachable', async () => {
  const port = await listen(createServer());
  await closeAll();
  expect((await transportTo(targetAt(`http://127.0.0.1:${port}`)).send(get)).failure).toEqual({
    kind: 'unreachable',
    message: 'The connection was refused: nothing listens there.',
  });
  expect((await transportTo(targetAt('http://no-such-host.invalid')).send(get)).failure?.kind).toBe('unreachable');
});

test('A target that speaks only HTTP/2 is said to', async () => {
  const clear = await listen(createHttp2Server());
  expect((await transportTo(targetAt(`http://127.0.0.1:${clear}`)).send(get)).failure).toMatchObject({
    kind: 'malformed',
    message: expect.stringContaining('HTTP/2'),
  });
  const server = createSecureHttp2Server({ ...presenting('server'), allowHTTP1: false });
  const secure = await listen(server);
  expect((await transportTo(targetAt(`https://127.0.0.1:${secure}`)).send(get)).failure).toMatchObject({
    kind: 'unreachable',
    message: expect.stringContaining('HTTP/2'),
  });
});

test('Eight requests at once by default, no more, and each connection is used again', async () => {
  let [open, most, connections] = [0, 0, 0];
  const port = await rawServer((socket, _request, number) => {
    if (number === 1) connections += 1;
    most = Math.max(most, (open += 1));
    setTimeout(() => {
      open -= 1;
      socket.write(ok('{}'));
    }, 5);
  });
  const transport = transportTo(targetAt(`http://127.0.0.1:${port}`));
  await Promise.all(Array.from({ length: 80 }, () => transport.send(post)));
  expect({ most, connections }).toEqual({ most: 8, connections: 8 });
});

test('RATE_LIMIT holds at the server', async () => {
  const times: number[] = [];
  const port = await httpServer((_request, response) => {
    times.push(performance.now());
    response.end('{}');
  });
  const transport = transportTo(targetAt(`http://127.0.0.1:${port}`, { RATE_LIMIT: '50' }));
  const from = performance.now();
  await Promise.all(Array.from({ length: 26 }, () => transport.send(get)));
  times.forEach((time, at) => expect(time - from).toBeGreaterThan(at * 20 - 5));
  expect(times).toHaveLength(26);
});

test('A failure does not mutate what follows on the same transport', async () => {
  const port = await rawServer((socket, request) => {
    if (request.includes('/hang')) return;
    if (request.includes('/reset')) return void socket.resetAndDestroy();
    if (request.includes('/huge')) return void (socket.write(`${head}\r\n`), endless(socket, Buffer.alloc(65536)));
    socket.write(
      request.includes('/extra') ? `${ok('{}')}HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged` : ok('{}'),
    );
  });
  const transport = transportTo(targetAt(`http://127.0.0.1:${port}`, { IN_FLIGHT: '2', TIMEOUT_MS: '800' }));
  const paths = ['/fine', '/hang', '/fine', '/reset', '/fine', '/huge', '/fine', '/extra', '/fine', '/extra', '/fine'];
  const all = await Promise.all(paths.map((path) => transport.send({ ...get, path })));
  const ends = all.map((sent) => sent.failure?.kind ?? Buffer.from(sent.answer?.bytes ?? []).toString());
  expect(ends.filter((end) => end === '{}')).toHaveLength(8);
  expect(ends[1]).toBe('timeout');
  expect(ends[3]).toBe('reset');
  // Eight megabytes in 800 ms, or the time is over first.
  expect(['too-large', 'timeout']).toContain(ends[5]);
});

test('After close nothing is sent, and what is under way is no finding', async () => {
  const port = await rawServer(() => {});
  const transport = transportTo(targetAt(`http://127.0.0.1:${port}`, { IN_FLIGHT: '1' }));
  const first = transport.send(get);
  const second = transport.send(get);
  const outcomes = Promise.allSettled([first, second]);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await transport.close();
  for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: expect.any(HttpClientClosed) });
  await expect(transport.send(get)).rejects.toThrow(HttpClientClosed);
});

test('ALLOWED_HOSTS refuses another host', async () => {
  const target = targetAt('http://127.0.0.1:9');
  expect(() => transportTo({ ...target, allowedHosts: ['staging.bank.example'] })).toThrow(/ALLOWED_HOSTS/);
  expect(() => transportTo({ ...target, allowedHosts: ['127.0.0.1'] })).not.toThrow();
});

test('READ_ONLY sends nothing but GET', async () => {
  let asked = 0;
  const port = await rawServer((socket) => {
    asked += 1;
    socket.write(ok('{}'));
  });
  const transport = transportTo(targetAt(`http://127.0.0.1:${port}`, { READ_ONLY: '1' }));
  await expect(transport.send(post)).rejects.toThrow('READ_ONLY');
  expect((await transport.send(get)).answer?.status).toBe(200);
  expect(asked).toBe(1);
});
