/** Tests which requests are sent a second time, and which never are. */
import { expect, test } from '@playwright/test';
import { createFakeClock } from '../../support/examine.ts';
import { closeAllServers, startHttpServer, startRawServer, makeTarget, openTransport } from '../../support/servers.ts';
import { GET_REQUEST, renderOk as okWith, POST_REQUEST } from './raw-server.ts';

test.afterEach(closeAllServers);

const OK_ANSWER = okWith('{}');
const NOON = Date.UTC(2030, 0, 1, 12, 0, 0);

/** Starts a server that answers the first `times` requests with `status` and `headers`, and later requests with 200. */
async function startThrottlingServer(
  status: number,
  headers: Record<string, string>,
  times = Number.POSITIVE_INFINITY,
) {
  let asked = 0;
  const port = await startHttpServer((_request, response) => {
    asked += 1;
    response.sendDate = false;
    if (asked <= times) response.writeHead(status, headers);
    response.end('{}');
  });
  const clock = createFakeClock(NOON);
  const transport = openTransport(makeTarget(`http://127.0.0.1:${port}`), clock);
  return { transport, clock, asked: () => asked, waited: () => clock.now() - NOON };
}

for (const [status, headers, isProbe = false] of [
  [429, { 'Retry-After': '7' }],
  [429, { 'Retry-After': '7' }, true],
  [503, { 'Retry-After': 'Tue, 01 Jan 2030 12:00:07 GMT' }],
  [403, { 'Retry-After': 'Tuesday, 01-Jan-30 12:00:07 GMT' }],
  [409, { 'Retry-After': 'Tue Jan  1 12:00:07 2030' }],
  // A date is read by the clock of the bank.
  [503, { Date: 'Mon, 31 Dec 2029 09:00:00 GMT', 'Retry-After': 'Mon, 31 Dec 2029 09:00:07 GMT' }],
] as const)
  test(`After ${status} with ${JSON.stringify(headers)}, the client waits and sends ${isProbe ? 'the invalid request' : 'the request'} again`, async () => {
    const bank = await startThrottlingServer(status, headers, 1);
    const pauses: number[] = [];
    const sent = await bank.transport.send(POST_REQUEST, { isProbe, onPause: (until) => void pauses.push(until) });
    expect(pauses).toEqual([NOON + 7000]);
    expect(sent).toMatchObject({ answer: { status: 200 }, startedAt: NOON + 7000 });
    expect(sent.earlierAttempts).toMatchObject([{ reasonToRepeat: 'throttled', answer: { status }, startedAt: NOON }]);
    expect([bank.asked(), bank.waited()]).toEqual([2, 7000]);
  });

test('A request that always gets 429 with Retry-After is sent three times, and the 429 is its answer', async () => {
  const bank = await startThrottlingServer(429, { 'Retry-After': '1' });
  const sent = await bank.transport.send(GET_REQUEST);
  expect([sent.answer?.status, sent.earlierAttempts.length, bank.asked(), bank.waited()]).toEqual([429, 2, 3, 2000]);
});

for (const [status, headers, isProbe = false] of [
  ...['31', '99999999999', 'Tue, 01 Jan 2030 12:00:31 GMT', 'soon', '', '-1', '1.5'].map(
    (value) => [503, { 'Retry-After': value }] as const,
  ),
  [429, {}],
  [503, {}],
  [500, { 'Retry-After': '1' }],
  [408, { 'Retry-After': '1' }],
  [401, { 'Retry-After': '1' }],
  [403, {}],
  [301, { 'Retry-After': '1', Location: '/y' }],
  // A request with wrong credentials is not sent again.
  [403, { 'Retry-After': '1' }, true],
] as const)
  test(`After ${status} with ${JSON.stringify(headers)}, ${isProbe ? 'the invalid request' : 'the request'} is not sent again`, async () => {
    const bank = await startThrottlingServer(status, headers);
    expect(await bank.transport.send(POST_REQUEST, { isProbe })).toMatchObject({
      answer: { status },
      earlierAttempts: [],
    });
    expect([bank.asked(), bank.waited()]).toEqual([1, 0]);
  });

test('Retry-After delays one request by at most 30 s and a run by at most 60 s; concurrent requests share a pause', async () => {
  const bank = await startThrottlingServer(429, { 'Retry-After': '20' });
  expect((await bank.transport.send(GET_REQUEST)).earlierAttempts).toHaveLength(1);
  expect(bank.waited()).toBe(20_000);
  const answers = await Promise.all(Array.from({ length: 8 }, () => bank.transport.send(GET_REQUEST)));
  expect(answers.every((sent) => sent.answer?.status === 429)).toBe(true);
  expect(bank.waited()).toBeLessThanOrEqual(60_000);
  const before = bank.asked();
  await Promise.all(Array.from({ length: 4 }, () => bank.transport.send(GET_REQUEST)));
  await Promise.all(Array.from({ length: 4 }, () => bank.transport.send(GET_REQUEST)));
  expect(bank.waited()).toBeLessThanOrEqual(60_000);
  expect(bank.asked() - before).toBeLessThanOrEqual(12);
});

