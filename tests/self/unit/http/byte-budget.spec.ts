/** Tests that the bodies of all connections together have a limit: the others wait while one is read. */
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { openByteBudget } from '../../../../fixtures/http/byte-budget.ts';
import { closeAllServers, makeTarget, openTransport, startHttpServer } from '../../support/servers.ts';

test.afterEach(closeAllServers);

const makeReader = () => {
  const reader = {
    isPaused: false,
    pause: () => void (reader.isPaused = true),
    resume: () => void (reader.isPaused = false),
  };
  return reader;
};

test('Beyond the limit one body is read on, and the next one when its answer has been judged', async () => {
  const budget = openByteBudget(100);
  const [first, second, third] = [makeReader(), makeReader(), makeReader()];
  budget.take(first, 60);
  budget.take(second, 60);
  budget.take(third, 1);
  expect([first, second, third].map(({ isPaused }) => isPaused)).toEqual([false, true, true]);
  budget.take(first, 500);
  expect([first.isPaused, budget.isPaused(second)]).toEqual([false, true]);
  budget.release(first);
  expect(second.isPaused).toBe(true);
  await new Promise(setImmediate);
  expect([second, third].map(({ isPaused }) => isPaused)).toEqual([false, false]);
  for (const reader of [second, third]) budget.release(reader);
});

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
