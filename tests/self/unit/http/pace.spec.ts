/** Tests that the client uses up the rate limit of a bank, on a clock on which only pauses take time. */
import { expect, test } from '@playwright/test';
import { Pacer } from '../../../../fixtures/run/http/pace.ts';
import type { Clock } from '../../../../fixtures/run/http/clock.ts';
import { closeAllServers, makeTarget, openTransport, startHttpServer } from '../../support/servers.ts';
import { GET_REQUEST } from './raw-server.ts';

test.afterEach(closeAllServers);

const NOON = Date.UTC(2030, 0, 1, 12, 0, 0);
const SENDERS = 20;
const REQUESTS = 300;

/** Makes a clock that stands still until all senders pause, and then goes on to the end of the first pause. */
function createPauseClock() {
  let now = NOON;
  let senders = 0;
  const pauses: { readonly until: number; readonly end: () => void }[] = [];
  const goOn = (): void => {
    if (pauses.length === 0 || pauses.length < senders) return;
    const first = pauses.reduce((a, b) => (b.until < a.until ? b : a));
    pauses.splice(pauses.indexOf(first), 1);
    now = Math.max(now, first.until);
    first.end();
  };
  const clock: Clock = {
    now: () => now,
    sleep: (ms) =>
      new Promise((resolve) => {
        pauses.push({ until: now + Math.max(0, ms), end: resolve });
        goOn();
      }),
  };
  const runSenders = async (send: () => Promise<void>): Promise<void> => {
    senders = SENDERS;
    await Promise.all(
      Array.from({ length: SENDERS }, async () => {
        await send();
        senders -= 1;
        goOn();
      }),
    );
  };
  return { clock, runSenders };
}

/** Says whether a limiter of `limit` requests per second serves a request that comes at `now`. */
type Limiter = (now: number) => boolean;

const limiters: Readonly<Record<string, (limit: number) => Limiter>> = {
  'a fixed window': (limit) => {
    const counts = new Map<number, number>();
    return (now) => {
      const second = Math.floor(now / 1000);
      const count = counts.get(second) ?? 0;
      if (count < limit) counts.set(second, count + 1);
      return count < limit;
    };
  },
  'a sliding window': (limit) => {
    let served: readonly number[] = [];
    return (now) => {
      served = served.filter((at) => now - at < 1000);
      const isServed = served.length < limit;
      if (isServed) served = [...served, now];
      return isServed;
    };
  },
  'a token bucket': (limit) => {
    let [tokens, filledAt] = [limit, NOON];
    return (now) => {
      tokens = Math.min(limit, tokens + ((now - filledAt) / 1000) * limit);
      filledAt = now;
      const isServed = tokens >= 1;
      if (isServed) tokens -= 1;
      return isServed;
    };
  },
};

const secondLater = (now: number): Record<string, string> => ({
  Date: new Date(now).toUTCString(),
  'Retry-After': new Date(now + 1000).toUTCString(),
});

/** Sends requests by several senders to a bank. Returns the answers, and the seconds on the clock. */
async function sendRequests(serves: Limiter, makeHeaders: (now: number) => Record<string, string>) {
  const { clock, runSenders } = createPauseClock();
  let refused = 0;
  const port = await startHttpServer((_request, response) => {
    response.sendDate = false;
    if (!serves(clock.now())) {
      refused += 1;
      response.writeHead(429, makeHeaders(clock.now()));
    }
    response.end('{}');
  });
  const transport = openTransport(makeTarget(`http://127.0.0.1:${port}`), clock);
  const statuses: (number | undefined)[] = [];
  let left = REQUESTS;
  await runSenders(async () => {
    while ((left -= 1) >= 0) {
      let sent = await transport.send(GET_REQUEST);
      while (sent.answer?.status === 429 && !('Retry-After' in makeHeaders(0))) {
        await clock.sleep(200);
        sent = await transport.send(GET_REQUEST);
      }
      statuses.push(sent.answer?.status);
    }
  });
  return { refused, statuses: new Set(statuses), seconds: (clock.now() - NOON) / 1000 };
}

