/** Tests that the bodies of all connections together have a limit: none is lost while it waits. */
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { closeAllServers, makeTarget, openTransport, startHttpServer } from '../../support/servers.ts';

test.afterEach(closeAllServers);

for (const [what, headers, encode] of [
  ['plain', {}, (body: Buffer) => body],
  ['compressed', { 'content-encoding': 'gzip' }, (body: Buffer) => gzipSync(body)],
] as const)
  test(`Many large bodies at once all arrive whole: ${what}`, async () => {
    const body = Buffer.alloc(7 * 1024 * 1024, 'x');
    const port = await startHttpServer((_, response) => response.writeHead(200, headers).end(encode(body)));
    const transport = openTransport(makeTarget(`http://127.0.0.1:${port}`, { TIMEOUT_MS: '60000' }));
    const request = { method: 'GET', path: '/', headers: {}, body: null };
    const sent = await Promise.all(Array.from({ length: 12 }, () => transport.send(request)));
    expect(sent.map(({ answer }) => answer?.bytes.length)).toEqual(sent.map(() => body.length));
  });
