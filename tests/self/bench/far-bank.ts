/** A reference bank with a high latency, which counts the requests and records their times. */
import { createBank } from '../../../fixtures/reference-bank/bank.ts';
import type { Handler } from '../../../fixtures/reference-bank/http/serve.ts';
import { makeSandboxEnv, serveDuring } from '../support/command.ts';

/** If no request comes for this many milliseconds, the client has sent everything that it can send without an answer. */
const QUIET_PERIOD_MS = 300;

interface Traffic {
  requests: number;
  /** The highest number of requests in flight. */
  most: number;
  /** The time of the first request, on the clock of this process. */
  first: number;
}

type Work<T> = (env: Readonly<Record<string, string>>) => Promise<T>;

/** Runs `work` against a bank that answers after `latencyMs`, and reports the traffic. */
export async function withLatency<T>(latencyMs: number, work: Work<T>): Promise<{ result: T; traffic: Traffic }> {
  return serveFarBank(() => new Promise((resolve) => setTimeout(resolve, latencyMs)), work);
}

/**
 * Counts how many requests of `work` wait for each other, one after the other. The bank answers all waiting requests together when
 * no more requests come, so that the load of the machine does not matter.
 */
export async function countRounds(work: Work<unknown>): Promise<number> {
  let rounds = 0;
  const held: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  const answerAll = (): void => {
    rounds += 1;
    for (const answer of held.splice(0)) answer();
  };
  await serveFarBank(() => {
    clearTimeout(timer);
    timer = setTimeout(answerAll, QUIET_PERIOD_MS);
    return new Promise<void>((resolve) => held.push(resolve));
  }, work);
  return rounds;
}

async function serveFarBank<T>(delay: () => Promise<void>, work: Work<T>): Promise<{ result: T; traffic: Traffic }> {
  const bank = createBank();
  const traffic: Traffic = { requests: 0, most: 0, first: Number.NaN };
  let underWay = 0;
  const far: Handler = {
    async fetch(request) {
      if (traffic.requests === 0) traffic.first = performance.now();
      traffic.requests += 1;
      traffic.most = Math.max(traffic.most, (underWay += 1));
      await delay();
      const response = await bank.fetch(request);
      underWay -= 1;
      return response;
    },
  };
  return { result: await serveDuring(far, (url) => work(makeSandboxEnv(url))), traffic };
}
