/** Tests that the recording proxy changes no answer, and that no bytes from a client or a bank stop it. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import { readReport, makeScriptWords, runProcess, serveDuring } from '../../support/command.ts';
import { makeTempDir } from '../../support/temp-dir.ts';
import { runThroughProxy } from './through-proxy.ts';

/** Starts a bank that sends any bytes: `answer` writes them after the first bytes of a request came. */
async function startRawBank(answer: (socket: Socket, asked: string) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (bytes: Buffer) => answer(socket, bytes.toString('latin1')));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

/** Returns all bytes that come back on one connection. */
async function exchangeBytes(port: number, ...pieces: readonly (string | Buffer)[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const got: Buffer[] = [];
  socket.on('data', (bytes: Buffer) => got.push(bytes));
  socket.on('error', () => {});
  for (const piece of pieces) socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece);
  await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(got).toString('latin1');
}

const requestText = (method = 'GET', more = '', path = '/api/v1/atms?latitude=1&longitude=2'): string =>
  `${method} ${path} HTTP/1.1\r\nHost: bank\r\nConnection: close\r\n${more}\r\n`;

/** Returns an answer with decoded body and without the header fields of its connection. */
function removeConnectionHeader(answer: string): string {
  const isChunked = /^transfer-encoding: *chunked/im.test(answer);
  const rest = answer.replace(/^(?:connection|keep-alive|transfer-encoding):.*\r\n/gim, '');
  const [head = '', body = ''] = rest.split(/\r\n\r\n(.*)/s);
  return `${head}\n${isChunked ? body.replace(/[\da-f]+\r\n/gi, '').replaceAll('\r\n', '|') : body}`;
}

const recordTraffic = <T>(port: number, work: (proxy: number) => Promise<T>) =>
  runThroughProxy(`http://127.0.0.1:${port}`, (proxy) => work(Number(proxy.port)));

const renderHead = (status: string, ...fields: readonly string[]): string =>
  [`HTTP/1.1 ${status}`, ...fields, '', ''].join('\r\n');

const okAnswer = `${renderHead('200 OK', 'Content-Length: 2')}{}`;

for (const [what, answer, recorded, method = 'GET', more = ''] of [
  ['a status below 100', `${renderHead('042 Odd', 'X-A: 1')}{}`, 42],
  ['the status 000', renderHead('000 Odd', 'Content-Length: 0'), 0],
  ['a status above 599', `${renderHead('742 Odd', 'Content-Length: 2')}{}`, 742],
  ['a reason with control characters', `${renderHead('200 a\u0007b', 'Content-Length: 2')}{}`, 200],
  ['a reason beyond ASCII', `${renderHead('200 tamam\u00fc', 'Content-Length: 2')}{}`, 200],
  ['no reason', `${renderHead('200 ', 'Content-Length: 2')}{}`, 200],
  ['204 and its fields', renderHead('204 No Content', 'X-A: 1'), 204],
  ['304 and its fields', renderHead('304 Not Modified', 'ETag: "7"', 'Content-Length: 70'), 304],
  [
    'fields twice, in any case',
    `${renderHead('200 OK', 'x-a: 1', 'X-A: 2', 'SET-cookie: a=1', 'set-cookie: b=2', 'Content-Length: 2')}{}`,
    200,
  ],
  ['the length of an answer to HEAD', renderHead('200 OK', 'Content-Length: 4711'), 200, 'HEAD'],
  [
    'a refusal',
    `${renderHead('413 Too Large', 'Content-Length: 2', 'Retry-After: 3')}{}`,
    413,
    'POST',
    'Content-Length: 2\r\n\r\n{}',
  ],
  [
    'what follows a trailer field',
    `${renderHead('200 OK', 'Transfer-Encoding: chunked', 'Trailer: X-Sum')}2\r\n{}\r\n0\r\nX-Sum: 12\r\n\r\n`,
    200,
  ],
  ['early hints', `${renderHead('103 Early Hints', 'Link: </a>')}${okAnswer}`, 200],
  [
    'a refused expectation',
    renderHead('417 No', 'Content-Length: 0'),
    417,
    'POST',
    'Expect: 100-continue\r\nContent-Length: 2\r\n',
  ],
  ['no HTTP', 'SSH-2.0-bank\r\n\r\n', 'malformed'],
  ['a field without a name', renderHead('200 OK', ': x', 'Content-Length: 0'), 'malformed'],
  ['half an answer', `${renderHead('200 OK', 'Content-Length: 20')}{"da`, 'reset'],
  ['nothing', '', 'reset'],
  [
    'a body that is not packed as it says',
    `${renderHead('200 OK', 'Content-Encoding: gzip', 'Content-Length: 2')}{}`,
    'malformed',
  ],
] as const)
  test(`A bank that answers with ${what} is recorded, a client gets the answer, and the next exchange passes`, async () => {
    const bank = await startRawBank((socket, asked) =>
      socket.end(Buffer.from(asked.includes('/next') ? okAnswer : answer, 'latin1')),
    );
    const asked = requestText(method, more);
    const direct = await exchangeBytes(bank.port, asked);
    const { got, heard, faults } = await recordTraffic(bank.port, async (port) => [
      await exchangeBytes(port, asked),
      await exchangeBytes(port, requestText('GET', '', '/next')),
    ]);
    bank.close();
    expect(heard.map(({ failure, answer: came }) => failure?.kind ?? came?.status)).toEqual([recorded, 200]);
    expect(faults).toEqual([]);
    if (typeof recorded === 'number') expect(got.map(removeConnectionHeader)[0]).toBe(removeConnectionHeader(direct));
    expect(got[1]).toMatch(/^HTTP\/1\.1 200 OK/);
  });

