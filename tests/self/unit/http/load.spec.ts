/** Tests that a bank with a rate limit is judged as a bank without one. */
import { systemClock } from '../../../../fixtures/run/http/clock.ts';
import { expect, test } from '@playwright/test';
import type { Handler } from '../../../../fixtures/banks/lib/mutant.ts';
import { findMutant } from '../../../../fixtures/banks/mutants/index.ts';
import { createBank } from '../../../../fixtures/reference-bank/bank.ts';
import { examineBank } from '../../support/examine.ts';
import { THOROUGH_ONLY } from '../../support/thorough.ts';

const env = { AREAS: 'atms' };

const testedFault = findMutant('zeros-lost-in-districts');
const makeFaultyBank = (): Handler => testedFault.mutate(createBank());

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

test(
  'At a gateway that answers 503 above 40 requests per second, the run finds the fault of the bank and no other',
  THOROUGH_ONLY,
  async () => {
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
  },
);
