/** Banks that fail under load are judged as with few requests, and the report names the number of requests used. */
import { systemClock } from '../../../../fixtures/http/clock.ts';
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { expect, test } from '@playwright/test';
import type { Handler } from '../../../../fixtures/banks/lib/mutant.ts';
import { findMutant } from '../../../../fixtures/banks/mutants/index.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import type { Report } from '../../../../reports/model/report.ts';
import { renderHtml } from '../../../../reports/formats/html/index.ts';
import { summarize } from '../../../../reports/formats/terminal.ts';
import { examineBank, examineUrl } from '../../support/examine.ts';
import { startMortalGateway } from '../../support/mortal-gateway.ts';
import { closeAll, makeBankByLoad, listenOnFreePort } from '../../support/servers.ts';
import { thoroughUnless, THOROUGH_ONLY } from '../../support/thorough.ts';

test.afterEach(closeAll);

/** Milliseconds that the healthy bank takes: much more than a busy machine adds. */
const ANSWER_TIME_MS = 80;
const env = { AREAS: 'atms' };

const fault = findMutant('zeros-lost-by-position');
const makeFaultyBank = (): Handler => fault.mutate(createBank());

/** Makes a slow, faulty bank; `beyond` answers if more than `most` requests are under way. */
function makeBankUnderLoad(
  most: number,
  beyond: (bank: () => Promise<Response>, underWay: number) => Promise<Response>,
): Handler {
  const bank = makeFaultyBank();
  return makeBankByLoad(async (request, underWay) => {
    const answer = async (): Promise<Response> => bank.fetch(request);
    if (underWay > most) return beyond(answer, underWay);
    await setTimeout(ANSWER_TIME_MS);
    return answer();
  });
}

/** Expects only the bank's own fault in the report, and no finding caused by load. */
function expectJudgedAsGently(report: Report): void {
  expect(new Set(report.findings.map(({ clause }) => clause))).toEqual(new Set([fault.breaks]));
  expect(report.verdict).toBe('non-conformant');
  expect(report.interrupted).toBeNull();
  const said = /at most \d+ requests? at once: /;
  expect(summarize(report, { color: false })).toMatch(said);
  expect(renderHtml(report)).toMatch(said);
}

test('A bank that slows down beyond 6 requests', async () => {
  const report = await examineBank(
    makeBankUnderLoad(6, async (answer, underWay) => {
      await setTimeout(ANSWER_TIME_MS * underWay);
      return answer();
    }),
    { env, clock: systemClock },
  );
  expectJudgedAsGently(report);
  expect(report.concurrency?.kept).toMatchObject({ sign: 'latency', latencyMs: expect.any(Object) });
});

test('A bank that answers 429 with Retry-After beyond 10 requests', THOROUGH_ONLY, async () => {
  const throttled = { status: 429, headers: { 'Retry-After': '1' } };
  const report = await examineBank(
    makeBankUnderLoad(10, async () => Response.json({ error: 'too many' }, throttled)),
    { env, clock: systemClock },
  );
  expectJudgedAsGently(report);
  expect(report.concurrency?.kept).toMatchObject({ sign: 'throttled', limit: expect.any(Number) });
  expect(report.concurrency?.kept?.limit).toBeLessThanOrEqual(10);
});

test('A bank that falls over beyond 20 requests and recovers', THOROUGH_ONLY, async () => {
  const bank = makeFaultyBank();
  let underWay = 0;
  const slow = makeBankByLoad(async (request, count) => {
    underWay = count;
    await setTimeout(ANSWER_TIME_MS);
    return bank.fetch(request);
  });
  const gateway = await startMortalGateway(slow, { ending: '502', endsWith: () => underWay >= 20, backAfterMs: 300 });
  try {
    const report = await examineUrl(gateway.url, { env });
    expectJudgedAsGently(report);
    expect(report.concurrency?.kept?.limit).toBeLessThanOrEqual(20);
  } finally {
    await gateway.close();
  }
});

test('A bank that closes every connection beyond 6', THOROUGH_ONLY, async () => {
  const bank = makeFaultyBank();
  const listener = getRequestListener((request) => bank.fetch(request));
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  server.maxConnections = 6;
  const report = await examineUrl(`http://127.0.0.1:${await listenOnFreePort(server)}`);
  expectJudgedAsGently(report);
  expect(report.concurrency?.kept).toMatchObject({ sign: 'no-answer' });
});

/** Makes a token bucket that returns true for a request that it lets through. */
function makeTokenBucket(perSecond: number, atOnce: number): () => boolean {
  let [left, asOf] = [atOnce, performance.now()];
  return () => {
    const now = performance.now();
    left = Math.min(atOnce, left + ((now - asOf) * perSecond) / 1000);
    asOf = now;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}

const answerTooMany = (status: number, headers: Record<string, string> = {}) =>
  new Response('<h1>Too many requests</h1>', { status, headers });

for (const [said, isTaken, refusal] of [
  ['503 without Retry-After; about', makeTokenBucket(40, 10), () => answerTooMany(503)],
  ['503 with Retry-After; about', makeTokenBucket(60, 6), () => answerTooMany(503, { 'retry-after': '1' })],
] as const)
  test(
    `A gateway that limits requests is asked at an accepted rate: ${said}`,
    thoroughUnless(!said.includes(' with ')),
    async () => {
      const bank = makeFaultyBank();
      const limited: Handler = { fetch: async (request) => (isTaken() ? bank.fetch(request) : refusal()) };
      const report = await examineBank(limited, { env, clock: systemClock });
      expect(report.verdict, report.reasons.join('\n')).toBe('non-conformant');
      expect(report.findings.filter(({ verdict }) => verdict === 'fail').map(({ clause }) => clause)).toEqual([
        fault.breaks,
      ]);
      expect(report.observations.map(({ value }) => value)).toContainEqual(expect.stringContaining(said));
    },
  );
