/** The reference bank at the end of a long line, with a note of what came when. */
import { createBank } from '../../../fixtures/reference-bank/bank.ts';
import type { Handler } from '../../../fixtures/reference-bank/http/serve.ts';
import { sandbox, whileServed } from '../support/command.ts';

/** Time without another request after which those that wait are all that the client can send without an answer. */
const QUIET_MS = 300;

interface Traffic {
  requests: number;
  /** Most requests that were under way at once. */
  most: number;
  /** When the first request came, on the clock of this process. */
  first: number;
}

type Work<T> = (env: Readonly<Record<string, string>>) => Promise<T>;

/** Serves a bank that takes `latencyMs` to answer while `work` runs, and reports the traffic. */
export async function whileFar<T>(latencyMs: number, work: Work<T>): Promise<{ result: T; traffic: Traffic }> {
  return served(() => new Promise((resolve) => setTimeout(resolve, latencyMs)), work);
}

/**
 * Counts the rounds in which `work` is done by a bank that answers only when nothing more comes, and then all at once: the
 * longest chain of requests that wait for one another. However busy the machine, the number is the same.
 */
export async function countRounds(work: Work<unknown>): Promise<number> {
  let rounds = 0;
  const held: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  const answerAll = (): void => {
    rounds += 1;
    for (const answer of held.splice(0)) answer();
  };
  await served(() => {
    clearTimeout(timer);
    timer = setTimeout(answerAll, QUIET_MS);
    return new Promise<void>((resolve) => held.push(resolve));
  }, work);
  return rounds;
}

async function served<T>(delay: () => Promise<void>, work: Work<T>): Promise<{ result: T; traffic: Traffic }> {
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
  return { result: await whileServed(far, (url) => work(sandbox(url))), traffic };
}
