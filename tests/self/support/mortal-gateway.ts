/** A gateway before a bank, which stops serving at a moment of its own: for whatever happens to a target in mid-run. */
import { getRequestListener } from '@hono/node-server';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Handler } from '../../../fixtures/banks/lib/mutant.ts';

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
  const sockets = new Set<Socket>();
  let [requests, gone, port] = [0, false, 0];
  let server: Server | null = null;

  async function open(): Promise<void> {
    const listener = getRequestListener(serveOne);
    const opened = createServer((incoming, outgoing) => void listener(incoming, outgoing));
    opened.on('connection', (socket) => sockets.add(socket.on('error', () => {})));
    await new Promise<void>((done, fail) => opened.once('error', fail).listen(port, '127.0.0.1', done));
    port = (opened.address() as AddressInfo).port;
    server = opened;
  }

  async function shut(): Promise<void> {
    const shutting = server;
    server = null;
    const done = new Promise((resolve) => (shutting === null ? resolve(null) : shutting.close(resolve)));
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    await done;
  }

  async function end(): Promise<void> {
    gone = true;
    if (ending === 'closed') await shut();
    if (backAfterMs === undefined) return;
    await setTimeout(backAfterMs);
    gone = false;
    if (ending === 'closed') await open();
  }

  const never = new Promise<Response>(() => {});

  async function serveOne(request: Request): Promise<Response> {
    requests += 1;
    if (!gone && (await endsWith(request, requests))) void end();
    if (!gone) return bank.fetch(request);
    return ending === '502' ? new Response('<h1>Bad gateway</h1>', { status: 502 }) : never;
  }

  await open();
  return { url: `http://127.0.0.1:${port}`, close: shut };
}
