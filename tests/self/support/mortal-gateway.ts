/** A gateway before a bank that stops at a chosen request, to test how a run reacts when its bank fails. */
import { setTimeout } from 'node:timers/promises';
import { startServer, type Handler } from '../../../fixtures/reference-bank/http/serve.ts';

/** How a stopped service behaves: no process listens, a gateway answers 502, or the port never answers. */
export type Ending = 'closed' | '502' | 'silent';

export interface Mortality {
  readonly ending: Ending;
  /** True if the service stops at this request, which then gets no answer. `nth` counts requests from 1. */
  readonly endsWith: (request: Request, nth: number) => boolean | Promise<boolean>;
  /** Milliseconds until the gateway works again; without this member, it never does. */
  readonly backAfterMs?: number;
}

interface Gateway {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves `bank` on a port of 127.0.0.1 until it stops. */
export async function startMortalGateway(
  bank: Handler,
  { ending, endsWith, backAfterMs }: Mortality,
): Promise<Gateway> {
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
  const first = await startServer(mortal);
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
    if (ending === 'closed') served = await startServer(mortal, { port: first.port });
  }

  return { url: first.url, close: shut };
}