test('After a 401 the request is sent again with a renewed token, and both attempts are kept', async () => {
  const receivedTokens: string[] = [];
  const port = await startHttpServer((request, response) => {
    receivedTokens.push(request.headers.authorization ?? '');
    response.writeHead(request.headers.authorization === 'Bearer second' ? 200 : 401).end('{}');
  });
  const target = makeTarget(`http://127.0.0.1:${port}`);
  const tokens = { getToken: async () => 'first', renewToken: async () => 'second' };
  const sent = await openTransport(target, undefined, tokens).send(POST_REQUEST, { hasToken: true });
  expect(receivedTokens).toEqual(['Bearer first', 'Bearer second']);
  expect(sent.answer?.status).toBe(200);
  expect(sent.earlierAttempts).toMatchObject([{ reasonToRepeat: 'token refused', answer: { status: 401 } }]);
  expect(sent.headers).toEqual({ 'Content-Type': 'application/json', Authorization: 'Bearer second' });
});

for (const [how, headers] of [
  ['that is throttled', { 'Retry-After': '1' }],
  ['whose token is refused', {}],
] as const)
  test(`A request ${how} is sent again only as often as the caller allows, and the last answer counts`, async () => {
    let asked = 0;
    const port = await startHttpServer((_request, response) => {
      asked += 1;
      response.writeHead('Retry-After' in headers ? 429 : 401, { ...headers, 'X-Nth': asked }).end('{}');
    });
    let renewed = 0;
    const tokens = { getToken: async () => 'first', renewToken: async () => `another ${(renewed += 1)}` };
    const transport = openTransport(makeTarget(`http://127.0.0.1:${port}`), createFakeClock(NOON), tokens);
    for (const maxSendings of [0, 1, 2]) {
      let [left, before] = [maxSendings, asked];
      const sent = await transport.send(POST_REQUEST, {
        hasToken: true,
        askToSend: () => ((left -= 1) < 0 ? 'enough' : null),
      });
      expect(asked - before).toBe(maxSendings);
      expect(sent.reasonNotSent).toBe(maxSendings === 0 ? 'enough' : null);
      expect(sent.earlierAttempts).toHaveLength(Math.max(0, maxSendings - 1));
      if (maxSendings > 0) expect(sent.answer?.headers).toContainEqual(['x-nth', `${asked}`]);
    }
  });

/** Starts a server that answers the first request on each connection, and closes the connection at the second request. */
async function startForgetfulServer() {
  const seen: string[] = [];
  const port = await startRawServer((socket, request, number) => {
    seen.push(request.split(' ')[0] ?? '');
    if (number === 1) socket.write(OK_ANSWER);
    else socket.end();
  });
  return { seen, transport: openTransport(makeTarget(`http://127.0.0.1:${port}`)) };
}

test('A GET on a connection that the target has just closed is sent again on a new connection', async () => {
  const { seen, transport } = await startForgetfulServer();
  expect((await transport.send(GET_REQUEST)).earlierAttempts).toEqual([]);
  const sent = await transport.send(GET_REQUEST);
  expect(sent).toMatchObject({ answer: { status: 200 }, failure: null, isStale: false });
  expect(sent.earlierAttempts).toMatchObject([
    { reasonToRepeat: 'stale connection', answer: null, failure: { kind: 'reset' } },
  ]);
  expect(seen).toEqual(['GET', 'GET', 'GET']);
});

test('A POST on a connection that the target has just closed is not sent again, and later POSTs use new connections', async () => {
  const { seen, transport } = await startForgetfulServer();
  await transport.send(POST_REQUEST);
  const sent = await transport.send(POST_REQUEST);
  expect(sent).toMatchObject({ answer: null, failure: { kind: 'reset' }, isStale: true, earlierAttempts: [] });
  expect(seen).toEqual(['POST', 'POST']);
  for (let more = 0; more < 3; more += 1) {
    expect(await transport.send(POST_REQUEST)).toMatchObject({ answer: { status: 200 }, isStale: false });
  }
  expect(seen).toHaveLength(5);
});

test('Bytes that belong to no request, on a used connection, do not count as the next answer', async () => {
  const port = await startRawServer((socket, _request, number) => {
    if (number === 1) socket.write(OK_ANSWER);
    else socket.write('garbage left from before');
  });
  const transport = openTransport(makeTarget(`http://127.0.0.1:${port}`));
  await transport.send(GET_REQUEST);
  const sent = await transport.send(GET_REQUEST);
  expect(sent.answer?.status).toBe(200);
  expect(sent.earlierAttempts).toMatchObject([{ reasonToRepeat: 'stale connection', failure: { kind: 'malformed' } }]);
});

test('A GET or POST that fails on a new connection is not sent again', async () => {
  for (const request of [GET_REQUEST, POST_REQUEST]) {
    let asked = 0;
    const port = await startRawServer((socket) => {
      asked += 1;
      socket.resetAndDestroy();
    });
    const sent = await openTransport(makeTarget(`http://127.0.0.1:${port}`)).send(request);
    expect(sent).toMatchObject({ failure: { kind: 'reset' }, isStale: false, earlierAttempts: [] });
    expect(asked).toBe(1);
  }
});
