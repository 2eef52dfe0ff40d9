/** Nothing that comes back can throw or hang: each failure has its kind and its sentence. */
import type { Socket } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import type { FailureKind } from '../../../../openapi/model/exchange.ts';
import { MAX_BODY_BYTES } from '../../../../fixtures/http/http-client.ts';
import { closeAll, rawServer, targetAt, transportTo } from '../../support/servers.ts';
import { against, endless, get, head, ok, post } from './raw-server.ts';

test.afterEach(closeAll);

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
    const sent = await against(serve, { request: post, ...(kind === 'timeout' ? { timeoutMs: 300 } : {}) });
    expect(sent.failure).toMatchObject({ kind, message: expect.stringMatching(words) });
    expect(sent.failure?.message).toMatch(/^[A-Z][^\n]*\.$/);
    expect(sent).toMatchObject({ answer: null, attempts: [], stale: false });
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
  const large = await against((s) => (s.write(`${head}\r\n`), endless(s, Buffer.alloc(65536, 120))));
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
  for (const bytes of await Promise.all(served)) expect(bytes).toBeLessThan(4 * MAX_BODY_BYTES);
  expect(process.memoryUsage().rss - before).toBeLessThan(400 << 20);
});
