/** Tests that a shortage on this machine is reported as a fault of the suite, and never as a fault of the bank. */
import { expect, test } from '@playwright/test';
import { openConnection } from '../../../../fixtures/http/connection.ts';
import { ConnectError } from '../../../../fixtures/http/connector.ts';
import { closeAllServers } from '../../support/servers.ts';
import { sendToServer, renderOk } from './raw-server.ts';

test.afterEach(closeAllServers);

const request = { method: 'GET', path: '/', headers: {}, body: null } as const;
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
    return await connection.send(request);
  } finally {
    await connection.close();
  }
}

for (const [code, words] of [
  ['EMFILE', /no file descriptors left .* lower IN_FLIGHT\.$/],
  ['ENOMEM', /no memory left/],
] as const)
  test(`${code} rejects with a sentence about this machine`, async () => {
    const error = await sendFailingWith(code).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'MachineShortage', message: expect.stringMatching(words) });
  });

test('Time in which this process is busy is not counted as time of the target', async () => {
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

test('The client gives up a bank that never answers, even if this process is busy', async () => {
  const busy = setInterval(() => {
    for (const until = performance.now() + 20; performance.now() < until;);
  });
  try {
    expect(await sendToServer(() => {}, { timeoutMs: 50 })).toMatchObject({ failure: { kind: 'timeout' } });
  } finally {
    clearInterval(busy);
  }
});
