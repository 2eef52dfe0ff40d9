import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeAtmHandlers } from './atms.ts';
import { bugs, Refused, type Handlers, type Has } from './handlers.ts';
import { makeLinkHandlers } from './links.ts';
import { makeLoanHandlers } from './loans.ts';

export { bugs } from './handlers.ts';

const SERVER_CREDENTIALS = { clientId: '4411', clientSecret: 'gul bank secret', accessToken: 'Zm9vOmJhcg==' };
const PATH_PREFIXES = ['/api/bank/revolving-loans/v1/', '/api/bank/card/paybylink/v1/', '/api/v1/'] as const;

function findHandler(handlers: Handlers, method: string, path: readonly string[]): Handlers[string] | undefined {
  for (const [route, handler] of Object.entries(handlers)) {
    const [wanted, ...parts] = route.split(/[ /]/);
    const same = parts.length === path.length && parts.every((part, nth) => part === '*' || part === path[nth]);
    if (wanted === method && same) return handler;
  }
}

const mayEnter = ({ headers }: IncomingMessage, prefix: string): boolean =>
  headers['x-gw-client-id'] === SERVER_CREDENTIALS.clientId &&
  headers['x-gw-client-secret'] === SERVER_CREDENTIALS.clientSecret &&
  (prefix === '/api/v1/' || headers.authorization === `Bearer ${SERVER_CREDENTIALS.accessToken}`);

async function readBody(request: IncomingMessage, has: Has): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (request.method !== 'POST') return {};
  try {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
    if (typeof body === 'object' && body !== null) return body as Record<string, unknown>;
  } catch (error) {
    if (has('stack-in-answer')) throw error;
  }
  throw new Refused('body must be a JSON object');
}

function sendJson(response: ServerResponse, status: number, body: object, has: Has): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json;charset=UTF-8',
    'Content-Length': has('length-in-characters') ? text.length : Buffer.byteLength(text),
  });
  response.end(text);
}

/** Starts the handwritten bank, which uses only Node and its memory. */
export async function startPlainHttp(bug?: string) {
  if (bug !== undefined && !(bug in bugs.must) && !(bug in bugs.should)) throw new Error(`unknown bug ${bug}`);
  const has: Has = (name) => name === bug;
  const areas: Record<(typeof PATH_PREFIXES)[number], Handlers> = {
    '/api/bank/revolving-loans/v1/': makeLoanHandlers(has),
    '/api/bank/card/paybylink/v1/': makeLinkHandlers(has),
    '/api/v1/': makeAtmHandlers(has),
  };
  let count = 0;
  const known = new WeakSet<object>();

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const prefix = PATH_PREFIXES.find((each) => url.pathname.startsWith(each));
    if (prefix === undefined) return sendJson(response, 404, { hata: 'not found' }, has);
    const trusted = has('trusted-connection') && known.has(request.socket);
    if (!trusted && !mayEnter(request, prefix)) return sendJson(response, 401, { hata: 'who are you?' }, has);
    known.add(request.socket);
    const path = url.pathname.slice(prefix.length).split('/');
    const handler = findHandler(areas[prefix], request.method ?? '', path);
    if (handler === undefined) return sendJson(response, 404, { hata: 'not found' }, has);
    if (has('dropped-connections') && ++count % 30 === 0) return void request.socket.destroy();
    const members = handler({ path, query: url.searchParams, body: await readBody(request, has) });
    sendJson(response, 200, { status: 'OK', ...members }, has);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      const { message, stack } = error as Error;
      const isRefused = error instanceof Refused;
      const hata = isRefused ? message : has('stack-in-answer') ? stack : undefined;
      sendJson(response, isRefused ? 400 : 500, { status: 'ERROR', hata }, has);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...SERVER_CREDENTIALS,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
