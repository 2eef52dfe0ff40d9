/** Tests that no answer can make the client throw or hang: each failure has its kind and its sentence. */
import type { Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import type { FailureKind } from '../../../../openapi/model/exchange.ts';
import { MAX_BODY_BYTES } from '../../../../fixtures/run/http/http-client.ts';
import { closeAllServers, startHttpServer, startRawServer, makeTarget, openTransport } from '../../support/servers.ts';
import { sendToServer, writeWithoutEnd, GET_REQUEST, OK_HEAD, renderOk, POST_REQUEST } from './raw-server.ts';

test.afterEach(closeAllServers);

/** Writes a text and leaves the connection open. `writeHeaderSection` first writes the beginning of a header section. */
const writeText = (text: string) => (s: Socket) => void s.write(text);
const writeHeaderSection = (rest: string) => writeText(OK_HEAD + rest);
/** Writes the beginning of an answer, then closes or resets the connection. */
const closeAfter = (text: string) => (s: Socket) => void s.end(text);
const resetAfter = (text: string) => (s: Socket) => void s.write(text, () => setTimeout(() => s.resetAndDestroy(), 20));
/** Writes the beginning of an answer, and then `piece` every `ms` milliseconds. */
const dripText = (text: string, piece: string, ms: number) => (s: Socket) => {
  s.write(text);
  const timer = setInterval(() => s.write(piece), ms);
  s.on('close', () => clearInterval(timer));
};
/** Writes the beginning of an answer, and then `piece` without end. */
const floodAfter = (text: string, piece: Buffer | string) => (s: Socket) => {
  s.write(text);
  writeWithoutEnd(s, piece);
};
const [cutBody, partOfBody] = ['{"a', /status 200 and 3 bytes/];

/** How a server behaves, and the words of its failure, by the kind of failure. */
const hostileServers: Partial<Record<FailureKind, Record<string, [serve: (socket: Socket) => void, words: RegExp]>>> = {
  reset: {
    'resets in the header section': [resetAfter('HTTP/1.1 200 OK\r\nConte'), /part of the header section/],
    'resets in the body': [resetAfter(`${OK_HEAD}Content-Length: 10\r\n\r\n${cutBody}`), partOfBody],
    'closes before Content-Length is reached': [
      closeAfter(`${OK_HEAD}Content-Length: 10\r\n\r\n${cutBody}`),
      partOfBody,
    ],
    'closes within a chunk': [closeAfter(`${OK_HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\n${cutBody}`), partOfBody],
  },
  timeout: {
    'sends early hints for ever': [
      dripText('', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n', 20),
      /not complete after 300 ms/,
    ],
    'never ends its reason phrase': [floodAfter('HTTP/1.1 200 ', 'x'.repeat(65_536)), /part of the header section/],
    'sends an endless body in tiny chunks': [
      dripText(`${OK_HEAD}Transfer-Encoding: chunked\r\n\r\n`, '1\r\nx\r\n'.repeat(1000), 5),
      /status 200/,
    ],
  },
  malformed: {
    'states two lengths': [writeHeaderSection('Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}'), /Content-Length/],
    'speaks something else': [writeText('220 ftp.example ready\r\n'), /before its body: (Expected|Invalid)/],
    'switches protocols': [
      writeText('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
      /another protocol/,
    ],
    'states a status of four digits': [writeText('HTTP/1.1 2000 OK\r\n\r\n'), /before its body: (Expected|Invalid)/],
    'sends bad gzip': [writeHeaderSection('Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}'), /gzip/],
    'sends an unknown coding': [writeHeaderSection('Content-Encoding: zstd\r\nContent-Length: 2\r\n\r\n{}'), /zstd/],
    'encodes a hundred times': [
      writeHeaderSection(`Content-Encoding: ${'gzip,'.repeat(100)}\r\nContent-Length: 2\r\n\r\n{}`),
      /Content-Encoding/,
    ],
  },
  'too-large': {
    'sends many headers': [writeHeaderSection(`${'Set-Cookie: a=b\r\n'.repeat(8000)}\r\n`), /header section/],
  },
};

for (const [kind, servers] of Object.entries(hostileServers))
  for (const [what, [serve, words]] of Object.entries(servers))
    test(`If the server ${what}, the request fails with the kind ${kind} and one sentence`, async () => {
      const sent = await sendToServer(serve, {
        request: POST_REQUEST,
        ...(kind === 'timeout' ? { timeoutMs: 300 } : {}),
      });
      expect(sent.failure).toMatchObject({ kind, message: expect.stringMatching(words) });
      expect(sent.failure?.message).toMatch(/^[A-Z][^\n]*\.$/);
      expect(sent).toMatchObject({ answer: null, earlierAttempts: [], isStale: false });
    });

const encodeAnswer = (coding: string, body: Buffer) => (s: Socket) =>
  void s.write(
    Buffer.concat([
      Buffer.from(`${OK_HEAD}Content-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n`),
      body,
    ]),
  );

const answeredServers: Record<string, [serve: (socket: Socket) => void, status: number, body: string]> = {
  'sends 204 with a body': [writeText('HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n{}'), 204, ''],
  'speaks HTTP/1.0': [closeAfter('HTTP/1.0 200 OK\r\n\r\n{"a":1}'), 200, '{"a":1}'],
  'gives early hints': [writeText(`HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${renderOk('{}')}`), 200, '{}'],
  'states too small a length': [writeHeaderSection('Content-Length: 2\r\n\r\n{"a":1}'), 200, '{"'],
  'sends NUL and invalid UTF-8': [
    (s) => s.write(Buffer.from(`${OK_HEAD}Content-Length: 3\r\n\r\n\0\xff{`, 'latin1')),
    200,
    '\0\ufffd{',
  ],
  'names __proto__ in its headers': [
    writeHeaderSection('__proto__: x\r\nconstructor: y\r\nContent-Length: 2\r\n\r\n{}'),
    200,
    '{}',
  ],
  'uses gzip': [encodeAnswer('gzip', gzipSync('{"a":1}')), 200, '{"a":1}'],
  'uses deflate': [encodeAnswer('deflate', deflateSync('{"a":1}')), 200, '{"a":1}'],
  'uses two codings': [encodeAnswer('gzip, br', brotliCompressSync(gzipSync('{"a":1}'))), 200, '{"a":1}'],
};

for (const [what, [serve, status, body]] of Object.entries(answeredServers))
  test(`If the server ${what}, the client reads status and body, and reports no failure`, async () => {
    const sent = await sendToServer(serve);
    expect(sent).toMatchObject({ failure: null, earlierAttempts: [], answer: { status } });
    expect(Buffer.from(sent.answer?.bytes ?? []).toString()).toBe(body);
  });

test('If an answer breaks off or is too large, the failure keeps what was received, up to 64 KiB', async () => {
  const cutBody = await sendToServer((s) => s.end(`${OK_HEAD}Content-Length: 10\r\n\r\n{"a`));
  expect(cutBody.partial).toMatchObject({
    status: 200,
    headers: [
      ['content-type', 'application/json'],
      ['content-length', '10'],
    ],
  });
  expect(Buffer.from(cutBody.partial?.bytes ?? []).toString()).toBe('{"a');
  const large = await sendToServer((s) => (s.write(`${OK_HEAD}\r\n`), writeWithoutEnd(s, Buffer.alloc(65536, 120))));
  expect(large.partial?.bytes.byteLength).toBe(65536);
  expect(large.partial?.bytes.buffer.byteLength).toBe(65536);
  const alien = await sendToServer((s) => s.write('SSH-2.0-OpenSSH\r\n'));
  expect(alien.partial).toMatchObject({ status: null });
  expect(Buffer.from(alien.partial?.bytes ?? []).toString()).toContain('SSH-2.0');
});

test('The client stops reading eight bodies of 200 MB early, and does not keep them in memory', async () => {
  const before = process.memoryUsage().rss;
  const served: Promise<number>[] = [];
  const port = await startRawServer((socket) => {
    served.push(new Promise((resolve) => socket.on('close', () => resolve(socket.bytesWritten))));
    socket.write(`${OK_HEAD}Content-Length: ${200 << 20}\r\n\r\n`);
    writeWithoutEnd(socket, Buffer.alloc(1 << 20, 120));
  });
  const transport = openTransport(makeTarget(`http://127.0.0.1:${port}`));
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => transport.send(GET_REQUEST)));
  expect(outcomes.map((sent) => sent.failure?.kind)).toEqual(Array(8).fill('too-large'));
  for (const bytes of await Promise.all(served)) expect(bytes).toBeLessThan(4 * MAX_BODY_BYTES);
  expect(process.memoryUsage().rss - before).toBeLessThan(400 << 20);
});

for (const [what, headers, encode] of [
  ['plain', {}, (body: Buffer) => body],
  ['compressed', { 'content-encoding': 'gzip' }, (body: Buffer) => gzipSync(body)],
] as const)
  test(`Twelve concurrent answers of 7 MiB all arrive whole: ${what}`, async () => {
    const body = Buffer.alloc(7 * 1024 * 1024, 'x');
    const port = await startHttpServer((_, response) => response.writeHead(200, headers).end(encode(body)));
    const transport = openTransport(makeTarget(`http://127.0.0.1:${port}`, { TIMEOUT_MS: '60000' }));
    const request = { method: 'GET', path: '/', headers: {}, body: null };
    const sent = await Promise.all(Array.from({ length: 12 }, () => transport.send(request)));
    expect(sent.map(({ answer }) => answer?.bytes.length)).toEqual(sent.map(() => body.length));
  });