for (const [name, open] of Object.entries(limiters))
  for (const [headerName, makeHeaders] of [
    ['Retry-After in seconds', () => ({ 'Retry-After': '1' })],
    ['Retry-After as a date', secondLater],
    ['no Retry-After', () => ({})],
  ] as const)
    for (const limit of [8, 15])
      test(`The client uses up a limit of ${limit} requests per second (${name}, ${headerName}), with few refusals`, async () => {
        const { refused, statuses, seconds } = await sendRequests(open(limit), makeHeaders);
        expect(statuses).toEqual(new Set([200]));
        expect(seconds).toBeLessThanOrEqual((1.3 * REQUESTS) / limit);
        // Each of the senders begins with a request; after that few are refused.
        expect(refused).toBeLessThanOrEqual(SENDERS + 0.2 * REQUESTS);
      });

test('If every seventeenth request is refused with Retry-After 0, the client does not slow down', async () => {
  let requestCount = 0;
  const { refused, seconds } = await sendRequests(
    () => (requestCount += 1) % 17 !== 0,
    () => ({ 'Retry-After': '0' }),
  );
  expect([refused, seconds]).toEqual([18, 0]);
});

/** Lets a pacer send `count` requests, each at its turn. `isServed` says which are served. Returns the milliseconds taken. */
function drive(pacer: Pacer, count: number, isServed: (nth: number) => boolean, waitMs: number | null = null): number {
  let now = NOON;
  for (let nth = 1; nth <= count; nth += 1) {
    now = pacer.takeTurn(now) + 1;
    pacer.noteSent(now);
    if (isServed(nth)) pacer.noteServed(now);
    else pacer.noteRefused(now, waitMs, now);
  }
  return now - NOON;
}

test('If the bank serves 60 requests and then asks for a wait of 10 s, the pacer computes a rate of about 6 requests per second', () => {
  const pacer = new Pacer();
  drive(pacer, 62, (nth) => nth <= 60, 10_000);
  expect(pacer.getRequestsPerSecond()).toBeCloseTo(5.7);
});

test('A Retry-After of one hour, or a bank that refuses every request, gives no rate', () => {
  const pacer = new Pacer();
  drive(pacer, 62, (nth) => nth <= 60, 3_600_000);
  expect(pacer.getRequestsPerSecond()).toBeNull();
  const refusedAlways = new Pacer();
  drive(refusedAlways, 60, () => false, 1000);
  expect(refusedAlways.getRequestsPerSecond()).toBeNull();
});

test('If refusals stay as frequent at lower rates, requests are no longer spaced', () => {
  const pacer = new Pacer();
  drive(pacer, 10, (nth) => nth % 3 === 0, 0);
  expect(pacer.getRequestsPerSecond()).not.toBeNull();
  drive(pacer, 200, (nth) => nth % 3 === 0, 0);
  expect(pacer.getRequestsPerSecond()).toBeNull();
  expect(drive(pacer, 100, (nth) => nth % 3 === 0, 0)).toBe(100);
});

test('If a bank serves four requests at the same time, and refuses more without Retry-After, the pacer computes no rate when a run begins', () => {
  const pacer = new Pacer();
  for (let now = NOON; now < NOON + 500; now += 5)
    for (let nth = 1; nth <= 6; nth += 1) {
      expect(pacer.takeTurn(now)).toBe(now);
      pacer.noteSent(now);
      if (nth <= 4) pacer.noteServed(now);
      else pacer.noteRefused(now, null, now);
    }
  expect(pacer.getRequestsPerSecond()).toBeNull();
});

test('When refusals stop, the rate rises until it limits nothing', () => {
  const pacer = new Pacer();
  drive(pacer, 12, (nth) => nth <= 10, 1000);
  expect(pacer.getRequestsPerSecond()).toBeCloseTo(9.5);
  drive(pacer, 1500, () => true);
  expect(pacer.getRequestsPerSecond()).toBeGreaterThan(500);
});
