/** A gateway before a bank, which stops serving at a moment of its own: for whatever happens to a target in mid-run. */
import { setTimeout } from 'node:timers/promises';
import { serve, type Handler } from '../../../fixtures/reference-bank/http/serve.ts';

/** What is seen of a service that is gone: nobody listens, a gateway that says 502, or a port that never answers. */
export type Ending = 'closed' | '502' | 'silent';

export interface Mortality {
  readonly ending: Ending;
  /** Whether the service ends with this request; `nth` counts them from 1. The request that ends it gets no answer. */
  readonly endsWith: (request: Request, nth: number) => boolean | Promise<boolean>;
  /** Milliseconds after which it serves again; never, where that is not said. */
  readonly backAfterMs?: number;
}

interface Gateway {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves `bank` on a port of 127.0.0.1 until its end. */
export async function mortalGateway(bank: Handler, { ending, endsWith, backAfterMs }: Mortality): Promise<Gateway> {
  let [requests, gone] = [0, false];
  const never = new Promise<Response>(() => {});
  const mortal: Handler = {
    async fetch(request) {
      requests += 1;
      if (!gone && (await endsWith(request, requests))) void end();
      if (!gone) return bank.fetch(request);
      return ending === '502' ? new Response('<h1>Bad gateway</h1>', { status: 502 }) : never;
    },
  };
  const first = await serve(mortal);
  let served: typeof first | null = first;

  async function shut(): Promise<void> {
    const shutting = served;
    served = null;
    await shutting?.close();
  }

  async function end(): Promise<void> {
    gone = true;
    if (ending === 'closed') await shut();
    if (backAfterMs === undefined) return;
    await setTimeout(backAfterMs);
    gone = false;
    if (ending === 'closed') served = await serve(mortal, { port: first.port });
  }

  return { url: first.url, close: shut };
}
