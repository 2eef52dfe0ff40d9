/**
 * Tests that banks that fail under load are judged as with few requests, and that the report names the number of requests in
 * flight.
 */
import { systemClock } from '../../../../fixtures/http/clock.ts';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import type { Handler } from '../../../../fixtures/banks/lib/mutant.ts';
import { findMutant } from '../../../../fixtures/banks/mutants/index.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import { renderHtml } from '../../../../reports/formats/html/index.ts';
import { examineBank } from '../../support/examine.ts';
import { makeBankByLoad } from '../../support/servers.ts';

/** Milliseconds that the healthy bank takes: much more than a busy machine adds. */
const ANSWER_TIME_MS = 80;
const env = { AREAS: 'atms' };

const testedFault = findMutant('zeros-lost-in-districts');
const makeFaultyBank = (): Handler => testedFault.mutate(createBank());

test('A bank that slows down beyond 6 requests gets fewer, and the report says so', async () => {
  const bank = makeFaultyBank();
  const slow = makeBankByLoad(async (request, underWay) => {
    await setTimeout(underWay > 6 ? ANSWER_TIME_MS * underWay : ANSWER_TIME_MS);
    return bank.fetch(request);
  });
  const report = await examineBank(slow, { env, clock: systemClock });
  expect(new Set(report.findings.map(({ clause }) => clause))).toEqual(new Set([testedFault.breaks]));
  expect([report.verdict, report.interrupted]).toEqual(['non-conformant', null]);
  expect(renderHtml(report)).toMatch(/at most \d+ requests? at once: /);
  expect(report.concurrency?.kept).toMatchObject({ sign: 'latency', latencyMs: expect.any(Object) });
});

/** Makes a token bucket: a function that returns true for each request that may pass. */
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

test('If a gateway limits requests, the suite sends them at a rate that the gateway accepts', async () => {
  const bank = makeFaultyBank();
  const isTaken = makeTokenBucket(40, 10);
  const tooMany = () => new Response('<h1>Too many requests</h1>', { status: 503 });
  const limited: Handler = { fetch: async (request) => (isTaken() ? bank.fetch(request) : tooMany()) };
  const report = await examineBank(limited, { env, clock: systemClock });
  expect(report.verdict, report.reasons.join('\n')).toBe('non-conformant');
  expect(report.findings.filter(({ verdict }) => verdict === 'fail').map(({ clause }) => clause)).toEqual([
    testedFault.breaks,
  ]);
  expect(report.observations.map(({ value }) => value)).toContainEqual(
    expect.stringContaining('503 without Retry-After; about'),
  );
});