test('The proxy forwards an answer that comes while the client is still sending', async () => {
  const body = Buffer.alloc(6_000_000, 'x');
  for (let turn = 0; turn < 10; turn += 1) {
    // The bank says that it stops reading. Further bytes get a reset.
    const bank = await startRawBank((socket) => {
      socket.pause();
      const fields = ['Content-Type: application/json', 'Content-Length: 2', 'Connection: close'];
      socket.end(`${renderHead('413 Too Large', ...fields)}{}`, () => setImmediate(() => socket.destroy()));
    });
    const { got, heard } = await recordTraffic(bank.port, (port) =>
      exchangeBytes(
        port,
        requestText('POST', `Content-Length: ${body.length}\r\n`, '/api/bank/revolving-loans/v1/loans'),
        body,
      ),
    );
    bank.close();
    expect(got).toMatch(/^HTTP\/1\.1 413 Too Large/);
    expect(heard.map(({ answer, failure }) => answer?.status ?? failure)).toEqual([413]);
  }
});

test('A client that half-closes its connection gets its answer, and an upgrade to another protocol is closed', async () => {
  const bank = await startRawBank((socket, asked) =>
    socket.end(asked.includes('POST') ? okAnswer : renderHead('101 Odd', 'Upgrade: x')),
  );
  const { got } = await recordTraffic(bank.port, async (port) => {
    const socket = connect(port, '127.0.0.1');
    socket.end(requestText('POST', 'Content-Length: 2\r\n\r\n{}', '/api/bank/revolving-loans/v1/loans'));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    return [answer.toString(), await exchangeBytes(port, requestText('GET').replace('close', 'keep-alive'))];
  });
  bank.close();
  expect(got.map((answer) => answer.slice(9, 12))).toEqual(['200', '101']);
});

test('Large bodies pass both ways, byte for byte', async () => {
  const body = Buffer.from(Array.from({ length: 3_000_000 }, (_, at) => (at * 7) % 251));
  const seen: Buffer[] = [];
  const bank = await startRawBank((socket, first) => {
    const taken = (bytes: Buffer): void => {
      seen.push(bytes);
      if (Buffer.concat(seen).length < body.length) return;
      socket.write(renderHead('200 OK', `Content-Length: ${body.length}`));
      socket.end(body);
    };
    taken(Buffer.from(first.split('\r\n\r\n').slice(1).join('\r\n\r\n'), 'latin1'));
    socket.on('data', taken);
  });
  const { got } = await recordTraffic(bank.port, (port) =>
    exchangeBytes(port, requestText('POST', `Content-Length: ${body.length}\r\n`), body),
  );
  bank.close();
  expect(Buffer.concat(seen).equals(body)).toBe(true);
  expect(got.split('\r\n\r\n').slice(1).join('\r\n\r\n') === body.toString('latin1')).toBe(true);
});

test('Nothing that a client sends ends the proxy, and a signal makes it write the report', async () => {
  const folder = makeTempDir();
  const har = join(folder, 'traffic.har');
  const fields = 'X-GW-client-id: client\r\nX-GW-client-secret: secret-5f1c\r\nAccept: application/json\r\n';
  const good = requestText('GET', fields, '/api/v1/atms?latitude=41&longitude=29');
  const answers: string[] = [];
  const ended = await serveDuring(createBank(), (target) => {
    let begun = false;
    return runProcess(
      makeScriptWords('reports/cli/proxy.ts', '--target', target, '--port', '0', '--har', har),
      { REPORT_DIR: folder },
      {
        onOutput(out, child) {
          const port = Number(/ at http:\/\/[\d.]+:(\d+);/.exec(out)?.[1] ?? 0);
          if (port === 0 || begun) return;
          begun = true;
          void (async () => {
            for (const odd of [
              requestText('GET', fields, '/api/v1/atms?latitude=41&longitude=29&%=%E0%A4%A&%c0%80=1'),
              requestText('GET', fields, '/api/bank/revolving-loans/v1/disbursements/%ff%fe%'),
              requestText('GET', fields, `http://bank.example/api/v1/atms?latitude=41&longitude=29`),
              requestText('GET', `${fields}Upgrade: websocket\r\n`, '/api/v1/atms?latitude=41&longitude=29'),
              requestText('CONNECT', '', 'bank.example:443'),
              requestText('OPTIONS', '', '*'),
              requestText(
                'POST',
                'Content-Type: application/json\r\nContent-Length: 3\r\n\r\n\xff\xfe{',
                '/api/bank/revolving-loans/v1/loans',
              ),
              requestText('GET', `X: ${'y'.repeat(2_000_000)}\r\n`),
              'GET / HTTP/9.9\r\n\r\n',
              '\0\x01\x02\r\n\r\n',
            ]) {
              await exchangeBytes(port, odd);
              answers.push((await exchangeBytes(port, good)).slice(0, 12));
            }
            child.kill('SIGTERM');
          })();
        },
      },
    );
  });
  expect([...new Set(answers)], ended.out).toEqual(['HTTP/1.1 200']);
  const report = readReport(join(folder, 'recorded'));
  expect([ended.status, report?.errors], ended.out).toEqual([2, []]);
  expect(report?.recording?.judged).toBeGreaterThan(10);
  expect((JSON.parse(readFileSync(har, 'utf8')) as { log: { entries: object[] } }).log.entries.length).toBe(
    report?.recording?.judged,
  );
});
