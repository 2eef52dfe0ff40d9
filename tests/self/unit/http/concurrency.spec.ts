/** Tests that the number of requests in flight adapts to banks whose behaviour under load is known. */
import { expect, test } from '@playwright/test';
import { ConcurrencyLimiter, type LoadEvidence, type Slot } from '../../../../fixtures/run/http/limiter.ts';

type LoadResult = { status?: number; ms?: number; failure?: 'timeout' | 'reset' };

const makeAttempt = ({ status = 200, ms = 10, failure }: LoadResult): LoadEvidence => ({
  answer: failure === undefined ? { status, headers: [], bytes: new Uint8Array() } : null,
  failure: failure === undefined ? null : { kind: failure, message: '' },
  answerMs: ms,
});

/**
 * Sends requests in `rounds` rounds: in each round, as many at once as the limiter allows. `target` gives the answer to the request
 * number `nth`, which stands at `place` among the `underWay` requests of its round.
 */
async function driveLimiter(
  ceiling: number,
  rounds: number,
  target: (underWay: number, nth: number, place: number) => LoadResult,
) {
  const limiter = new ConcurrencyLimiter(ceiling, () => 0);
  const sizes: number[] = [];
  let [attemptsUnderLoad, nth] = [0, 0];
  const waiting: Slot[] = [];
  const takeSlot = async (): Promise<void> => void waiting.push(await limiter.acquire('one', 'operation'));
  for (let round = 0; round < rounds; round += 1) {
    for (let more = 0; more < ceiling * 2 - waiting.length; more += 1) void takeSlot();
    await new Promise(setImmediate);
    const underWay = waiting.splice(0);
    sizes.push(underWay.length);
    for (const [place, slot] of underWay.entries()) {
      if (slot.noteResult(makeAttempt(target(underWay.length, (nth += 1), place)))) attemptsUnderLoad += 1;
      slot.release();
    }
  }
  return { ...limiter.getRecord(), sizes, putDownToLoad: attemptsUnderLoad };
}

test('At a fast bank, the limiter begins with 4 requests in flight, and doubles them up to the ceiling', async () => {
  const { sizes, most, kept } = await driveLimiter(32, 30, () => ({}));
  expect(sizes.slice(0, 4)).toEqual([4, 8, 16, 32]);
  expect([most, kept]).toEqual([32, undefined]);
  expect((await driveLimiter(2, 10, () => ({}))).most).toBe(2);
});

for (const [title, beyond, sign, came] of [
  ['429', 10, 'throttled', { status: 429 }],
  ['503', 10, 'unavailable', { status: 503 }],
  ['time-outs', 20, 'timeout', { failure: 'timeout' }],
  ['broken connections', 20, 'no-answer', { failure: 'reset' }],
  ['slow answers', 6, 'latency', { ms: 200 }],
] as const)
  test(`If more than ${beyond} concurrent requests lead to ${title}, the limiter stays at ${beyond} or fewer`, async () => {
    const { kept, sizes, ceiling } = await driveLimiter(32, 200, (underWay) => (underWay > beyond ? came : {}));
    expect(ceiling).toBe(32);
    expect(kept?.sign).toBe(sign);
    expect(kept?.limit).toBeLessThanOrEqual(beyond);
    expect(kept?.at).toBeGreaterThan(beyond);
    expect(new Set(sizes.slice(-20))).toEqual(new Set([kept?.limit]));
    if (sign === 'latency') expect(kept?.latencyMs).toEqual({ calm: 10, loaded: 200 });
  });

test('If each tenth answer is 503 at any load, the limiter still reaches its ceiling', async () => {
  const { kept, most, putDownToLoad } = await driveLimiter(32, 100, (_, nth) =>
    nth % 10 === 3 ? { status: 503 } : {},
  );
  expect(kept).toBeUndefined();
  expect(most).toBe(32);
  expect(putDownToLoad).toBeLessThan(10);
});
