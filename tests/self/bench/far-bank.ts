/** The reference bank at the end of a long line, with a note of what came when. */
import { createBank, sandboxCredentials } from '../../../fixtures/reference-bank/bank.ts';
import { serve } from '../../../fixtures/reference-bank/http/serve.ts';

export interface Traffic {
  requests: number;
  /** Most requests that were under way at once. */
  most: number;
  /** When the first request came and when the last was answered, on the clock of this process. */
  first: number;
  last: number;
}

/** Serves a bank that takes `latencyMs` to answer while `work` runs, and tells of the traffic. */
export async function whileFar<T>(
  latencyMs: number,
  work: (env: Readonly<Record<string, string>>) => Promise<T>,
): Promise<{ result: T; traffic: Traffic }> {
  const bank = createBank();
  const traffic: Traffic = { requests: 0, most: 0, first: Number.NaN, last: Number.NaN };
  let underWay = 0;
  const served = await serve({
    async fetch(request) {
      if (traffic.requests === 0) traffic.first = performance.now();
      traffic.requests += 1;
      traffic.most = Math.max(traffic.most, (underWay += 1));
      if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs));
      const response = await bank.fetch(request);
      underWay -= 1;
      traffic.last = performance.now();
      return response;
    },
  });
  const { clientId, clientSecret, accessToken } = sandboxCredentials;
  try {
    return {
      result: await work({
        BASE_URL: served.url,
        CLIENT_ID: clientId,
        CLIENT_SECRET: clientSecret,
        ACCESS_TOKEN: accessToken,
      }),
      traffic,
    };
  } finally {
    await served.close();
  }
}
